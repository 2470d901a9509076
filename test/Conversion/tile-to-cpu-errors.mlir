// RUN: fpa-opt %s -split-input-file -verify-diagnostics --convert-fpa-tile-to-cpu="lanes=4 registers=16"
// RUN: not fpa-opt %s -split-input-file --convert-fpa-tile-to-cpu=lanes=3 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not fpa-opt %s -split-input-file --convert-fpa-tile-to-cpu=registers=-4 2>&1 | FileCheck %s --check-prefix=REGISTERS

// LANES: error: expected option lanes to be a power of two, got 3
// REGISTERS: error: expected option registers to be at least 4, got -4

func.func @along_lanes(%x: memref<8xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t0 = arith.constant dense<0.0> : vector<f32>
  scf.forall (%i) in (2) {
    %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    // expected-error @below {{cannot be mapped to register tiles: expected a scan across lanes, got one along them}}
    %m, %t = fpa.vector_scan <min> axis(0) %v, %t0 : vector<8xf32>, vector<f32>
    vector.transfer_write %m, %x[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
  }
  return
}

// -----

func.func @reduce_all(%x: memref<8x4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (2) {
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    // expected-error @below {{cannot be mapped to register tiles: expected no block vectors in it}}
    %s = vector.multi_reduction <add>, %v, %zero [0, 1] : vector<8x4xf32> to f32
    memref.store %s, %y[%c0] : memref<4xf32>
  }
  return
}

// -----

func.func @permuted_transfer(%x: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (2) {
    // expected-error @below {{cannot be mapped to register tiles: expected an unmasked transfer along memory's last dimensions}}
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<8x4xf32>, vector<4x8xf32>
    %w = arith.addf %v, %v : vector<4x8xf32>
    vector.transfer_write %w, %x[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, memref<8x4xf32>
  }
  return
}

// -----

func.func @walks_no_axes(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (2) {
    %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    // expected-error @below {{cannot be distributed: expected an op that walks axes}}
    %w = vector.shuffle %v, %v [7, 6, 5, 4, 3, 2, 1, 0] : vector<8xf32>, vector<8xf32>
    vector.transfer_write %w, %x[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
  }
  return
}
