// RUN: fpa-opt %s --transform-interpreter --split-input-file | FileCheck %s

// The loop that transform.fpa.tile_attention gives can be used further.

// CHECK-LABEL: func.func @tile(
// CHECK: %[[L:.*]]:2 = scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (1, 4, 4)
// CHECK: fpa.online_attention ins(%{{.*}} : tensor<32x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
// CHECK: fpa.online_attention ins(%{{.*}} : tensor<32x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>)
// CHECK: fpa.online_finalize
// CHECK: } {streamed}
// CHECK: return %[[L]]#0, %[[L]]#1
func.func @tile(%q: tensor<1x4x128x16xf32>, %k: tensor<1x2x128x16xf32>, %f: tensor<1x2x128xf32>,
    %o0: tensor<1x4x128x16xf32>, %l0: tensor<1x4x128xf32>)
    -> (tensor<1x4x128x16xf32>, tensor<1x4x128xf32>) {
  %o, %lse = fpa.attention
      ins(%q, %k, %k : tensor<1x4x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>)
      field(%f : tensor<1x2x128xf32>) outs(%o0, %l0 : tensor<1x4x128x16xf32>, tensor<1x4x128xf32>)
      -> tensor<1x4x128x16xf32>, tensor<1x4x128xf32>
  return %o, %lse : tensor<1x4x128x16xf32>, tensor<1x4x128xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.fpa.tile_attention %op query_tile(32) key_tile(64) edge_tile(8)
      : (!transform.any_op) -> !transform.any_op
    transform.annotate %loop "streamed" : !transform.any_op
    transform.yield
  }
}

// -----

// Both results of the op have a decomposition; nothing else is touched.

// CHECK-LABEL: func.func @decompose(
// CHECK-NOT: fpa.attention
// CHECK: fpa.prefix_min
// CHECK-NOT: fpa.attention
// CHECK: %[[O:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x8x8xf32>) attrs = {part_of_attention}
// CHECK: %[[L:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x8xf32>) attrs = {part_of_attention}
// CHECK: return %[[O]], %[[L]]
func.func @decompose(%q: tensor<1x1x8x8xf32>, %f0: tensor<1x1x8xf32>, %o0: tensor<1x1x8x8xf32>,
    %l0: tensor<1x1x8xf32>) -> (tensor<1x1x8x8xf32>, tensor<1x1x8xf32>) {
  %f = fpa.prefix_min axis(2) ins(%f0 : tensor<1x1x8xf32>) outs(%l0 : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  %o, %lse = fpa.attention
      ins(%q, %q, %q : tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>)
      field(%f : tensor<1x1x8xf32>) outs(%o0, %l0 : tensor<1x1x8x8xf32>, tensor<1x1x8xf32>)
      -> tensor<1x1x8x8xf32>, tensor<1x1x8xf32>
  return %o, %lse : tensor<1x1x8x8xf32>, tensor<1x1x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %ops = transform.fpa.decompose %op : (!transform.any_op) -> !transform.any_op
    transform.annotate %ops "part_of_attention" : !transform.any_op
    transform.yield
  }
}
