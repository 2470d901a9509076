// RUN: fpa-opt %s --fpa-assign-layouts=warps=4 --split-input-file --verify-diagnostics

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @rows(%q: memref<32x16xf32>, %k: memref<32x16xf32>, %o: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<32x32xf32>
  scf.forall (%b) in (1) {
    // expected-error @below {{expected rows in a multiple of 16 for each of 4 warps, got 32}}
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf32>, vector<32x16xf32>
    %k0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf32>, vector<32x16xf32>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q0, %k0, %s0 : vector<32x16xf32>, vector<32x16xf32> into vector<32x32xf32>
    vector.transfer_write %s, %o[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  }
  return
}

// -----

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @columns(%q: memref<64x24xf32>, %k: memref<32x24xf32>, %o: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x32xf32>
  scf.forall (%b) in (1) {
    // expected-error @below {{expected columns in a multiple of 16, got 24}}
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x24xf32>, vector<64x24xf32>
    %k0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x24xf32>, vector<32x24xf32>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q0, %k0, %s0 : vector<64x24xf32>, vector<32x24xf32> into vector<64x32xf32>
    vector.transfer_write %s, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  }
  return
}

// -----

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @transposed(%q: memref<64x16xf32>, %k: memref<16x32xf32>, %o: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x32xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf32>, vector<64x16xf32>
    %k0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xf32>, vector<16x32xf32>
    // expected-error @below {{expected the right operand of a product to be read from memory, got the result of vector.transpose}}
    %k1 = vector.transpose %k0, [1, 0] : vector<16x32xf32> to vector<32x16xf32>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q0, %k1, %s0 : vector<64x16xf32>, vector<32x16xf32> into vector<64x32xf32>
    vector.transfer_write %s, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  }
  return
}

// -----

// Rows of one product that are summed over by another would change hands.

#ik = affine_map<(i, j, k) -> (i, k)>
#ki = affine_map<(i, j, k) -> (k, i)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @both(%q: memref<64x64xf32>, %k: memref<64x64xf32>, %v: memref<64x64xf32>, %o: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x64xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
    %k0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
    %v0 = vector.transfer_read %v[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
    %s = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q0, %k0, %s0 : vector<64x64xf32>, vector<64x64xf32> into vector<64x64xf32>
    // expected-error @below {{expected an axis to be rows or columns of every product, got one that is both}}
    %t = vector.contract {indexing_maps = [#ki, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %v0, %s0 : vector<64x64xf32>, vector<64x64xf32> into vector<64x64xf32>
    vector.transfer_write %t, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

// A right operand that is no read cannot be made once for each product.

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @carried(%q: memref<64x64xf32>, %k: memref<64x64xf32>, %o: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x64xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
    // expected-error @below {{expected the right operand of a product to be read from memory, got the result of scf.for}}
    %k0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %s0) -> vector<64x64xf32> {
      %y = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
      %z = arith.addf %x, %y : vector<64x64xf32>
      scf.yield %z : vector<64x64xf32>
    }
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q0, %k0, %s0 : vector<64x64xf32>, vector<64x64xf32> into vector<64x64xf32>
    %t = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %k0, %s0 : vector<64x64xf32>, vector<64x64xf32> into vector<64x64xf32>
    vector.transfer_write %t, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
  }
  return
}
