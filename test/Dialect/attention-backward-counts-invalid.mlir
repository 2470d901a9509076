// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.attention_backward with counts: how many outs there are, and of which types.
// The tags are the rules of docs/Spec.md.

// [B7]
func.func @f(%q: tensor<2x4x8x16xf32>, %f: tensor<2x4x8xf32>, %n: tensor<2x4x8xi64>, %m: tensor<2x4x7xi64>) {
  // expected-error@+1 {{expected 5 to 7 outs (gradients of query, key, value, field, level, then skipped, ended), got 4}}
  %r:4 = fpa.attention_backward
    ins(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    field(%f : tensor<2x4x8xf32>)
    saved(%q, %f : tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    gradient(%q : tensor<2x4x8x16xf32>)
    outs(%q, %q, %q, %f : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    {prune_eps = 1.0e-3 : f64, counts} -> tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

// [B7]
func.func @f(%q: tensor<2x4x8x16xf32>, %f: tensor<2x4x8xf32>, %n: tensor<2x4x8xi64>, %m: tensor<2x4x7xi64>) {
  // expected-error@+1 {{expected prune_eps where counts are wanted, got none}}
  %r:5 = fpa.attention_backward
    ins(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    field(%f : tensor<2x4x8xf32>)
    saved(%q, %f : tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    gradient(%q : tensor<2x4x8x16xf32>)
    outs(%q, %q, %q, %n, %n : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xi64>, tensor<2x4x8xi64>)
    {counts} -> tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xi64>, tensor<2x4x8xi64>
  return
}

// -----

// [B7]
func.func @f(%q: tensor<2x4x8x16xf32>, %f: tensor<2x4x8xf32>, %n: tensor<2x4x8xi64>, %m: tensor<2x4x7xi64>) {
  // expected-error@+1 {{expected ended of element type 'i64', got 'f32'}}
  %r:5 = fpa.attention_backward
    ins(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    field(%f : tensor<2x4x8xf32>)
    saved(%q, %f : tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    gradient(%q : tensor<2x4x8x16xf32>)
    outs(%q, %q, %q, %n, %f : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xi64>, tensor<2x4x8xf32>)
    {prune_eps = 1.0e-3 : f64, counts} -> tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xi64>, tensor<2x4x8xf32>
  return
}

// -----

// [B7]
func.func @f(%q: tensor<2x4x8x16xf32>, %f: tensor<2x4x8xf32>, %n: tensor<2x4x8xi64>, %m: tensor<2x4x7xi64>) {
  // expected-error@+1 {{expected ended dimension 2 (Lq)}}
  %r:6 = fpa.attention_backward
    ins(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    field(%f : tensor<2x4x8xf32>)
    saved(%q, %f : tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    gradient(%q : tensor<2x4x8x16xf32>)
    outs(%q, %q, %q, %f, %n, %m : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xi64>, tensor<2x4x7xi64>)
    {prune_eps = 1.0e-3 : f64, counts} -> tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xi64>, tensor<2x4x7xi64>
  return
}

// -----

// [B2]
func.func @f(%q: tensor<2x4x8x16xf32>, %f: tensor<2x4x8xf32>, %n: tensor<2x4x8xi64>, %m: tensor<2x4x7xi64>) {
  // expected-error@+1 {{expected 3 or 4 outs where no level is given, got 5}}
  %r:7 = fpa.attention_backward
    ins(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    field(%f : tensor<2x4x8xf32>)
    saved(%q, %f : tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    gradient(%q : tensor<2x4x8x16xf32>)
    outs(%q, %q, %q, %f, %f, %n, %n : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xi64>, tensor<2x4x8xi64>)
    {prune_eps = 1.0e-3 : f64, counts} -> tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xi64>, tensor<2x4x8xi64>
  return
}
