"""fpa.vector_scan, lowered and run, against a scan from the definition."""

import itertools
import sys

import numpy as np

from compiled import Module

SHAPES = [((1,), 0), ((2,), 0), ((7,), 0), ((8,), 0), ((24,), 0), ((64,), 0),
          ((5, 8), 0), ((3, 16), 1), ((2, 3, 5), 1)]


def name(kind, shape, axis, reverse, exclusive, reset):
    return (f"{kind}_{'x'.join(map(str, shape))}_a{axis}" +
            "_rev" * reverse + "_exc" * exclusive + "_reset" * reset)


def text(kind, shape, axis, reverse, exclusive, reset, tiled):
    dims = "".join(f"{n}x" for n in shape)
    rest = "".join(f"{n}x" for i, n in enumerate(shape) if i != axis)
    vector, carry = f"vector<{dims}f32>", f"vector<{rest}f32>"
    memref, side = f"memref<{dims}f32>", f"memref<{rest}f32>"
    at = ", ".join(["%c0"] * len(shape))
    at_side = ", ".join(["%c0"] * (len(shape) - 1))
    flags = "reverse " * reverse + "exclusive" * exclusive
    loop = ("scf.forall (%w) in (1) {", "}") if tiled else ("", "")
    return f"""
func.func @{name(kind, shape, axis, reverse, exclusive, reset)}(
    %x: {memref}, %i: {side}, %y: {memref}, %t: {side}) {{
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %limit = arith.constant dense<-20.0> : {vector}
  {loop[0]}
  %v = vector.transfer_read %x[{at}], %p
    {{in_bounds = [{", ".join(["true"] * len(shape))}]}} : {memref}, {vector}
  %init = vector.transfer_read %i[{at_side}], %p
    {{in_bounds = [{", ".join(["true"] * (len(shape) - 1))}]}} : {side}, {carry}
  %stop = arith.cmpf ule, %v, %limit : {vector}
  %s, %e = fpa.vector_scan <{kind}> axis({axis}) {flags} %v, %init {"reset(%stop)" * reset}
    : {vector}, {carry}
  vector.transfer_write %s, %y[{at}]
    {{in_bounds = [{", ".join(["true"] * len(shape))}]}} : {vector}, {memref}
  vector.transfer_write %e, %t[{at_side}]
    {{in_bounds = [{", ".join(["true"] * (len(shape) - 1))}]}} : {carry}, {side}
  {loop[1]}
  return
}}
"""


def naive(kind, x, init, axis, reverse, exclusive, reset):
    x = np.moveaxis(x, axis, 0)
    scanned, carry = np.empty(x.shape), init.copy()
    places = range(len(x))
    for t in (reversed(places) if reverse else places):
        if exclusive:
            scanned[t] = carry
        # numpy's minimum lets a NaN win.
        carry = np.minimum(carry, x[t]) if kind == "min" else carry + x[t]
        if not exclusive:
            scanned[t] = carry
        if reset:
            # What scanned_t holds is out; NaN <= -20 too, as ule has it.
            left = x[t] if exclusive else np.inf if kind == "min" else 0
            carry = np.where(~(x[t] > -20), left, carry)
    return np.moveaxis(scanned, 0, axis), carry


def check(module, case):
    kind, shape, axis, reverse, exclusive, reset = case
    rng = np.random.default_rng(len(shape))
    for nans in [0.0, 0.0, 0.05]:
        x = rng.integers(-50, 50, shape).astype(np.float32)
        x[rng.random(shape) < nans] = np.nan
        side = shape[:axis] + shape[axis + 1:]
        init = np.asarray(rng.integers(-50, 50, side), np.float32)
        y, total = np.full(shape, np.nan, np.float32), np.full_like(init, 7e9)
        module.call(name(*case), x, init, y, total)
        want, end = naive(kind, x, init, axis, reverse, exclusive, reset)
        # Small integers: sums are exact.
        if not (np.array_equal(y, want, equal_nan=True) and
                np.array_equal(total, end, equal_nan=True)):
            raise SystemExit(f"{name(*case)}: expected {want} and {end}, "
                             f"got {y} and {total}")


def main(*options):
    tiled = "tiles" in options
    cases = [(kind, *shape, *flags) for kind, shape, *flags in
             itertools.product(["min", "sum"], SHAPES, [False, True],
                               [False, True], [False, True])]
    passes = [f"--fpa-lower-vector-scan={options[0]}"]
    if tiled:
        # Scans across lanes.
        cases = [c for c in cases if len(c[1]) == 2]
        passes = [f"--convert-fpa-tile-to-cpu={options[0]}"]
    module = Module("".join(text(*case, tiled) for case in cases), passes)
    for case in cases:
        check(module, case)
    print(f"{len(cases)} scans: ok")


main(*sys.argv[1:])
