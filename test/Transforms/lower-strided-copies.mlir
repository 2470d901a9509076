// RUN: fpa-opt %s --fpa-lower-strided-copies | FileCheck %s

// CHECK-LABEL: func.func @strided(
//  CHECK-SAME:   %[[FROM:.*]]: memref<4x?xf32, strided<[16, 1]>>, %[[TO:.*]]: memref<4x?xf32>)
//       CHECK:   linalg.generic
//  CHECK-SAME:     iterator_types = ["parallel", "parallel"]
//  CHECK-SAME:     ins(%[[FROM]] : {{.*}}) outs(%[[TO]] : {{.*}})
//       CHECK:   ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
//       CHECK:     linalg.yield %[[IN]]
//   CHECK-NOT:   memref.copy
func.func @strided(%from: memref<4x?xf32, strided<[16, 1]>>, %to: memref<4x?xf32>) {
  memref.copy %from, %to : memref<4x?xf32, strided<[16, 1]>> to memref<4x?xf32>
  return
}

// CHECK-LABEL: func.func @contiguous
//       CHECK:   memref.copy
func.func @contiguous(%from: memref<4x?xf32>, %to: memref<4x?xf32>) {
  memref.copy %from, %to : memref<4x?xf32> to memref<4x?xf32>
  return
}

// CHECK-LABEL: func.func @unranked
//       CHECK:   memref.copy
func.func @unranked(%from: memref<*xf32>, %to: memref<4xf32>) {
  memref.copy %from, %to : memref<*xf32> to memref<4xf32>
  return
}
