// RUN: fpa-opt %s -split-input-file --fpa-vectorize-prefix="chunk=128 columns=16 rows=4" --canonicalize --cse | FileCheck %s

// Rows of a segment each; the walk is backwards, so the block that is not full
// comes first. What it lacks is read as +inf.

// CHECK-DAG:   #[[SEGMENTS:.*]] = affine_map<()[s0] -> (s0 ceildiv 32)>
// CHECK-LABEL: func.func @segments(
//  CHECK-SAME:   %[[X:.*]]: memref<2x8x?xf32>, %[[Y:.*]]: memref<2x8x?xf32>)
//   CHECK-DAG:   %[[INF:.*]] = arith.constant 0x7F800000 : f32
//   CHECK-DAG:   %[[NONE:.*]] = arith.constant dense<0x7F800000> : vector<4xf32>
//       CHECK:   %[[N:.*]] = affine.apply #[[SEGMENTS]]
//       CHECK:   scf.forall (%[[B:.*]], %[[R:.*]], %[[S:.*]]) in (2, 2, %[[N]]) {
//       CHECK:     %[[PART:.*]] = scf.for {{.*}} iter_args(%[[C:.*]] = %[[NONE]]) -> (vector<4xf32>) {
//       CHECK:       %[[FROM:.*]] = memref.subview %[[X]][%[[B]], %{{.*}}, %{{.*}}] [1, 4, %[[SIZE:.*]]] [1, 1, 1] : memref<2x8x?xf32> to memref<4x?xf32,
//       CHECK:       %[[V:.*]] = vector.transfer_read %[[FROM]][%c0, %c0], %[[INF]] {in_bounds = [true, false]} : {{.*}}, vector<4x32xf32>
//       CHECK:       %[[SCANNED:.*]], %[[TOTAL:.*]] = fpa.vector_scan <min> axis(1) reverse exclusive %[[V]], %[[C]]
//       CHECK:       %[[TO:.*]] = memref.subview %[[Y]][%[[B]], %{{.*}}, %{{.*}}] [1, 4, %[[SIZE]]]
//       CHECK:       vector.transfer_write %[[SCANNED]], %[[TO]][%c0, %c0] {in_bounds = [true, false]}
//       CHECK:       scf.yield %[[TOTAL]]
//       CHECK:     scf.for {{.*}} iter_args(%{{.*}} = %[[PART]])
//       CHECK:       vector.transfer_read {{.*}} {in_bounds = [true, true]} : memref<4x32xf32,
//       CHECK:   } {fpa.warps = 4 : i64, mapping = [#fpa.work_item<0>, #fpa.work_item<1>, #fpa.work_item<2>]}
func.func @segments(%x: memref<2x8x?xf32>, %y: memref<2x8x?xf32>) {
  fpa.prefix_min axis(2) reverse exclusive segment(32) ins(%x : memref<2x8x?xf32>) outs(%y : memref<2x8x?xf32>)
  return
}

// -----

// Whole blocks only: no loop for the rest. A sum carries its rounding error.

// CHECK-LABEL: func.func @sum
//       CHECK:   scf.forall
//   CHECK-NOT:     in_bounds = [true, false]
//       CHECK:     scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[ERROR:.*]] = %{{.*}}) -> (vector<4xf64>, vector<4xf64>)
//       CHECK:       %[[LOCAL:.*]], %[[TOTAL:.*]] = fpa.vector_scan <sum> axis(1)
//       CHECK:       %[[NEXT:.*]] = arith.addf %[[SUM]], %[[TOTAL]]
//       CHECK:       %[[SMALL:.*]] = arith.addf %{{.*}}, %[[LOCAL]] : vector<4x32xf64>
//       CHECK:       arith.addf %{{.*}}, %[[SMALL]] : vector<4x32xf64>
//       CHECK:       scf.yield %[[NEXT]]
//   CHECK-NOT:   scf.for
func.func @sum(%x: memref<4x64xf64>, %y: memref<4x64xf64>) {
  fpa.prefix_sum axis(1) ins(%x : memref<4x64xf64>) outs(%y : memref<4x64xf64>)
  return
}

// -----

// Another axis is walked by neighbours side by side. f16 is scanned in f32.

// CHECK-LABEL: func.func @columns
//       CHECK:   scf.forall (%{{.*}}, %{{.*}}) in (%{{.*}}, 3)
//       CHECK:     vector.transfer_read {{.*}} vector<8x16xf16>
//       CHECK:     arith.extf {{.*}} to vector<8x16xf32>
//       CHECK:     fpa.vector_scan <min> axis(0) {{.*}} : vector<8x16xf32>, vector<16xf32>
//       CHECK:     arith.truncf
func.func @columns(%x: memref<?x9x40xf16>, %y: memref<?x9x40xf16>) {
  fpa.prefix_min axis(1) ins(%x : memref<?x9x40xf16>) outs(%y : memref<?x9x40xf16>)
  return
}

// -----

// The index is the place of the last record: a second scan carries it on.

// CHECK-LABEL: func.func @index
//       CHECK:   memref.expand_shape %{{.*}} {{\[\[}}0, 1]]
//       CHECK:   iter_args(%[[M:.*]] = %{{.*}}, %[[AT:.*]] = %{{.*}}) -> (vector<4xf32>, vector<4xi64>)
//       CHECK:     %[[BEFORE:.*]], %[[TOTAL:.*]] = fpa.vector_scan <min> axis(1) exclusive %[[V:.*]], %[[M]]
//       CHECK:     %[[MIN:.*]] = arith.minimumf %[[BEFORE]], %[[V]]
//       CHECK:     %[[LEAST:.*]] = arith.cmpf oeq, %[[V]], %[[MIN]]
//       CHECK:     %[[NAN:.*]] = arith.cmpf uno, %[[V]], %[[V]]
//       CHECK:     %[[RECORD:.*]] = arith.ori %[[LEAST]], %[[NAN]]
//       CHECK:     %[[MARKED:.*]] = arith.select %[[RECORD]]
//       CHECK:     fpa.vector_scan <min> axis(1) %[[MARKED]]
//       CHECK:     arith.fptosi
//       CHECK:     vector.transfer_write {{.*}} vector<4x32xi64>
func.func @index(%x: memref<?xf32>, %y: memref<?xf32>, %i: memref<?xi64>) {
  fpa.prefix_min axis(0) ins(%x : memref<?xf32>) outs(%y, %i : memref<?xf32>, memref<?xi64>)
  return
}

// -----

// Inside of a parallel loop the rows are a plain one.

// CHECK-LABEL: func.func @nested
//       CHECK:   scf.forall
//   CHECK-NOT:   scf.forall
//       CHECK:     scf.for
//       CHECK:       fpa.vector_scan
func.func @nested(%x: memref<4x64xf32>, %y: memref<4x64xf32>) {
  scf.forall (%k) in (2) {
    fpa.prefix_min axis(1) ins(%x : memref<4x64xf32>) outs(%y : memref<4x64xf32>)
  }
  return
}

// -----

// Columns of several dimensions stand side by side in memory, so a block has
// some of all of them.

// CHECK-LABEL: func.func @merged
//       CHECK:   scf.forall (%{{.*}}) in (1)
//       CHECK:     memref.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : memref<?x7x2xf32> into memref<?x14xf32>
//       CHECK:     fpa.vector_scan <min> axis(0) {{.*}} : vector<8x16xf32>, vector<16xf32>
func.func @merged(%x: memref<?x7x2xf32>, %y: memref<?x7x2xf32>) {
  fpa.prefix_min axis(0) ins(%x : memref<?x7x2xf32>) outs(%y : memref<?x7x2xf32>)
  return
}

// -----

// With gaps between them they are scanned each alone.

// CHECK-LABEL: func.func @gaps
//       CHECK:   scf.forall (%{{.*}}, %{{.*}}) in (7, 1)
//   CHECK-NOT:     memref.collapse_shape
//       CHECK:     fpa.vector_scan <min> axis(0) {{.*}} : vector<64x2xf32>, vector<2xf32>
func.func @gaps(%x: memref<?x7x2xf32, strided<[28, 4, 1]>>, %y: memref<?x7x2xf32>) {
  fpa.prefix_min axis(0) ins(%x : memref<?x7x2xf32, strided<[28, 4, 1]>>) outs(%y : memref<?x7x2xf32>)
  return
}

// -----

// One column is a row.

// CHECK-LABEL: func.func @column
//       CHECK:     memref.subview %{{.*}} : memref<?x1xf32> to memref<?xf32, strided<[1]>>
//       CHECK:     memref.expand_shape
//       CHECK:     fpa.vector_scan <min> axis(1) {{.*}} : vector<4x32xf32>, vector<4xf32>
func.func @column(%x: memref<?x1x1xf32>, %y: memref<?x1x1xf32>) {
  fpa.prefix_min axis(0) ins(%x : memref<?x1x1xf32>) outs(%y : memref<?x1x1xf32>)
  return
}
