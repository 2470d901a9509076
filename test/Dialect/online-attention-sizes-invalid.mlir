// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.online_attention: sizes that operands share.
// The tags are the rules of docs/Spec.md.

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
