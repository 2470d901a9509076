// RUN: fpa-opt %s --fpa-tile-attention --fpa-vectorize-tiles --canonicalize --cse --loop-invariant-subset-hoisting --canonicalize --cse | FileCheck %s --check-prefix=LOOPS
// RUN: fpa-opt %s --fpa-tile-attention --fpa-vectorize-tiles --canonicalize --cse --loop-invariant-subset-hoisting --canonicalize --cse --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize --cse --canonicalize | FileCheck %s --check-prefix=BUFFERS

// The loops over key tiles carry vectors and nothing else; query rows are read
// and scaled once; no state tensor is left.

// LOOPS-LABEL: func @window(
// LOOPS:         scf.forall
// LOOPS:           %[[Q:.*]] = vector.transfer_read {{.*}} tensor<?x64xf32>, vector<48x64xf32>
// LOOPS:           %[[Q2:.*]] = arith.mulf %[[Q]], %{{.*}} : vector<48x64xf32>
// LOOPS:           vector.transfer_read {{.*}} vector<48xi64>
// LOOPS:           vector.transfer_read {{.*}} vector<48xi64>
// LOOPS:           scf.for
// LOOPS-SAME:        -> (vector<48x32xf32>, vector<48xf32>, vector<48xf32>, vector<48xf32>)
// LOOPS-NOT:         vector.transfer_write
// LOOPS-NOT:         vector<48xi64>{{$}}
// LOOPS:             vector.contract {{.*}} %[[Q2]],
// LOOPS:           scf.for
// LOOPS-SAME:        -> (vector<48x32xf32>, vector<48xf32>, vector<48xf32>, vector<48xf32>)
// LOOPS-NOT:         vector.transfer_write
// LOOPS:             vector.contract {{.*}} %[[Q2]],
// LOOPS:           scf.for
// LOOPS-SAME:        -> (vector<48x32xf32>, vector<48xf32>, vector<48xf32>, vector<48xf32>)
// LOOPS-NOT:         vector.transfer_write
// LOOPS:             vector.contract {{.*}} %[[Q2]],
// LOOPS-NOT:       tensor.empty
// LOOPS-COUNT-2:   vector.transfer_write
// LOOPS-NOT:       vector.transfer_write
// LOOPS:           scf.forall.in_parallel

// The outputs are written in place, and a thread allocates nothing.

// BUFFERS-LABEL: func @window(
// BUFFERS-SAME:    %[[O:[a-z0-9]*]]: memref<?x?x?x32xf32>, %[[L:[a-z0-9]*]]: memref<?x?x?xf32>)
// BUFFERS:         scf.forall
// BUFFERS-NOT:       memref.alloc
// BUFFERS-NOT:       memref.copy
// BUFFERS-NOT:       linalg.copy
// BUFFERS:           %[[OT:.*]] = memref.subview %[[O]]
// BUFFERS:           %[[LT:.*]] = memref.subview %[[L]]
// BUFFERS:           vector.transfer_write %{{.*}}, %[[OT]]
// BUFFERS:           vector.transfer_write %{{.*}}, %[[LT]]
// BUFFERS-NOT:       memref.copy
// BUFFERS:         return %[[O]], %[[L]]
func.func @window(%q: tensor<?x?x?x64xf32>, %k: tensor<?x?x?x64xf32>,
                  %v: tensor<?x?x?x32xf32>, %f: tensor<?x?x?xf32>,
                  %o0: tensor<?x?x?x32xf32>, %l0: tensor<?x?x?xf32>)
    -> (tensor<?x?x?x32xf32>, tensor<?x?x?xf32>) {
  %o, %l = fpa.attention
    ins(%q, %k, %v : tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?x32xf32>)
    field(%f : tensor<?x?x?xf32>)
    outs(%o0, %l0 : tensor<?x?x?x32xf32>, tensor<?x?x?xf32>)
    {window = 1000 : i64} -> tensor<?x?x?x32xf32>, tensor<?x?x?xf32>
  return %o, %l : tensor<?x?x?x32xf32>, tensor<?x?x?xf32>
}
