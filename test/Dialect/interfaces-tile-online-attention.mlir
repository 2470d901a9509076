// RUN: fpa-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<48x8xf32>, %[[K:[a-z0-9]+]]: tensor<?x8xf32>, %[[V:[a-z0-9]+]]: tensor<?x4xf32>, %[[F:[a-z0-9]+]]: tensor<?xf32>, %[[FIRST:[a-z0-9]+]]: tensor<48xi64>, %[[LAST:[a-z0-9]+]]: tensor<48xi64>, %[[AT:[a-z0-9]+]]: index,
// CHECK: scf.forall (%[[IV:.*]]) in (3)
// CHECK-DAG: %[[I:.*]] = affine.apply #{{.*}}(%[[IV]])
// CHECK-DAG: %[[QT:.*]] = tensor.extract_slice %[[Q]][%[[I]], 0] [16, 8]
// CHECK-DAG: %[[FT:.*]] = tensor.extract_slice %[[FIRST]][%[[I]]] [16]
// CHECK-DAG: %[[LT:.*]] = tensor.extract_slice %[[LAST]][%[[I]]] [16]
// CHECK: fpa.online_attention ins(%[[QT]], %[[K]], %[[V]] : {{.*}}) field(%[[F]] : {{.*}}) interval(%[[FT]], %[[LT]] at %[[AT]] : {{.*}} -> tensor<16x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
// CHECK-COUNT-4: tensor.parallel_insert_slice
func.func @rows(%q: tensor<48x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x4xf32>, %f: tensor<?xf32>,
    %first: tensor<48xi64>, %last: tensor<48xi64>, %at: index,
    %a: tensor<48x4xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %r: tensor<48xf32>) -> (tensor<48x4xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>) {
  %o:4 = fpa.online_attention
      ins(%q, %k, %v : tensor<48x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>)
      field(%f : tensor<?xf32>) interval(%first, %last at %at : tensor<48xi64>, tensor<48xi64>)
      outs(%a, %m, %s, %r : tensor<48x4xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
      {scale = 1.0 : f64} -> tensor<48x4xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return %o#0, %o#1, %o#2, %o#3 : tensor<48x4xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.online_attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Query may have fewer rows than the state: its tiles end where it ends.

// CHECK-DAG: #[[STARTMAP:.*]] = affine_map<(d0)[s0] -> (s0, d0 * 16)>
// CHECK-DAG: #[[SIZEMAP:.*]] = affine_map<(d0)[s0] -> (-d0 + s0, 16)>
// CHECK-LABEL: func.func @fewer_queries(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<?x8xf32>,
// CHECK: scf.forall (%[[IV:.*]]) in (3)
// CHECK-DAG: %[[START:.*]] = affine.min #[[STARTMAP]](%[[IV]])[%[[ALL:.*]]]
// CHECK-DAG: %[[SIZE:.*]] = affine.min #[[SIZEMAP]](%[[START]])[%[[ALL]]]
// CHECK: %[[QT:.*]] = tensor.extract_slice %[[Q]][%[[START]], 0] [%[[SIZE]], 8]
// CHECK: fpa.online_attention ins(%[[QT]], {{.*}} -> tensor<16x4xf32>,
func.func @fewer_queries(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x4xf32>,
    %a: tensor<48x4xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %r: tensor<48xf32>) -> (tensor<48x4xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>) {
  %o:4 = fpa.online_attention
      ins(%q, %k, %v : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>)
      outs(%a, %m, %s, %r : tensor<48x4xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
      {scale = 1.0 : f64} -> tensor<48x4xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return %o#0, %o#1, %o#2, %o#3 : tensor<48x4xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.online_attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
