// RUN: fpa-opt %s --transform-interpreter -verify-diagnostics --split-input-file

// Tiles that would compute something else are refused.

// Rows of packed sequences.

func.func @packed_rows(%q: tensor<1x6x8x8xf32>, %k: tensor<1x6x8x8xf32>, %cu: tensor<3xi64>, %o0: tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32> {
  // expected-error @+3 {{to tile operation}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-note @+1 {{when applied to this op}}
  %o = fpa.attention
      ins(%q, %k, %k : tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>)
      cu_seqlens(%cu, %cu : tensor<3xi64>, tensor<3xi64>)
      outs(%o0 : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  return %o : tensor<1x6x8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{failed to apply}}
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The same by scf.for.

func.func @packed_rows_for(%q: tensor<1x6x8x8xf32>, %k: tensor<1x6x8x8xf32>, %cu: tensor<3xi64>, %o0: tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32> {
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %o = fpa.attention
      ins(%q, %k, %k : tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>)
      cu_seqlens(%cu, %cu : tensor<3xi64>, tensor<3xi64>)
      outs(%o0 : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  return %o : tensor<1x6x8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Two heads of groups of three.

func.func @split_group(%q: tensor<1x6x8x8xf32>, %k: tensor<1x2x8x8xf32>, %o0: tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32> {
  // expected-error @+3 {{to tile operation}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-note @+1 {{when applied to this op}}
  %o = fpa.attention
      ins(%q, %k, %k : tensor<1x6x8x8xf32>, tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>)
      outs(%o0 : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  return %o : tensor<1x6x8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{failed to apply}}
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Four tiles of columns would each write the lse.

func.func @columns_with_lse(%q: tensor<1x6x8x8xf32>, %k: tensor<1x6x8x8xf32>, %o0: tensor<1x6x8x8xf32>, %l0: tensor<1x6x8xf32>) -> tensor<1x6x8x8xf32> {
  // expected-error @+3 {{to tile operation}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-note @+1 {{when applied to this op}}
  %o, %lse = fpa.attention
      ins(%q, %k, %k : tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>)
      outs(%o0, %l0 : tensor<1x6x8x8xf32>, tensor<1x6x8xf32>) -> tensor<1x6x8x8xf32>, tensor<1x6x8xf32>
  return %o : tensor<1x6x8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{failed to apply}}
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [0, 0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
