"""fpa.prefix_min_backward, compiled, against NumPy's sums in the same order."""

import itertools

import numpy as np

from compiled import Module

TYPES = {"f32": np.float32, "f64": np.float64}
SHAPES = [((0,), 0), ((1,), 0), ((100,), 0), ((5, 33), 1), ((5, 33), 0),
          ((3, 17, 4), 1), ((2, 3, 50), 2), ((0, 7), 1), ((7, 0), 1)]


def text(element, rank, axis):
    dims = "?x" * rank
    index, value = f"memref<{dims}i64>", f"memref<{dims}{element}>"
    return f"""
func.func @backward_{element}_{rank}_{axis}(%i: {index}, %g: {value}, %x: {value}) {{
  fpa.prefix_min_backward axis({axis}) ins(%i, %g : {index}, {value}) outs(%x : {value})
  return
}}
"""


def reference(index, gradient, axis):
    index, gradient = (np.moveaxis(a, axis, -1) for a in (index, gradient))
    out = np.zeros_like(gradient)
    for line in np.ndindex(index.shape[:-1]):
        at = index[line]
        inside = (at >= 0) & (at < len(at))
        np.add.at(out[line], at[inside], gradient[line][inside])
    return np.moveaxis(out, -1, axis)


def suffix_places(x, axis):
    """The index of the exclusive minimum from the end, ties to the latest."""
    x = np.moveaxis(x, axis, -1)
    places = np.full(x.shape, -1, np.int64)
    for line in np.ndindex(x.shape[:-1]):
        best = -1
        for t in reversed(range(x.shape[-1])):
            places[line][t] = best
            if best < 0 or x[line][t] < x[line][best]:
                best = t
    return np.moveaxis(places, -1, axis)


def main():
    rng = np.random.default_rng(3)
    kinds = sorted({(len(shape), axis) for shape, axis in SHAPES})
    module = Module("".join(text(element, *kind) for element, kind in
                            itertools.product(TYPES, kinds)),
                    ["--convert-fpa-prefix-backward-to-scf"])
    for (element, dtype), (shape, axis) in itertools.product(TYPES.items(),
                                                             SHAPES):
        gradient = rng.standard_normal(shape).astype(dtype)
        wild = rng.integers(-3, shape[axis] + 3, shape)
        minima = suffix_places(rng.integers(0, 9, shape), axis)
        for index in (wild, minima, np.full(shape, -1)):
            index = np.ascontiguousarray(index)
            out = np.full(shape, np.nan, dtype)
            module.call(f"backward_{element}_{len(shape)}_{axis}", index,
                        gradient, out)
            # The order of the sums is fixed, and NumPy's is the same.
            want = reference(index, gradient, axis)
            if not np.array_equal(out, want):
                raise SystemExit(f"{element} {shape} {axis}: expected {want}, "
                                 f"got {out}")
    print("gradients of minima: ok")


main()
