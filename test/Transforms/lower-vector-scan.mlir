// RUN: fpa-opt %s --fpa-lower-vector-scan=lanes=4 -split-input-file | FileCheck %s

// Lane steps of 1 and 2, then one step with the carry.
// CHECK-LABEL: func.func @lanes(
// CHECK-SAME:    %[[X:.*]]: vector<4xf32>, %[[I:.*]]: vector<f32>
// CHECK:         %[[S:.*]] = vector.extract %[[I]][] : f32 from vector<f32>
// CHECK:         %[[C:.*]] = vector.broadcast %[[S]] : f32 to vector<4xf32>
// CHECK:         %[[A:.*]] = vector.shuffle %[[X]], %[[X]] [0, 0, 1, 2]
// CHECK:         %[[B:.*]] = arith.minimumf %[[A]], %[[X]] fastmath<nsz>
// CHECK:         %[[D:.*]] = vector.shuffle %[[B]], %[[B]] [0, 1, 0, 1]
// CHECK:         %[[E:.*]] = arith.minimumf %[[D]], %[[B]]
// CHECK:         %[[L:.*]] = vector.shuffle %[[E]], %[[E]] [3, 3, 3, 3]
// CHECK:         %[[R:.*]] = arith.minimumf %[[C]], %[[E]]
// CHECK:         %[[N:.*]] = arith.minimumf %[[C]], %[[L]]
// CHECK:         %[[O:.*]] = vector.extract %[[N]][0]
// CHECK:         %[[T:.*]] = vector.broadcast %[[O]] : f32 to vector<f32>
// CHECK:         return %[[R]], %[[T]]
func.func @lanes(%x: vector<4xf32>, %i: vector<f32>) -> (vector<4xf32>, vector<f32>) {
  %s, %t = fpa.vector_scan <min> axis(0) %x, %i : vector<4xf32>, vector<f32>
  return %s, %t : vector<4xf32>, vector<f32>
}

// -----

// A length that is no multiple of the lanes; the walk begins at the end. A sum
// fills shifted lanes with zero, and an exclusive scan shifts the carry in.
// CHECK-LABEL: func.func @pieces(
// CHECK-SAME:    %[[X:.*]]: vector<6xf32>, %[[I:.*]]: vector<f32>
// CHECK-DAG:     %[[Z:.*]] = arith.constant dense<0.000000e+00> : vector<2xf32>
// CHECK:         %[[C:.*]] = vector.broadcast %{{.*}} : f32 to vector<2xf32>
// CHECK:         %[[X1:.*]] = vector.extract_strided_slice %[[X]] {offsets = [4], sizes = [2]
// CHECK:         %[[A:.*]] = vector.shuffle %[[X1]], %[[Z]] [1, 2]
// CHECK:         %[[B:.*]] = arith.addf %[[A]], %[[X1]]
// CHECK:         %[[L:.*]] = vector.shuffle %[[B]], %[[B]] [0, 0]
// CHECK:         %[[D:.*]] = arith.addf %[[C]], %[[B]]
// CHECK:         vector.shuffle %[[D]], %[[C]] [1, 2]
// CHECK:         arith.addf %[[C]], %[[L]]
// CHECK:         vector.extract_strided_slice %[[X]] {offsets = [0], sizes = [4]
// CHECK-COUNT-2: vector.shuffle %{{.*}} : vector<4xf32>
// CHECK-NOT:     fpa.vector_scan
func.func @pieces(%x: vector<6xf32>, %i: vector<f32>) -> (vector<6xf32>, vector<f32>) {
  %s, %t = fpa.vector_scan <sum> axis(0) reverse exclusive %x, %i : vector<6xf32>, vector<f32>
  return %s, %t : vector<6xf32>, vector<f32>
}

// -----

// Rows from the last to the first; the result of a row is the carry before it.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[X:.*]]: vector<2x8xf32>, %[[I:.*]]: vector<8xf32>
// CHECK:         %[[X1:.*]] = vector.extract %[[X]][1]
// CHECK:         %[[C1:.*]] = arith.minimumf %[[I]], %[[X1]] fastmath<nsz> : vector<8xf32>
// CHECK:         %[[S1:.*]] = vector.insert %[[I]], %{{.*}} [1]
// CHECK:         %[[X0:.*]] = vector.extract %[[X]][0]
// CHECK:         %[[C0:.*]] = arith.minimumf %[[C1]], %[[X0]]
// CHECK:         %[[S0:.*]] = vector.insert %[[C1]], %[[S1]] [0]
// CHECK:         return %[[S0]], %[[C0]]
func.func @rows(%x: vector<2x8xf32>, %i: vector<8xf32>) -> (vector<2x8xf32>, vector<8xf32>) {
  %s, %t = fpa.vector_scan <min> axis(0) reverse exclusive %x, %i : vector<2x8xf32>, vector<8xf32>
  return %s, %t : vector<2x8xf32>, vector<8xf32>
}

// -----

// An inner axis: one scan per slice.
// CHECK-LABEL: func.func @inner(
// CHECK-SAME:    %[[X:.*]]: vector<2x2xf32>, %[[I:.*]]: vector<2xf32>
// CHECK:         vector.extract %[[X]][0] : vector<2xf32> from vector<2x2xf32>
// CHECK:         vector.extract %[[I]][0] : f32 from vector<2xf32>
// CHECK:         vector.shuffle %{{.*}} [0, 0] : vector<2xf32>
// CHECK:         vector.extract %[[X]][1] : vector<2xf32> from vector<2x2xf32>
// CHECK-NOT:     fpa.vector_scan
func.func @inner(%x: vector<2x2xf32>, %i: vector<2xf32>) -> (vector<2x2xf32>, vector<2xf32>) {
  %s, %t = fpa.vector_scan <min> axis(1) %x, %i : vector<2x2xf32>, vector<2xf32>
  return %s, %t : vector<2x2xf32>, vector<2xf32>
}

// -----

// What a row holds leaves the scan where reset holds: an exclusive row does not
// hold its own source.
// CHECK-LABEL: func.func @reset(
// CHECK-SAME:    %[[X:.*]]: vector<2x8xf32>, %[[I:.*]]: vector<8xf32>, %[[R:.*]]: vector<2x8xi1>
// CHECK:         %[[X0:.*]] = vector.extract %[[X]][0]
// CHECK:         %[[C0:.*]] = arith.addf %[[I]], %[[X0]]
// CHECK:         %[[S0:.*]] = vector.insert %[[I]], %{{.*}} [0]
// CHECK:         %[[R0:.*]] = vector.extract %[[R]][0]
// CHECK:         %[[N0:.*]] = arith.select %[[R0]], %[[X0]], %[[C0]]
// CHECK:         %[[S1:.*]] = vector.insert %[[N0]], %[[S0]] [1]
// CHECK:         %[[T:.*]] = arith.select
// CHECK:         return %[[S1]], %[[T]]
func.func @reset(%x: vector<2x8xf32>, %i: vector<8xf32>, %r: vector<2x8xi1>) -> (vector<2x8xf32>, vector<8xf32>) {
  %s, %t = fpa.vector_scan <sum> axis(0) exclusive %x, %i reset(%r) : vector<2x8xf32>, vector<8xf32>
  return %s, %t : vector<2x8xf32>, vector<8xf32>
}

// -----

// Along lanes element by element.
// CHECK-LABEL: func.func @reset_of_rank_one(
// CHECK:         %[[NONE:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[R:.*]] = vector.extract %{{.*}}[2] : i1 from vector<3xi1>
// CHECK:         arith.select %[[R]], %[[NONE]], %{{.*}} : f32
// CHECK-NOT:     fpa.vector_scan
func.func @reset_of_rank_one(%x: vector<3xf32>, %i: vector<f32>, %r: vector<3xi1>) -> vector<3xf32> {
  %s, %t = fpa.vector_scan <sum> axis(0) reverse %x, %i reset(%r) : vector<3xf32>, vector<f32>
  return %s : vector<3xf32>
}
