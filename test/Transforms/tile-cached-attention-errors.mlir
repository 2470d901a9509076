// RUN: fpa-opt %s -split-input-file -verify-diagnostics --fpa-tile-cached-attention
// RUN: not fpa-opt %s -split-input-file --fpa-tile-cached-attention="chunk=300" 2>&1 | FileCheck %s --check-prefix=CHUNK
// RUN: not fpa-opt %s -split-input-file --fpa-tile-cached-attention="edge-tile=0" 2>&1 | FileCheck %s --check-prefix=EDGE

// CHUNK: expected chunk to be a multiple of key-tile 256, got 300
// EDGE: expected edge-tile to be at least 1, got 0

!row = tensor<1x2x9xf32>
func.func @dynamic(%q: tensor<1x2x1x?xf32>, %v: tensor<1x2x1x8xf32>, %f: tensor<1x2x1xf32>,
                   %ck: tensor<1x2x9x?xf32>, %cv: tensor<1x2x9x8xf32>, %cl: !row,
                   %n: tensor<1x2xi64>, %o0: tensor<1x2x1x8xf32>) -> tensor<1x2x1x8xf32> {
  // expected-error@+1 {{expected a static head size of query, got ?}}
  %o = fpa.cached_attention
    ins(%q, %q, %v : tensor<1x2x1x?xf32>, tensor<1x2x1x?xf32>, tensor<1x2x1x8xf32>)
    field(%f : tensor<1x2x1xf32>)
    cache(%ck, %cv, %cl, %cl, %n : tensor<1x2x9x?xf32>, tensor<1x2x9x8xf32>, !row, !row, tensor<1x2xi64>)
    outs(%o0 : tensor<1x2x1x8xf32>) {scale = 0.5 : f64} -> tensor<1x2x1x8xf32>
  return %o : tensor<1x2x1x8xf32>
}

// -----

func.func @buffers(%q: memref<1x2x1x8xf32>, %f: memref<1x2x1xf32>, %ck: memref<1x2x9x8xf32>,
                   %cl: memref<1x2x9xf32>, %n: memref<1x2xi64>, %o0: memref<1x2x1x8xf32>) {
  // expected-error@+1 {{expected tensors, got query of type 'memref<1x2x1x8xf32>'}}
  fpa.cached_attention
    ins(%q, %q, %q : memref<1x2x1x8xf32>, memref<1x2x1x8xf32>, memref<1x2x1x8xf32>)
    field(%f : memref<1x2x1xf32>)
    cache(%ck, %ck, %cl, %cl, %n : memref<1x2x9x8xf32>, memref<1x2x9x8xf32>, memref<1x2x9xf32>, memref<1x2x9xf32>, memref<1x2xi64>)
    outs(%o0 : memref<1x2x1x8xf32>) {scale = 0.5 : f64}
  return
}
