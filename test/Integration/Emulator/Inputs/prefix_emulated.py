"""Prefix ops as GPU kernels on the emulator, against a scan from the definition
(that of the CPU's test)."""

import itertools
import os
import sys

import numpy as np

from emulated import Module

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "CPU",
                                "Inputs"))
import naive_scan  # noqa: E402

FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def cases():
    for reverse, exclusive in itertools.product([False, True], [False, True]):
        yield "prefix_min", "f32", (5, 300), 1, reverse, exclusive, None, True
    for flag in [False, True]:
        yield "prefix_sum", "f32", (3, 1100), 1, flag, flag, None, False
    yield "prefix_min", "f32", (2, 3, 200), 2, True, True, 64, False
    yield "prefix_min", "f16", (700,), 0, True, False, None, True
    yield "prefix_min", "f64", (4, 256), 1, False, True, None, False
    yield "prefix_sum", "f64", (2, 130), 1, True, False, 100, False
    yield "prefix_min", "f32", (50, 70), 0, True, True, None, True
    yield "prefix_sum", "f32", (2, 45, 64), 1, False, False, 20, False
    yield "prefix_min", "f32", (1, 1), 0, False, False, None, True
    yield "prefix_min", "f32", (1100, 1), 0, True, True, None, True
    yield "prefix_min", "f16", (300, 7, 2), 0, False, False, None, True
    yield "prefix_sum", "f64", (2, 150, 7), 1, True, False, 20, False
    # Rows that begin anywhere.
    for reverse in [False, True]:
        yield "prefix_min", "f32", (5, 301), 1, reverse, reverse, None, True
        yield "prefix_min", "f16", (3, 701), 1, reverse, False, None, False
        yield "prefix_sum", "f32", (2, 3, 1099), 2, reverse, True, None, False
        yield "prefix_sum", "f64", (5, 131), 1, reverse, False, 100, False
        yield "prefix_min", "f32", (70, 77), 0, reverse, False, None, True


def text(number, case):
    op, dtype, shape, axis, reverse, exclusive, segment, index = case
    dims = "".join(f"{n}x" for n in shape)
    x, i = f"memref<{dims}{dtype}>", f"memref<{dims}i64>"
    flags = " ".join(["reverse"] * reverse + ["exclusive"] * exclusive +
                     [f"segment({segment})"] * bool(segment))
    return (f"func.func @scan{number}(%x: {x}, %y: {x}"
            f"{f', %i: {i}' * index}) {{\n"
            f"  fpa.{op} axis({axis}) {flags} ins(%x : {x}) outs(%y"
            f"{', %i' * index} : {x}{f', {i}' * index})\n  return\n}}\n")


def check(module, number, case):
    op, dtype, shape, axis, reverse, exclusive, segment, index = case
    # The last pattern has ties, infinities and, for minima, NaN. Above zero, what
    # memory outside of the input counts for would show.
    last = list(naive_scan.patterns(shape, number, op))[-1]
    for data in (last, np.abs(last) + 1) if op == "prefix_min" else (last,):
        # What is printed in six digits; sums are whole numbers.
        scale = 1 if op == "prefix_sum" else 8
        x = (np.round(data * scale) / scale).astype(FLOATS[dtype])
        y, i = np.full_like(x, -77), np.full(shape, -77, np.int64)
        module.call(f"scan{number}", [x], [y, i][:1 + index])
        exact = x.astype(np.float64)
        values, indices = naive_scan.naive(op, exact, axis, reverse, exclusive,
                                           segment)
        got = y.astype(np.float64)
        good = (got == values) | (np.isnan(got) & np.isnan(values))
        if index:
            good &= i == indices
        if not good.all():
            bad = tuple(np.argwhere(~good)[0])
            raise SystemExit(f"{case}: at {bad} expected {values[bad]} "
                             f"({indices[bad]}), got {got[bad]} ({i[bad]})")


def main():
    every = list(enumerate(cases()))
    for number, case in every:
        # One by one: a run compiles all kernels of its module.
        module = Module(text(number, case), ["--fpa-gpu-machine-pipeline",
                                             "--fpa-gpu-to-nvvm-pipeline"])
        check(module, number, case)
    print(f"{len(every)} scans on the emulator: ok")


main()
