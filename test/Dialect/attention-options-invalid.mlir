// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.attention: attributes, and operands that need others.
// The tags are the rules of docs/Spec.md.

// [A8]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected window of at least 1 key, got 0}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    {window = 0 : i64}
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A8]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected window of at least 1 key, got -5}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    {window = -5 : i64}
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A9]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected smooth to be positive and finite, got 0}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    {smooth = 0.0 : f64}
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A9]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected smooth to be positive and finite, got -1}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    {smooth = -1.0 : f64}
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A9]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected smooth to be positive and finite, got INF}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    {smooth = 0x7FF0000000000000 : f64}
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A9]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected smooth to be positive and finite, got nan}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    {smooth = 0x7FF8000000000000 : f64}
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A9]: the range goes by the type of the logits.
func.func @f(%q: tensor<1x1x8x16xf16>, %f: tensor<1x1x8xf32>) {
  // expected-error@+1 {{expected smooth to lie between 2^-100 and 2^100 for logits of 'f32', got 1.300000e+30}}
  %r = fpa.attention
    ins(%q, %q, %q : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>)
    field(%f : tensor<1x1x8xf32>)
    outs(%q : tensor<1x1x8x16xf16>)
    {smooth = 1.3e30 : f64}
    -> tensor<1x1x8x16xf16>
  return
}

// -----

// [A9]
func.func @f(%q: tensor<1x1x8x16xf32>, %f: tensor<1x1x8xf32>) {
  // expected-error@+1 {{expected smooth to lie between 2^-100 and 2^100 for logits of 'f32', got 1.000000e-45}}
  %r = fpa.attention
    ins(%q, %q, %q : tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>)
    field(%f : tensor<1x1x8xf32>)
    outs(%q : tensor<1x1x8x16xf32>)
    {smooth = 1.0e-45 : f64}
    -> tensor<1x1x8x16xf32>
  return
}

// -----

// [A9]: right up to the ends.
func.func @f(%q: tensor<1x1x8x16xf32>, %f: tensor<1x1x8xf32>) {
  %r = fpa.attention
    ins(%q, %q, %q : tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>)
    field(%f : tensor<1x1x8xf32>)
    outs(%q : tensor<1x1x8x16xf32>)
    {smooth = 0x4630000000000000 : f64}
    -> tensor<1x1x8x16xf32>
  %s = fpa.attention
    ins(%q, %q, %q : tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>)
    field(%f : tensor<1x1x8xf32>)
    outs(%q : tensor<1x1x8x16xf32>)
    {smooth = 0x39B0000000000000 : f64}
    -> tensor<1x1x8x16xf32>
  return
}

// -----

// [A9]
func.func @f(%q: tensor<1x1x8x16xf64>, %f: tensor<1x1x8xf64>) {
  %s = fpa.attention
    ins(%q, %q, %q : tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>)
    field(%f : tensor<1x1x8xf64>)
    outs(%q : tensor<1x1x8x16xf64>)
    {smooth = 1.0e300 : f64}
    -> tensor<1x1x8x16xf64>
  // expected-error@+1 {{expected smooth to lie between 2^-1000 and 2^1000 for logits of 'f64', got 1.100000e+301}}
  %r = fpa.attention
    ins(%q, %q, %q : tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>)
    field(%f : tensor<1x1x8xf64>)
    outs(%q : tensor<1x1x8x16xf64>)
    {smooth = 1.1e301 : f64}
    -> tensor<1x1x8x16xf64>
  return
}

// -----

// [A10]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected field where level is given, got none}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    level(%l : tensor<2x2x8xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A11]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected field where non_increasing is given, got none}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    {non_increasing}
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A11]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected level tied to field where non_increasing is given, got another value}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    {non_increasing}
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A12]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %cq: tensor<3xi64>, %ck: tensor<3xi64>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected query dimension 0 (B) of size 1 where cu_seqlens_q is given, got 2}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    cu_seqlens(%cq, %ck : tensor<3xi64>, tensor<3xi64>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A12]
func.func @f(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x32xf32>,
             %cq: tensor<0xi64>, %ck: tensor<?xi64>, %o: tensor<1x4x8x32xf32>) {
  // expected-error@+1 {{expected cu_seqlens_q dimension 0 (N + 1) of size at least 1, got 0}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x32xf32>)
    cu_seqlens(%cq, %ck : tensor<0xi64>, tensor<?xi64>)
    outs(%o : tensor<1x4x8x32xf32>)
    -> tensor<1x4x8x32xf32>
  return
}

// -----

// [A13]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected scale to be finite, got nan}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    {scale = 0x7FF8000000000000 : f64}
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A13]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected scale to be finite, got -INF}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    {scale = 0xFFF0000000000000 : f64}
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A13]: the range goes by the type of the logits.
func.func @f(%q: tensor<1x1x8x16xf64>, %p: tensor<1x1x8x16xbf16>) {
  %s = fpa.attention
    ins(%q, %q, %q : tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>)
    outs(%q : tensor<1x1x8x16xf64>)
    {scale = -1.0e300 : f64}
    -> tensor<1x1x8x16xf64>
  // expected-error@+1 {{expected scale to lie between -2^100 and 2^100 for logits of 'f32', got -1.000000e+38}}
  %r = fpa.attention
    ins(%p, %p, %p : tensor<1x1x8x16xbf16>, tensor<1x1x8x16xbf16>, tensor<1x1x8x16xbf16>)
    outs(%p : tensor<1x1x8x16xbf16>)
    {scale = -1.0e38 : f64}
    -> tensor<1x1x8x16xbf16>
  return
}

// -----

// [A13]
func.func @f(%q: tensor<2x4x8x?xf32>, %k: tensor<2x2x8x?xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected scale where query dimension 3 (D) is dynamic, got none}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x?xf32>, tensor<2x2x8x?xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A12]
func.func @f(%q: tensor<1x4x8x16xf32>, %c: tensor<3xi64>) {
  // expected-error@+1 {{expected cu_seqlens_k where cu_seqlens_q is given, got none}}
  %r = "fpa.attention"(%q, %q, %q, %c, %q)
    {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 0, 1>}
    : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<3xi64>,
       tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// [A12]
func.func @f(%q: tensor<1x4x8x16xf32>, %c: tensor<3xi64>) {
  // expected-error@+1 {{expected cu_seqlens_q where cu_seqlens_k is given, got none}}
  %r = "fpa.attention"(%q, %q, %q, %c, %q)
    {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1>}
    : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<3xi64>,
       tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// [A15]
func.func @f(%q: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{expected prune_eps to be at least 0 and below 1, got -1.000000e-03}}
  %r = fpa.attention
    ins(%q, %q, %q : tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>)
    outs(%q : tensor<1x4x8x16xf32>) {prune_eps = -1.0e-3 : f64} -> tensor<1x4x8x16xf32>
  return
}

// -----

// [A15]
func.func @f(%q: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{expected prune_eps to be at least 0 and below 1, got 1.000000e+00}}
  %r = fpa.attention
    ins(%q, %q, %q : tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>)
    outs(%q : tensor<1x4x8x16xf32>) {prune_eps = 1.0 : f64} -> tensor<1x4x8x16xf32>
  return
}

// -----

// [A15]
func.func @f(%q: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{expected prune_eps to be at least 0 and below 1, got nan}}
  %r = fpa.attention
    ins(%q, %q, %q : tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>)
    outs(%q : tensor<1x4x8x16xf32>) {prune_eps = 0x7FF8000000000000 : f64} -> tensor<1x4x8x16xf32>
  return
}
