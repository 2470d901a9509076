// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.attention: element types, and the types of its results.
// The tags are the rules of docs/Spec.md.

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
