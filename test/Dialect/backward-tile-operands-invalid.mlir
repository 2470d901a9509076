// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.backward_tile: number, kind and rank of its operands.
// The tags are the rules of docs/Spec.md.

// [G5]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>) {
  // expected-error@+1 {{expected 3 or 7 outs (gradients of query, key and value, carry, gradients of level, suffix and field), got 4}}
  %x:4 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0 : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>,
      tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>
  return
}

// -----

// [G5]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>,
             %x0: tensor<256xf32>) {
  // expected-error@+1 {{expected 3 or 7 outs (gradients of query, key and value, carry, gradients of level, suffix and field), got 8}}
  %x:8 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0, %x0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>,
      tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G5]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>) {
  // expected-error@+1 {{expected 3 or 7 outs (gradients of query, key and value, carry, gradients of level, suffix and field), got 2}}
  %x:2 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0 : tensor<48x64xf32>, tensor<256x64xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>
  return
}

// -----

// [G5]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>) {
  // expected-error@+1 {{expected 1 or 4 outs (gradient of query, carry, gradients of suffix and field), got 3}}
  %x:3 = fpa.backward_tile part <queries>
    ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    field(%r, %r : tensor<4xf32>, tensor<4xf32>)
    outs(%q, %r, %r : tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
    {scale = 1.0 : f64} -> tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// [G5]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>) {
  // expected-error@+1 {{expected 2 or 4 outs (gradients of key, value, level and suffix), got 1}}
  %x = fpa.backward_tile part <keys>
    ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    field(%r, %r : tensor<4xf32>, tensor<4xf32>)
    outs(%q : tensor<4x4xf32>) {scale = 1.0 : f64} -> tensor<4x4xf32>
  return
}

// -----

// [G6]
func.func @f(%q: vector<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected query to be a ranked tensor or memref, got 'vector<48x64xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : vector<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
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
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: memref<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value to be a tensor like query, got 'memref<256x32xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, memref<256x32xf32>)
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
             %do: tensor<48x32xf32>, %lse: memref<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected lse to be a tensor like query, got 'memref<48xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : memref<48xf32>, tensor<48xf32>)
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
func.func @f(%q: tensor<1x48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected query of rank 2 (M x D), got 'tensor<1x48x64xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<1x48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
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
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected key of rank 2 (N x D), got 'tensor<256xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256xf32>, tensor<256x32xf32>)
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
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value of rank 2 (N x Dv), got 'tensor<256xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256xf32>)
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
             %do: tensor<1x48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected output_gradient of rank 2 (M x Dv), got 'tensor<1x48x32xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<1x48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
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
             %do: tensor<48x32xf32>, %lse: tensor<48x1xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected lse of rank 1 (M), got 'tensor<48x1xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48x1xf32>, tensor<48xf32>)
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
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48x1xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected delta of rank 1 (R), got 'tensor<48x1xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48x1xf32>)
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
             %f: tensor<1x256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected field of rank 1 (N), got 'tensor<1x256xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<1x256xf32>, tensor<48xf32>)
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
             %f: tensor<256xf32>, %r: tensor<48xf32>, %l: tensor<f32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected level of rank 1 (N), got 'tensor<f32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    level(%l : tensor<f32>)
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
             %f: tensor<256xf32>, %r: tensor<48xf32>, %s: tensor<256x1xf32>,
             %dq0: tensor<48x64xf32>, %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>,
             %c0: tensor<48xf32>, %dl0: tensor<256xf32>, %ds0: tensor<256xf32>,
             %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected suffix of rank 1 (N), got 'tensor<256x1xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    suffix(%s : tensor<256x1xf32>)
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
             %f: tensor<256xf32>, %r: tensor<48x1xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected minimum of rank 1 (R), got 'tensor<48x1xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48x1xf32>)
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
             %f: tensor<256xf32>, %r: tensor<48xf32>, %first: tensor<48x1xi64>,
             %last: tensor<48xi64>, %at: index, %dq0: tensor<48x64xf32>, %dk0: tensor<256x64xf32>,
             %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>, %dl0: tensor<256xf32>,
             %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected first of rank 1 (M), got 'tensor<48x1xi64>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    interval(%first, %last at %at : tensor<48x1xi64>, tensor<48xi64>)
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
             %f: tensor<256xf32>, %r: tensor<48xf32>, %first: tensor<48xi64>, %last: tensor<i64>,
             %at: index, %dq0: tensor<48x64xf32>, %dk0: tensor<256x64xf32>,
             %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>, %dl0: tensor<256xf32>,
             %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected last of rank 1 (M), got 'tensor<i64>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    interval(%first, %last at %at : tensor<48xi64>, tensor<i64>)
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
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected query gradient of rank 2 (S x D), got 'tensor<48xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected key gradient of rank 2 (T x D), got 'tensor<256xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<1x256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected value gradient of rank 2 (T x Dv), got 'tensor<1x256x32xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<1x256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<1x256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48x1xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected carry of rank 1 (S), got 'tensor<48x1xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48x1xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48x1xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256x1xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected level gradient of rank 1 (N), got 'tensor<256x1xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256x1xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256x1xf32>,
       tensor<256xf32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<f32>, %df0: tensor<256xf32>) {
  // expected-error@+1 {{expected suffix gradient of rank 1 (N), got 'tensor<f32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<f32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<f32>, tensor<256xf32>
  return
}

// -----

// [G6]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %do: tensor<48x32xf32>, %lse: tensor<48xf32>, %delta: tensor<48xf32>,
             %f: tensor<256xf32>, %r: tensor<48xf32>, %dq0: tensor<48x64xf32>,
             %dk0: tensor<256x64xf32>, %dv0: tensor<256x32xf32>, %c0: tensor<48xf32>,
             %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<1x256xf32>) {
  // expected-error@+1 {{expected field gradient of rank 1 (N), got 'tensor<1x256xf32>'}}
  %x:7 = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    gradient(%do : tensor<48x32xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>, tensor<256x64xf32>,
      tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>, tensor<48xf32>, tensor<256xf32>,
       tensor<256xf32>, tensor<1x256xf32>
  return
}

// -----

// The second out of queries is the carry.
// [G6]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>) {
  // expected-error@+1 {{expected carry of rank 1 (S), got 'tensor<4x4xf32>'}}
  %x:4 = fpa.backward_tile part <queries>
    ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    field(%r, %r : tensor<4xf32>, tensor<4xf32>)
    outs(%q, %q, %r, %r : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
    {scale = 1.0 : f64} -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// The third out of keys is that of the level.
// [G6]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>) {
  // expected-error@+1 {{expected level gradient of rank 1 (T), got 'tensor<4x4xf32>'}}
  %x:4 = fpa.backward_tile part <keys>
    ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
    gradient(%q : tensor<4x4xf32>) saved(%r, %r : tensor<4xf32>, tensor<4xf32>)
    field(%r, %r : tensor<4xf32>, tensor<4xf32>)
    outs(%q, %q, %q, %r : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    {scale = 1.0 : f64} -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>
  return
}
