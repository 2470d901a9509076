// RUN: fpa-opt %s --transform-interpreter -verify-diagnostics --split-input-file

// A partial tile of a scan would need what comes before it: refused.

// Part of the scanned axis.

func.func @part_of_axis(%x: tensor<4x128xf32>, %m0: tensor<4x128xf32>) -> tensor<4x128xf32> {
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %o = fpa.prefix_min axis(1) ins(%x : tensor<4x128xf32>) outs(%m0 : tensor<4x128xf32>) -> tensor<4x128xf32>
  return %o : tensor<4x128xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.prefix_min"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %op tile_sizes [0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Part of a dynamic axis.

func.func @part_of_dynamic_axis(%x: tensor<?x4xf32>, %m0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %o = fpa.prefix_sum axis(0) reverse ins(%x : tensor<?x4xf32>) outs(%m0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.prefix_sum"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %op tile_sizes [32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Part of a segment.

func.func @part_of_segment(%x: tensor<128xf32>, %m0: tensor<128xf32>) -> tensor<128xf32> {
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %o = fpa.prefix_min axis(0) segment(16) ins(%x : tensor<128xf32>) outs(%m0 : tensor<128xf32>) -> tensor<128xf32>
  return %o : tensor<128xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.prefix_min"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %op tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Not on the bounds of segments.

func.func @across_segments(%x: tensor<96xf32>, %m0: tensor<96xf32>) -> tensor<96xf32> {
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %o = fpa.prefix_min axis(0) segment(16) ins(%x : tensor<96xf32>) outs(%m0 : tensor<96xf32>) -> tensor<96xf32>
  return %o : tensor<96xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.prefix_min"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %op tile_sizes [24] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Indices count from the start of the axis.

func.func @segments_with_index(%x: tensor<128xf32>, %m0: tensor<128xf32>, %i0: tensor<128xi64>) -> tensor<128xf32> {
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %o, %i = fpa.prefix_min axis(0) segment(16) ins(%x : tensor<128xf32>) outs(%m0, %i0 : tensor<128xf32>, tensor<128xi64>) -> tensor<128xf32>, tensor<128xi64>
  return %o : tensor<128xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.prefix_min"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %op tile_sizes [32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
