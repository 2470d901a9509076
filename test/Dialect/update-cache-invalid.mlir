// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// The tags are the rules of docs/Spec.md.

// [E13]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>) {
  // expected-error@+1 {{expected 5 or 6 outs (cached key, value, level, minimum, count, dropped), got 4}}
  %r:4 = fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>) {evict_above = 8.0 : f64}
    -> tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>
  return
}

// -----

// [E14]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: memref<1x2xi64>) {
  // expected-error@+1 {{expected count to be a tensor like key, got 'memref<1x2xi64>'}}
  %r:4 = fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, memref<1x2xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>
  return
}

// -----

// [E14]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<2x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>) {
  // expected-error@+1 {{expected cached_key dimension 0 (B) of size 1 as in key, got 2}}
  %r:5 = fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm, %n : tensor<2x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>) {evict_above = 8.0 : f64}
    -> tensor<2x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>
  return
}

// -----

// [E14]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %d: tensor<2x3xf64>) {
  // expected-error@+1 {{expected dropped of rank 3 (B x HK x 3), got 'tensor<2x3xf64>'}}
  %r:6 = fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm, %n, %d : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>, tensor<2x3xf64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>, tensor<2x3xf64>
  return
}

// -----

// [E14]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x0xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x0xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>) {
  // expected-error@+1 {{expected value dimension 3 (Dv) of size at least 1, got 0}}
  %r:5 = fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x0xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x0xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x9x8xf32>, tensor<1x2x9x0xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>
  return
}

// -----

// [E15]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %d: tensor<1x2x3xf32>) {
  // expected-error@+1 {{expected dropped of element type 'f64', got 'f32'}}
  %r:6 = fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm, %n, %d : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>, tensor<1x2x3xf32>) {evict_above = 8.0 : f64}
    -> tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>, tensor<1x2x3xf32>
  return
}

// -----

// [E15]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf64>, %n: tensor<1x2xi64>) {
  // expected-error@+1 {{expected cached_minimum of element type 'f32', got 'f64'}}
  %r:5 = fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf64>, tensor<1x2xi64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf64>, tensor<1x2xi64>
  return
}

// -----

// [E16]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %d: tensor<1x2x4xf64>) {
  // expected-error@+1 {{expected dropped dimension 2 of size 3, got 4}}
  %r:6 = fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm, %n, %d : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>, tensor<1x2x4xf64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>, tensor<1x2x4xf64>
  return
}

// -----

// [E16]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>, %d: tensor<1x2x?xf64>) {
  // expected-error@+1 {{expected dropped dimension 2 of size 3, got ?}}
  %r:6 = fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm, %n, %d : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>, tensor<1x2x?xf64>) {evict_above = 8.0 : f64}
    -> tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>, tensor<1x2x?xf64>
  return
}

// -----

// [E17]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>) {
  // expected-error@+1 {{expected the number of tensor results (0) to be equal to the number of output tensors (5)}}
  fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>) {evict_above = 8.0 : f64}
  return
}

// -----

// [E18]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>) {
  // expected-error@+1 {{expected evict_above to be at least 0, got -5.000000e-01}}
  %r:5 = fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>) {evict_above = -0.5 : f64}
    -> tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>
  return
}

// -----

// [E18]
func.func @f(%k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>, %f: tensor<1x2x2xf32>, %ck: tensor<1x2x9x8xf32>, %cv: tensor<1x2x9x6xf32>, %cl: tensor<1x2x9xf32>, %cm: tensor<1x2x9xf32>, %n: tensor<1x2xi64>) {
  // expected-error@+1 {{expected evict_above to be at least 0, got nan}}
  %r:5 = fpa.update_cache ins(%k, %v : tensor<1x2x2x8xf32>, tensor<1x2x2x6xf32>)
    field(%f : tensor<1x2x2xf32>)
    outs(%ck, %cv, %cl, %cm, %n : tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>) {evict_above = 0x7FF8000000000000 : f64}
    -> tensor<1x2x9x8xf32>, tensor<1x2x9x6xf32>, tensor<1x2x9xf32>, tensor<1x2x9xf32>, tensor<1x2xi64>
  return
}
