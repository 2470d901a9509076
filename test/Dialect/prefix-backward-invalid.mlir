// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// The tags are the rules of docs/Spec.md.

// [P2]
func.func @f(%i: tensor<4xi64>, %g: memref<4xf32>, %x: tensor<4xf32>) {
  // expected-error@+1 {{expected gradient to be a tensor like index, got 'memref<4xf32>'}}
  %r = fpa.prefix_min_backward axis(0) ins(%i, %g : tensor<4xi64>, memref<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// [P3]
func.func @f(%i: tensor<4xi64>, %g: tensor<4xf32>) {
  // expected-error@+1 {{expected axis from 0 to 0, got 1}}
  %r = fpa.prefix_min_backward axis(1) ins(%i, %g : tensor<4xi64>, tensor<4xf32>) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// [P3]
func.func @f(%i: tensor<i64>, %g: tensor<f32>) {
  // expected-error@+1 {{expected index of rank at least 1, got 'tensor<i64>'}}
  %r = fpa.prefix_min_backward axis(0) ins(%i, %g : tensor<i64>, tensor<f32>) outs(%g : tensor<f32>) -> tensor<f32>
  return
}

// -----

// [P4]
func.func @f(%i: tensor<4x?xi64>, %g: tensor<5x3xf32>, %x: tensor<4x3xf32>) {
  // expected-error@+1 {{expected gradient dimension 0 of size 4 as in index, got 5}}
  %r = fpa.prefix_min_backward axis(0) ins(%i, %g : tensor<4x?xi64>, tensor<5x3xf32>) outs(%x : tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// [P4]
func.func @f(%i: tensor<4xi64>, %g: tensor<4xf32>, %x: tensor<4x1xf32>) {
  // expected-error@+1 {{expected output of rank 1 as in index, got 'tensor<4x1xf32>'}}
  %r = fpa.prefix_min_backward axis(0) ins(%i, %g : tensor<4xi64>, tensor<4xf32>) outs(%x : tensor<4x1xf32>) -> tensor<4x1xf32>
  return
}

// -----

// [P8]
func.func @f(%i: tensor<4xi64>, %g: tensor<4xf32>) {
  // expected-error@+1 {{expected 1 out (output), got 2}}
  %r:2 = fpa.prefix_min_backward axis(0) ins(%i, %g : tensor<4xi64>, tensor<4xf32>) outs(%g, %g : tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// [P9]
func.func @f(%i: tensor<4xi32>, %g: tensor<4xf32>) {
  // expected-error@+1 {{expected index of element type 'i64', got 'i32'}}
  %r = fpa.prefix_min_backward axis(0) ins(%i, %g : tensor<4xi32>, tensor<4xf32>) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// [P9]
func.func @f(%i: tensor<4xi64>, %g: tensor<4xf16>) {
  // expected-error@+1 {{expected gradient of element type 'f32' or 'f64', got 'f16'}}
  %r = fpa.prefix_min_backward axis(0) ins(%i, %g : tensor<4xi64>, tensor<4xf16>) outs(%g : tensor<4xf16>) -> tensor<4xf16>
  return
}

// -----

// [P9]
func.func @f(%i: tensor<4xi64>, %g: tensor<4xf32>, %x: tensor<4xf64>) {
  // expected-error@+1 {{expected output of element type 'f32', got 'f64'}}
  %r = fpa.prefix_min_backward axis(0) ins(%i, %g : tensor<4xi64>, tensor<4xf32>) outs(%x : tensor<4xf64>) -> tensor<4xf64>
  return
}
