// RUN: fpa-opt %s --convert-fpa-prefix-to-vector -verify-diagnostics -split-input-file
// RUN: not fpa-opt %s --convert-fpa-prefix-to-vector=lanes=12 -split-input-file 2>&1 | FileCheck %s
// RUN: not fpa-opt %s --convert-fpa-prefix-to-vector=lanes=32 -split-input-file 2>&1 | FileCheck %s --check-prefix=WIDE

// CHECK: error: expected option lanes to be a power of two of at most 16, got 12
// CHECK-NOT: current operation
// WIDE: error: expected option lanes to be a power of two of at most 16, got 32
// WIDE-NOT: current operation

func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected memref operands, got tensors; bufferize before this pass}}
  %0 = fpa.prefix_min axis(0) ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
