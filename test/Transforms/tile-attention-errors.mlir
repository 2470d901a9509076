// RUN: fpa-opt %s -split-input-file -verify-diagnostics --fpa-tile-attention
// RUN: not fpa-opt %s --fpa-tile-attention=key-tile=100 2>&1 | FileCheck %s --check-prefix=MULTIPLE
// RUN: not fpa-opt %s --fpa-tile-attention=query-tile=0 2>&1 | FileCheck %s --check-prefix=POSITIVE
// RUN: not fpa-opt %s --fpa-tile-attention=key-tile=-256 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not fpa-opt %s --fpa-tile-attention=edge-tile=0 2>&1 | FileCheck %s --check-prefix=EDGE

// MULTIPLE: error: 'fpa.attention' op expected key-tile to be a multiple of edge-tile 64, got 100
// POSITIVE: error: 'fpa.attention' op expected query-tile to be at least 1, got 0
// KEY: error: 'fpa.attention' op expected key-tile to be at least 1, got -256
// EDGE: error: 'fpa.attention' op expected edge-tile to be at least 1, got 0

func.func @head_size(%q: tensor<1x1x8x?xf32>, %v: tensor<1x1x8x4xf32>,
                     %o0: tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32> {
  // expected-error@+1 {{expected a static head size of query, got ? (strategy=decompose takes it)}}
  %o = fpa.attention
    ins(%q, %q, %v : tensor<1x1x8x?xf32>, tensor<1x1x8x?xf32>, tensor<1x1x8x4xf32>)
    outs(%o0 : tensor<1x1x8x4xf32>) {scale = 1.0 : f64} -> tensor<1x1x8x4xf32>
  return %o : tensor<1x1x8x4xf32>
}

// -----

func.func @value_head_size(%q: tensor<1x1x8x4xf32>, %v: tensor<1x1x8x?xf32>,
                           %o0: tensor<1x1x8x?xf32>) -> tensor<1x1x8x?xf32> {
  // expected-error@+1 {{expected a static head size of value, got ? (strategy=decompose takes it)}}
  %o = fpa.attention
    ins(%q, %q, %v : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x?xf32>)
    outs(%o0 : tensor<1x1x8x?xf32>) -> tensor<1x1x8x?xf32>
  return %o : tensor<1x1x8x?xf32>
}

// -----

func.func @memref(%q: memref<1x1x8x4xf32>, %o0: memref<1x1x8x4xf32>) {
  // expected-error@+1 {{expected tensors, got query of type 'memref<1x1x8x4xf32>'}}
  fpa.attention
    ins(%q, %q, %q : memref<1x1x8x4xf32>, memref<1x1x8x4xf32>, memref<1x1x8x4xf32>)
    outs(%o0 : memref<1x1x8x4xf32>)
  return
}

// -----

func.func @blocks_too_large(%q: tensor<1x1x8x3000xf32>, %o0: tensor<1x1x8x3000xf32>)
    -> tensor<1x1x8x3000xf32> {
  // expected-error@+1 {{expected tiles and head sizes whose blocks take at most 4194304 bytes, got 7345152 bytes for head sizes 3000 of query and 3000 of value}}
  %o = fpa.attention
    ins(%q, %q, %q : tensor<1x1x8x3000xf32>, tensor<1x1x8x3000xf32>, tensor<1x1x8x3000xf32>)
    outs(%o0 : tensor<1x1x8x3000xf32>) -> tensor<1x1x8x3000xf32>
  return %o : tensor<1x1x8x3000xf32>
}

// -----

func.func @blocks_beyond_counting(%q: tensor<1x1x8x9223372036854775807xf32>,
                                  %v: tensor<1x1x8x4xf32>, %o0: tensor<1x1x8x4xf32>)
    -> tensor<1x1x8x4xf32> {
  // expected-error@+1 {{expected tiles and head sizes whose blocks take at most 4194304 bytes, got 18446744073709551615 bytes}}
  %o = fpa.attention
    ins(%q, %q, %v : tensor<1x1x8x9223372036854775807xf32>, tensor<1x1x8x9223372036854775807xf32>, tensor<1x1x8x4xf32>)
    outs(%o0 : tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return %o : tensor<1x1x8x4xf32>
}
