// RUN: fpa-opt %s --split-input-file --resolve-shaped-type-result-dims --cse | FileCheck %s --check-prefix=DIMS
// RUN: fpa-opt %s --split-input-file --inline | FileCheck %s --check-prefix=INLINE
// RUN: fpa-opt %s --split-input-file --eliminate-empty-tensors | FileCheck %s --check-prefix=EMPTY

// A result has the sizes of its init.

// DIMS-LABEL: func.func @dims(
// DIMS-SAME: %[[O0:[a-z0-9]+]]: tensor<1x2x?x?xf32>, %[[L0:[a-z0-9]+]]: tensor<1x2x?xf32>
// DIMS-DAG: %[[A:.*]] = tensor.dim %[[O0]], %c3
// DIMS-DAG: %[[B:.*]] = tensor.dim %[[L0]], %c2
// DIMS: return %[[A]], %[[B]]
func.func @dims(%q: tensor<1x2x?x8xf32>, %v: tensor<1x2x?x?xf32>, %o0: tensor<1x2x?x?xf32>,
    %l0: tensor<1x2x?xf32>) -> (index, index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %o, %l = fpa.attention ins(%q, %q, %v : tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x?xf32>)
      outs(%o0, %l0 : tensor<1x2x?x?xf32>, tensor<1x2x?xf32>) -> tensor<1x2x?x?xf32>, tensor<1x2x?xf32>
  %a = tensor.dim %o, %c3 : tensor<1x2x?x?xf32>
  %b = tensor.dim %l, %c2 : tensor<1x2x?xf32>
  return %a, %b : index, index
}

// -----

// DIMS-LABEL: func.func @dims_of_gradients(
// DIMS-SAME: %[[Q0:[a-z0-9]+]]: tensor<1x2x?x8xf32>, %[[K0:[a-z0-9]+]]: tensor<1x1x?x8xf32>) ->
// DIMS-DAG: %[[A:.*]] = tensor.dim %[[Q0]], %c2
// DIMS-DAG: %[[B:.*]] = tensor.dim %[[K0]], %c2
// DIMS: return %[[A]], %[[B]]
func.func @dims_of_gradients(%q: tensor<1x2x?x8xf32>, %k: tensor<1x1x?x8xf32>, %lse: tensor<1x2x?xf32>,
    %q0: tensor<1x2x?x8xf32>, %k0: tensor<1x1x?x8xf32>) -> (index, index) {
  %c2 = arith.constant 2 : index
  %d:3 = fpa.attention_backward
      ins(%q, %k, %k : tensor<1x2x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>)
      saved(%q, %lse : tensor<1x2x?x8xf32>, tensor<1x2x?xf32>) gradient(%q : tensor<1x2x?x8xf32>)
      outs(%q0, %k0, %k0 : tensor<1x2x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>)
      -> tensor<1x2x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>
  %a = tensor.dim %d#0, %c2 : tensor<1x2x?x8xf32>
  %b = tensor.dim %d#1, %c2 : tensor<1x1x?x8xf32>
  return %a, %b : index, index
}

// -----

// DIMS-LABEL: func.func @dims_of_tiles(
// DIMS-SAME: %[[A0:[a-z0-9]+]]: tensor<?x8xf32>, %[[K0:[a-z0-9]+]]: tensor<?x8xf32>, %[[R0:[a-z0-9]+]]: tensor<?xf32>, %[[Q0:[a-z0-9]+]]: tensor<?x8xf16>, %[[D0:[a-z0-9]+]]: tensor<?xf32>) ->
// DIMS-DAG: %[[R:.*]] = tensor.dim %[[R0]], %c0
// DIMS-DAG: %[[D:.*]] = tensor.dim %[[D0]], %c0
// DIMS-DAG: %[[K:.*]] = tensor.dim %[[K0]], %c0
// DIMS-DAG: %[[Q:.*]] = tensor.dim %[[Q0]], %c0
// DIMS: return %[[R]], %[[K]], %[[Q]], %[[D]]
func.func @dims_of_tiles(%q: tensor<?x8xf32>, %x: tensor<?xf32>, %a0: tensor<?x8xf32>,
    %k0: tensor<?x8xf32>, %r0: tensor<?xf32>, %q0: tensor<?x8xf16>, %d0: tensor<?xf32>)
    -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %r = fpa.pass_field field(%x : tensor<?xf32>) outs(%r0 : tensor<?xf32>) -> tensor<?xf32>
  %delta = fpa.backward_delta ins(%q, %q : tensor<?x8xf32>, tensor<?x8xf32>)
      outs(%d0 : tensor<?xf32>) -> tensor<?xf32>
  %d:3 = fpa.backward_tile ins(%q, %q, %q : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>)
      gradient(%q : tensor<?x8xf32>) saved(%x, %delta : tensor<?xf32>, tensor<?xf32>)
      outs(%a0, %k0, %k0 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {scale = 1.0 : f64}
      -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  %dq = fpa.backward_finalize ins(%d#0 : tensor<?x8xf32>) outs(%q0 : tensor<?x8xf16>)
      {scale = 1.0 : f64} -> tensor<?x8xf16>
  %a = tensor.dim %r, %c0 : tensor<?xf32>
  %b = tensor.dim %d#1, %c0 : tensor<?x8xf32>
  %c = tensor.dim %dq, %c0 : tensor<?x8xf16>
  %e = tensor.dim %delta, %c0 : tensor<?xf32>
  return %a, %b, %c, %e : index, index, index, index
}

// -----

// DIMS-LABEL: func.func @dims_of_scan(
// DIMS-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[M0:[a-z0-9]+]]: tensor<?xf32>
// DIMS: %[[D:.*]] = tensor.dim %[[M0]], %c0
// DIMS: return %[[D]]
func.func @dims_of_scan(%x: tensor<?xf32>, %m0: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %m = fpa.prefix_min axis(0) ins(%x : tensor<?xf32>) outs(%m0 : tensor<?xf32>) -> tensor<?xf32>
  %d = tensor.dim %m, %c0 : tensor<?xf32>
  return %d : index
}

// -----

func.func private @callee(%x: tensor<8xf32>, %m0: tensor<8xf32>) -> tensor<8xf32> {
  %m = fpa.prefix_min axis(0) ins(%x : tensor<8xf32>) outs(%m0 : tensor<8xf32>) -> tensor<8xf32>
  return %m : tensor<8xf32>
}

// INLINE-LABEL: func.func @caller(
// INLINE-NOT: call
// INLINE: fpa.prefix_min
// INLINE-NOT: call
// INLINE: return
func.func @caller(%x: tensor<8xf32>, %m0: tensor<8xf32>) -> tensor<8xf32> {
  %m = call @callee(%x, %m0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %m : tensor<8xf32>
}

// -----

// The op writes into the tensor that its result is inserted into.

// EMPTY-LABEL: func.func @insert(
// EMPTY-SAME: %[[D:[a-z0-9]+]]: tensor<4x8xf32>
// EMPTY-NOT: tensor.empty
// EMPTY: %[[S:.*]] = tensor.extract_slice %[[D]][2, 0] [1, 8]
// EMPTY: fpa.prefix_min {{.*}} outs(%[[S]] :
func.func @insert(%x: tensor<8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %m = fpa.prefix_min axis(0) ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.insert_slice %m into %d[2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
