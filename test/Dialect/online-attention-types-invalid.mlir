// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.online_attention: element types, and the types of its results.
// The tags are the rules of docs/Spec.md.

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
