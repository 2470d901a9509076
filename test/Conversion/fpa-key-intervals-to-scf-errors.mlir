// RUN: fpa-opt %s --convert-fpa-key-intervals-to-scf -verify-diagnostics

func.func @f(%lk: index, %f: tensor<4xi64>, %l: tensor<4xi64>) -> tensor<4xi64> {
  // expected-error@+1 {{expected memref operands, got tensors; bufferize before this pass}}
  %0, %1 = fpa.key_intervals key_length(%lk) outs(%f, %l : tensor<4xi64>, tensor<4xi64>)
    -> tensor<4xi64>, tensor<4xi64>
  return %0 : tensor<4xi64>
}
