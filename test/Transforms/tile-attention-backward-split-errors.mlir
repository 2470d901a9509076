// RUN: fpa-opt %s -split-input-file -verify-diagnostics --fpa-tile-attention=split-backward
// RUN: not fpa-opt %s --fpa-tile-attention="split-backward query-tile=0" 2>&1 | FileCheck %s --check-prefix=QUERY
// RUN: not fpa-opt %s --fpa-tile-attention="split-backward key-tile=-32" 2>&1 | FileCheck %s --check-prefix=KEY

// QUERY: error: 'fpa.attention_backward' op expected query-tile to be at least 1, got 0
// KEY: error: 'fpa.attention_backward' op expected key-tile to be at least 1, got -32

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

func.func @memref(%q: memref<1x1x8x4xf32>, %lse: memref<1x1x8xf32>, %d: memref<1x1x8x4xf32>) {
  // expected-error@+1 {{expected tensors, got query of type 'memref<1x1x8x4xf32>'}}
  fpa.attention_backward
    ins(%q, %q, %q : memref<1x1x8x4xf32>, memref<1x1x8x4xf32>, memref<1x1x8x4xf32>)
    saved(%q, %lse : memref<1x1x8x4xf32>, memref<1x1x8xf32>) gradient(%q : memref<1x1x8x4xf32>)
    outs(%d, %d, %d : memref<1x1x8x4xf32>, memref<1x1x8x4xf32>, memref<1x1x8x4xf32>)
  return
}

// -----

// Both walks have the edges of the larger tiles.
func.func @keys_differ(%q: tensor<1x1x8x4xf32>, %lse: tensor<1x1x8xf32>) -> tensor<1x1x8x4xf32> {
  // expected-error@+1 {{expected key-tile of one walk of the backward to be a multiple of the other's, got 64 for queries and 48 for keys}}
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
    saved(%q, %lse : tensor<1x1x8x4xf32>, tensor<1x1x8xf32>) gradient(%q : tensor<1x1x8x4xf32>)
    outs(%q, %q, %q : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
    {fpa.tiles = {keys = {key = 48 : i64}, queries = {key = 64 : i64}}}
    -> tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>
  return %d#0 : tensor<1x1x8x4xf32>
}

// -----

// What is said of the walk of keys counts too.
func.func @rows_of_keys(%q: tensor<1x1x8x4xf32>, %lse: tensor<1x1x8xf32>) -> tensor<1x1x8x4xf32> {
  // expected-error@+1 {{expected query-tile to be at least 1, got 0}}
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
    saved(%q, %lse : tensor<1x1x8x4xf32>, tensor<1x1x8xf32>) gradient(%q : tensor<1x1x8x4xf32>)
    outs(%q, %q, %q : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
    {fpa.tiles = {keys = {query = 0 : i64}}}
    -> tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>
  return %d#0 : tensor<1x1x8x4xf32>
}

// -----

func.func @rows_differ(%q: tensor<1x1x8x4xf32>, %lse: tensor<1x1x8xf32>) -> tensor<1x1x8x4xf32> {
  // expected-error@+1 {{expected query-tile of one walk of the backward to be a multiple of the other's, got 48 for queries and 32 for keys}}
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
    saved(%q, %lse : tensor<1x1x8x4xf32>, tensor<1x1x8xf32>) gradient(%q : tensor<1x1x8x4xf32>)
    outs(%q, %q, %q : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
    {fpa.tiles = {keys = {query = 32 : i64}, queries = {query = 48 : i64}}}
    -> tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>
  return %d#0 : tensor<1x1x8x4xf32>
}

// -----

func.func @smooth(%q: tensor<1x1x8x4xf32>, %f: tensor<1x1x8xf32>, %lse: tensor<1x1x8xf32>) -> tensor<1x1x8x4xf32> {
  // expected-error@+1 {{expected key-tile of both walks of the backward to be equal where the penalty is smooth, got 64 for queries and 32 for keys}}
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
    field(%f : tensor<1x1x8xf32>)
    saved(%q, %lse : tensor<1x1x8x4xf32>, tensor<1x1x8xf32>) gradient(%q : tensor<1x1x8x4xf32>)
    outs(%q, %q, %q : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
    {smooth = 1.0 : f64, fpa.tiles = {keys = {key = 32 : i64}, queries = {key = 64 : i64}}}
    -> tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>
  return %d#0 : tensor<1x1x8x4xf32>
}
