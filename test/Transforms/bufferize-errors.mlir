// RUN: fpa-opt %s --one-shot-bufferize -verify-diagnostics

func.func @mixture(%x: tensor<4xf32>, %m: memref<4xf32>) {
  // expected-error @+2 {{expected operands that are all tensors or all memrefs, got a mixture}}
  // expected-error @+1 {{failed to bufferize op}}
  fpa.prefix_min axis(0) ins(%x : tensor<4xf32>) outs(%m : memref<4xf32>)
  return
}
