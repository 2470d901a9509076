// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.pass_field: everything that it refuses.
// The tags are the rules of docs/Spec.md.

// [G1]
func.func @f(%f: tensor<256xf32>, %r: tensor<48xf32>) {
  // expected-error@+1 {{expected 1 or 2 outs (minimum, copy), got 3}}
  %x:3 = fpa.pass_field field(%f : tensor<256xf32>)
    outs(%r, %r, %r : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    -> tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [G2]
func.func @f(%f: vector<256xf32>, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected field to be a ranked tensor or memref, got 'vector<256xf32>'}}
  %x = fpa.pass_field field(%f : vector<256xf32>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf32>, %s: memref<256xf32>, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected suffix to be a tensor like field, got 'memref<256xf32>'}}
  %x = fpa.pass_field field(%f : tensor<256xf32>) suffix(%s : memref<256xf32>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<1x256xf32>, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected field of rank 1 (N), got 'tensor<1x256xf32>'}}
  %x = fpa.pass_field field(%f : tensor<1x256xf32>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf32>, %s: tensor<256x1xf32>, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected suffix of rank 1 (N), got 'tensor<256x1xf32>'}}
  %x = fpa.pass_field field(%f : tensor<256xf32>) suffix(%s : tensor<256x1xf32>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf32>, %last: tensor<i64>, %at: index, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected last of rank 1 (M), got 'tensor<i64>'}}
  %x = fpa.pass_field field(%f : tensor<256xf32>) interval(%last at %at : tensor<i64>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf32>, %r0: tensor<48x1xf32>) {
  // expected-error@+1 {{expected minimum of rank 1 (S), got 'tensor<48x1xf32>'}}
  %x = fpa.pass_field field(%f : tensor<256xf32>)
    outs(%r0 : tensor<48x1xf32>) -> tensor<48x1xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf32>, %r0: tensor<48xf32>, %c0: tensor<1x48xf32>) {
  // expected-error@+1 {{expected copy of rank 1 (S), got 'tensor<1x48xf32>'}}
  %x:2 = fpa.pass_field field(%f : tensor<256xf32>)
    outs(%r0, %c0 : tensor<48xf32>, tensor<1x48xf32>) -> tensor<48xf32>, tensor<1x48xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf16>, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected field of element type 'f32' or 'f64', got 'f16'}}
  %x = fpa.pass_field field(%f : tensor<256xf16>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf32>, %s: tensor<256xf64>, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected suffix of element type 'f32', got 'f64'}}
  %x = fpa.pass_field field(%f : tensor<256xf32>) suffix(%s : tensor<256xf64>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf32>, %last: tensor<48xi32>, %at: index, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected last of element type 'i64', got 'i32'}}
  %x = fpa.pass_field field(%f : tensor<256xf32>) interval(%last at %at : tensor<48xi32>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf64>, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected minimum of element type 'f64', got 'f32'}}
  %x = fpa.pass_field field(%f : tensor<256xf64>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf32>, %r0: tensor<48xf32>, %c0: tensor<48xf64>) {
  // expected-error@+1 {{expected copy of element type 'f32', got 'f64'}}
  %x:2 = fpa.pass_field field(%f : tensor<256xf32>)
    outs(%r0, %c0 : tensor<48xf32>, tensor<48xf64>) -> tensor<48xf32>, tensor<48xf64>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf32>, %r0: tensor<48xf32>, %c0: tensor<47xf32>) {
  // expected-error@+1 {{expected copy dimension 0 (S) of size 48 as in minimum, got 47}}
  %x:2 = fpa.pass_field field(%f : tensor<256xf32>)
    outs(%r0, %c0 : tensor<48xf32>, tensor<47xf32>) -> tensor<48xf32>, tensor<47xf32>
  return
}

// -----

// [G2]
func.func @f(%f: tensor<256xf32>, %s: tensor<255xf32>, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected suffix dimension 0 (N) of size 256 as in field, got 255}}
  %x = fpa.pass_field field(%f : tensor<256xf32>) suffix(%s : tensor<255xf32>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G3]
func.func @f(%f: tensor<256xf32>, %last: tensor<49xi64>, %at: index, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected minimum dimension 0 (S) of size at least 49, got 48}}
  %x = fpa.pass_field field(%f : tensor<256xf32>) interval(%last at %at : tensor<49xi64>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G4]
func.func @f(%f: tensor<256xf32>, %last: tensor<48xi64>, %r: tensor<48xf32>) {
  // expected-error@+1 {{expected key_offset where last is given, got none}}
  %x = "fpa.pass_field"(%f, %last, %r) {operandSegmentSizes = array<i32: 1, 0, 1, 0, 1>}
    : (tensor<256xf32>, tensor<48xi64>, tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G4]
func.func @f(%f: tensor<256xf32>, %at: index, %r: tensor<48xf32>) {
  // expected-error@+1 {{expected last where key_offset is given, got none}}
  %x = "fpa.pass_field"(%f, %at, %r) {operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>}
    : (tensor<256xf32>, index, tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G12]
func.func @f(%f: tensor<256xf32>, %r0: tensor<48xf32>) {
  // expected-error@+1 {{expected type of operand #1 ('tensor<48xf32>') to match type of corresponding result ('tensor<?xf32>')}}
  %x = fpa.pass_field field(%f : tensor<256xf32>)
    outs(%r0 : tensor<48xf32>) -> tensor<?xf32>
  return
}
