// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.backward_tile: element types, and the types of its results.
// The tags are the rules of docs/Spec.md.

// [G6]
func.func @f(%q: tensor<48x64xi8>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected query of element type 'f16', 'bf16', 'f32' or 'f64', got 'i8'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xi8>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xbf16>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected key of element type 'f32', got 'bf16'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xbf16>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf16>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value of element type 'f32', got 'f16'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf16>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xbf16>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected output_gradient of element type 'f32', got 'bf16'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xbf16>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf64>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected lse of element type 'f32', got 'f64'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf64>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf16>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected delta of element type 'f32', got 'f16'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf16>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf64>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected field of element type 'f32', got 'f64'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf64>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %l: tensor<256xf16>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected level of element type 'f32', got 'f16'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    level(%l : tensor<256xf16>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %s: tensor<256xf16>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected suffix of element type 'f32', got 'f16'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    suffix(%s : tensor<256xf16>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf64>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected minimum of element type 'f32', got 'f64'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf64>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %first: tensor<48xi32>, %last: tensor<48xi64>,
             %at: index, %dq0: tensor<48x64xf32>, %dk0: tensor<256x64xf32>,
             %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>, %dl0: tensor<256xf32>,
             %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected first of element type 'i64', got 'i32'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    interval(%first, %last at %at : tensor<48xi32>, tensor<48xi64>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %first: tensor<48xi64>,
             %last: tensor<48xindex>, %at: index, %dq0: tensor<48x64xf32>, %dk0: tensor<256x64xf32>,
             %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>, %dl0: tensor<256xf32>,
             %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected last of element type 'i64', got 'index'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    interval(%first, %last at %at : tensor<48xi64>, tensor<48xindex>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf16>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected query gradient of element type 'f32', got 'f16'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf16>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf16>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf64>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected key gradient of element type 'f32', got 'f64'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf64>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf64>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xbf16>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value gradient of element type 'f32', got 'bf16'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xbf16>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xbf16>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf64>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected carry of element type 'f32', got 'f64'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf64>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf64>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf64>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected level gradient of element type 'f32', got 'f64'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf64>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf64>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf16>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected suffix gradient of element type 'f32', got 'f16'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf16>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf16>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf64>) {
  // expected-error@+1 {{expected field gradient of element type 'f32', got 'f64'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf64>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf64>
  return
}

// -----

// The state of halves is f32.
// [G6]
func.func @f(%q: tensor<48x64xf16>, %k: tensor<256x64xf16>, %v: tensor<256x32xf16>,
             %do: tensor<48x32xf16>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf16>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected query gradient of element type 'f32', got 'f16'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf16>, tensor<256x64xf16>, tensor<256x32xf16>)
    gradient(%do : tensor<48x32xf16>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf16>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf16>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// That of f64 is f64.
// [G6]
func.func @f(%q: tensor<48x64xf64>, %k: tensor<256x64xf64>, %v: tensor<256x32xf64>,
             %do: tensor<48x32xf64>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected lse of element type 'f64', got 'f32'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf64>, tensor<256x64xf64>, tensor<256x32xf64>)
    gradient(%do : tensor<48x32xf64>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G12]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected type of operand #8 ('tensor<48x64xf32>') to match type of corresponding result ('tensor<48x?xf32>')}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x?xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}
