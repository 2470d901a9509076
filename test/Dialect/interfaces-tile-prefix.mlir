// RUN: fpa-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @prefix_min(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x100xf16>,
// CHECK: scf.forall (%[[IV:.*]]) in
// CHECK-DAG: %[[I:.*]] = affine.apply #{{.*}}(%[[IV]])
// CHECK-DAG: %[[N:.*]] = affine.min #{{.*}}(%[[IV]])
// CHECK-DAG: %[[XT:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [%[[N]], 100]
// CHECK: %[[T:.*]]:2 = fpa.prefix_min axis(1) reverse exclusive ins(%[[XT]] : tensor<?x100xf16>)
// CHECK: tensor.parallel_insert_slice %[[T]]#0 into %{{.*}}[%[[I]], 0] [%[[N]], 100]
// CHECK: tensor.parallel_insert_slice %[[T]]#1 into %{{.*}}[%[[I]], 0] [%[[N]], 100]
func.func @prefix_min(%x: tensor<?x100xf16>, %m0: tensor<?x100xf16>, %i0: tensor<?x100xi64>)
    -> (tensor<?x100xf16>, tensor<?x100xi64>) {
  %m, %i = fpa.prefix_min axis(1) reverse exclusive ins(%x : tensor<?x100xf16>)
      outs(%m0, %i0 : tensor<?x100xf16>, tensor<?x100xi64>) -> tensor<?x100xf16>, tensor<?x100xi64>
  return %m, %i : tensor<?x100xf16>, tensor<?x100xi64>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.prefix_min"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The whole of a dynamic axis.

// CHECK-LABEL: func.func @prefix_sum(
// CHECK: scf.for %[[J:.*]] = %c0 to %c12 step %c3
// CHECK: fpa.prefix_sum axis(0) ins(%{{.*}} : tensor<?x3xf64>) outs(%{{.*}} : tensor<?x3xf64>) -> tensor<?x3xf64>
func.func @prefix_sum(%x: tensor<?x12xf64>, %s0: tensor<?x12xf64>) -> tensor<?x12xf64> {
  %s = fpa.prefix_sum axis(0) ins(%x : tensor<?x12xf64>) outs(%s0 : tensor<?x12xf64>) -> tensor<?x12xf64>
  return %s : tensor<?x12xf64>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.prefix_sum"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %op tile_sizes [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Whole segments are scans by themselves.

// CHECK-LABEL: func.func @segments(
// CHECK: scf.forall (%[[IV:.*]]) in (4)
// CHECK: %[[I:.*]] = affine.apply #{{.*}}(%[[IV]])
// CHECK: tensor.extract_slice %{{.*}}[%[[I]]] [32]
// CHECK: fpa.prefix_min axis(0) reverse exclusive segment(16) ins(%{{.*}} : tensor<32xf32>)
func.func @segments(%x: tensor<128xf32>, %m0: tensor<128xf32>) -> tensor<128xf32> {
  %m = fpa.prefix_min axis(0) reverse exclusive segment(16) ins(%x : tensor<128xf32>)
      outs(%m0 : tensor<128xf32>) -> tensor<128xf32>
  return %m : tensor<128xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.prefix_min"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The place of the minimum, fused into a consumer.

// CHECK-LABEL: func.func @fused(
// CHECK: scf.for
// CHECK:   %[[T:.*]]:2 = fpa.prefix_min axis(1) ins(%{{.*}} : tensor<2x64xf32>)
// CHECK:   linalg.generic {{.*}} ins(%[[T]]#1 :
#id = affine_map<(i, j) -> (i, j)>
func.func @fused(%x: tensor<8x64xf32>) -> tensor<8x64xi64> {
  %e = tensor.empty() : tensor<8x64xf32>
  %ei = tensor.empty() : tensor<8x64xi64>
  %m:2 = fpa.prefix_min axis(1) ins(%x : tensor<8x64xf32>)
      outs(%e, %ei : tensor<8x64xf32>, tensor<8x64xi64>) -> tensor<8x64xf32>, tensor<8x64xi64>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m#1 : tensor<8x64xi64>) outs(%ei : tensor<8x64xi64>) {
  ^bb0(%a: i64, %b: i64):
    %n = arith.addi %a, %a : i64
    linalg.yield %n : i64
  } -> tensor<8x64xi64>
  return %r : tensor<8x64xi64>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b:1 = transform.structured.fuse %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Lines of a backward are independent of each other.

// CHECK-LABEL: func.func @prefix_min_backward(
// CHECK: scf.forall (%[[IV:.*]]) in (2)
// CHECK-DAG: tensor.extract_slice %arg0[%{{.*}}, 0] [4, 100]
// CHECK-DAG: tensor.extract_slice %arg1[%{{.*}}, 0] [4, 100]
// CHECK: fpa.prefix_min_backward axis(1) ins(%{{.*}}, %{{.*}} : tensor<4x100xi64>, tensor<4x100xf32>)
func.func @prefix_min_backward(%i: tensor<8x100xi64>, %g: tensor<8x100xf32>, %x0: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %x = fpa.prefix_min_backward axis(1) ins(%i, %g : tensor<8x100xi64>, tensor<8x100xf32>)
      outs(%x0 : tensor<8x100xf32>) -> tensor<8x100xf32>
  return %x : tensor<8x100xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.prefix_min_backward"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
