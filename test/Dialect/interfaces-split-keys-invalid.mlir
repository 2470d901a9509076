// RUN: fpa-opt %s --transform-interpreter -verify-diagnostics --split-input-file

// Interleaved keys have no minimum of their own.

func.func @interleaved(%q: tensor<8x4xf32>, %k: tensor<64x4xf32>, %a: tensor<8x4xf32>,
    %m: tensor<8xf32>, %s: tensor<8xf32>, %r: tensor<8xf32>) -> tensor<8x4xf32> {
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %o:4 = fpa.online_attention ins(%q, %k, %k : tensor<8x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>)
      outs(%a, %m, %s, %r : tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      {scale = 1.0 : f64} -> tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  return %o#0 : tensor<8x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.online_attention"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{failed to tile using partial reduction}}
    %fills:4, %chunk, %merge, %loop = transform.structured.tile_reduction_using_for %op reduction_dims = [1] by tile_sizes = [0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Six chunks of five keys are too many for 24 keys: one could be empty.

func.func @empty_chunk(%q: tensor<8x4xf32>, %k: tensor<?x4xf32>, %a: tensor<8x4xf32>,
    %m: tensor<8xf32>, %s: tensor<8xf32>, %r: tensor<8xf32>) -> tensor<8x4xf32> {
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %o:4 = fpa.online_attention ins(%q, %k, %k : tensor<8x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>)
      outs(%a, %m, %s, %r : tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      {scale = 1.0 : f64} -> tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  return %o#0 : tensor<8x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.online_attention"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{could not tile reduction}}
    %fills:4, %chunk, %merge, %loop = transform.structured.tile_reduction_using_forall %op reduction_dims = [1] by num_threads = [0, 6]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Rows of the state without a query.

func.func @surplus_rows(%q: tensor<?x4xf32>, %k: tensor<64x4xf32>, %a: tensor<8x4xf32>,
    %m: tensor<8xf32>, %s: tensor<8xf32>, %r: tensor<8xf32>) -> tensor<8x4xf32> {
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %o:4 = fpa.online_attention ins(%q, %k, %k : tensor<?x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>)
      outs(%a, %m, %s, %r : tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      {scale = 1.0 : f64} -> tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  return %o#0 : tensor<8x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.online_attention"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{could not tile reduction}}
    %fills:4, %chunk, %merge, %loop = transform.structured.tile_reduction_using_forall %op reduction_dims = [1] by tile_sizes = [0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
