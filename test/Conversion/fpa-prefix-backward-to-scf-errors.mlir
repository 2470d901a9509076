// RUN: fpa-opt %s --convert-fpa-prefix-backward-to-scf -verify-diagnostics

func.func @f(%i: tensor<4xi64>, %g: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected memref operands, got tensors; bufferize before this pass}}
  %r = fpa.prefix_min_backward axis(0) ins(%i, %g : tensor<4xi64>, tensor<4xf32>) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
