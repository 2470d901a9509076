// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.backward_tile: sizes that operands share.
// The tags are the rules of docs/Spec.md.

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x65xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected key dimension 1 (D) of size 64 as in query, got 65}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x65xf32>, tensor<256x32xf32>)
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
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<255x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value dimension 0 (N) of size 256 as in key, got 255}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<255x32xf32>)
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
             %do: tensor<1x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected output_gradient dimension 0 (M) of size 48 as in query, got 1}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<1x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
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
             %do: tensor<48x33xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected output_gradient dimension 1 (Dv) of size 32 as in value, got 33}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x33xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
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
             %do: tensor<48x32xf32>, %lse: tensor<256xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected lse dimension 0 (M) of size 48 as in query, got 256}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<256xf32>, tensor<48xf32>)
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
             %f: tensor<48xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected field dimension 0 (N) of size 256 as in key, got 48}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<48xf32>, tensor<48xf32>)
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
             %f: tensor<256xf32>, %r: tensor<48xf32>, %l: tensor<1xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected level dimension 0 (N) of size 256 as in key, got 1}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    level(%l : tensor<1xf32>)
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
             %f: tensor<256xf32>, %r: tensor<48xf32>, %s: tensor<1xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected suffix dimension 0 (N) of size 256 as in key, got 1}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    suffix(%s : tensor<1xf32>)
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
             %f: tensor<256xf32>, %r: tensor<48xf32>, %first: tensor<49xi64>, %last: tensor<48xi64>,
             %at: index, %dq0: tensor<48x64xf32>, %dk0: tensor<256x64xf32>,
             %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>, %dl0: tensor<256xf32>,
             %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected first dimension 0 (M) of size 48 as in query, got 49}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    interval(%first, %last at %at : tensor<49xi64>, tensor<48xi64>)
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
             %f: tensor<256xf32>, %r: tensor<48xf32>, %first: tensor<48xi64>, %last: tensor<49xi64>,
             %at: index, %dq0: tensor<48x64xf32>, %dk0: tensor<256x64xf32>,
             %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>, %dl0: tensor<256xf32>,
             %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected last dimension 0 (M) of size 48 as in query, got 49}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    interval(%first, %last at %at : tensor<48xi64>, tensor<49xi64>)
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
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<64x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected carry dimension 0 (S) of size 64 as in query gradient, got 48}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<64x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<64x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x32xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected query gradient dimension 1 (D) of size 64 as in query, got 32}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x32xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<48x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value gradient dimension 0 (T) of size 48 as in key gradient, got 256}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<48x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<48x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x32xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected key gradient dimension 1 (D) of size 64 as in query, got 32}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x32xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x32xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<48x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value gradient dimension 0 (T) of size 256 as in key gradient, got 48}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<48x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<48x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x64xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value gradient dimension 1 (Dv) of size 32 as in value, got 64}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x64xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<256xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected carry dimension 0 (S) of size 48 as in query gradient, got 256}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<256xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<48xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected level gradient dimension 0 (N) of size 256 as in key, got 48}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<48xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<255xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected suffix gradient dimension 0 (N) of size 256 as in key, got 255}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<255xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<255xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<257xf32>) {
  // expected-error@+1 {{expected field gradient dimension 0 (N) of size 256 as in key, got 257}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<257xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<257xf32>
  return
}

// -----

// Minimum and delta have one number of rows.
// [G6]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %w: tensor<6xf32>) {
  // expected-error@+1 {{expected minimum dimension 0 (R) of size 6 as in delta, got 4}}
  %x:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %w : tensor<4xf32>, tensor<6xf32>)
    field(%r, %r : tensor<4xf32>, tensor<4xf32>)
    outs(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {scale = 1.0 : f64}
    -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  return
}

// -----

// Lines of keys, too, may have keys to spare where keys walk along rows, all as many.
// [G6]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %d: tensor<6x4xf32>, %w: tensor<6xf32>) {
  // expected-error@+1 {{expected level gradient dimension 0 (T) of size 6 as in key gradient, got 4}}
  %x:4 = fpa.backward_tile part <keys>
    ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    field(%r, %r : tensor<4xf32>, tensor<4xf32>)
    outs(%d, %d, %r, %w : tensor<6x4xf32>, tensor<6x4xf32>, tensor<4xf32>, tensor<6xf32>)
    {scale = 1.0 : f64} -> tensor<6x4xf32>, tensor<6x4xf32>, tensor<4xf32>, tensor<6xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %d: tensor<6x4xf32>, %w: tensor<6xf32>) {
  // expected-error@+1 {{expected suffix gradient dimension 0 (T) of size 6 as in key gradient, got 4}}
  %x:4 = fpa.backward_tile part <keys>
    ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    field(%r, %r : tensor<4xf32>, tensor<4xf32>)
    outs(%d, %d, %w, %r : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6xf32>, tensor<4xf32>)
    {scale = 1.0 : f64} -> tensor<6x4xf32>, tensor<6x4xf32>, tensor<6xf32>, tensor<4xf32>
  return
}

// -----

// Where rows walk along keys they may not.
// [G6]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %w: tensor<6xf32>) {
  // expected-error@+1 {{expected suffix gradient dimension 0 (N) of size 4 as in key, got 6}}
  %x:4 = fpa.backward_tile part <queries>
    ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    field(%r, %r : tensor<4xf32>, tensor<4xf32>)
    outs(%q, %r, %w, %w : tensor<4x4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<6xf32>)
    {scale = 1.0 : f64} -> tensor<4x4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// [G7]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<47xf32>,
             %f: tensor<256xf32>, %r: tensor<47xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected delta dimension 0 (R) of size at least 48, got 47}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<47xf32>)
    field(%f, %r : tensor<256xf32>, tensor<47xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G7]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %dq0: tensor<47x64xf32>, %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>) {
  // expected-error@+1 {{expected query gradient dimension 0 (S) of size at least 48, got 47}}
  %x:3 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0 : tensor<47x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    {scale = 1.0 : f64}
    -> tensor<47x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>
  return
}

// -----

// [G7]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %d: tensor<3x4xf32>) {
  // expected-error@+1 {{expected key gradient dimension 0 (T) of size at least 4, got 3}}
  %x:2 = fpa.backward_tile part <keys>
    ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    outs(%d, %d : tensor<3x4xf32>, tensor<3x4xf32>)
    {scale = 1.0 : f64} -> tensor<3x4xf32>, tensor<3x4xf32>
  return
}
