// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// The tags are the rules of docs/Spec.md.

// [E1]
func.func @f(%f: tensor<1x2x8xf32>, %o0: tensor<1x2x8xf32>, %o1: tensor<1x2xi64>) {
  // expected-error@+1 {{expected 3 outs (penalty, count, order), got 2}}
  %r:2 = fpa.live_keys field(%f : tensor<1x2x8xf32>)
    outs(%o0, %o1 : tensor<1x2x8xf32>, tensor<1x2xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x8xf32>, tensor<1x2xi64>
  return
}

// -----

// [E2]
func.func @f(%f: tensor<1x2x8xf32>, %o0: tensor<1x2x8xf32>, %o1: memref<1x2xi64>, %o2: tensor<1x2x8xi64>) {
  // expected-error@+1 {{expected count to be a tensor like field, got 'memref<1x2xi64>'}}
  %r:2 = fpa.live_keys field(%f : tensor<1x2x8xf32>)
    outs(%o0, %o1, %o2 : tensor<1x2x8xf32>, memref<1x2xi64>, tensor<1x2x8xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x8xf32>, tensor<1x2x8xi64>
  return
}

// -----

// [E2]
func.func @f(%f: tensor<2x8xf32>, %o0: tensor<1x2x8xf32>, %o1: tensor<1x2xi64>, %o2: tensor<1x2x8xi64>) {
  // expected-error@+1 {{expected field of rank 3 (B x HF x Lk), got 'tensor<2x8xf32>'}}
  %r:3 = fpa.live_keys field(%f : tensor<2x8xf32>)
    outs(%o0, %o1, %o2 : tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>
  return
}

// -----

// [E2]
func.func @f(%f: tensor<1x2x8xf32>, %o0: tensor<1x2x8xf32>, %o1: tensor<1x3xi64>, %o2: tensor<1x2x8xi64>) {
  // expected-error@+1 {{expected count dimension 1 (HF) of size 2 as in field, got 3}}
  %r:3 = fpa.live_keys field(%f : tensor<1x2x8xf32>)
    outs(%o0, %o1, %o2 : tensor<1x2x8xf32>, tensor<1x3xi64>, tensor<1x2x8xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x8xf32>, tensor<1x3xi64>, tensor<1x2x8xi64>
  return
}

// -----

// [E2]
func.func @f(%f: tensor<1x2x8xf32>, %o0: tensor<1x2x8xf32>, %o1: tensor<1x2xi64>, %o2: tensor<1x2x9xi64>) {
  // expected-error@+1 {{expected order dimension 2 (Lk) of size 8 as in field, got 9}}
  %r:3 = fpa.live_keys field(%f : tensor<1x2x8xf32>)
    outs(%o0, %o1, %o2 : tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x9xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x9xi64>
  return
}

// -----

// [E2]
func.func @f(%f: tensor<1x2x8xf32>, %l: tensor<1x2x7xf32>, %o0: tensor<1x2x8xf32>, %o1: tensor<1x2xi64>, %o2: tensor<1x2x8xi64>) {
  // expected-error@+1 {{expected level dimension 2 (Lk) of size 8 as in field, got 7}}
  %r:3 = fpa.live_keys field(%f : tensor<1x2x8xf32>) level(%l : tensor<1x2x7xf32>)
    outs(%o0, %o1, %o2 : tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>
  return
}

// -----

// [E3]
func.func @f(%f: tensor<1x2x8xf16>, %o0: tensor<1x2x8xf32>, %o1: tensor<1x2xi64>, %o2: tensor<1x2x8xi64>) {
  // expected-error@+1 {{expected field of element type 'f32' or 'f64', got 'f16'}}
  %r:3 = fpa.live_keys field(%f : tensor<1x2x8xf16>)
    outs(%o0, %o1, %o2 : tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>
  return
}

// -----

// [E3]
func.func @f(%f: tensor<1x2x8xf32>, %l: tensor<1x2x8xf64>, %o0: tensor<1x2x8xf32>, %o1: tensor<1x2xi64>, %o2: tensor<1x2x8xi64>) {
  // expected-error@+1 {{expected level of element type 'f32', got 'f64'}}
  %r:3 = fpa.live_keys field(%f : tensor<1x2x8xf32>) level(%l : tensor<1x2x8xf64>)
    outs(%o0, %o1, %o2 : tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>
  return
}

// -----

// [E3]
func.func @f(%f: tensor<1x2x8xf32>, %o0: tensor<1x2x8xf32>, %o1: tensor<1x2xi32>, %o2: tensor<1x2x8xi64>) {
  // expected-error@+1 {{expected count of element type 'i64', got 'i32'}}
  %r:3 = fpa.live_keys field(%f : tensor<1x2x8xf32>)
    outs(%o0, %o1, %o2 : tensor<1x2x8xf32>, tensor<1x2xi32>, tensor<1x2x8xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x8xf32>, tensor<1x2xi32>, tensor<1x2x8xi64>
  return
}

// -----

// [E4]
func.func @f(%f: tensor<1x2x8xf32>, %o0: tensor<1x2x8xf32>, %o1: tensor<1x2xi64>, %o2: tensor<1x2x8xi64>) {
  // expected-error@+1 {{expected the number of tensor results (2) to be equal to the number of output tensors (3)}}
  %r:2 = fpa.live_keys field(%f : tensor<1x2x8xf32>)
    outs(%o0, %o1, %o2 : tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x8xf32>, tensor<1x2xi64>
  return
}

// -----

// [E5]
func.func @f(%f: tensor<1x2x8xf32>, %o0: tensor<1x2x8xf32>, %o1: tensor<1x2xi64>, %o2: tensor<1x2x8xi64>) {
  // expected-error@+1 {{expected evict_above to be at least 0, got -1}}
  %r:3 = fpa.live_keys field(%f : tensor<1x2x8xf32>)
    outs(%o0, %o1, %o2 : tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>) {evict_above = -1.0 : f64}
    -> tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>
  return
}

// -----

// [E5]
func.func @f(%f: tensor<1x2x8xf32>, %o0: tensor<1x2x8xf32>, %o1: tensor<1x2xi64>, %o2: tensor<1x2x8xi64>) {
  // expected-error@+1 {{expected evict_above to be at least 0, got nan}}
  %r:3 = fpa.live_keys field(%f : tensor<1x2x8xf32>)
    outs(%o0, %o1, %o2 : tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>) {evict_above = 0x7FF8000000000000 : f64}
    -> tensor<1x2x8xf32>, tensor<1x2xi64>, tensor<1x2x8xi64>
  return
}
