// RUN: fpa-opt %s --convert-fpa-cache-to-scf --canonicalize --cse | FileCheck %s

!keys = memref<3x2x?x8xf32>
!row = memref<3x2x?xf32>
!new = memref<3x2x1x8xf32>
!count = memref<3x2xi64>

// CHECK-LABEL: func @update(
// CHECK-SAME:    %[[K:.*]]: memref<3x2x1x8xf32>, %[[F:.*]]: memref<3x2x1xf32>, %[[CK:.*]]: memref<3x2x?x8xf32>, %[[CL:.*]]: memref<3x2x?xf32>, %[[CM:.*]]: memref<3x2x?xf32>, %[[N:.*]]: memref<3x2xi64>
// CHECK-DAG:     %[[LIMIT:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-DAG:     %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK:         scf.forall (%[[B:.*]], %[[H:.*]]) in (3, 2)
// CHECK:           %[[HELD64:.*]] = memref.load %[[N]][%[[B]], %[[H]]]
// CHECK:           %[[END:.*]] = arith.addi
// CHECK:           arith.cmpi sle, %[[END]]
// CHECK:           scf.if
// New keys have the minimum of nothing behind them, or of later tokens.
// CHECK:             memref.load %[[K]]
// CHECK:             memref.store %{{.*}}, %[[CK]]
// CHECK:             memref.store %[[INF]], %[[CM]]
// The minima of the others fall, whole groups at one go, which are written where one
// falls and searched where one key of them is to go.
// CHECK:             %[[GROUPS:.*]] = arith.divui %{{.*}}, %c64
// CHECK:             %[[GROUPED:.*]] = arith.muli %[[GROUPS]], %c64
// CHECK:             %[[FOUND:.*]] = scf.for %{{.*}} = %c0 to %[[GROUPS]]
// CHECK:               %[[BEFORE:.*]] = vector.load %[[CM]]{{.*}} vector<64xf32>
// CHECK:               %[[OWN:.*]] = arith.minimumf %[[BEFORE]]
// CHECK:               %[[FALLS:.*]] = arith.cmpf une, %[[OWN]], %[[BEFORE]]
// CHECK:               %[[ANY:.*]] = vector.reduction <or>, %[[FALLS]]
// CHECK:               scf.if %[[ANY]] {
// CHECK-NEXT:            vector.store %[[OWN]], %[[CM]]
// CHECK:               %[[DEAD:.*]] = arith.cmpf ogt, {{.*}} vector<64xf32>
// CHECK:               %[[ONE:.*]] = vector.reduction <or>, %[[DEAD]]
// CHECK:               scf.if %[[ONE]] -> (index) {
// CHECK:                 scf.for
// CHECK:               } else {
// Then what is left of them, and the first key to go is found.
// CHECK:             %[[DIES:.*]] = scf.for %{{.*}} = %[[GROUPED]] to {{.*}} iter_args(%{{.*}} = %[[FOUND]])
// CHECK:               arith.minimumf
// CHECK:               memref.store %{{.*}}, %[[CM]]
// CHECK:               arith.cmpf ogt, %{{.*}}, %[[LIMIT]]
// CHECK:             scf.for
// CHECK:             %[[LEFT:.*]] = scf.for %{{.*}} = %{{.*}} to %[[END]]
// CHECK:               scf.if
// CHECK:             memref.store %{{.*}}, %[[N]][%[[B]], %[[H]]]
func.func @update(%k: !new, %f: memref<3x2x1xf32>, %ck: !keys, %cl: !row, %cm: !row,
                  %n: !count) {
  fpa.update_cache ins(%k, %k : !new, !new) field(%f : memref<3x2x1xf32>)
    outs(%ck, %ck, %cl, %cm, %n : !keys, !keys, !row, !row, !count)
    {evict_above = 8.0 : f64}
  return
}

// What is dropped is summed up, and a head without room says so.
// CHECK-LABEL: func @dropped(
// CHECK-SAME:    %[[D:[^:]*]]: memref<3x2x3xf64>)
// CHECK-DAG:     %[[ALL:.*]] = arith.constant 0x7FF0000000000000 : f64
// CHECK:         math.exp
// CHECK:         math.sqrt
// CHECK:         math.absf
// CHECK:         } else {
// CHECK:           memref.store %[[ALL]], %[[D]]
func.func @dropped(%k: memref<3x2x3x8xf16>, %f: memref<3x2x3xf32>, %t: memref<3xi64>,
                   %ck: memref<3x2x?x8xf16>, %cl: !row, %cm: !row, %n: !count,
                   %d: memref<3x2x3xf64>) {
  fpa.update_cache ins(%k, %k : memref<3x2x3x8xf16>, memref<3x2x3x8xf16>)
    field(%f : memref<3x2x3xf32>) level(%f : memref<3x2x3xf32>)
    lengths(%t : memref<3xi64>)
    outs(%ck, %ck, %cl, %cm, %n, %d : memref<3x2x?x8xf16>, memref<3x2x?x8xf16>, !row, !row, !count, memref<3x2x3xf64>)
    {evict_above = 8.0 : f64}
  return
}

// Lines whose elements are no neighbours in memory are walked key by key.
// CHECK-LABEL: func @spread(
// CHECK-NOT:     vector
// CHECK:         return
!spread = memref<3x2x?xf32, strided<[?, ?, 2]>>
func.func @spread(%k: !new, %f: memref<3x2x1xf32>, %ck: !keys, %cl: !spread, %cm: !spread,
                  %n: !count) {
  fpa.update_cache ins(%k, %k : !new, !new) field(%f : memref<3x2x1xf32>)
    outs(%ck, %ck, %cl, %cm, %n : !keys, !keys, !spread, !spread, !count)
    {evict_above = 8.0 : f64}
  return
}
