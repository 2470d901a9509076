// RUN: fpa-opt %s -split-input-file -verify-diagnostics --fpa-tile-attention
// RUN: not fpa-opt %s --fpa-tile-attention=key-tile=100 2>&1 | FileCheck %s --check-prefix=MULTIPLE
// RUN: not fpa-opt %s --fpa-tile-attention=query-tile=0 2>&1 | FileCheck %s --check-prefix=POSITIVE
// RUN: not fpa-opt %s --fpa-tile-attention=edge-tile=-64 2>&1 | FileCheck %s --check-prefix=EDGE

// MULTIPLE: error: 'fpa.attention_backward' op expected key-tile to be a multiple of edge-tile 64, got 100
// POSITIVE: error: 'fpa.attention_backward' op expected query-tile to be at least 1, got 0
// EDGE: error: 'fpa.attention_backward' op expected edge-tile to be at least 1, got -64

func.func @head_size(%q: tensor<1x1x8x?xf32>, %v: tensor<1x1x8x4xf32>, %lse: tensor<1x1x8xf32>)
    -> tensor<1x1x8x?xf32> {
  // expected-error@+1 {{expected a static head size of query, got ? (strategy=decompose takes it)}}
  %d:3 = fpa.attention_backward
    ins(%q, %q, %v : tensor<1x1x8x?xf32>, tensor<1x1x8x?xf32>, tensor<1x1x8x4xf32>)
    saved(%v, %lse : tensor<1x1x8x4xf32>, tensor<1x1x8xf32>) gradient(%v : tensor<1x1x8x4xf32>)
    outs(%q, %q, %v : tensor<1x1x8x?xf32>, tensor<1x1x8x?xf32>, tensor<1x1x8x4xf32>)
    {scale = 1.0 : f64} -> tensor<1x1x8x?xf32>, tensor<1x1x8x?xf32>, tensor<1x1x8x4xf32>
  return %d#0 : tensor<1x1x8x?xf32>
}

// -----

func.func @value_head_size(%q: tensor<1x1x8x4xf32>, %v: tensor<1x1x8x?xf32>, %lse: tensor<1x1x8xf32>)
    -> tensor<1x1x8x4xf32> {
  // expected-error@+1 {{expected a static head size of value, got ? (strategy=decompose takes it)}}
  %d:3 = fpa.attention_backward
    ins(%q, %q, %v : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x?xf32>)
    saved(%v, %lse : tensor<1x1x8x?xf32>, tensor<1x1x8xf32>) gradient(%v : tensor<1x1x8x?xf32>)
    outs(%q, %q, %v : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x?xf32>)
    -> tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x?xf32>
  return %d#0 : tensor<1x1x8x4xf32>
}

// -----

func.func @memref(%q: memref<1x1x8x4xf32>, %lse: memref<1x1x8xf32>, %d: memref<1x1x8x4xf32>) {
  // expected-error@+1 {{expected tensors, got query of type 'memref<1x1x8x4xf32>'}}
  fpa.attention_backward
    ins(%q, %q, %q : memref<1x1x8x4xf32>, memref<1x1x8x4xf32>, memref<1x1x8x4xf32>)
    saved(%q, %lse : memref<1x1x8x4xf32>, memref<1x1x8xf32>) gradient(%q : memref<1x1x8x4xf32>)
    outs(%d, %d, %d : memref<1x1x8x4xf32>, memref<1x1x8x4xf32>, memref<1x1x8x4xf32>)
  return
}

// -----

func.func @blocks_too_large(%q: tensor<1x1x8x3000xf32>, %lse: tensor<1x1x8xf32>)
    -> tensor<1x1x8x3000xf32> {
  // expected-error@+1 {{expected tiles and head sizes whose blocks take at most 4194304 bytes, got 7345152 bytes for head sizes 3000 of query and 3000 of value}}
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x8x3000xf32>, tensor<1x1x8x3000xf32>, tensor<1x1x8x3000xf32>)
    saved(%q, %lse : tensor<1x1x8x3000xf32>, tensor<1x1x8xf32>) gradient(%q : tensor<1x1x8x3000xf32>)
    outs(%q, %q, %q : tensor<1x1x8x3000xf32>, tensor<1x1x8x3000xf32>, tensor<1x1x8x3000xf32>)
    -> tensor<1x1x8x3000xf32>, tensor<1x1x8x3000xf32>, tensor<1x1x8x3000xf32>
  return %d#0 : tensor<1x1x8x3000xf32>
}
