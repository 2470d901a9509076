// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.backward_tile: sizes that operands share.
// The tags are the rules of docs/Spec.md.

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x65xf32>, %v: tensor<256x32xf32>,
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected key dimension 1 (D) of size 64 as in query, got 65}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x65xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value dimension 0 (N) of size 256 as in key, got 255}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<255x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<47x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected output dimension 0 (M) of size 48 as in query, got 47}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<47x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x64xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected output dimension 1 (Dv) of size 32 as in value, got 64}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x64xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<1x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected output_gradient dimension 0 (M) of size 48 as in query, got 1}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<1x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x33xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected output_gradient dimension 1 (Dv) of size 32 as in value, got 33}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x33xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<256xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected lse dimension 0 (M) of size 48 as in query, got 256}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<256xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %dlse: tensor<47xf32>, %f: tensor<256xf32>, %r: tensor<48xf32>,
             %dq0: tensor<48x64xf32>, %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>,
             %c0: tensor<48xf32>, %dl0: tensor<256xf32>, %ds0: tensor<256xf32>,
             %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected lse_gradient dimension 0 (M) of size 48 as in query, got 47}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>) lse_gradient(%dlse : tensor<47xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<48xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected field dimension 0 (N) of size 256 as in key, got 48}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %l: tensor<1xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected level dimension 0 (N) of size 256 as in key, got 1}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %s: tensor<1xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected suffix dimension 0 (N) of size 256 as in key, got 1}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %first: tensor<49xi64>, %last: tensor<48xi64>,
             %at: index, %dq0: tensor<48x64xf32>, %dk0: tensor<256x64xf32>,
             %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>, %dl0: tensor<256xf32>,
             %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected first dimension 0 (M) of size 48 as in query, got 49}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %first: tensor<48xi64>, %last: tensor<49xi64>,
             %at: index, %dq0: tensor<48x64xf32>, %dk0: tensor<256x64xf32>,
             %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>, %dl0: tensor<256xf32>,
             %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected last dimension 0 (M) of size 48 as in query, got 49}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<64x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected query gradient dimension 0 (S) of size 48 as in minimum, got 64}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x32xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected query gradient dimension 1 (D) of size 64 as in query, got 32}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<48x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected key gradient dimension 0 (N) of size 256 as in key, got 48}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x32xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected key gradient dimension 1 (D) of size 64 as in query, got 32}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<48x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value gradient dimension 0 (N) of size 256 as in key, got 48}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x64xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value gradient dimension 1 (Dv) of size 32 as in value, got 64}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<256xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected carry dimension 0 (S) of size 48 as in minimum, got 256}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<48xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected level gradient dimension 0 (N) of size 256 as in key, got 48}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<255xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected suffix gradient dimension 0 (N) of size 256 as in key, got 255}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
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
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<257xf32>) {
  // expected-error@+1 {{expected field gradient dimension 0 (N) of size 256 as in key, got 257}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<257xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<257xf32>
  return
}

// -----

// [G7]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %f: tensor<256xf32>, %r: tensor<47xf32>, %dq0: tensor<47x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<47xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected minimum dimension 0 (S) of size at least 48, got 47}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
    field(%f, %r : tensor<256xf32>, tensor<47xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<47x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<47xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<47x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<47xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G7]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o: tensor<48x32xf32>, %lse: tensor<48xf32>, %do: tensor<48x32xf32>,
             %dq0: tensor<47x64xf32>, %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>) {
  // expected-error@+1 {{expected query gradient dimension 0 (S) of size at least 48, got 47}}
  %x:3 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    saved(%o, %lse : tensor<48x32xf32>, tensor<48xf32>)
    gradient(%do : tensor<48x32xf32>)
    outs(%dq0, %dk0, %dv0 : tensor<47x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    {scale = 1.0 : f64}
    -> tensor<47x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>
  return
}
