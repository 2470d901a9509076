// RUN: fpa-opt %s --fpa-outline-parallel --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @rows_parallel(
//  CHECK-SAME:   %[[AT:[a-z0-9]+]]: index
//  CHECK-SAME:   %[[OUT:[a-z0-9]+]]: memref<?x?xf32>
//       CHECK:   %[[PLACE:.*]]:2 = affine.delinearize_index %[[AT]] into (%{{.*}}, 4)
//       CHECK:   %[[I:.*]] = arith.muli %[[PLACE]]#0, %c2
//       CHECK:   memref.store %{{.*}}, %[[OUT]][%[[I]], %[[PLACE]]#1]
//       CHECK:   return
// CHECK-LABEL: func.func @rows(
//       CHECK:   %[[ROWS:.*]] = arith.ceildivsi
//       CHECK:   %[[COUNT:.*]] = arith.muli %[[ROWS]], %c4
//       CHECK:   fpa.parallel_call @rows_parallel(%[[COUNT]]) args(
//   CHECK-NOT:   scf.forall
func.func @rows(%out: memref<?x?xf32>, %n: index, %x: f32) {
  scf.forall (%i, %j) = (0, 0) to (%n, 4) step (2, 1) {
    memref.store %x, %out[%i, %j] : memref<?x?xf32>
  }
  return
}

// Inner parallel loops are plain loops: all threads are busy already.
// CHECK-LABEL: func.func private @nested_parallel(
//       CHECK:   scf.for
//  CHECK-NEXT:     memref.store
// CHECK-LABEL: func.func @nested(
func.func @nested(%out: memref<?x?xf32>, %n: index, %x: f32) {
  scf.forall (%i) in (%n) {
    scf.forall (%j) in (%n) {
      memref.store %x, %out[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// A loop without iterations goes away.
// CHECK-LABEL: func.func @empty(
//   CHECK-NOT:   fpa.parallel_call
//       CHECK:   return
func.func @empty(%out: memref<0x4xf32>, %x: f32) {
  scf.forall (%i, %j) in (0, 4) {
    memref.store %x, %out[%i, %j] : memref<0x4xf32>
  }
  return
}

// Stack memory leaves the inner loop: there it would grow with every iteration.
// CHECK-LABEL: func.func private @scratch_parallel(
//       CHECK:   memref.alloca() : memref<4xf32>
//       CHECK:   scf.for
//   CHECK-NOT:   memref.alloca
//       CHECK:   return
func.func @scratch(%out: memref<?x?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%n) {
    scf.forall (%j) in (%n) {
      %s = memref.alloca() : memref<4xf32>
      memref.store %x, %s[%c0] : memref<4xf32>
      %y = memref.load %s[%c0] : memref<4xf32>
      memref.store %y, %out[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
