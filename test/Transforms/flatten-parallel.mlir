// RUN: fpa-opt %s --fpa-flatten-parallel --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @three(
//  CHECK-SAME:   %[[N:.*]]: index, %[[M:.*]]: memref<?x4x64xf32>
//       CHECK:   %[[COUNT:.*]] = arith.muli
//       CHECK:   scf.parallel (%[[K:.*]]) = (%c0) to (%[[COUNT]]) step (%c1) {
//       CHECK:     %[[LAST:.*]] = arith.remsi %[[K]], %c64
//       CHECK:     %[[REST:.*]] = arith.divsi %[[K]], %c64
//       CHECK:     %[[MIDDLE:.*]] = arith.remsi %[[REST]], %c4
//       CHECK:     %[[FIRST:.*]] = arith.divsi %[[REST]], %c4
//       CHECK:     memref.store %{{.*}}, %[[M]][%[[FIRST]], %[[MIDDLE]], %[[LAST]]]
func.func @three(%n: index, %m: memref<?x4x64xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%n, %c4, %c64) step (%c1, %c1, %c1) {
    memref.store %x, %m[%i, %j, %k] : memref<?x4x64xf32>
  }
  return
}

// A loop inside of another one stays.
// CHECK-LABEL: func.func @inner
//       CHECK:   scf.parallel (%{{[^,]*}}) =
//       CHECK:     scf.parallel (%{{.*}}, %{{.*}}) =
func.func @inner(%n: index, %m: memref<?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%h) = (%c0) to (%n) step (%c1) {
    memref.store %x, %m[%h, %h] : memref<?x?xf32>
    scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
      memref.store %x, %m[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
