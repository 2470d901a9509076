// RUN: fpa-opt %s --convert-fpa-prefix-backward-to-scf --canonicalize -split-input-file | FileCheck %s
// RUN: fpa-opt %s --convert-fpa-prefix-backward-to-scf=parallel --canonicalize -split-input-file | FileCheck %s --check-prefix=PARALLEL

// A line is cleared, then its gradients are added in order. An index outside of
// the axis is ignored.

// CHECK-LABEL: func.func @line(
// CHECK-SAME:    %[[I:.*]]: memref<?xi64>, %[[G:.*]]: memref<?xf32>, %[[X:.*]]: memref<?xf32>
// CHECK:         %[[N:.*]] = memref.dim %[[I]], %c0
// CHECK:         scf.for %[[T:.*]] = %c0 to %[[N]] step %c1
// CHECK:           memref.store %{{.*}}, %[[X]][%[[T]]]
// CHECK:         scf.for %[[U:.*]] = %c0 to %[[N]] step %c1
// CHECK:           %[[P:.*]] = memref.load %[[I]][%[[U]]]
// CHECK:           %[[AT:.*]] = arith.index_cast %[[P]]
// CHECK:           %[[IN:.*]] = arith.cmpi ult, %[[AT]], %[[N]]
// CHECK:           scf.if %[[IN]]
// CHECK:             %[[OLD:.*]] = memref.load %[[X]][%[[AT]]]
// CHECK:             %[[D:.*]] = memref.load %[[G]][%[[U]]]
// CHECK:             %[[S:.*]] = arith.addf %[[OLD]], %[[D]]
// CHECK:             memref.store %[[S]], %[[X]][%[[AT]]]
// PARALLEL-LABEL: func.func @line(
// PARALLEL:       scf.for
// PARALLEL:       memref.store
func.func @line(%i: memref<?xi64>, %g: memref<?xf32>, %x: memref<?xf32>) {
  fpa.prefix_min_backward axis(0) ins(%i, %g : memref<?xi64>, memref<?xf32>) outs(%x : memref<?xf32>)
  return
}

// -----

// Lines are independent of each other.

// CHECK-LABEL: func.func @lines(
// CHECK:         scf.forall (%[[A:.*]], %[[B:.*]]) in (3, %{{.*}}) {
// CHECK:           scf.for %[[T:.*]] =
// CHECK:             memref.store %{{.*}}, %arg2[%[[A]], %[[T]], %[[B]]]
// PARALLEL-LABEL: func.func @lines(
// PARALLEL:       scf.parallel (%[[A:.*]], %[[B:.*]]) = (%c0, %c0) to (%c3, %{{.*}})
// PARALLEL:         memref.store %{{.*}}, %arg2[%[[A]], %{{.*}}, %[[B]]]
func.func @lines(%i: memref<3x8x?xi64>, %g: memref<3x8x?xf64>, %x: memref<3x8x?xf64>) {
  fpa.prefix_min_backward axis(1) ins(%i, %g : memref<3x8x?xi64>, memref<3x8x?xf64>) outs(%x : memref<3x8x?xf64>)
  return
}

// -----

// Threads are taken.

// CHECK-LABEL: func.func @inside(
// CHECK:         scf.forall
// CHECK-NOT:     scf.forall
// CHECK:           scf.for %[[A:.*]] = %c0 to %c3
// CHECK:             scf.for %[[T:.*]] = %c0 to %c8
// CHECK:               memref.store %{{.*}}, %arg2[%[[A]], %[[T]]]
func.func @inside(%i: memref<3x8xi64>, %g: memref<3x8xf32>, %x: memref<3x8xf32>) {
  scf.forall (%w) in (2) {
    fpa.prefix_min_backward axis(1) ins(%i, %g : memref<3x8xi64>, memref<3x8xf32>) outs(%x : memref<3x8xf32>)
  }
  return
}
