// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.attention: number, kind and rank of its operands.
// The tags are the rules of docs/Spec.md.

// [A1]
func.func @f(%q: tensor<*xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected query to be a ranked tensor or memref, got 'tensor<*xf32>'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<*xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A1]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: vector<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected value to be a ranked tensor or memref, got 'vector<2x2x8x32xf32>'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, vector<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A1]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: memref<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected key to be a tensor like query, got 'memref<2x2x8x16xf32>'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, memref<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A1]
func.func @f(%q: memref<2x4x8x16xf32>, %k: memref<2x2x8x16xf32>, %v: memref<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %o: memref<2x4x8x32xf32>) {
  // expected-error@+1 {{expected field to be a memref like query, got 'tensor<2x2x8xf32>'}}
  fpa.attention
    ins(%q, %k, %v : memref<2x4x8x16xf32>, memref<2x2x8x16xf32>, memref<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    outs(%o : memref<2x4x8x32xf32>)
  return
}

// -----

// [A1]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: memref<2x4x8x32xf32>) {
  // expected-error@+1 {{expected output to be a tensor like query, got 'memref<2x4x8x32xf32>'}}
  fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : memref<2x4x8x32xf32>)
  return
}

// -----

// [A2]
func.func @f(%q: tensor<4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected query of rank 4 (B x HQ x Lq x D), got 'tensor<4x8x16xf32>'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A2]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<f32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected key of rank 4 (B x HK x Lk x D), got 'tensor<f32>'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<f32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A2]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32x1xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected value of rank 4 (B x HK x Lk x Dv), got 'tensor<2x2x8x32x1xf32>'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32x1xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A2]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8x1xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected field of rank 3 (B x HF x Lk), got 'tensor<2x2x8x1xf32>'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8x1xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A2]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<8xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected level of rank 3 (B x HF x Lk), got 'tensor<8xf32>'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<8xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A2]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %cq: tensor<2x3xi64>, %ck: tensor<3xi64>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected cu_seqlens_q of rank 1 (N + 1), got 'tensor<2x3xi64>'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    cu_seqlens(%cq, %ck : tensor<2x3xi64>, tensor<3xi64>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A2]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %cq: tensor<3xi64>, %ck: tensor<i64>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected cu_seqlens_k of rank 1 (N + 1), got 'tensor<i64>'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    cu_seqlens(%cq, %ck : tensor<3xi64>, tensor<i64>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A2]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8xf32>) {
  // expected-error@+1 {{expected output of rank 4 (B x HQ x Lq x Dv), got 'tensor<2x4x8xf32>'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8xf32>)
    -> tensor<2x4x8xf32>
  return
}

// -----

// [A2]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>, %lse: tensor<2x4x8x1xf32>) {
  // expected-error@+1 {{expected lse of rank 3 (B x HQ x Lq), got 'tensor<2x4x8x1xf32>'}}
  %r:2 = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8x1xf32>)
    -> tensor<2x4x8x32xf32>, tensor<2x4x8x1xf32>
  return
}

// -----

// [A3]
func.func @f(%q: tensor<2x4x8x16xf32>) {
  // expected-error@+1 {{expected 1, 2, 3 or 5 outs (output, lse, dropped, skipped, ended), got 0}}
  "fpa.attention"(%q, %q, %q) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0>}
    : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> ()
  return
}

// -----

// [A3]
func.func @f(%q: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %n: tensor<2x4x8xi64>) {
  // expected-error@+1 {{expected 1, 2, 3 or 5 outs (output, lse, dropped, skipped, ended), got 4}}
  %r:4 = fpa.attention
    ins(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    outs(%q, %l, %l, %n : tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    {prune_eps = 0.5} -> tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xi64>
  return
}

// -----

// [A4]
func.func @f(%q: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %n: tensor<2x4x8xi64>) {
  // expected-error@+1 {{expected ended of element type 'i64', got 'f32'}}
  %r:5 = "fpa.attention"(%q, %q, %q, %q, %l, %l, %n, %l)
    {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 5>, prune_eps = 0.5 : f64}
    : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>,
       tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xi64>, tensor<2x4x8xf32>)
    -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xi64>, tensor<2x4x8xf32>)
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %d: tensor<2x4x9xf32>) {
  // expected-error@+1 {{expected dropped dimension 2 (Lq) of size 8}}
  %r:3 = fpa.attention
    ins(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    outs(%q, %l, %d : tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x9xf32>)
    {prune_eps = 0.5} -> tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x9xf32>
  return
}

// -----

// [A16]
func.func @f(%q: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>) {
  // expected-error@+1 {{expected prune_eps where dropped is wanted, got none}}
  %r:3 = fpa.attention
    ins(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    outs(%q, %l, %l : tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  return
}
