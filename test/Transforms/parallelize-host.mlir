// RUN: fpa-opt %s --fpa-parallelize-host | FileCheck %s

// CHECK-LABEL: func.func @serial(
//       CHECK:   linalg.generic
//  CHECK-SAME:     iterator_types = ["parallel"]
//       CHECK:   scf.parallel (%{{.*}}) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) {
//  CHECK-NEXT:     memref.store
//       CHECK:   scf.parallel
//  CHECK-NEXT:     linalg.fill {{.*}} memref<f32>
//       CHECK:   scf.parallel
//  CHECK-NEXT:     scf.for
//   CHECK-NOT:   memref.copy
func.func @serial(%a: memref<4xf32>, %b: memref<4xf32>, %s: memref<f32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.store %x, %b[%c1] : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<f32>)
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %a[%i] : memref<4xf32>
  }
  return
}

// What stands in a parallel loop, or is one, stays.
// CHECK-LABEL: func.func @parallel
//   CHECK-NOT:   scf.parallel
//       CHECK:   linalg.fill
//   CHECK-NOT:   scf.parallel
//       CHECK:   scf.forall
//  CHECK-NEXT:     memref.copy
//  CHECK-NEXT:     memref.store
func.func @parallel(%a: memref<4xf32>, %b: memref<4xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  scf.forall (%i) in (4) {
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    memref.store %x, %a[%i] : memref<4xf32>
  }
  return
}

// A loop around a parallel one is the host's, which alone can start kernels.
// CHECK-LABEL: func.func @starts
//   CHECK-NOT:   scf.parallel
//       CHECK:   scf.for
//  CHECK-NEXT:     scf.forall
//   CHECK-NOT:   scf.parallel
func.func @starts(%a: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.forall (%j) in (4) {
      memref.store %x, %a[%j] : memref<4xf32>
    }
  }
  return
}
