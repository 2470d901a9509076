// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// The tags are the rules of docs/Spec.md.

// [K1]
func.func @f(%n: index, %f: tensor<8xi64>) {
  // expected-error@+1 {{expected 2 outs (first, last), got 1}}
  %r = fpa.key_intervals key_length(%n) outs(%f : tensor<8xi64>) -> tensor<8xi64>
  return
}

// -----

// [K2]
func.func @f(%n: index, %f: tensor<8xi64>, %l: memref<8xi64>) {
  // expected-error@+1 {{expected last to be a tensor like first, got 'memref<8xi64>'}}
  %r = fpa.key_intervals key_length(%n)
    outs(%f, %l : tensor<8xi64>, memref<8xi64>)
    -> tensor<8xi64>
  return
}

// -----

// [K2]
func.func @f(%n: index, %f: tensor<1x8xi64>, %l: tensor<8xi64>) {
  // expected-error@+1 {{expected first of rank 1 (Lq), got 'tensor<1x8xi64>'}}
  %r:2 = fpa.key_intervals key_length(%n)
    outs(%f, %l : tensor<1x8xi64>, tensor<8xi64>)
    -> tensor<1x8xi64>, tensor<8xi64>
  return
}

// -----

// [K2]
func.func @f(%n: index, %f: tensor<8xi64>, %l: tensor<i64>) {
  // expected-error@+1 {{expected last of rank 1 (Lq), got 'tensor<i64>'}}
  %r:2 = fpa.key_intervals key_length(%n)
    outs(%f, %l : tensor<8xi64>, tensor<i64>)
    -> tensor<8xi64>, tensor<i64>
  return
}

// -----

// [K2]
func.func @f(%n: index, %f: tensor<8xindex>, %l: tensor<8xi64>) {
  // expected-error@+1 {{expected first of element type 'i64', got 'index'}}
  %r:2 = fpa.key_intervals key_length(%n)
    outs(%f, %l : tensor<8xindex>, tensor<8xi64>)
    -> tensor<8xindex>, tensor<8xi64>
  return
}

// -----

// [K2]
func.func @f(%n: index, %f: tensor<8xi64>, %l: tensor<7xi64>) {
  // expected-error@+1 {{expected last dimension 0 (Lq) of size 8 as in first, got 7}}
  %r:2 = fpa.key_intervals key_length(%n)
    outs(%f, %l : tensor<8xi64>, tensor<7xi64>)
    -> tensor<8xi64>, tensor<7xi64>
  return
}

// -----

// [K2]
func.func @f(%n: index, %cq: tensor<1x3xi64>, %ck: tensor<3xi64>, %f: tensor<8xi64>,
             %l: tensor<8xi64>) {
  // expected-error@+1 {{expected cu_seqlens_q of rank 1 (N + 1), got 'tensor<1x3xi64>'}}
  %r:2 = fpa.key_intervals key_length(%n)
    cu_seqlens(%cq, %ck : tensor<1x3xi64>, tensor<3xi64>)
    outs(%f, %l : tensor<8xi64>, tensor<8xi64>)
    -> tensor<8xi64>, tensor<8xi64>
  return
}

// -----

// [K2]
func.func @f(%n: index, %cq: tensor<3xi64>, %ck: tensor<3xi32>, %f: tensor<8xi64>,
             %l: tensor<8xi64>) {
  // expected-error@+1 {{expected cu_seqlens_k of element type 'i64', got 'i32'}}
  %r:2 = fpa.key_intervals key_length(%n)
    cu_seqlens(%cq, %ck : tensor<3xi64>, tensor<3xi32>)
    outs(%f, %l : tensor<8xi64>, tensor<8xi64>)
    -> tensor<8xi64>, tensor<8xi64>
  return
}

// -----

// [K2]
func.func @f(%n: index, %cq: tensor<3xi64>, %ck: tensor<2xi64>, %f: tensor<8xi64>,
             %l: tensor<8xi64>) {
  // expected-error@+1 {{expected cu_seqlens_k dimension 0 (N + 1) of size 3 as in cu_seqlens_q, got 2}}
  %r:2 = fpa.key_intervals key_length(%n)
    cu_seqlens(%cq, %ck : tensor<3xi64>, tensor<2xi64>)
    outs(%f, %l : tensor<8xi64>, tensor<8xi64>)
    -> tensor<8xi64>, tensor<8xi64>
  return
}

// -----

// [K3]
func.func @f(%n: index, %f: tensor<8xi64>, %c: tensor<3xi64>) {
  // expected-error@+1 {{expected cu_seqlens_k where cu_seqlens_q is given, got none}}
  %r:2 = "fpa.key_intervals"(%n, %c, %f, %f) {operandSegmentSizes = array<i32: 1, 1, 0, 2>}
    : (index, tensor<3xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>)
  return
}

// -----

// [K3]
func.func @f(%n: index, %cq: tensor<0xi64>, %ck: tensor<0xi64>, %f: tensor<8xi64>,
             %l: tensor<8xi64>) {
  // expected-error@+1 {{expected cu_seqlens_q dimension 0 (N + 1) of size at least 1, got 0}}
  %r:2 = fpa.key_intervals key_length(%n)
    cu_seqlens(%cq, %ck : tensor<0xi64>, tensor<0xi64>)
    outs(%f, %l : tensor<8xi64>, tensor<8xi64>)
    -> tensor<8xi64>, tensor<8xi64>
  return
}

// -----

// [K4]
func.func @f(%n: index, %f: tensor<8xi64>, %l: tensor<8xi64>) {
  // expected-error@+1 {{expected window of at least 1 key, got -1}}
  %r:2 = fpa.key_intervals key_length(%n)
    outs(%f, %l : tensor<8xi64>, tensor<8xi64>) {window = -1 : i64}
    -> tensor<8xi64>, tensor<8xi64>
  return
}

// -----

// [K5]
func.func @f(%n: index, %f: tensor<8xi64>, %l: tensor<8xi64>) {
  // expected-error@+1 {{expected the number of tensor results (1) to be equal to the number of output tensors (2)}}
  %r = fpa.key_intervals key_length(%n)
    outs(%f, %l : tensor<8xi64>, tensor<8xi64>)
    -> tensor<8xi64>
  return
}
