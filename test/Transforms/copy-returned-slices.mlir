// RUN: fpa-opt %s --fpa-copy-returned-slices | FileCheck %s

// A slice, and what is computed in the place of one.
// CHECK-LABEL: func @slices(
// CHECK:         %[[S:.*]] = tensor.extract_slice
// CHECK:         %[[F:.*]] = linalg.fill {{.*}} outs(%[[S]] :
// CHECK:         %[[C0:.*]] = bufferization.alloc_tensor() copy(%[[S]]) : tensor<4x3xf32>
// CHECK:         %[[C1:.*]] = bufferization.alloc_tensor() copy(%[[F]]) : tensor<4x3xf32>
// CHECK:         return %[[C0]], %[[C1]]
func.func @slices(%x: tensor<4x8xf32>, %z: f32) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %s = tensor.extract_slice %x[0, 2] [4, 3] [1, 1] : tensor<4x8xf32> to tensor<4x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%s : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %s, %f : tensor<4x3xf32>, tensor<4x3xf32>
}

// Seen through casts and loops.
// CHECK-LABEL: func @through(
// CHECK:         %[[L:.*]] = scf.for
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[L]]
// CHECK:         %[[C:.*]] = bufferization.alloc_tensor({{.*}}) copy(%[[E]])
// CHECK:         return %[[C]]
func.func @through(%x: tensor<8xf32>, %n: index) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %x[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  }
  %e = tensor.expand_shape %l [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %e : tensor<2x2xf32>
}

// New tensors and numbers stay.
// CHECK-LABEL: func @whole(
// CHECK-NOT:     alloc_tensor
// CHECK:         return
func.func @whole(%x: tensor<4xf32>, %z: f32) -> (tensor<4xf32>, tensor<4xf32>, f32) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %f, %x, %z : tensor<4xf32>, tensor<4xf32>, f32
}

// One value returned twice, and in another shape; each has memory of its own.
// CHECK-LABEL: func @twice(
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[F]]
// CHECK:         %[[C0:.*]] = bufferization.alloc_tensor() copy(%[[F]]) : tensor<4xf32>
// CHECK:         %[[C1:.*]] = bufferization.alloc_tensor() copy(%[[E]]) : tensor<2x2xf32>
// CHECK:         return %[[F]], %[[C0]], %[[C1]]
func.func @twice(%z: f32) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = tensor.expand_shape %f [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %f, %f, %g : tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>
}
