// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.attention_backward: its outs, what was saved, and the rules it shares with
// fpa.attention. The tags are the rules of docs/Spec.md.

// [B1]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>) {
  // expected-error@+1 {{expected 3 to 5 outs (gradients of query, key, value, field, level), got 2}}
  %r:2 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>
  return
}

// -----

// [B2]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>, %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>,
             %dq: tensor<2x4x8x16xf32>, %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>,
             %df: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected 3 outs where no field is given, got 4}}
  %r:4 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B2]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected 3 or 5 outs where level is given, got 4}}
  %r:4 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B2]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>, %lse: tensor<2x4x8xf32>,
             %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>, %dk: tensor<2x2x8x16xf32>,
             %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>, %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected 3 or 4 outs where no level is given, got 5}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B3]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x16xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected output dimension 3 (Dv) of size 32 as in value, got 16}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B3]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf16>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected output of element type 'f32', got 'f16'}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf16>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B3]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x2x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected lse dimension 1 (HQ) of size 4 as in query, got 2}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x2x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B3]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf64>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected lse of element type 'f32', got 'f64'}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf64>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B3]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x7x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected output_gradient dimension 2 (Lq) of size 8 as in query, got 7}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x7x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B3]
func.func @f(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x8x16xf16>, %v: tensor<2x2x8x32xf16>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf16>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf16>,
             %dk: tensor<2x2x8x16xf16>, %dv: tensor<2x2x8x32xf16>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected output_gradient of element type 'f16', got 'f32'}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x2x8x16xf16>, tensor<2x2x8x32xf16>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf16>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf16>, tensor<2x2x8x16xf16>, tensor<2x2x8x32xf16>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf16>, tensor<2x2x8x16xf16>, tensor<2x2x8x32xf16>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B3]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dlse: tensor<2x4x8x1xf32>,
             %dq: tensor<2x4x8x16xf32>, %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>,
             %df: tensor<2x2x8xf32>, %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected lse_gradient of rank 3 (B x HQ x Lq), got 'tensor<2x4x8x1xf32>'}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    lse_gradient(%dlse : tensor<2x4x8x1xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B3]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dlse: tensor<2x4x8xf64>,
             %dq: tensor<2x4x8x16xf32>, %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>,
             %df: tensor<2x2x8xf32>, %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected lse_gradient of element type 'f32', got 'f64'}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    lse_gradient(%dlse : tensor<2x4x8xf64>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x32xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected gradient of query dimension 3 (D) of size 16 as in query, got 32}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x32xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x32xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf64>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected gradient of query of element type 'f32', got 'f64'}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf64>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf64>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x4x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected gradient of key dimension 1 (HK) of size 2 as in key, got 4}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x16xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected gradient of value dimension 3 (Dv) of size 32 as in value, got 16}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x9xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected gradient of field dimension 2 (Lk) of size 8 as in key, got 9}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x9xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x9xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf64>) {
  // expected-error@+1 {{expected gradient of level of element type 'f32', got 'f64'}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf64>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf64>
  return
}

// -----

// [B5]
// [A1]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: memref<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected gradient of key to be a tensor like query, got 'memref<2x2x8x16xf32>'}}
  %r:4 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, memref<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B5]
// [A6]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x3x8x16xf32>, %v: tensor<2x3x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x3x8x16xf32>, %dv: tensor<2x3x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected query dimension 1 (HQ) to be a multiple of key dimension 1 (HK) of size 3, got 4}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x3x8x16xf32>, tensor<2x3x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x3x8x16xf32>, tensor<2x3x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x3x8x16xf32>, tensor<2x3x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B5]
// [A7]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x1x8xf32>, %l: tensor<2x1x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x1x8xf32>,
             %dl: tensor<2x1x8xf32>) {
  // expected-error@+1 {{expected field dimension 1 (HF) of size 2 (HK) or 4 (HQ), got 1}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x1x8xf32>)
    level(%l : tensor<2x1x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>
  return
}

// -----

// [B5]
// [A8]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected window of at least 1 key, got 0}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    {window = 0 : i64}
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B5]
// [A9]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected smooth to be positive and finite, got 0}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    {smooth = 0.0 : f64}
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B5]
// [A10]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>, %lse: tensor<2x4x8xf32>,
             %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>, %dk: tensor<2x2x8x16xf32>,
             %dv: tensor<2x2x8x32xf32>) {
  // expected-error@+1 {{expected field where level is given, got none}}
  %r:3 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>
  return
}

// -----

// [B5]
// [A12]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %cq: tensor<3xi64>,
             %ck: tensor<3xi64>, %o: tensor<2x4x8x32xf32>, %lse: tensor<2x4x8xf32>,
             %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>, %dk: tensor<2x2x8x16xf32>,
             %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>, %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected query dimension 0 (B) of size 1 where cu_seqlens_q is given, got 2}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    cu_seqlens(%cq, %ck : tensor<3xi64>, tensor<3xi64>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B5]
// [A13]
func.func @f(%q: tensor<2x4x8x?xf32>, %k: tensor<2x2x8x?xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x?xf32>,
             %dk: tensor<2x2x8x?xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected scale where query dimension 3 (D) is dynamic, got none}}
  %r:5 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x?xf32>, tensor<2x2x8x?xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x?xf32>, tensor<2x2x8x?xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x?xf32>, tensor<2x2x8x?xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>
  return
}

// -----

// [B6]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>,
             %lse: tensor<2x4x8xf32>, %do: tensor<2x4x8x32xf32>, %dq: tensor<2x4x8x16xf32>,
             %dk: tensor<2x2x8x16xf32>, %dv: tensor<2x2x8x32xf32>, %df: tensor<2x2x8xf32>,
             %dl: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected the number of tensor results (4) to be equal to the number of output tensors (5)}}
  %r:4 = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    saved(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf32>)
    gradient(%do : tensor<2x4x8x32xf32>)
    outs(%dq, %dk, %dv, %df, %dl :
      tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>, tensor<2x2x8xf32>
  return
}
