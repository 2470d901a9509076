"""fpa.vector_scan with a reset as GPU kernels on the emulator, against the
definition: across registers, lanes and warps."""

import itertools

import numpy as np

from emulated import Module

SHAPES = [((512,), 0), ((16, 128), 1)]


def text(number, kind, shape, axis, reverse, exclusive):
    dims = "".join(f"{n}x" for n in shape)
    rest = "".join(f"{n}x" for i, n in enumerate(shape) if i != axis)
    block, memory = f"vector<{dims}f32>", f"memref<{dims}f32>"
    at = ", ".join(["%c0"] * len(shape))
    inside = ", ".join(["true"] * len(shape))
    start = "0x7F800000" if kind == "min" else "3.0"
    return f"""
func.func @scan{number}(%x: {memory}, %y: {memory}) {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %limit = arith.constant dense<4.0> : {block}
  %init = arith.constant dense<{start}> : vector<{rest}f32>
  scf.forall (%b) in (1) {{
    %v = vector.transfer_read %x[{at}], %pad {{in_bounds = [{inside}]}} : {memory}, {block}
    %stop = arith.cmpf ogt, %v, %limit : {block}
    %s, %t = fpa.vector_scan <{kind}> axis({axis}) {"reverse" * reverse} {"exclusive" * exclusive}
      %v, %init reset(%stop) : {block}, vector<{rest}f32>
    vector.transfer_write %s, %y[{at}] {{in_bounds = [{inside}]}} : {block}, {memory}
  }}
  return
}}
"""


def naive(x, kind, axis, reverse, exclusive):
    x = np.moveaxis(x, axis, 0)
    carry = np.full(x.shape[1:], np.inf if kind == "min" else 3.0)
    out = np.empty(x.shape)
    for t in reversed(range(len(x))) if reverse else range(len(x)):
        after = np.minimum(carry, x[t]) if kind == "min" else carry + x[t]
        out[t] = carry if exclusive else after
        left = x[t] if exclusive else np.inf if kind == "min" else 0
        carry = np.where(x[t] > 4, left, after)
    return np.moveaxis(out, 0, axis)


def main():
    cases = [(kind, *shape, *flags) for kind, shape, *flags in
             itertools.product(["sum", "min"], SHAPES, [False, True],
                               [False, True])]
    module = Module("".join(text(n, *case) for n, case in enumerate(cases)),
                    ["--fpa-gpu-machine-pipeline", "--fpa-gpu-to-nvvm-pipeline"])
    rng = np.random.default_rng(2)
    for number, (kind, shape, *rest) in enumerate(cases):
        # Whole numbers: sums are exact. One in ten resets.
        x = rng.integers(-5, 6, shape).astype(np.float32)
        y = np.zeros_like(x)
        module.call(f"scan{number}", [x], [y])
        want = naive(x, kind, *rest)
        if not np.array_equal(y, want):
            raise SystemExit(f"{cases[number]}: expected {want}, got {y}")
    print(f"{len(cases)} scans with a reset: ok")


main()
