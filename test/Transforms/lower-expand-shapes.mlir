// RUN: fpa-opt %s --fpa-lower-expand-shapes | FileCheck %s
// RUN: fpa-opt %s --fpa-lower-expand-shapes --expand-strided-metadata | FileCheck %s --check-prefix=EXPANDED

// EXPANDED-NOT: memref.expand_shape

// CHECK-LABEL: func.func @two(
//  CHECK-SAME:   %[[X:.*]]: memref<?x4xf32>, %[[M:.*]]: index, %[[N:.*]]: index)
//       CHECK:   %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[X]]
//       CHECK:   %[[STRIDE:.*]] = affine.apply #{{.*}}()[%[[N]]]
//       CHECK:   memref.reinterpret_cast %[[BASE]] to offset: [0],
//  CHECK-SAME:     sizes: [%[[M]], %[[N]], 4], strides: [%[[STRIDE]], 4, 1] : memref<f32> to memref<?x?x4xf32>
func.func @two(%x: memref<?x4xf32>, %m: index, %n: index) -> memref<?x?x4xf32> {
  %y = memref.expand_shape %x [[0, 1], [2]] output_shape [%m, %n, 4]
    : memref<?x4xf32> into memref<?x?x4xf32>
  return %y : memref<?x?x4xf32>
}

// Strides and an offset that are known only when the program runs, and a size
// between the open ones.
// CHECK-LABEL: func.func @strided(
//       CHECK:   %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata
//       CHECK:   %[[INNER:.*]] = affine.apply #{{.*}}()[%[[STRIDES]]#1, %arg3]
//       CHECK:   %[[OUTER:.*]] = affine.apply #{{.*}}()[%{{.*}}, %{{.*}}]
//       CHECK:   memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]],
//  CHECK-SAME:     sizes: [%arg1, %arg2, 2, %arg3], strides: [%[[STRIDES]]#0, %[[OUTER]], %[[INNER]], %[[STRIDES]]#1]
func.func @strided(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %l: index,
                   %m: index, %n: index)
    -> memref<?x?x2x?xf32, strided<[?, ?, ?, ?], offset: ?>> {
  %y = memref.expand_shape %x [[0], [1, 2, 3]] output_shape [%l, %m, 2, %n]
    : memref<?x?xf32, strided<[?, ?], offset: ?>>
    into memref<?x?x2x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  return %y : memref<?x?x2x?xf32, strided<[?, ?, ?, ?], offset: ?>>
}

// One open size in a group is upstream's to work out.
// CHECK-LABEL: func.func @one(
//       CHECK:   memref.expand_shape
func.func @one(%x: memref<?x?xf32>, %m: index, %n: index) -> memref<?x4x?x2xf32> {
  %y = memref.expand_shape %x [[0, 1], [2, 3]] output_shape [%m, 4, %n, 2]
    : memref<?x?xf32> into memref<?x4x?x2xf32>
  return %y : memref<?x4x?x2xf32>
}
