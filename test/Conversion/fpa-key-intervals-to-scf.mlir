// RUN: fpa-opt %s --convert-fpa-key-intervals-to-scf --canonicalize -split-input-file | FileCheck %s
// RUN: fpa-opt %s --convert-fpa-key-intervals-to-scf=parallel --canonicalize --cse -split-input-file | FileCheck %s --check-prefix=PARALLEL

// CHECK-LABEL: func.func @window(
// CHECK-SAME:    %[[LK:.*]]: index, %[[F:.*]]: memref<?xi64>, %[[L:.*]]: memref<?xi64>
// CHECK-DAG:     %[[NONE:.*]] = arith.constant -1 : i64
// CHECK-DAG:     %[[C63:.*]] = arith.constant 63 : i64
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : i64
// CHECK:         %[[ROWS:.*]] = memref.dim %[[F]]
// CHECK:         %[[Q:.*]] = arith.index_cast %[[ROWS]]
// CHECK:         %[[K:.*]] = arith.index_cast %[[LK]]
// CHECK:         %[[SHIFT:.*]] = arith.subi %[[K]], %[[Q]]
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[ROWS]]
// CHECK:           %[[R:.*]] = arith.index_cast %[[I]]
// CHECK:           %[[SEEN:.*]] = arith.addi %[[R]], %[[SHIFT]]
// CHECK:           %[[END:.*]] = arith.maxsi %[[SEEN]], %[[NONE]]
// CHECK:           %[[W:.*]] = arith.subi %[[END]], %[[C63]]
// CHECK:           %[[START:.*]] = arith.maxsi %[[W]], %[[C0]]
// CHECK:           memref.store %[[START]], %[[F]][%[[I]]]
// CHECK:           memref.store %[[END]], %[[L]][%[[I]]]
func.func @window(%lk: index, %f: memref<?xi64>, %l: memref<?xi64>) {
  fpa.key_intervals key_length(%lk) outs(%f, %l : memref<?xi64>, memref<?xi64>) {window = 64 : i64}
  return
}

// -----

// Without a window the first key is that of the sequence.
// CHECK-LABEL: func.func @causal(
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : i64
// CHECK:         memref.store %[[C0]], %arg1
func.func @causal(%lk: index, %f: memref<4xi64>, %l: memref<4xi64>) {
  fpa.key_intervals key_length(%lk) outs(%f, %l : memref<4xi64>, memref<4xi64>)
  return
}

// -----

// Boundaries are clamped to never fall and to stay inside; the rows behind the
// last one are written too.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME:    %[[LK:[^:]*]]: index, %[[CQ:[^:]*]]: memref<?xi64>, %[[CK:[^:]*]]: memref<?xi64>
// CHECK:         %[[Q:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK:         %[[K:.*]] = arith.index_cast %[[LK]]
// CHECK:         %[[COUNT:.*]] = arith.minui
// CHECK:         %[[END:.*]]:2 = scf.for %[[N:.*]] = %c0 to %[[COUNT]] step %c1 iter_args(%[[Q0:.*]] = %{{.*}}, %[[K0:.*]] = %{{.*}})
// CHECK:           %[[BQ:.*]] = memref.load %[[CQ]][%[[N]]]
// CHECK:           %[[BQ1:.*]] = arith.minsi %[[BQ]], %[[Q]]
// CHECK:           %[[Q1:.*]] = arith.maxsi %[[BQ1]], %[[Q0]]
// CHECK:           %[[BK:.*]] = memref.load %[[CK]][%[[N]]]
// CHECK:           %[[BK1:.*]] = arith.minsi %[[BK]], %[[K]]
// CHECK:           %[[K1:.*]] = arith.maxsi %[[BK1]], %[[K0]]
// CHECK:           %[[BEFORE:.*]] = arith.cmpi eq, %[[N]], %c0
// CHECK:           arith.select %[[BEFORE]], %[[K0]], %[[K1]]
// CHECK:           scf.for
// CHECK:           scf.yield %[[Q1]], %[[K1]]
// CHECK:         %[[FROM:.*]] = arith.index_cast %[[END]]#0
// CHECK:         scf.for %{{.*}} = %[[FROM]] to
func.func @packed(%lk: index, %cq: memref<?xi64>, %ck: memref<?xi64>, %f: memref<?xi64>, %l: memref<?xi64>) {
  fpa.key_intervals key_length(%lk) cu_seqlens(%cq, %ck : memref<?xi64>, memref<?xi64>)
    outs(%f, %l : memref<?xi64>, memref<?xi64>)
  return
}

// -----

// In parallel, each row finds its sequence: the last that does not begin after
// it.
// PARALLEL-LABEL: func.func @rows(
// PARALLEL-SAME:    %[[LK:[^:]*]]: index, %[[CQ:[^:]*]]: memref<?xi64>, %[[CK:[^:]*]]: memref<?xi64>, %[[F:[^:]*]]: memref<?xi64>, %[[L:[^:]*]]: memref<?xi64>
// PARALLEL:         %[[ROWS:.*]] = memref.dim %[[F]]
// PARALLEL:         scf.parallel (%[[I:.*]]) = (%c0) to (%[[ROWS]]) step (%c1) {
// PARALLEL:           %[[ROW:.*]] = arith.index_cast %[[I]]
// PARALLEL:           %[[END:.*]]:5 = scf.for %[[N:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[Q0:.*]] = %{{.*}}, %[[K0:.*]] = %{{.*}}, %[[OQ1:.*]] = %{{.*}}, %[[OK0:.*]] = %{{.*}}, %[[OK1:.*]] = %{{.*}})
// PARALLEL:             memref.load %[[CQ]][%[[N]]]
// PARALLEL:             memref.load %[[CK]][%[[N]]]
// PARALLEL:             %[[BEGUN:.*]] = arith.cmpi sle, %[[Q0]], %[[ROW]]
// PARALLEL-COUNT-3:     arith.select %[[BEGUN]]
// PARALLEL:           %[[TAIL:.*]] = arith.cmpi sle, %[[END]]#0, %[[ROW]]
// PARALLEL-COUNT-3:   arith.select %[[TAIL]]
// PARALLEL:           memref.store %{{.*}}, %[[F]][%[[I]]]
// PARALLEL:           memref.store %{{.*}}, %[[L]][%[[I]]]
func.func @rows(%lk: index, %cq: memref<?xi64>, %ck: memref<?xi64>, %f: memref<?xi64>, %l: memref<?xi64>) {
  fpa.key_intervals key_length(%lk) cu_seqlens(%cq, %ck : memref<?xi64>, memref<?xi64>)
    outs(%f, %l : memref<?xi64>, memref<?xi64>)
  return
}
