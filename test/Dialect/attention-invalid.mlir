// RUN: fpa-opt %s -verify-diagnostics -split-input-file

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

// [A4]
func.func @f(%q: tensor<2x4x8x16xi32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected query of element type 'f16', 'bf16', 'f32' or 'f64', got 'i32'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xi32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf16>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected key of element type 'f32', got 'f16'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf16>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf64>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected value of element type 'f32', got 'f64'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf64>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A4]
func.func @f(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x8x16xf16>, %v: tensor<2x2x8x32xf16>,
             %f: tensor<2x2x8xf16>, %o: tensor<2x4x8x32xf16>) {
  // expected-error@+1 {{expected field of element type 'f32', got 'f16'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x2x8x16xf16>, tensor<2x2x8x32xf16>)
    field(%f : tensor<2x2x8xf16>)
    outs(%o : tensor<2x4x8x32xf16>)
    -> tensor<2x4x8x32xf16>
  return
}

// -----

// [A4]
func.func @f(%q: tensor<2x4x8x16xf64>, %k: tensor<2x2x8x16xf64>, %v: tensor<2x2x8x32xf64>,
             %f: tensor<2x2x8xf32>, %o: tensor<2x4x8x32xf64>) {
  // expected-error@+1 {{expected field of element type 'f64', got 'f32'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf64>, tensor<2x2x8x16xf64>, tensor<2x2x8x32xf64>)
    field(%f : tensor<2x2x8xf32>)
    outs(%o : tensor<2x4x8x32xf64>)
    -> tensor<2x4x8x32xf64>
  return
}

// -----

// [A4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x8xf64>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected level of element type 'f32', got 'f64'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x8xf64>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %cq: tensor<3xi32>, %ck: tensor<3xi64>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected cu_seqlens_q of element type 'i64', got 'i32'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    cu_seqlens(%cq, %ck : tensor<3xi32>, tensor<3xi64>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %cq: tensor<3xi64>, %ck: tensor<3xi32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected cu_seqlens_k of element type 'i64', got 'i32'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    cu_seqlens(%cq, %ck : tensor<3xi64>, tensor<3xi32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf16>) {
  // expected-error@+1 {{expected output of element type 'f32', got 'f16'}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf16>)
    -> tensor<2x4x8x32xf16>
  return
}

// -----

// [A4]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>, %lse: tensor<2x4x8xf64>) {
  // expected-error@+1 {{expected lse of element type 'f32', got 'f64'}}
  %r:2 = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x8xf64>)
    -> tensor<2x4x8x32xf32>, tensor<2x4x8xf64>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<3x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected key dimension 0 (B) of size 2 as in query, got 3}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<3x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x17xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected key dimension 3 (D) of size 16 as in query, got 17}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x17xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<1x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected value dimension 0 (B) of size 2 as in query, got 1}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<1x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x4x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected value dimension 1 (HK) of size 2 as in key, got 4}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x4x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x9x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected value dimension 2 (Lk) of size 8 as in key, got 9}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x9x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<1x2x8xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected field dimension 0 (B) of size 2 as in query, got 1}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<1x2x8xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x7xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected field dimension 2 (Lk) of size 8 as in key, got 7}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x7xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x4x8xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected level dimension 1 (HF) of size 2 as in field, got 4}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x4x8xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x2x8xf32>, %l: tensor<2x2x0xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected level dimension 2 (Lk) of size 8 as in key, got 0}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x2x8xf32>)
    level(%l : tensor<2x2x0xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x32xf32>,
             %cq: tensor<3xi64>, %ck: tensor<4xi64>, %o: tensor<1x4x8x32xf32>) {
  // expected-error@+1 {{expected cu_seqlens_k dimension 0 (N + 1) of size 3 as in cu_seqlens_q, got 4}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x32xf32>)
    cu_seqlens(%cq, %ck : tensor<3xi64>, tensor<4xi64>)
    outs(%o : tensor<1x4x8x32xf32>)
    -> tensor<1x4x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<4x4x8x32xf32>) {
  // expected-error@+1 {{expected output dimension 0 (B) of size 2 as in query, got 4}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<4x4x8x32xf32>)
    -> tensor<4x4x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x2x8x32xf32>) {
  // expected-error@+1 {{expected output dimension 1 (HQ) of size 4 as in query, got 2}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x2x8x32xf32>)
    -> tensor<2x2x8x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x6x32xf32>) {
  // expected-error@+1 {{expected output dimension 2 (Lq) of size 8 as in query, got 6}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x6x32xf32>)
    -> tensor<2x4x6x32xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x16xf32>) {
  // expected-error@+1 {{expected output dimension 3 (Dv) of size 32 as in value, got 16}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x16xf32>)
    -> tensor<2x4x8x16xf32>
  return
}

// -----

// [A5]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>, %lse: tensor<2x2x8xf32>) {
  // expected-error@+1 {{expected lse dimension 1 (HQ) of size 4 as in query, got 2}}
  %r:2 = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x2x8xf32>)
    -> tensor<2x4x8x32xf32>, tensor<2x2x8xf32>
  return
}

// -----

// Sizes that the first operand leaves open still bind the others.
// [A5]
func.func @f(%q: tensor<?x?x?x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>, %lse: tensor<2x4x9xf32>) {
  // expected-error@+1 {{expected lse dimension 2 (Lq) of size 8 as in output, got 9}}
  %r:2 = fpa.attention
    ins(%q, %k, %v : tensor<?x?x?x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o, %lse : tensor<2x4x8x32xf32>, tensor<2x4x9xf32>)
    -> tensor<2x4x8x32xf32>, tensor<2x4x9xf32>
  return
}

// -----

// A batch known from the field alone.
// [A5]
func.func @f(%q: tensor<?x4x8x16xf32>, %k: tensor<?x2x8x16xf32>, %v: tensor<?x2x8x32xf32>,
             %f: tensor<3x2x8xf32>, %l: tensor<2x2x8xf32>, %o: tensor<?x4x8x32xf32>) {
  // expected-error@+1 {{expected level dimension 0 (B) of size 3 as in field, got 2}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<?x4x8x16xf32>, tensor<?x2x8x16xf32>, tensor<?x2x8x32xf32>)
    field(%f : tensor<3x2x8xf32>)
    level(%l : tensor<2x2x8xf32>)
    outs(%o : tensor<?x4x8x32xf32>)
    -> tensor<?x4x8x32xf32>
  return
}

// -----

// [A6]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x3x8x16xf32>, %v: tensor<2x3x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected query dimension 1 (HQ) to be a multiple of key dimension 1 (HK) of size 3, got 4}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x3x8x16xf32>, tensor<2x3x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A6]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x0x8x16xf32>, %v: tensor<2x0x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected key dimension 1 (HK) of size at least 1, got 0}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x0x8x16xf32>, tensor<2x0x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A7]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x1x8xf32>, %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected field dimension 1 (HF) of size 2 (HK) or 4 (HQ), got 1}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x1x8xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A7]
func.func @f(%q: tensor<2x?x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %f: tensor<2x3x8xf32>, %o: tensor<2x?x8x32xf32>) {
  // expected-error@+1 {{expected field dimension 1 (HF) of size 2 (HK) or a multiple of it (HQ), got 3}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x?x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    field(%f : tensor<2x3x8xf32>)
    outs(%o : tensor<2x?x8x32xf32>)
    -> tensor<2x?x8x32xf32>
  return
}

// -----

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

// [A13]
func.func @f(%q: tensor<2x4x8x0xf32>, %k: tensor<2x2x8x0xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected scale where query dimension 3 (D) is 0, got none}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x0xf32>, tensor<2x2x8x0xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A14]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
  return
}

// -----

// [A14]
func.func @f(%q: memref<2x4x8x16xf32>, %k: memref<2x2x8x16xf32>, %v: memref<2x2x8x32xf32>,
             %o: memref<2x4x8x32xf32>) {
  // expected-error@+1 {{expected the number of tensor results (1) to be equal to the number of output tensors (0)}}
  %r = fpa.attention
    ins(%q, %k, %v : memref<2x4x8x16xf32>, memref<2x2x8x16xf32>, memref<2x2x8x32xf32>)
    outs(%o : memref<2x4x8x32xf32>)
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A14]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected type of operand #3 ('tensor<2x4x8x32xf32>') to match type of corresponding result ('tensor<2x4x?x32xf32>')}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>)
    -> tensor<2x4x?x32xf32>
  return
}

// -----

// [A3]
func.func @f(%q: tensor<2x4x8x16xf32>) {
  // expected-error@+1 {{expected 1 or 2 outs (output, lse), got 0}}
  "fpa.attention"(%q, %q, %q) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> ()
  return
}

// -----

// [A3]
func.func @f(%q: tensor<2x4x8x16xf32>) {
  // expected-error@+1 {{expected 1 or 2 outs (output, lse), got 3}}
  %r:3 = fpa.attention
    ins(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    outs(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    -> tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>
  return
}

// -----

// [A12]
func.func @f(%q: tensor<1x4x8x16xf32>, %c: tensor<3xi64>) {
  // expected-error@+1 {{expected cu_seqlens_k where cu_seqlens_q is given, got none}}
  %r = "fpa.attention"(%q, %q, %q, %c, %q)
    {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 1>}
    : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<3xi64>,
       tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// [A12]
func.func @f(%q: tensor<1x4x8x16xf32>, %c: tensor<3xi64>) {
  // expected-error@+1 {{expected cu_seqlens_q where cu_seqlens_k is given, got none}}
  %r = "fpa.attention"(%q, %q, %q, %c, %q)
    {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1>}
    : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<3xi64>,
       tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}
