// RUN: fpa-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

// Chunks of 16 keys. The minimum of a chunk starts from that of the keys to its
// right; accumulators and sums are merged by the chunks' maxima.

// CHECK-LABEL: func.func @inner(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<8x4xf32>, %[[K:[a-z0-9]+]]: tensor<64x4xf32>, %[[V:[a-z0-9]+]]: tensor<64x2xf32>, %[[F:[a-z0-9]+]]: tensor<64xf32>, %[[A:[a-z0-9]+]]: tensor<8x2xf32>, %[[M:[a-z0-9]+]]: tensor<8xf32>, %[[S:[a-z0-9]+]]: tensor<8xf32>, %[[R:[a-z0-9]+]]: tensor<8xf32>)
// CHECK: %[[RS:.*]] = linalg.broadcast ins(%[[R]] : tensor<8xf32>) outs(%{{.*}} : tensor<4x8xf32>) dimensions = [0]
// CHECK: %[[L:.*]]:3 = scf.forall (%[[J:.*]]) = (0) to (64) step (16)
// CHECK-DAG: %[[C:.*]] = affine.apply #{{.*}}()[%[[J]]]
// CHECK-DAG: %[[KT:.*]] = tensor.extract_slice %[[K]][%[[J]], 0] [16, 4]
// CHECK-DAG: %[[VT:.*]] = tensor.extract_slice %[[V]][%[[J]], 0] [16, 2]
// CHECK-DAG: %[[FT:.*]] = tensor.extract_slice %[[F]][%[[J]]] [16]
// CHECK-DAG: %[[END:.*]] = affine.apply #{{.*}}(%[[J]])
// CHECK-DAG: %[[COUNT:.*]] = affine.apply #{{.*}}(%[[J]])
// CHECK-DAG: %[[RIGHT:.*]] = tensor.extract_slice %[[F]][%[[END]]] [%[[COUNT]]]
// CHECK-DAG: %[[R0:.*]] = tensor.extract_slice %[[RS]][%[[C]], 0] [1, 8]
// CHECK: %[[RT:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[RIGHT]] : tensor<?xf32>) outs(%[[R0]] : tensor<8xf32>)
// CHECK: %[[T:.*]]:4 = fpa.online_attention ins(%[[Q]], %[[KT]], %[[VT]] : {{.*}}) field(%[[FT]] : tensor<16xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}}, %[[RT]] :
// CHECK-DAG: tensor.parallel_insert_slice %[[T]]#0 into %{{.*}}[%[[C]], 0, 0] [1, 8, 2]
// CHECK-DAG: tensor.parallel_insert_slice %[[T]]#1 into %{{.*}}[%[[C]], 0] [1, 8]
// CHECK-DAG: tensor.parallel_insert_slice %[[T]]#2 into %{{.*}}[%[[C]], 0] [1, 8]
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[L]]#1 : tensor<4x8xf32>) outs(%[[M]] : tensor<8xf32>)
// CHECK: %[[SAFE:.*]] = linalg.generic {{.*}} ins(%[[MAX]] :
// CHECK: %[[A1:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[M]], %[[SAFE]] :
// CHECK: %[[ACC:.*]] = linalg.generic {{.*}} ins(%[[L]]#0, %[[L]]#1, %[[SAFE]] : {{.*}}) outs(%[[A1]] : tensor<8x2xf32>) attrs = {merge}
// CHECK: %[[S1:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[M]], %[[SAFE]] :
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[L]]#2, %[[L]]#1, %[[SAFE]] : {{.*}}) outs(%[[S1]] : tensor<8xf32>)
// CHECK: %[[MIN:.*]] = linalg.generic {{.*}} ins(%[[F]] : tensor<64xf32>) outs(%[[R]] : tensor<8xf32>)
// CHECK: return %[[ACC]], %[[MAX]], %[[SUM]], %[[MIN]]
func.func @inner(%q: tensor<8x4xf32>, %k: tensor<64x4xf32>, %v: tensor<64x2xf32>, %f: tensor<64xf32>,
    %a: tensor<8x2xf32>, %m: tensor<8xf32>, %s: tensor<8xf32>, %r: tensor<8xf32>)
    -> (tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %o:4 = fpa.online_attention ins(%q, %k, %v : tensor<8x4xf32>, tensor<64x4xf32>, tensor<64x2xf32>)
      field(%f : tensor<64xf32>) outs(%a, %m, %s, %r : tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      {scale = 1.0 : f64} -> tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  return %o#0, %o#1, %o#2, %o#3 : tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.online_attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %fills:4, %chunk, %merge, %loop = transform.structured.tile_reduction_using_forall %op reduction_dims = [1] by tile_sizes = [0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %merge "merge" : !transform.any_op
    transform.yield
  }
}

// -----

// Rows that see different keys count only the field up to their own last key,
// and a chunk knows where it starts. No field, no minimum.

// CHECK-LABEL: func.func @edge(
// CHECK-SAME: %[[LAST:[a-z0-9]+]]: tensor<8xi64>, %[[AT:[a-z0-9]+]]: index,
// CHECK: scf.forall (%[[J:.*]]) = (0) to (40) step (16)
// CHECK: %[[N:.*]] = affine.min #{{.*}}(%[[J]])
// CHECK: %[[AT1:.*]] = affine.apply #{{.*}}(%[[J]])[%[[AT]]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[LAST]] : tensor<?xf32>, tensor<8xi64>)
// CHECK: arith.cmpi sle
// CHECK: fpa.online_attention {{.*}} interval(%[[LAST]], %[[LAST]] at %[[AT1]] : tensor<8xi64>, tensor<8xi64>)
func.func @edge(%q: tensor<8x4xf32>, %k: tensor<40x4xf32>, %f: tensor<40xf32>, %last: tensor<8xi64>, %at: index,
    %a: tensor<8x4xf32>, %m: tensor<8xf32>, %s: tensor<8xf32>, %r: tensor<8xf32>) -> tensor<8x4xf32> {
  %o:4 = fpa.online_attention ins(%q, %k, %k : tensor<8x4xf32>, tensor<40x4xf32>, tensor<40x4xf32>)
      field(%f : tensor<40xf32>) interval(%last, %last at %at : tensor<8xi64>, tensor<8xi64>)
      outs(%a, %m, %s, %r : tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      {scale = 1.0 : f64} -> tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  return %o#0 : tensor<8x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.online_attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %fills:4, %chunk, %merge, %loop = transform.structured.tile_reduction_using_forall %op reduction_dims = [1] by tile_sizes = [0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
