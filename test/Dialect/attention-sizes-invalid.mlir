// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.attention: sizes that operands share.
// The tags are the rules of docs/Spec.md.

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
func.func @f(%q: tensor<2x4x8x0xf32>, %k: tensor<2x2x8x0xf32>, %v: tensor<2x2x8x32xf32>,
             %o: tensor<2x4x8x32xf32>) {
  // expected-error@+1 {{expected query dimension 3 (D) of size at least 1, got 0}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x0xf32>, tensor<2x2x8x0xf32>, tensor<2x2x8x32xf32>)
    outs(%o : tensor<2x4x8x32xf32>) {scale = 1.0 : f64}
    -> tensor<2x4x8x32xf32>
  return
}

// -----

// [A6]
func.func @f(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x0xf32>,
             %o: tensor<2x4x8x?xf32>) {
  // expected-error@+1 {{expected value dimension 3 (Dv) of size at least 1, got 0}}
  %r = fpa.attention
    ins(%q, %k, %v : tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x0xf32>)
    outs(%o : tensor<2x4x8x?xf32>)
    -> tensor<2x4x8x?xf32>
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
