// RUN: fpa-opt %s --convert-fpa-cache-to-scf -verify-diagnostics

!keys = tensor<1x2x9x8xf32>
!row = tensor<1x2x9xf32>
!new = tensor<1x2x1x8xf32>
!count = tensor<1x2xi64>
func.func @f(%k: !new, %f: tensor<1x2x1xf32>, %ck: !keys, %cl: !row, %n: !count) -> !count {
  // expected-error@+1 {{expected memref operands, got tensors; bufferize before this pass}}
  %r:5 = fpa.update_cache ins(%k, %k : !new, !new) field(%f : tensor<1x2x1xf32>)
    outs(%ck, %ck, %cl, %cl, %n : !keys, !keys, !row, !row, !count) {evict_above = 8.0 : f64}
    -> !keys, !keys, !row, !row, !count
  return %r#4 : !count
}
