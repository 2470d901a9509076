// RUN: fpa-opt %s --transform-interpreter -verify-diagnostics --split-input-file

func.func @not_attention(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected fpa.attention, got fpa.prefix_min}}
  %m = fpa.prefix_min axis(0) ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %m : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.prefix_min"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.fpa.tile_attention %op : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @not_aggregate(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @+1 {{this op}}
  %m = fpa.prefix_min axis(0) ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %m : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.prefix_min"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{expected an fpa op on tensors that has a decomposition, got fpa.prefix_min}}
    %ops = transform.fpa.decompose %op : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A definite failure: the reason comes from the tiling itself.

func.func @memrefs(%q: memref<1x1x8x8xf32>, %o: memref<1x1x8x8xf32>) {
  // expected-error @+1 {{expected}}
  fpa.attention ins(%q, %q, %q : memref<1x1x8x8xf32>, memref<1x1x8x8xf32>, memref<1x1x8x8xf32>)
      outs(%o : memref<1x1x8x8xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.fpa.tile_attention %op : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @+1 {{attribute 'query_tile' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
    %loop = transform.fpa.tile_attention %root query_tile(0) : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
