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

// Five gradients, each written into its init. The place of a minimum is the last
// one at which it stands.

// CHECK-LABEL: func.func @attention_backward(
// CHECK-SAME: %[[Q0:[a-z0-9]+]]: tensor<1x2x?x16xf16>, %[[K0:[a-z0-9]+]]: tensor<1x1x?x16xf16>, %[[F0:[a-z0-9]+]]: tensor<1x1x?xf32>) ->
// CHECK-NOT: fpa.attention
// CHECK: arith.maxsi
// CHECK: %[[F:.*]] = linalg.generic {{.*}} outs(%[[F0]] : tensor<1x1x?xf32>)
// CHECK: %[[L:.*]] = linalg.generic {{.*}} outs(%[[F0]] : tensor<1x1x?xf32>)
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %[[F]], %[[L]]
func.func @attention_backward(%q: tensor<1x2x?x16xf16>, %k: tensor<1x1x?x16xf16>,
    %f: tensor<1x1x?xf32>, %lse: tensor<1x2x?xf32>,
    %q0: tensor<1x2x?x16xf16>, %k0: tensor<1x1x?x16xf16>, %f0: tensor<1x1x?xf32>)
    -> (tensor<1x2x?x16xf16>, tensor<1x1x?x16xf16>, tensor<1x1x?x16xf16>, tensor<1x1x?xf32>, tensor<1x1x?xf32>) {
  %d:5 = fpa.attention_backward
      ins(%q, %k, %k : tensor<1x2x?x16xf16>, tensor<1x1x?x16xf16>, tensor<1x1x?x16xf16>)
      field(%f : tensor<1x1x?xf32>) level(%f : tensor<1x1x?xf32>)
      saved(%q, %lse : tensor<1x2x?x16xf16>, tensor<1x2x?xf32>) gradient(%q : tensor<1x2x?x16xf16>)
      outs(%q0, %k0, %k0, %f0, %f0 : tensor<1x2x?x16xf16>, tensor<1x1x?x16xf16>, tensor<1x1x?x16xf16>,
           tensor<1x1x?xf32>, tensor<1x1x?xf32>)
      -> tensor<1x2x?x16xf16>, tensor<1x1x?x16xf16>, tensor<1x1x?x16xf16>, tensor<1x1x?xf32>, tensor<1x1x?xf32>
  return %d#0, %d#1, %d#2, %d#3, %d#4 : tensor<1x2x?x16xf16>, tensor<1x1x?x16xf16>, tensor<1x1x?x16xf16>,
      tensor<1x1x?xf32>, tensor<1x1x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.decompose_interface %op : (!transform.any_op) -> !transform.any_op
    %backward = transform.structured.match ops{["fpa.attention_backward"]} in %root : (!transform.any_op) -> !transform.any_op
    %ops = transform.fpa.decompose %backward : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
