// RUN: fpa-opt %s --fpa-differentiate=functions=product,rectified | FileCheck %s

// The functions stay as they are, and a pair is added. A product saves nothing:
// its gradients are made from the arguments.

// CHECK-LABEL: func.func @product(
// CHECK: linalg.matmul
// CHECK: return
// CHECK-LABEL: func.func @product_forward(
// CHECK-SAME: %{{.*}}: tensor<?x8xf32>, %{{.*}}: tensor<8x4xf32>) -> tensor<?x4xf32> {
// CHECK: linalg.matmul
// CHECK: return
// CHECK-LABEL: func.func @product_backward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x8xf32>, %[[W:[a-z0-9]+]]: tensor<8x4xf32>, %{{.*}}: tensor<?x4xf32>, %[[D:[a-z0-9]+]]: tensor<?x4xf32>) -> (tensor<?x8xf32>, tensor<8x4xf32>)
// CHECK-NOT: linalg.matmul
// CHECK: %[[DX:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[W]], %[[D]] : tensor<8x4xf32>, tensor<?x4xf32>)
// CHECK: %[[DW:.*]] = linalg.generic {{.*}}iterator_types = ["reduction", "parallel", "parallel"]} ins(%[[X]], %[[D]] : tensor<?x8xf32>, tensor<?x4xf32>)
// CHECK: return %[[DX]], %[[DW]]
func.func @product(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %cleared = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x4xf32>)
    outs(%cleared : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// What a comparison makes has no gradient, but does not stand in the way of
// others; nor does the size of a tensor.

// CHECK-LABEL: func.func @rectified_backward(
// CHECK-SAME: %[[ABOVE:[a-z0-9]+]]: tensor<?xi1>, %[[D:[a-z0-9]+]]: tensor<?xf32>) -> tensor<?xf32>
// CHECK: %[[DX:.*]] = linalg.generic {{.*}} ins(%[[ABOVE]], %[[D]] : tensor<?xi1>, tensor<?xf32>)
// CHECK: arith.select
// CHECK: return %[[DX]]
func.func @rectified(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %init = tensor.empty(%n) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %above = arith.cmpf ogt, %x, %zeros : tensor<?xf32>
  %y = arith.select %above, %x, %zeros : tensor<?xi1>, tensor<?xf32>
  return %y : tensor<?xf32>
}
