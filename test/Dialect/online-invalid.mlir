// RUN: fpa-opt %s -verify-diagnostics -split-input-file

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

// -----

// [O3]
func.func @f(%q: tensor<48x64xi8>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected query of element type 'f16', 'bf16', 'f32' or 'f64', got 'i8'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xi8>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xbf16>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected key of element type 'f32', got 'bf16'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xbf16>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf16>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected value of element type 'f32', got 'f16'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf16>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf64>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>,
             %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected field of element type 'f32', got 'f64'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf64>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %l: tensor<256xf16>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>,
             %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected level of element type 'f32', got 'f16'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf32>)
    level(%l : tensor<256xf16>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %s: tensor<256xf16>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>,
             %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected suffix of element type 'f32', got 'f16'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf32>)
    suffix(%s : tensor<256xf16>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %first: tensor<48xi32>, %last: tensor<48xi64>, %at: index, %o0: tensor<48x32xf32>,
             %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected first of element type 'i64', got 'i32'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    interval(%first, %last at %at : tensor<48xi32>, tensor<48xi64>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %first: tensor<48xi64>, %last: tensor<48xindex>, %at: index, %o0: tensor<48x32xf32>,
             %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected last of element type 'i64', got 'index'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    interval(%first, %last at %at : tensor<48xi64>, tensor<48xindex>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf16>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected accumulator of element type 'f32', got 'f16'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf16>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf16>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf64>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected maximum of element type 'f32', got 'f64'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf64>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf64>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf64>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected sum of element type 'f32', got 'f64'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf64>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf64>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf64>)
             {
  // expected-error@+1 {{expected minimum of element type 'f32', got 'f64'}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf64>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf64>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x65xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected key dimension 1 (D) of size 64 as in query, got 65}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x65xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<255x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected value dimension 0 (N) of size 256 as in key, got 255}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<255x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<48xf32>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>,
             %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected field dimension 0 (N) of size 256 as in key, got 48}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<48xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %f: tensor<256xf32>, %s: tensor<1xf32>, %o0: tensor<48x32xf32>, %o1: tensor<48xf32>,
             %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected suffix dimension 0 (N) of size 256 as in key, got 1}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    field(%f : tensor<256xf32>)
    suffix(%s : tensor<1xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %first: tensor<48xi64>, %last: tensor<49xi64>, %at: index, %o0: tensor<48x32xf32>,
             %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>) {
  // expected-error@+1 {{expected last dimension 0 (M) of size 48 as in query, got 49}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    interval(%first, %last at %at : tensor<48xi64>, tensor<49xi64>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x64xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected accumulator dimension 1 (Dv) of size 32 as in value, got 64}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O3]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<256xf32>)
             {
  // expected-error@+1 {{expected minimum dimension 0 (S) of size 48 as in accumulator, got 256}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<256xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<256xf32>
  return
}

// -----

// [O4]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<47x32xf32>, %o1: tensor<47xf32>, %o2: tensor<47xf32>, %o3: tensor<47xf32>)
             {
  // expected-error@+1 {{expected accumulator dimension 0 (S) of size at least 48, got 47}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<47x32xf32>, tensor<47xf32>, tensor<47xf32>, tensor<47xf32>)
    {scale = 1.0 : f64}
    -> tensor<47x32xf32>, tensor<47xf32>, tensor<47xf32>, tensor<47xf32>
  return
}

// -----

// [O5]
func.func @f(%q: tensor<4x4xf32>, %r: tensor<4xf32>, %i: tensor<4xi64>) {
  // expected-error@+1 {{expected last where first is given, got none}}
  %x:4 = "fpa.online_attention"(%q, %q, %q, %i, %q, %r, %r, %r)
    {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 0, 4>, scale = 1.0 : f64}
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
    {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 1, 4>, scale = 1.0 : f64}
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

// [O11]
func.func @f(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x32xf32>,
             %o0: tensor<48x32xf32>, %o1: tensor<48xf32>, %o2: tensor<48xf32>, %o3: tensor<48xf32>)
             {
  // expected-error@+1 {{expected type of operand #3 ('tensor<48x32xf32>') to match type of corresponding result ('tensor<48x?xf32>')}}
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x32xf32>)
    outs(%o0, %o1, %o2, %o3 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 1.0 : f64}
    -> tensor<48x?xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O8]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x32xf32>,
             %o1: tensor<48xf32>, %o2: tensor<48xf32>) {
  // expected-error@+1 {{expected 1 or 2 outs (output, lse), got 3}}
  %r:3 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0, %o1, %o2 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>)
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected accumulator of rank 2 (S x Dv), got 'tensor<48xf32>'}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf16>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected accumulator of element type 'f32' or 'f64', got 'f16'}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf16>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf64>, %s: tensor<48xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected maximum of element type 'f32', got 'f64'}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf64>, tensor<48xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<48x1xf32>,
             %o0: tensor<48x32xf16>, %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected sum of rank 1 (S), got 'tensor<48x1xf32>'}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<48x1xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<47xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected sum dimension 0 (S) of size 48 as in accumulator, got 47}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<47xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x33xf32>)
             {
  // expected-error@+1 {{expected output dimension 1 (Dv) of size 32 as in accumulator, got 33}}
  %r:1 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0 : tensor<48x33xf32>)
    -> tensor<48x33xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x32xi32>)
             {
  // expected-error@+1 {{expected output of element type 'f16', 'bf16', 'f32' or 'f64', got 'i32'}}
  %r:1 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0 : tensor<48x32xi32>)
    -> tensor<48x32xi32>
  return
}

// -----

// [O10]
func.func @f(%a: tensor<40x32xf32>, %m: tensor<40xf32>, %s: tensor<40xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected accumulator dimension 0 (S) of size at least 48, got 40}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<40x32xf32>, tensor<40xf32>, tensor<40xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf16>) {
  // expected-error@+1 {{expected lse of element type 'f32', got 'f16'}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf16>)
    -> tensor<48x32xf16>, tensor<48xf16>
  return
}
