// RUN: fpa-opt %s -verify-diagnostics -split-input-file

!q = tensor<1x2x4x8xf32>
!f = tensor<1x2x4xf32>

// [A9]
func.func @f(%q: !q, %f: !f, %beta: tensor<f32>) -> !q {
  // expected-error@+1 {{expected smooth as an attribute or an operand, got both}}
  %o = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%beta : tensor<f32>) outs(%q : !q) {smooth = 1.0 : f64} -> !q
  return %o : !q
}

// -----

!q = tensor<1x2x4x8xf32>
!f = tensor<1x2x4xf32>

// [A2]
func.func @f(%q: !q, %f: !f, %beta: tensor<1xf32>) -> !q {
  // expected-error@+1 {{expected smooth of rank 0, got 'tensor<1xf32>'}}
  %o = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%beta : tensor<1xf32>) outs(%q : !q) -> !q
  return %o : !q
}

// -----

!q = tensor<1x2x4x8xf32>
!f = tensor<1x2x4xf32>

// [A4]
func.func @f(%q: !q, %f: !f, %beta: tensor<f64>) -> !q {
  // expected-error@+1 {{expected smooth of element type 'f32', got 'f64'}}
  %o = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%beta : tensor<f64>) outs(%q : !q) -> !q
  return %o : !q
}

// -----

!q = tensor<1x2x4x8xf32>
!f = tensor<1x2x4xf32>

// [B5]
func.func @f(%q: !q, %f: !f, %beta: tensor<f32>) {
  // expected-error@+1 {{expected smooth as an attribute or an operand, got both}}
  %d:3 = fpa.attention_backward ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%beta : tensor<f32>) saved(%q, %f : !q, !f) gradient(%q : !q)
    outs(%q, %q, %q : !q, !q, !q) {smooth = 1.0 : f64} -> !q, !q, !q
  return
}

// -----

// [O7]
func.func @f(%q: tensor<4x8xf32>, %f: tensor<4xf32>, %beta: f64) {
  // expected-error@+1 {{expected smooth of type 'f32', got 'f64'}}
  %r:4 = fpa.online_attention
    ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    field(%f : tensor<4xf32>) smooth(%beta : f64)
    outs(%q, %f, %f, %f : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    {scale = 0.5 : f64} -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// [G10]
func.func @f(%q: tensor<4x8xf32>, %f: tensor<4xf32>, %beta: f32) {
  // expected-error@+1 {{expected smooth as an attribute or an operand, got both}}
  %t:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    gradient(%q : tensor<4x8xf32>) saved(%f, %f : tensor<4xf32>, tensor<4xf32>)
    field(%f, %f : tensor<4xf32>, tensor<4xf32>) smooth(%beta : f32)
    outs(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    {scale = 0.5 : f64, smooth = 1.0 : f64} -> tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  return
}
