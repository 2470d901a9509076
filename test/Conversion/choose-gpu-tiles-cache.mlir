// RUN: fpa-opt %s --fpa-choose-gpu-tiles=chip=sm_80 -split-input-file -verify-diagnostics | FileCheck %s

// Attention over a cache has no more warps than its rows need: two new tokens of
// two query heads that share a key head are four rows, of which one warp has 16.

!keys = tensor<1x2x9x64xf16>
!row = tensor<1x2x9xf32>
!new = tensor<1x2x2x64xf16>
!query = tensor<1x4x2x64xf16>
// CHECK-LABEL: func @few(
// CHECK:         fpa.cached_attention
// CHECK:         fpa.tiles = {chunk = 512 : i64, edge = {{[0-9]+}} : i64, key = {{[0-9]+}} : i64, query = 16 : i64, stages = {{[0-9]+}} : i64, warps = 1 : i64}
func.func @few(%q: !query, %k: !new, %f: tensor<1x2x2xf32>, %ck: !keys, %cl: !row,
               %n: tensor<1x2xi64>) -> !query {
  %o = fpa.cached_attention ins(%q, %k, %k : !query, !new, !new) field(%f : tensor<1x2x2xf32>)
    cache(%ck, %ck, %cl, %cl, %n : !keys, !keys, !row, !row, tensor<1x2xi64>)
    outs(%q : !query) {scale = 0.5 : f64} -> !query
  return %o : !query
}

// -----

!keys = tensor<1x2x9x64xf16>
!row = tensor<1x2x9xf32>
!new = tensor<1x2x40x64xf16>
// CHECK-LABEL: func @many(
// CHECK:         query = 64 : i64, {{.*}}warps = 4 : i64
func.func @many(%k: !new, %f: tensor<1x2x40xf32>, %ck: !keys, %cl: !row,
                %n: tensor<1x2xi64>) -> !new {
  %o = fpa.cached_attention ins(%k, %k, %k : !new, !new, !new) field(%f : tensor<1x2x40xf32>)
    cache(%ck, %ck, %cl, %cl, %n : !keys, !keys, !row, !row, tensor<1x2xi64>)
    outs(%k : !new) {scale = 0.5 : f64} -> !new
  return %o : !new
}

// -----

!keys = tensor<1x2x9x64xf64>
!row = tensor<1x2x9xf64>
!new = tensor<1x2x1x64xf64>
func.func @double(%k: !new, %f: tensor<1x2x1xf64>, %ck: !keys, %cl: !row,
                  %n: tensor<1x2xi64>) -> !new {
  // expected-error@+1 {{expected an element type f16, bf16 or f32 on a GPU, got f64}}
  %o = fpa.cached_attention ins(%k, %k, %k : !new, !new, !new) field(%f : tensor<1x2x1xf64>)
    cache(%ck, %ck, %cl, %cl, %n : !keys, !keys, !row, !row, tensor<1x2xi64>)
    outs(%k : !new) {scale = 0.5 : f64} -> !new
  return %o : !new
}

// -----

!keys = tensor<1x2x9x?xf32>
!row = tensor<1x2x9xf32>
!new = tensor<1x2x1x?xf32>
func.func @open(%k: !new, %f: tensor<1x2x1xf32>, %ck: !keys, %cl: !row,
                %n: tensor<1x2xi64>) -> !new {
  // expected-error@+1 {{expected static head sizes on a GPU, got a dynamic one}}
  %o = fpa.cached_attention ins(%k, %k, %k : !new, !new, !new) field(%f : tensor<1x2x1xf32>)
    cache(%ck, %ck, %cl, %cl, %n : !keys, !keys, !row, !row, tensor<1x2xi64>)
    outs(%k : !new) {scale = 0.5 : f64} -> !new
  return %o : !new
}
