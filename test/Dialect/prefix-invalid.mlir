// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// The tags are the rules of docs/Spec.md.

// [P1]
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected 1 or 2 outs (output, index), got 0}}
  "fpa.prefix_min"(%x) {axis = 0 : i64} : (tensor<4xf32>) -> ()
  return
}

// -----

// [P1]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4x8xi64>, %o2: tensor<4x8xi64>)
             {
  // expected-error@+1 {{expected 1 or 2 outs (output, index), got 3}}
  %r:3 = fpa.prefix_min axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4x8xi64>, tensor<4x8xi64>)
    -> tensor<4x8xf32>, tensor<4x8xi64>, tensor<4x8xi64>
  return
}

// -----

// [P1]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4x8xi64>) {
  // expected-error@+1 {{expected 1 out (output), got 2}}
  %r:2 = fpa.prefix_sum axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0, %o1 : tensor<4x8xf32>, tensor<4x8xi64>)
    -> tensor<4x8xf32>, tensor<4x8xi64>
  return
}

// -----

// [P2]
func.func @f(%x: tensor<*xf32>, %o0: tensor<4x8xf32>) {
  // expected-error@+1 {{expected input to be a ranked tensor or memref, got 'tensor<*xf32>'}}
  %r = fpa.prefix_min axis(1) ins(%x : tensor<*xf32>)
    outs(%o0 : tensor<4x8xf32>)
    -> tensor<4x8xf32>
  return
}

// -----

// [P2]
func.func @f(%x: vector<4x8xf32>, %o0: tensor<4x8xf32>) {
  // expected-error@+1 {{expected input to be a ranked tensor or memref, got 'vector<4x8xf32>'}}
  %r = fpa.prefix_min axis(1) ins(%x : vector<4x8xf32>)
    outs(%o0 : tensor<4x8xf32>)
    -> tensor<4x8xf32>
  return
}

// -----

// [P2]
func.func @f(%x: tensor<4x8xf32>, %o0: memref<4x8xf32>) {
  // expected-error@+1 {{expected output to be a tensor like input, got 'memref<4x8xf32>'}}
  fpa.prefix_min axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0 : memref<4x8xf32>)
  return
}

// -----

// [P2]
func.func @f(%x: memref<4x8xf32>, %o0: tensor<4x8xf32>) {
  // expected-error@+1 {{expected output to be a memref like input, got 'tensor<4x8xf32>'}}
  %r = fpa.prefix_min axis(1) ins(%x : memref<4x8xf32>)
    outs(%o0 : tensor<4x8xf32>)
    -> tensor<4x8xf32>
  return
}

// -----

// [P2]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>, %o1: memref<4x8xi64>) {
  // expected-error@+1 {{expected index to be a tensor like input, got 'memref<4x8xi64>'}}
  %r = fpa.prefix_min axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0, %o1 : tensor<4x8xf32>, memref<4x8xi64>)
    -> tensor<4x8xf32>
  return
}

// -----

// [P3]
func.func @f(%x: tensor<f32>, %o0: tensor<f32>) {
  // expected-error@+1 {{expected input of rank at least 1, got 'tensor<f32>'}}
  %r = fpa.prefix_min axis(0) ins(%x : tensor<f32>)
    outs(%o0 : tensor<f32>)
    -> tensor<f32>
  return
}

// -----

// [P3]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>) {
  // expected-error@+1 {{expected axis from 0 to 1, got 2}}
  %r = fpa.prefix_min axis(2) ins(%x : tensor<4x8xf32>)
    outs(%o0 : tensor<4x8xf32>)
    -> tensor<4x8xf32>
  return
}

// -----

// [P3]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>) {
  // expected-error@+1 {{expected axis from 0 to 1, got -1}}
  %r = fpa.prefix_min axis(-1) ins(%x : tensor<4x8xf32>)
    outs(%o0 : tensor<4x8xf32>)
    -> tensor<4x8xf32>
  return
}

// -----

// [P3]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>) {
  // expected-error@+1 {{expected axis from 0 to 1, got 9}}
  %r = fpa.prefix_sum axis(9) ins(%x : tensor<4x8xf32>)
    outs(%o0 : tensor<4x8xf32>)
    -> tensor<4x8xf32>
  return
}

// -----

// [P4]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<8xf32>) {
  // expected-error@+1 {{expected output of rank 2 as in input, got 'tensor<8xf32>'}}
  %r = fpa.prefix_min axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0 : tensor<8xf32>)
    -> tensor<8xf32>
  return
}

// -----

// [P4]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4x8x1xi64>) {
  // expected-error@+1 {{expected index of rank 2 as in input, got 'tensor<4x8x1xi64>'}}
  %r:2 = fpa.prefix_min axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0, %o1 : tensor<4x8xf32>, tensor<4x8x1xi64>)
    -> tensor<4x8xf32>, tensor<4x8x1xi64>
  return
}

// -----

// [P4]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<?x9xf32>) {
  // expected-error@+1 {{expected output dimension 1 of size 8 as in input, got 9}}
  %r = fpa.prefix_min axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0 : tensor<?x9xf32>)
    -> tensor<?x9xf32>
  return
}

// -----

// [P4]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>, %o1: tensor<5x?xi64>) {
  // expected-error@+1 {{expected index dimension 0 of size 4 as in input, got 5}}
  %r:2 = fpa.prefix_min axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0, %o1 : tensor<4x8xf32>, tensor<5x?xi64>)
    -> tensor<4x8xf32>, tensor<5x?xi64>
  return
}

// -----

// [P5]
func.func @f(%x: tensor<4x8xi32>, %o0: tensor<4x8xi32>) {
  // expected-error@+1 {{expected input of element type 'f16', 'bf16', 'f32' or 'f64', got 'i32'}}
  %r = fpa.prefix_min axis(1) ins(%x : tensor<4x8xi32>)
    outs(%o0 : tensor<4x8xi32>)
    -> tensor<4x8xi32>
  return
}

// -----

// [P5]
func.func @f(%x: tensor<4x8xf16>, %o0: tensor<4x8xf16>) {
  // expected-error@+1 {{expected input of element type 'f32' or 'f64', got 'f16'}}
  %r = fpa.prefix_sum axis(1) ins(%x : tensor<4x8xf16>)
    outs(%o0 : tensor<4x8xf16>)
    -> tensor<4x8xf16>
  return
}

// -----

// [P5]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf64>) {
  // expected-error@+1 {{expected output of element type 'f32', got 'f64'}}
  %r = fpa.prefix_min axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0 : tensor<4x8xf64>)
    -> tensor<4x8xf64>
  return
}

// -----

// [P5]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4x8xi32>) {
  // expected-error@+1 {{expected index of element type 'i64', got 'i32'}}
  %r:2 = fpa.prefix_min axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0, %o1 : tensor<4x8xf32>, tensor<4x8xi32>)
    -> tensor<4x8xf32>, tensor<4x8xi32>
  return
}

// -----

// [P6]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>) {
  // expected-error@+1 {{expected segment of at least 1 element, got 0}}
  %r = fpa.prefix_min axis(1) segment(0) ins(%x : tensor<4x8xf32>)
    outs(%o0 : tensor<4x8xf32>)
    -> tensor<4x8xf32>
  return
}

// -----

// [P6]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>) {
  // expected-error@+1 {{expected segment of at least 1 element, got -4}}
  %r = fpa.prefix_sum axis(1) segment(-4) ins(%x : tensor<4x8xf32>)
    outs(%o0 : tensor<4x8xf32>)
    -> tensor<4x8xf32>
  return
}

// -----

// [P7]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>) {
  // expected-error@+1 {{expected the number of tensor results (2) to be equal to the number of output tensors (1)}}
  %r:2 = fpa.prefix_min axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0 : tensor<4x8xf32>)
    -> tensor<4x8xf32>, tensor<4x8xi64>
  return
}

// -----

// [P7]
func.func @f(%x: memref<4x8xf32>, %o0: memref<4x8xf32>) {
  // expected-error@+1 {{expected the number of tensor results (1) to be equal to the number of output tensors (0)}}
  %r = fpa.prefix_min axis(1) ins(%x : memref<4x8xf32>)
    outs(%o0 : memref<4x8xf32>)
    -> tensor<4x8xf32>
  return
}

// -----

// [P7]
func.func @f(%x: tensor<4x8xf32>, %o0: tensor<4x8xf32>) {
  // expected-error@+1 {{expected type of operand #1 ('tensor<4x8xf32>') to match type of corresponding result ('tensor<4x?xf32>')}}
  %r = fpa.prefix_min axis(1) ins(%x : tensor<4x8xf32>)
    outs(%o0 : tensor<4x8xf32>)
    -> tensor<4x?xf32>
  return
}
