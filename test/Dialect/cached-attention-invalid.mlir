// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// The tags are the rules of docs/Spec.md.

// [E6]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>, %o1: tensor<1x4x2xf32>, %o2: tensor<1x4x2xf32>) {
  // expected-error@+1 {{expected 1 or 2 outs (output, lse), got 3}}
  %r:3 = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0, %o1, %o2 : tensor<1x4x2x6xf32>, tensor<1x4x2xf32>, tensor<1x4x2xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>, tensor<1x4x2xf32>, tensor<1x4x2xf32>
  return
}

// -----

// [E7]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: memref<1x4x2x6xf32>) {
  // expected-error@+1 {{expected output to be a tensor like key, got 'memref<1x4x2x6xf32>'}}
  fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : memref<1x4x2x6xf32>) {scale = 0.5 : f64}
  return
}

// -----

// [E7]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected cached_level of rank 3 (B x HK x C), got 'tensor<2x9xf32>'}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E7]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x9xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected cached_key dimension 3 (D) of size 8 as in key, got 9}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x9xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E7]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x8x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected cached_value dimension 2 (C) of size 9 as in cached_key, got 8}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x8x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E7]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x4x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected cached_minimum dimension 1 (HK) of size 2 as in key, got 4}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x4x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E7]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x4x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected field dimension 1 (HK) of size 2 as in key, got 4}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x4x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E7]
func.func @f(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected query dimension 2 (T) of size 2 as in key, got 3}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x3x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E7]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %t: tensor<2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected lengths dimension 0 (B) of size 1 as in key, got 2}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>) lengths(%t : tensor<2xi64>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E7]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>, %o1: tensor<1x2x2xf32>) {
  // expected-error@+1 {{expected lse dimension 1 (HQ) of size 4 as in query, got 2}}
  %r:2 = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0, %o1 : tensor<1x4x2x6xf32>, tensor<1x2x2xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>, tensor<1x2x2xf32>
  return
}

// -----

// [E8]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xi32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected key of element type 'f16', 'bf16', 'f32' or 'f64', got 'i32'}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xi32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E8]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf16>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected cached_value of element type 'f32', got 'f16'}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf16>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E8]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %l: tensor<1x2x2xf64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected level of element type 'f32', got 'f64'}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>) level(%l : tensor<1x2x2xf64>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E8]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi32>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected count of element type 'i64', got 'i32'}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi32>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E8]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %t: tensor<1xi32>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected lengths of element type 'i64', got 'i32'}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>) lengths(%t : tensor<1xi32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E9]
func.func @f(%q: tensor<1x3x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x3x2x6xf32>) {
  // expected-error@+1 {{expected query dimension 1 (HQ) to be a multiple of key dimension 1 (HK) of size 2, got 3}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x3x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x3x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x3x2x6xf32>
  return
}

// -----

// [E9]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x0x2x8xf32>, %v: tensor<1x0x2x6xf32>, %f: tensor<1x0x2xf32>, %ck: tensor<1x0x9x8xf32>, %cv: tensor<1x0x9x6xf32>, %cl: tensor<1x0x9xf32>, %cm: tensor<1x0x9xf32>, %n: tensor<1x0xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected key dimension 1 (HK) of size at least 1, got 0}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x0x2x8xf32>, tensor<1x0x2x6xf32>)
    field(%f : tensor<1x0x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x0x9x8xf32>, tensor<1x0x9x6xf32>, tensor<1x0x9xf32>, tensor<1x0x9xf32>, tensor<1x0xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E9]
func.func @f(%q: tensor<1x4x2x0xf32>, %k: tensor<1x2x2x0xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x0xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected key dimension 3 (D) of size at least 1, got 0}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x0xf32>, tensor<1x2x2x0xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x0xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E10]
func.func @f(%q: tensor<1x4x0x8xf32>, %k: tensor<1x2x0x8xf32>, %v: tensor<1x2x0x6xf32>, %f: tensor<1x2x0xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x0x6xf32>) {
  // expected-error@+1 {{expected key dimension 2 (T) of size at least 1, got 0}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x0x8xf32>, tensor<1x2x0x8xf32>, tensor<1x2x0x6xf32>)
    field(%f : tensor<1x2x0xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x0x6xf32>) {scale = 0.5 : f64}
    -> tensor<1x4x0x6xf32>
  return
}

// -----

// [E11]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected scale to be finite, got INF}}
  %r = fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0x7FF0000000000000 : f64}
    -> tensor<1x4x2x6xf32>
  return
}

// -----

// [E12]
func.func @f(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %o0: tensor<1x4x2x6xf32>) {
  // expected-error@+1 {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  fpa.cached_attention ins(%q, %k, %v : tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x2x6xf32>) {scale = 0.5 : f64}
  return
}
