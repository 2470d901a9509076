// RUN: fpa-opt %s -verify-diagnostics --fpa-outline-parallel

func.func @on_tensors(%init: tensor<4xf32>, %x: tensor<1xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a bufferized loop, got 1 tensor results}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %init) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
