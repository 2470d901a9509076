// RUN: fpa-opt %s --fpa-decompose=lone-online | FileCheck %s

// What a parallel loop holds is left to become blocks; so are other ops.
// CHECK-LABEL: func.func @lone(
//   CHECK-NOT:   fpa.online_attention
//       CHECK:   linalg.generic
//   CHECK-NOT:   fpa.online_attention
//       CHECK:   scf.forall
//       CHECK:     fpa.online_attention
//   CHECK-NOT:   fpa.online_finalize
//       CHECK:   fpa.attention
//       CHECK:   return
func.func @lone(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %a: tensor<4x8xf32>, %r: tensor<4xf32>,
                %w: tensor<1x1x4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1x4x8xf32>) {
  %s:4 = fpa.online_attention ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>)
    outs(%a, %r, %r, %r : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {scale = 0.5 : f64}
    -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %p = scf.forall (%i) in (2) shared_outs(%o = %a) -> (tensor<4x8xf32>) {
    %t:4 = fpa.online_attention ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>)
      outs(%s#0, %s#1, %s#2, %s#3 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {scale = 0.5 : f64}
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t#0 into %o[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x8xf32>
    }
  }
  %f = fpa.online_finalize ins(%s#0, %s#1, %s#2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
    outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %g = fpa.attention ins(%w, %w, %w : tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>)
    outs(%w : tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
  return %p, %f, %g : tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1x4x8xf32>
}

// CHECK-LABEL: func.func @gradients(
//   CHECK-NOT:   fpa.pass_field
//   CHECK-NOT:   fpa.backward_tile
//       CHECK:   scf.forall
//       CHECK:     fpa.pass_field
//       CHECK:     fpa.backward_tile
//       CHECK:     fpa.backward_finalize
//       CHECK:   scf.forall.in_parallel
//   CHECK-NOT:   fpa.backward_finalize
//       CHECK:   fpa.attention_backward
//       CHECK:   return
func.func @gradients(%q: tensor<4x8xf32>, %r: tensor<4xf32>, %w: tensor<1x1x4x8xf32>,
                     %l: tensor<1x1x4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1x4x8xf32>) {
  %m = fpa.pass_field field(%r : tensor<4xf32>) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %s:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    gradient(%q : tensor<4x8xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    field(%r, %m : tensor<4xf32>, tensor<4xf32>)
    outs(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {scale = 0.5 : f64}
    -> tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  %p = scf.forall (%i) in (2) shared_outs(%o = %q) -> (tensor<4x8xf32>) {
    %n = fpa.pass_field field(%r : tensor<4xf32>) outs(%m : tensor<4xf32>) -> tensor<4xf32>
    %t:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      gradient(%q : tensor<4x8xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
      field(%r, %n : tensor<4xf32>, tensor<4xf32>)
      outs(%s#0, %s#1, %s#2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {scale = 0.5 : f64}
      -> tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    %f = fpa.backward_finalize ins(%t#0 : tensor<4x8xf32>) outs(%q : tensor<4x8xf32>)
      {scale = 0.5 : f64} -> tensor<4x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x8xf32>
    }
  }
  %e = fpa.backward_finalize ins(%s#0 : tensor<4x8xf32>) outs(%q : tensor<4x8xf32>)
    {scale = 0.5 : f64} -> tensor<4x8xf32>
  %g:3 = fpa.attention_backward
    ins(%w, %w, %w : tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>)
    saved(%w, %l : tensor<1x1x4x8xf32>, tensor<1x1x4xf32>) gradient(%w : tensor<1x1x4x8xf32>)
    outs(%w, %w, %w : tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>)
    -> tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>
  return %p, %e, %g#0 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1x4x8xf32>
}
