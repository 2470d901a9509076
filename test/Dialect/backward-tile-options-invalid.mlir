// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.backward_tile: attributes, and operands that need others.
// The tags are the rules of docs/Spec.md.

// [G8]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %i: tensor<4xi64>) {
  // expected-error@+1 {{expected last where first is given, got none}}
  %x:3 = "fpa.backward_tile"(%q, %q, %q, %q, %r, %r, %i, %q, %q, %q)
    {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 3>, scale = 1.0 : f64}
    : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>,
       tensor<4xf32>, tensor<4xi64>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
  return
}

// -----

// [G8]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %i: tensor<4xi64>, %at: index) {
  // expected-error@+1 {{expected first where last is given, got none}}
  %x:3 = "fpa.backward_tile"(%q, %q, %q, %q, %r, %r, %i, %at, %q, %q, %q)
    {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 3>, scale = 1.0 : f64}
    : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>,
       tensor<4xf32>, tensor<4xi64>, index, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
  return
}

// -----

// [G8]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %at: index) {
  // expected-error@+1 {{expected first where key_offset is given, got none}}
  %x:3 = "fpa.backward_tile"(%q, %q, %q, %q, %r, %r, %at, %q, %q, %q)
    {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3>, scale = 1.0 : f64}
    : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>,
       tensor<4xf32>, index, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
  return
}

// -----

// [G8]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %i: tensor<4xi64>) {
  // expected-error@+1 {{expected key_offset where first is given, got none}}
  %x:3 = "fpa.backward_tile"(%q, %q, %q, %q, %r, %r, %i, %i, %q, %q, %q)
    {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 3>, scale = 1.0 : f64}
    : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>,
       tensor<4xf32>, tensor<4xi64>, tensor<4xi64>, tensor<4x4xf32>, tensor<4x4xf32>,
       tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
  return
}

// -----

// [G9]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %r: tensor<48xf32>, %l: tensor<256xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>) {
  // expected-error@+1 {{expected field where level is given, got none}}
  %x:3 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    level(%l : tensor<256xf32>)
    outs(%dq0, %dk0, %dv0 : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>
  return
}

// -----

// [G9]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %r: tensor<48xf32>, %s: tensor<256xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>) {
  // expected-error@+1 {{expected field where suffix is given, got none}}
  %x:3 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    suffix(%s : tensor<256xf32>)
    outs(%dq0, %dk0, %dv0 : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>
  return
}

// -----

// [G9]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>) {
  // expected-error@+1 {{expected field where minimum is given, got none}}
  %x:3 = "fpa.backward_tile"(%q, %q, %q, %q, %r, %r, %r, %q, %q, %q)
    {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3>, scale = 1.0 : f64}
    : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>,
       tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
  return
}

// -----

// [G9]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %p: f32) {
  // expected-error@+1 {{expected field where passed is given, got none}}
  %x:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>) passed(%p : f32)
    outs(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {scale = 1.0 : f64}
    -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  return
}

// -----

// [G9]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %p: f32) {
  // expected-error@+1 {{expected field where least is given, got none}}
  %x:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>) least(%p : f32)
    outs(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {scale = 1.0 : f64}
    -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  return
}

// -----

// [G9]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %p: i1) {
  // expected-error@+1 {{expected field where ends is given, got none}}
  %x:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>) ends(%p)
    outs(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {scale = 1.0 : f64}
    -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  return
}

// -----

// [G9]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %p: i1) {
  // expected-error@+1 {{expected field where below is given, got none}}
  %x:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>) below(%p)
    outs(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {scale = 1.0 : f64}
    -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  return
}

// -----

// [G9]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %p: i1) {
  // expected-error@+1 {{expected field where above is given, got none}}
  %x:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>) above(%p)
    outs(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {scale = 1.0 : f64}
    -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  return
}

// -----

// [G9]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %dq0: tensor<48x64xf32>, %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>,
             %c0: tensor<48xf32>, %dl0: tensor<256xf32>, %ds0: tensor<256xf32>,
             %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected field where a gradient of it is given, got none}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G9]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>) {
  // expected-error@+1 {{expected field where a gradient of it is given, got none}}
  %x:4 = fpa.backward_tile part <queries>
    ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    outs(%q, %r, %r, %r : tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    {scale = 1.0 : f64} -> tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// [G9]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>) {
  // expected-error@+1 {{expected field where a gradient of it is given, got none}}
  %x:4 = fpa.backward_tile part <keys>
    ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    outs(%q, %q, %r, %r : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
    {scale = 1.0 : f64} -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// [G9]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>) {
  // expected-error@+1 {{expected minimum where field is given, got none}}
  %x:3 = "fpa.backward_tile"(%q, %q, %q, %q, %r, %r, %r, %q, %q, %q)
    {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3>, scale = 1.0 : f64}
    : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>,
       tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
  return
}

// -----

// A scalar of the minimum's type.
// [G9]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %p: f64) {
  // expected-error@+1 {{expected passed of type 'f32', got 'f64'}}
  %x:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    field(%r, %r : tensor<4xf32>, tensor<4xf32>) passed(%p : f64)
    outs(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {scale = 1.0 : f64}
    -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  return
}

// -----

// [G9]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %p: f64) {
  // expected-error@+1 {{expected least of type 'f32', got 'f64'}}
  %x:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    field(%r, %r : tensor<4xf32>, tensor<4xf32>) least(%p : f64)
    outs(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {scale = 1.0 : f64}
    -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  return
}

// -----

// [G10]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected scale to be finite, got INF}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 0x7FF0000000000000 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G10]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected smooth to be positive and finite, got -2}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64, smooth = -2.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G10]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected smooth to be positive and finite, got 0}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64, smooth = 0.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G10]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected smooth to lie between 2^-100 and 2^100 for logits of 'f32', got 1.000000e+38}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64, smooth = 1.0e38 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}
