// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.online_attention: number, kind and rank of its operands.
// The tags are the rules of docs/Spec.md.

// [O1]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>) {
  // expected-error@+1 {{expected 4 outs (accumulator, maximum, sum, minimum), got 3}}
  %r:3 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: vector<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected query to be a ranked tensor or memref, got 'vector<48x64xf32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : vector<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: memref<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected value to be a tensor like query, got 'memref<256x32xf32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, memref<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<1x48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected query of rank 2 (M x D), got 'tensor<1x48x64xf32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<1x48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected key of rank 2 (N x D), got 'tensor<256xf32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected value of rank 2 (N x Dv), got 'tensor<256xf32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<1x256xf32>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>,
             %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected field of rank 1 (N), got 'tensor<1x256xf32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<1x256xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %l: tensor<f32>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>,
             %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected level of rank 1 (N), got 'tensor<f32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf32>)
    level(%l : tensor<f32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %s: tensor<256x1xf32>, %o0: tensor<48x32xf32>,
             %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected suffix of rank 1 (N), got 'tensor<256x1xf32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf32>)
    suffix(%s : tensor<256x1xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %first: tensor<48x1xi64>, %last: tensor<48xi64>, %at: index, %o0: tensor<48x32xf32>,
             %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected first of rank 1 (M), got 'tensor<48x1xi64>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    interval(%first, %last at %at : tensor<48x1xi64>, tensor<48xi64>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %first: tensor<48xi64>, %last: tensor<i64>, %at: index, %o0: tensor<48x32xf32>,
             %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected last of rank 1 (M), got 'tensor<i64>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    interval(%first, %last at %at : tensor<48xi64>, tensor<i64>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected accumulator of rank 2 (S x Dv), got 'tensor<48xf32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48x1xf32>, %o2: tensor<48xf32>,
             %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected maximum of rank 1 (S), got 'tensor<48x1xf32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48x1xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48x1xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48x1xf32>,
             %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected sum of rank 1 (S), got 'tensor<48x1xf32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48x1xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48x1xf32>, tensor<48xf32>
  return
}

// -----

// [O2]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>,
             %o3: tensor<48x1xf32>) {
  // expected-error@+1 {{expected minimum of rank 1 (S), got 'tensor<48x1xf32>'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48x1xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48x1xf32>
  return
}
