"""Prefix ops, compiled, against a step-by-step scan from the definition.

Every output is filled with NaN (or -7) beforehand, and the memory around
strided views is checked to be untouched.
"""

import itertools
import sys

import numpy as np

from compiled import FLOATS, Module, from_float32, to_float64
from naive_scan import naive, nearby, patterns

LENGTHS = [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 1000]


class Case:
    """One function of the module and the arrays it is called with."""

    def __init__(self, op, dtype, rank, axis, reverse=False, exclusive=False,
                 segment=None, index=False, layout=""):
        self.op, self.dtype, self.rank, self.axis = op, dtype, rank, axis
        self.reverse, self.exclusive, self.segment = reverse, exclusive, segment
        self.index, self.layout = index, layout
        self.name = "_".join(
            [op, dtype, f"r{rank}", f"a{axis}"] +
            [w for w, on in [("rev", reverse), ("exc", exclusive),
                             (f"seg{segment}", segment), ("idx", index),
                             (layout, layout)] if on])

    def memref(self, element):
        layout = ""
        if self.layout:
            inner = "1" if self.layout == "rows" else "?"
            strides = ", ".join(["?"] * (self.rank - 1) + [inner])
            layout = f", strided<[{strides}], offset: ?>"
        return "memref<" + "?x" * self.rank + element + layout + ">"

    def text(self):
        x, i = self.memref(self.dtype), self.memref("i64")
        flags = " ".join(["reverse"] * self.reverse +
                         ["exclusive"] * self.exclusive +
                         [f"segment({self.segment})"] * bool(self.segment))
        parameter, out, type_ = "", "", ""
        if self.index:
            parameter, out, type_ = f", %i: {i}", ", %i", f", {i}"
        return (f"func.func @{self.name}(%x: {x}, %y: {x}{parameter}) {{\n"
                f"  fpa.{self.op} axis({self.axis}) {flags} ins(%x : {x})"
                f" outs(%y{out} : {x}{type_})\n  return\n}}\n")

    def buffer(self, shape, dtype, fill):
        """(view, whole): a strided view has unused memory all around it."""
        if not self.layout:
            whole = np.full(shape, fill, dtype)
            return whole, whole
        wide = [n + 2 for n in shape]
        wide[-1] = wide[-1] if self.layout == "rows" else 2 * wide[-1]
        whole = np.full(wide, fill, dtype)
        view = whole[tuple(slice(1, 1 + n) for n in shape)]
        if self.layout != "rows":
            view = whole[tuple(slice(1, 1 + n) for n in shape[:-1]) +
                         (slice(1, 1 + 2 * shape[-1], 2),)]
        return view, whole

    def run(self, module, shape, seed):
        for data in patterns(shape, seed, self.op):
            x, _ = self.buffer(shape, FLOATS[self.dtype], 0)
            x[...] = from_float32(data, self.dtype)
            poison = 0x7FC1 if self.dtype == "bf16" else np.nan
            y, y_whole = self.buffer(shape, FLOATS[self.dtype], poison)
            i, i_whole = self.buffer(shape, np.int64, -7)
            module.call(self.name, x, y, *([i] if self.index else []))
            self.compare(x, y, i, shape)
            y[...], i[...] = poison, -7
            touched = (i_whole != -7).any()
            if self.dtype == "bf16":
                touched |= (y_whole != poison).any()
            else:
                touched |= not np.isnan(y_whole).all()
            if touched:
                raise SystemExit(f"{self.name} {shape}: wrote out of bounds")

    def compare(self, x, y, i, shape):
        exact = to_float64(x, self.dtype)
        values, indices = naive(self.op, exact, self.axis, self.reverse,
                                self.exclusive, self.segment)
        got = to_float64(y, self.dtype)
        if self.op == "prefix_min":
            good = (got == values) | (np.isnan(got) & np.isnan(values))
        else:
            # One rounding of the result, and those of the sums in one turn of
            # the loop, of at most 64 elements.
            unit = np.finfo(y.dtype).eps / 2
            with np.errstate(invalid="ignore"):
                bound = unit * (1.01 * np.abs(values) +
                                10 * nearby(exact, self.axis))
                good = (got == values) | (np.abs(got - values) <= bound)
        if self.index:
            good &= i == indices
        if not good.all():
            bad = tuple(np.argwhere(~good)[0])
            raise SystemExit(f"{self.name} {shape}: at {bad} expected "
                             f"{values[bad]} ({indices[bad]}), got {got[bad]} "
                             f"({i[bad]})")


def all_cases():
    flags = list(itertools.product([False, True], [False, True]))
    for (reverse, exclusive), segment, index in itertools.product(
            flags, [None, 24], [False, True]):
        yield Case("prefix_min", "f32", 1, 0, reverse, exclusive, segment,
                   index)
    for dtype, (reverse, exclusive) in itertools.product(
            ["f16", "bf16", "f64"], flags):
        yield Case("prefix_min", dtype, 1, 0, reverse, exclusive,
                   index=reverse != exclusive)
    for dtype, (reverse, exclusive) in itertools.product(["f32", "f64"],
                                                         flags):
        yield Case("prefix_sum", dtype, 1, 0, reverse, exclusive,
                   17 if exclusive else None)
    for rank, axis in [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]:
        yield Case("prefix_min", "f32", rank, axis)
        yield Case("prefix_min", "f32", rank, axis, True, True, 24, True)
        yield Case("prefix_sum", "f32", rank, axis, rank == 3, axis == 0)
    yield Case("prefix_min", "bf16", 2, 0, True, True)
    for axis in [0, 1]:
        for layout in ["rows", "any"]:
            yield Case("prefix_min", "f32", 2, axis, axis == 0, True,
                       index=True, layout=layout)
            yield Case("prefix_min", "f16", 2, axis, layout=layout)


def shapes(rank, axis):
    for length in LENGTHS:
        if rank == 1:
            yield (length,)
            continue
        for other in [0, 1, 3, 45] if length < 70 else [13]:
            shape = [other] * rank
            shape[axis] = length
            if rank == 3:
                shape[(axis + 1) % 3] = 2
            yield tuple(shape)


def main():
    options = sys.argv[1]
    cases = list(all_cases())
    if "short" in sys.argv:
        cases = [c for c in cases if c.dtype in ("f16", "f32") and c.rank < 3 and
                 not c.segment]
    passes = [f"--convert-fpa-prefix-to-vector={options}"]
    if "tiles" in sys.argv:
        passes = [f"--fpa-vectorize-prefix={options}",
                  "--convert-fpa-tile-to-cpu"]
        # Which loads vectors along memory's last dimension.
        cases = [c for c in cases if c.layout != "any"]
    module = Module("".join(c.text() for c in cases), passes)
    calls = 0
    for case in cases:
        for seed, shape in enumerate(shapes(case.rank, case.axis)):
            case.run(module, shape, seed)
            calls += 1
    print(f"{len(cases)} functions, {calls} shapes: ok")


main()
