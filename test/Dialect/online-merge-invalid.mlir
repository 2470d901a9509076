// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// The tags are the rules of docs/Spec.md.

// [O12]
func.func @f(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>) {
  // expected-error@+1 {{expected 3 outs (accumulator, maximum, sum), got 2}}
  %r:2 = fpa.online_merge ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
    outs(%o0, %o1 : tensor<4x8xf32>, tensor<4xf32>)
    -> tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

// [O13]
func.func @f(%i0: tensor<4x8xf16>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error@+1 {{expected accumulator of element type 'f32' or 'f64', got 'f16'}}
  %r:3 = fpa.online_merge ins(%i0, %i1, %i2 : tensor<4x8xf16>, tensor<4xf32>, tensor<4xf32>)
    outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
    -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// [O13]
func.func @f(%i0: tensor<4x8xf32>, %i1: tensor<5xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error@+1 {{expected maximum dimension 0 (S) of size 4 as in accumulator, got 5}}
  %r:3 = fpa.online_merge ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<5xf32>, tensor<4xf32>)
    outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
    -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// [O13]
func.func @f(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<4x9xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error@+1 {{expected accumulator to add to dimension 1 (Dv) of size 8 as in accumulator, got 9}}
  %r:3 = fpa.online_merge ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
    outs(%o0, %o1, %o2 : tensor<4x9xf32>, tensor<4xf32>, tensor<4xf32>)
    -> tensor<4x9xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// [O13]
func.func @f(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf64>) {
  // expected-error@+1 {{expected sum to add to of element type 'f32', got 'f64'}}
  %r:3 = fpa.online_merge ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
    outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf64>)
    -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf64>
  return
}

// -----

// [O13]
func.func @f(%i0: tensor<4x8xf32>, %i1: tensor<4x1xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error@+1 {{expected maximum of rank 1 (S), got 'tensor<4x1xf32>'}}
  %r:3 = fpa.online_merge ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4x1xf32>, tensor<4xf32>)
    outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
    -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// [O14]
func.func @f(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error@+1 {{expected the number of tensor results (0) to be equal to the number of output tensors (3)}}
  fpa.online_merge ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
    outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
