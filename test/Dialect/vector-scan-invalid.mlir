// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// The tags are the rules of docs/Spec.md.

// [V1]
func.func @f(%x: vector<f32>, %i: vector<f32>) {
  // expected-error@+1 {{expected source of rank at least 1, got 'vector<f32>'}}
  %s, %t = fpa.vector_scan <min> axis(0) %x, %i : vector<f32>, vector<f32>
  return
}

// -----

// [V1]
func.func @f(%x: vector<4x8xf32>, %i: vector<4xf32>) {
  // expected-error@+1 {{expected axis from 0 to 1, got 2}}
  %s, %t = fpa.vector_scan <min> axis(2) %x, %i : vector<4x8xf32>, vector<4xf32>
  return
}

// -----

// [V1]
func.func @f(%x: vector<4x8xf32>, %i: vector<4xf32>) {
  // expected-error@+1 {{expected axis from 0 to 1, got -1}}
  %s, %t = fpa.vector_scan <min> axis(-1) %x, %i : vector<4x8xf32>, vector<4xf32>
  return
}

// -----

// [V2]
func.func @f(%x: vector<4x8xi32>, %i: vector<4xi32>) {
  // expected-error@+1 {{expected source of element type 'f16', 'bf16', 'f32' or 'f64', got 'i32'}}
  %s, %t = fpa.vector_scan <min> axis(1) %x, %i : vector<4x8xi32>, vector<4xi32>
  return
}

// -----

// [V3]
func.func @f(%x: vector<4x8xf32>, %i: vector<8xf32>) {
  // expected-error@+1 {{expected init of the source's type without the axis, 'vector<4xf32>', got 'vector<8xf32>'}}
  %s, %t = fpa.vector_scan <min> axis(1) %x, %i : vector<4x8xf32>, vector<8xf32>
  return
}

// -----

// [V3]
func.func @f(%x: vector<4x8xf32>, %i: vector<4xf64>) {
  // expected-error@+1 {{expected init of the source's type without the axis, 'vector<4xf32>', got 'vector<4xf64>'}}
  %s, %t = fpa.vector_scan <sum> axis(1) %x, %i : vector<4x8xf32>, vector<4xf64>
  return
}

// -----

// [V3]
func.func @f(%x: vector<8xf32>, %i: vector<1xf32>) {
  // expected-error@+1 {{expected init of the source's type without the axis, 'vector<f32>', got 'vector<1xf32>'}}
  %s, %t = fpa.vector_scan <min> axis(0) %x, %i : vector<8xf32>, vector<1xf32>
  return
}

// -----

// [V3]
func.func @f(%x: vector<4x[8]xf32>, %i: vector<8xf32>) {
  // expected-error@+1 {{expected init of the source's type without the axis, 'vector<[8]xf32>', got 'vector<8xf32>'}}
  %s, %t = fpa.vector_scan <min> axis(0) %x, %i : vector<4x[8]xf32>, vector<8xf32>
  return
}

// -----

// [V4]
func.func @f(%x: vector<4x8xf32>, %i: vector<4xf32>, %r: vector<8x4xi1>) {
  // expected-error@+1 {{failed to verify that reset has the shape of source}}
  %s, %t = "fpa.vector_scan"(%x, %i, %r) {kind = #fpa.scan_kind<sum>, axis = 1 : i64}
    : (vector<4x8xf32>, vector<4xf32>, vector<8x4xi1>) -> (vector<4x8xf32>, vector<4xf32>)
  return
}

// -----

// [V4]
func.func @f(%x: vector<8xf32>, %i: vector<f32>, %r: vector<8xi8>) {
  // expected-error@+1 {{failed to verify that reset has the shape of source}}
  %s, %t = "fpa.vector_scan"(%x, %i, %r) {kind = #fpa.scan_kind<min>, axis = 0 : i64}
    : (vector<8xf32>, vector<f32>, vector<8xi8>) -> (vector<8xf32>, vector<f32>)
  return
}
