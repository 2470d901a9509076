// RUN: fpa-opt %s --fpa-choose-gpu-tiles=chip=sm_80 -split-input-file -verify-diagnostics

!keys = tensor<1x2x9x8xf32>
!row = tensor<1x2x9xf32>
!new = tensor<1x2x1x8xf32>
!count = tensor<1x2xi64>
func.func @attention(%q: !new, %f: tensor<1x2x1xf32>, %ck: !keys, %cl: !row, %n: !count) -> !new {
  // expected-error@+1 {{expected a CPU as the target, got a GPU: caches are not lowered to kernels}}
  %o = fpa.cached_attention ins(%q, %q, %q : !new, !new, !new) field(%f : tensor<1x2x1xf32>)
    cache(%ck, %ck, %cl, %cl, %n : !keys, !keys, !row, !row, !count)
    outs(%q : !new) {scale = 0.5 : f64} -> !new
  return %o : !new
}

// -----

!keys = tensor<1x2x9x8xf32>
!row = tensor<1x2x9xf32>
!new = tensor<1x2x1x8xf32>
!count = tensor<1x2xi64>
func.func @update(%k: !new, %f: tensor<1x2x1xf32>, %ck: !keys, %cl: !row, %n: !count) -> !count {
  // expected-error@+1 {{expected a CPU as the target, got a GPU: caches are not lowered to kernels}}
  %r:5 = fpa.update_cache ins(%k, %k : !new, !new) field(%f : tensor<1x2x1xf32>)
    outs(%ck, %ck, %cl, %cl, %n : !keys, !keys, !row, !row, !count) {evict_above = 8.0 : f64}
    -> !keys, !keys, !row, !row, !count
  return %r#4 : !count
}
