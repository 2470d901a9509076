// RUN: fpa-opt %s --transform-interpreter | FileCheck %s

// Upstream's transform takes ops with one result only; transform.fpa.decompose
// has no such limit.

// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[INIT:[a-z0-9]+]]: tensor<1x2x?x4xf32>) ->
// CHECK-NOT: fpa.attention
// CHECK: math.exp
// CHECK: %[[O:.*]] = linalg.generic {{.*}} outs(%[[INIT]] : tensor<1x2x?x4xf32>)
// CHECK-NOT: fpa.attention
// CHECK: return %[[O]]
func.func @attention(%q: tensor<1x2x?x16xf32>, %v: tensor<1x2x?x4xf32>,
    %f: tensor<1x2x?xf32>, %o0: tensor<1x2x?x4xf32>) -> tensor<1x2x?x4xf32> {
  %o = fpa.attention
      ins(%q, %q, %v : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x4xf32>)
      field(%f : tensor<1x2x?xf32>) outs(%o0 : tensor<1x2x?x4xf32>) -> tensor<1x2x?x4xf32>
  return %o : tensor<1x2x?x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.decompose_interface %op : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
