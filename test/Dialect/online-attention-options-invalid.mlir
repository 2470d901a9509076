// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.online_attention: attributes, and operands that need others.
// The tags are the rules of docs/Spec.md.

// [O5]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %i: tensor<4xi64>) {
  // expected-error@+1 {{expected last where first is given, got none}}
  %x:4 = "fpa.online_attention"(%q, %q, %q, %i, %q, %r, %r, %r)
    {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 4>, scale = 1.0 : f64}
    : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xi64>,
       tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// [O5]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %i: index) {
  // expected-error@+1 {{expected first where key_offset is given, got none}}
  %x:4 = "fpa.online_attention"(%q, %q, %q, %i, %q, %r, %r, %r)
    {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 4>, scale = 1.0 : f64}
    : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, index,
       tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// [O6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %l: tensor<256xf32>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>,
             %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected field where level is given, got none}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    level(%l : tensor<256xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %s: tensor<256xf32>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>,
             %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected field where suffix is given, got none}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    suffix(%s : tensor<256xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected field where non_increasing is given, got none}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64, non_increasing}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %l: tensor<256xf32>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>,
             %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected level tied to field where non_increasing is given, got another value}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf32>)
    level(%l : tensor<256xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64, non_increasing}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O7]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected scale to be finite, got INF}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 0x7FF0000000000000 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O7]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>,
             %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected smooth to be positive and finite, got -2}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64, smooth = -2.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O7]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>,
             %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected smooth to lie between 2^-100 and 2^100 for logits of 'f32', got 1.000000e+38}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64, smooth = 1.0e38 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %i: tensor<48xi64>, %at: index, %c: f32, %wide: f64,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected field where common is given, got none}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    common(%c : f32)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %i: tensor<48xi64>, %at: index, %c: f32, %wide: f64,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected common without interval, got both}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf32>)
    common(%c : f32)
    interval(%i, %i at %at : tensor<48xi64>, tensor<48xi64>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %i: tensor<48xi64>, %at: index, %c: f32, %wide: f64,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected common without non_increasing, got both}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf32>)
    common(%c : f32)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64, non_increasing}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %i: tensor<48xi64>, %at: index, %c: f32, %wide: f64,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected common of type 'f32', as minimum, got 'f64'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf32>)
    common(%wide : f64)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}
