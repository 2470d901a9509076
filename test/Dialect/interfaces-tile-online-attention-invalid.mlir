// RUN: fpa-opt %s --transform-interpreter -verify-diagnostics --split-input-file

// Keys to the left need the state of those to their right.

// Part of the keys.

func.func @part_of_keys(%q: tensor<48x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x4xf32>, %a: tensor<48x4xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %r: tensor<48xf32>) -> tensor<48x4xf32> {
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %o:4 = fpa.online_attention
      ins(%q, %k, %v : tensor<48x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>)
      outs(%a, %m, %s, %r : tensor<48x4xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
      {scale = 1.0 : f64} -> tensor<48x4xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return %o#0 : tensor<48x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.online_attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %op tile_sizes [0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
