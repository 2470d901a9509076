// RUN: fpa-opt %s --fpa-decompose | FileCheck %s
// RUN: fpa-opt %s --fpa-decompose=lone-online | FileCheck %s

// Nothing else in the pipelines lowers linalg.softmax.

// CHECK-LABEL: func.func @softmax(
// CHECK-NOT: linalg.softmax
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.divf
// CHECK-NOT: linalg.softmax
func.func @softmax(%x: tensor<2x?xf32>, %init: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %y = linalg.softmax dimension(1) ins(%x : tensor<2x?xf32>) outs(%init : tensor<2x?xf32>) -> tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}

// Buffers stay: there is no value to put in its place.

// CHECK-LABEL: func.func @buffers(
// CHECK: linalg.softmax
func.func @buffers(%x: memref<2x8xf32>, %y: memref<2x8xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<2x8xf32>) outs(%y : memref<2x8xf32>)
  return
}
