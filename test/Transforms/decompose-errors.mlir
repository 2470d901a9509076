// RUN: fpa-opt %s --fpa-decompose -verify-diagnostics

func.func @memrefs(%q: memref<1x1x8x8xf32>, %o: memref<1x1x8x8xf32>) {
  // expected-error @+1 {{cannot be decomposed}}
  fpa.attention
      ins(%q, %q, %q : memref<1x1x8x8xf32>, memref<1x1x8x8xf32>, memref<1x1x8x8xf32>)
      outs(%o : memref<1x1x8x8xf32>)
  return
}
