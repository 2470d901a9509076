"""Masked products without masks, compiled, against the definition: values that
are not finite count where they are visible, and nowhere else."""

import itertools

import numpy as np

from compiled import Module, from_float32, to_float64

ROWS, KEYS, WIDTH = 4, 128, 8
TILED = ["--fpa-unmask-contractions", "--convert-fpa-tile-to-cpu",
         "--fpa-expand-math", "--convert-math-to-llvm"]


def product(element):
    wide = f"vector<{KEYS}x{WIDTH}xf32>"
    extend = (f"%w = arith.extf %v : vector<{KEYS}x{WIDTH}x{element}> to {wide}"
              if element != "f32" else "")
    value = "%w" if extend else "%v"
    return f"""
#p = affine_map<(i, e, j) -> (i, j)>
#v = affine_map<(i, e, j) -> (j, e)>
#o = affine_map<(i, e, j) -> (i, e)>
func.func @product(%logits: memref<{ROWS}x{KEYS}xf32>, %hidden: memref<{ROWS}x{KEYS}xf32>,
                   %values: memref<{KEYS}x{WIDTH}x{element}>, %out: memref<{ROWS}x{WIDTH}xf32>) {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %zero_v = arith.constant 0.0 : {element}
  %zeros = arith.constant dense<0.0> : vector<{ROWS}x{KEYS}xf32>
  scf.forall (%i) in (1) {{
    %s = vector.transfer_read %logits[%c0, %c0], %zero {{in_bounds = [true, true]}} : memref<{ROWS}x{KEYS}xf32>, vector<{ROWS}x{KEYS}xf32>
    %h = vector.transfer_read %hidden[%c0, %c0], %zero {{in_bounds = [true, true]}} : memref<{ROWS}x{KEYS}xf32>, vector<{ROWS}x{KEYS}xf32>
    %v = vector.transfer_read %values[%c0, %c0], %zero_v {{in_bounds = [true, true]}} : memref<{KEYS}x{WIDTH}x{element}>, vector<{KEYS}x{WIDTH}x{element}>
    %acc = vector.transfer_read %out[%c0, %c0], %zero {{in_bounds = [true, true]}} : memref<{ROWS}x{WIDTH}xf32>, vector<{ROWS}x{WIDTH}xf32>
    %p = math.exp2 %s : vector<{ROWS}x{KEYS}xf32>
    {extend}
    %mask = arith.cmpf oeq, %h, %zeros : vector<{ROWS}x{KEYS}xf32>
    %b = vector.broadcast %mask : vector<{ROWS}x{KEYS}xi1> to vector<{WIDTH}x{ROWS}x{KEYS}xi1>
    %m = vector.transpose %b, [1, 0, 2] : vector<{WIDTH}x{ROWS}x{KEYS}xi1> to vector<{ROWS}x{WIDTH}x{KEYS}xi1>
    %r = vector.mask %m {{ vector.contract {{indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}} %p, {value}, %acc : vector<{ROWS}x{KEYS}xf32>, {wide} into vector<{ROWS}x{WIDTH}xf32> }} : vector<{ROWS}x{WIDTH}x{KEYS}xi1> -> vector<{ROWS}x{WIDTH}xf32>
    vector.transfer_write %r, %out[%c0, %c0] {{in_bounds = [true, true]}} : vector<{ROWS}x{WIDTH}xf32>, memref<{ROWS}x{WIDTH}xf32>
  }}
  return
}}
"""


def check_product(element, rng):
    module = Module(product(element), TILED)
    specials = np.array([np.nan, np.inf, -np.inf], np.float32)
    for share, hide in itertools.product([0, 0.005, 0.05, 1], [0, 0.5, 0.98]):
        logits = rng.uniform(-4, 0, (ROWS, KEYS)).astype(np.float32)
        values = rng.standard_normal((KEYS, WIDTH)).astype(np.float32)
        hit = rng.random(values.shape) < share
        # One kind of number for each column, or any.
        kinds = np.where(np.arange(WIDTH) < 3, np.arange(WIDTH),
                         rng.integers(0, 3, values.shape))
        values[hit] = specials[kinds][hit]
        hidden = (rng.random((ROWS, KEYS)) < hide).astype(np.float32)
        values = from_float32(values, element)
        out = rng.standard_normal((ROWS, WIDTH)).astype(np.float32)
        visible = (hidden == 0)[:, :, None]
        with np.errstate(invalid="ignore"):
            terms = (np.exp2(logits.astype(np.float64))[:, :, None] *
                     to_float64(values, element)[None])
            want = out + np.where(visible, terms, 0).sum(axis=1)
        module.call("product", logits, hidden, values, out)
        with np.errstate(invalid="ignore"):
            close = np.abs(out - want) < 1e-4
        same = (np.isnan(out) == np.isnan(want)) & (
            np.isinf(out) == np.isinf(want)) & ((out > 0) == (want > 0))
        if not (same & (close | ~np.isfinite(want))).all():
            raise SystemExit(f"{element} {share} {hide}: expected {want}, "
                             f"got {out}")


ATTENTION = """
func.func @attention(%q: memref<1x2x?x16xf16>, %k: memref<1x2x?x16xf16>, %v: memref<1x2x?x16xf16>,
                     %f: memref<1x2x?xf32>, %o: memref<1x2x?x16xf16>) {
  %tq = bufferization.to_tensor %q restrict : memref<1x2x?x16xf16> to tensor<1x2x?x16xf16>
  %tk = bufferization.to_tensor %k restrict : memref<1x2x?x16xf16> to tensor<1x2x?x16xf16>
  %tv = bufferization.to_tensor %v restrict : memref<1x2x?x16xf16> to tensor<1x2x?x16xf16>
  %tf = bufferization.to_tensor %f restrict : memref<1x2x?xf32> to tensor<1x2x?xf32>
  %to = bufferization.to_tensor %o restrict writable : memref<1x2x?x16xf16> to tensor<1x2x?x16xf16>
  %r = fpa.attention ins(%tq, %tk, %tv : tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>)
    field(%tf : tensor<1x2x?xf32>) outs(%to : tensor<1x2x?x16xf16>) {window = 21 : i64} -> tensor<1x2x?x16xf16>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<1x2x?x16xf16>, memref<1x2x?x16xf16>) -> ()
  return
}
"""


def check_attention(rng):
    """Rows that see a value that is not finite, and only they, say so."""
    module = Module(ATTENTION, [
        "--fpa-cpu-buffer-pipeline=query-tile=16 key-tile=32 edge-tile=16",
        *TILED[:2], "--convert-fpa-prefix-to-vector",
        "--convert-fpa-key-intervals-to-scf", "--scf-forall-to-for",
        "--fpa-lower-strided-copies", "--convert-linalg-to-loops", *TILED[2:]])
    window, length, bad = 21, 77, [0, 30, 40, 76]
    q, k, v = (rng.standard_normal((1, 2, length, 16)).astype(np.float16)
               for _ in range(3))
    v[..., bad, :] = np.array([np.nan, np.inf, -np.inf, np.nan],
                              np.float16)[:, None]
    field = np.zeros((1, 2, length), np.float32)
    out = np.zeros_like(q)
    module.call("attention", q, k, v, field, out)
    for i in range(length):
        seen = [j for j in bad if i - window < j <= i]
        with np.errstate(invalid="ignore"):
            want = v[0, 0, seen, 0].sum() if seen else 0
        got = out[:, :, i]
        good = (np.isnan(got) if np.isnan(want) else got == want
                if np.isinf(want) else np.isfinite(got))
        if not good.all():
            raise SystemExit(f"row {i}: expected {want}, got {got}")


def main():
    rng = np.random.default_rng(5)
    for element in ("f16", "bf16", "f32"):
        check_product(element, rng)
    check_attention(rng)
    print("products without masks: ok")


main()
