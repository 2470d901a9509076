// RUN: fpa-opt %s --convert-fpa-prefix-to-vector=lanes=4 --canonicalize --cse -split-input-file | FileCheck %s
// RUN: fpa-opt %s --convert-fpa-prefix-to-vector="lanes=4 nontemporal-bytes=64" --canonicalize --cse -split-input-file | FileCheck %s --check-prefix=STREAM

// One row: four lane scans a turn, chained by the carry; on ordered keys if
// there is a NaN, on floats if not.
// CHECK-LABEL: func.func @row(
// CHECK-SAME:    %[[X:.*]]: memref<32xf32>, %[[Y:.*]]: memref<32xf32>
// CHECK-DAG:     %[[INF:.*]] = arith.constant dense<0x7F800000> : vector<4xf32>
// CHECK-DAG:     %[[NAN:.*]] = arith.constant dense<-1> : vector<4xi32>
// CHECK-NOT:     scf.forall
// CHECK:         scf.for %[[T:.*]] = %c0 to %c32 step %c16 iter_args(%[[C:.*]] = %[[INF]]) -> (vector<4xf32>)
// CHECK:           %[[V0:.*]] = vector.load %[[X]][%[[T]]]
// CHECK:           %[[V1:.*]] = vector.load
// CHECK:           %[[V2:.*]] = vector.load
// CHECK:           %[[V3:.*]] = vector.load
// CHECK:           %[[U0:.*]] = arith.cmpf uno, %[[V0]], %[[V1]]
// CHECK:           %[[U1:.*]] = arith.cmpf uno, %[[V2]], %[[V3]]
// CHECK:           %[[U01:.*]] = arith.ori %[[U0]], %[[U1]]
// CHECK:           %[[UC:.*]] = arith.cmpf uno, %[[C]], %[[C]]
// CHECK:           %[[U:.*]] = arith.ori %[[U01]], %[[UC]]
// CHECK:           %[[ANY:.*]] = vector.reduction <or>, %[[U]]
// CHECK:           scf.if %[[ANY]] -> (vector<4xf32>) {
// CHECK:             %[[BITS:.*]] = arith.bitcast %[[V0]]
// CHECK:             %[[UNO:.*]] = arith.cmpf uno, %[[V0]], %[[V0]]
// CHECK:             %[[B:.*]] = arith.select %[[UNO]], %[[NAN]], %[[BITS]]
// CHECK:             %[[SIGN:.*]] = arith.shrsi %[[B]]
// CHECK:             %[[FLIP:.*]] = arith.andi %[[SIGN]]
// CHECK:             %[[KEY:.*]] = arith.xori %[[B]], %[[FLIP]]
// CHECK:             vector.shuffle %[[KEY]], %[[KEY]] [0, 0, 1, 2]
// CHECK-COUNT-4:     vector.store
// CHECK:           } else {
// CHECK:             %[[S1:.*]] = vector.shuffle %[[V0]], %[[V0]] [0, 0, 1, 2]
// CHECK:             %[[M1:.*]] = arith.minimumf %[[S1]], %[[V0]] fastmath<nnan,nsz>
// CHECK:             %[[S2:.*]] = vector.shuffle %[[M1]], %[[M1]] [0, 1, 0, 1]
// CHECK:             %[[M2:.*]] = arith.minimumf %[[S2]], %[[M1]]
// CHECK:             %[[LAST:.*]] = vector.shuffle %[[M2]], %[[M2]] [3, 3, 3, 3]
// CHECK:             %[[CHAIN:.*]] = arith.minimumf %[[LAST]], %{{.*}}
// CHECK:             %[[OUT:.*]] = arith.minimumf %[[C]], %[[M2]]
// CHECK:             arith.minimumf %[[C]], %[[CHAIN]]
// CHECK:             vector.store %[[OUT]], %[[Y]][%[[T]]]
// CHECK-NOT:         nontemporal
// CHECK:             scf.yield

// A large output: single steps to a cache line, prefetches, streaming stores,
// and a fence behind them.
// STREAM-LABEL: func.func @row(
// STREAM:         memref.extract_aligned_pointer_as_index
// STREAM:         scf.for
// STREAM:           memref.load
// STREAM:           memref.store
// STREAM:         scf.for
// STREAM:           memref.prefetch %{{.*}}, read, locality<3>, data
// STREAM:           } else {
// STREAM-COUNT-4:   vector.store %{{.*}} {alignment = 16 : i64, nontemporal = true}
// STREAM:         llvm.fence seq_cst
func.func @row(%x: memref<32xf32>, %y: memref<32xf32>) {
  fpa.prefix_min axis(0) ins(%x : memref<32xf32>) outs(%y : memref<32xf32>)
  return
}

// -----

// Many rows: pieces of 32768 elements in parallel. The loop of the dynamic
// length is followed by single vectors and single elements.
// CHECK-LABEL: func.func @rows(
// CHECK:         %[[ROWS:.*]] = memref.dim %{{.*}}, %c0
// CHECK:         %[[LEN:.*]] = memref.dim %{{.*}}, %c1
// CHECK:         %[[ATLEAST1:.*]] = arith.maxui %[[LEN]], %c1
// CHECK:         %[[SHARE:.*]] = arith.ceildivui %c32768, %[[ATLEAST1]]
// CHECK:         %[[PIECES:.*]] = arith.ceildivui %[[ROWS]], %[[SHARE]]
// CHECK:         scf.forall (%{{.*}}) in (%[[PIECES]])
// CHECK:           scf.for
// CHECK:             scf.for {{.*}} step %c16 iter_args
// CHECK:             scf.for {{.*}} step %c4 iter_args
// CHECK:             scf.for {{.*}} step %c1 iter_args
func.func @rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  fpa.prefix_min axis(1) ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>)
  return
}

// -----

// Inside of a parallel loop rows are an ordinary one.
// CHECK-LABEL: func.func @nested(
// CHECK:         scf.forall
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @nested(%x: memref<64x?xf32>, %y: memref<64x?xf32>) {
  scf.forall (%i) in (4) {
    fpa.prefix_min axis(1) ins(%x : memref<64x?xf32>) outs(%y : memref<64x?xf32>)
  }
  return
}

// -----

// Another axis: four vectors of neighbouring columns, one position after
// another. An own element keeps its place unless the carry is less.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME:    %[[X:.*]]: memref<10x16xf32>, %[[Y:.*]]: memref<10x16xf32>, %[[I:.*]]: memref<10x16xi64>
// CHECK-DAG:     %[[TOP:.*]] = arith.constant dense<2147483647> : vector<16xi32>
// CHECK-DAG:     %[[NONE:.*]] = arith.constant dense<-1> : vector<16xi64>
// CHECK:         scf.for %[[T:.*]] = %c0 to %c10 step %c1 iter_args(%[[K:.*]] = %[[TOP]], %[[P:.*]] = %[[NONE]])
// CHECK:           vector.load %[[X]][%[[T]], %c0] : memref<10x16xf32>, vector<16xf32>
// CHECK:           %[[LESS:.*]] = arith.cmpi slt, %[[K]], %[[OWN:.*]] :
// CHECK:           arith.select %[[LESS]], %[[K]], %[[OWN]]
// CHECK:           %[[PLACE:.*]] = arith.select %[[LESS]], %[[P]], %{{.*}} : vector<16xi1>, vector<16xi64>
// CHECK:           vector.store %{{.*}}, %[[Y]][%[[T]], %c0]
// CHECK:           vector.store %[[PLACE]], %[[I]][%[[T]], %c0]
func.func @columns(%x: memref<10x16xf32>, %y: memref<10x16xf32>, %i: memref<10x16xi64>) {
  fpa.prefix_min axis(0) ins(%x : memref<10x16xf32>) outs(%y, %i : memref<10x16xf32>, memref<10x16xi64>)
  return
}

// -----

// Unknown strides: element by element. A sum carries its rounding error, and
// starts anew in every segment.
// CHECK-LABEL: func.func @strided(
// CHECK-NOT:     vector
// CHECK:         scf.for {{.*}} = %c0 to %c10 step %c4
// CHECK:           scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[E:.*]] = %{{.*}}) -> (f64, f64)
// CHECK:             %[[V:.*]] = memref.load
// CHECK:             %[[NEXT:.*]] = arith.addf %[[S]], %[[V]]
// CHECK:             %[[ADDED:.*]] = arith.subf %[[NEXT]], %[[S]]
// CHECK:             %[[KEPT:.*]] = arith.subf %[[NEXT]], %[[ADDED]]
// CHECK:             %[[A:.*]] = arith.subf %[[S]], %[[KEPT]]
// CHECK:             %[[B:.*]] = arith.subf %[[V]], %[[ADDED]]
// CHECK:             %[[SLIP:.*]] = arith.addf %[[A]], %[[B]]
// CHECK:             arith.cmpf ord, %[[SLIP]], %[[SLIP]]
// CHECK:             %[[ERR:.*]] = arith.addf %[[E]]
// CHECK:             %[[OUT:.*]] = arith.addf %[[NEXT]], %[[ERR]]
// CHECK:             memref.store %[[OUT]]
// CHECK:             scf.yield %[[NEXT]], %[[ERR]]
func.func @strided(%x: memref<10xf64, strided<[?], offset: ?>>, %y: memref<10xf64>) {
  fpa.prefix_sum axis(0) segment(4) ins(%x : memref<10xf64, strided<[?], offset: ?>>) outs(%y : memref<10xf64>)
  return
}

// -----

// 16-bit floats are ordered as 16-bit integers, twice as many to a vector.
// CHECK-LABEL: func.func @half(
// CHECK:         vector.load {{.*}} : memref<64xbf16>, vector<8xbf16>
// CHECK-NOT:     cmpf
// CHECK:         arith.andi
// CHECK:         arith.cmpi sgt
// CHECK:         arith.minsi {{.*}} : vector<8xi16>
func.func @half(%x: memref<64xbf16>, %y: memref<64xbf16>) {
  fpa.prefix_min axis(0) ins(%x : memref<64xbf16>) outs(%y : memref<64xbf16>)
  return
}
