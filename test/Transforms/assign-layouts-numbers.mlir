// RUN: fpa-opt %s --fpa-assign-layouts=warps=4 --split-input-file | FileCheck %s

// A sum is that of one warp or of all: where elements are too few for all warps,
// each has them all.

// CHECK-LABEL: func @sums(
// CHECK:         vector.transfer_read %arg0{{.*}}fpa.layouts = [#fpa.layout<["r r l0 l1 l2 l3 l4 x2"]>]
// CHECK:         vector.transfer_read %arg1{{.*}}fpa.layouts = [#fpa.layout<["r r l0 l1 l2 l3 l4 w0 w1 x1"]>]
func.func @sums(%x: memref<256xf32>, %y: memref<512xf32>, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<256xf32>, vector<256xf32>
    %s = vector.multi_reduction <add>, %v, %zero [0] : vector<256xf32> to f32
    memref.store %s, %out[%c0] : memref<2xf32>
    %w = vector.transfer_read %y[%c0], %zero {in_bounds = [true]} : memref<512xf32>, vector<512xf32>
    %t = vector.multi_reduction <add>, %w, %zero [0] : vector<512xf32> to f32
    memref.store %t, %out[%c1] : memref<2xf32>
  }
  return
}

// -----

// Every thread has a single number, beside products too.

// CHECK-LABEL: func @number(
// CHECK:         vector.broadcast {{.*}}fpa.layouts = [#fpa.layout<["x1"]>]
// CHECK:         arith.addf {{.*}}fpa.layouts = [#fpa.layout<["x1"]>]
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @number(%q: memref<64x16xf32>, %x: f32, %o: memref<64x64xf32>, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %o0 = arith.constant dense<0.0> : vector<64x64xf32>
  scf.forall (%b) in (1) {
    %n = vector.broadcast %x : f32 to vector<1xf32>
    %m = arith.addf %n, %n : vector<1xf32>
    %y = vector.extract %m[0] : f32 from vector<1xf32>
    memref.store %y, %out[] : memref<f32>
    %q0 = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x16xf32>, vector<64x16xf32>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q0, %q0, %o0 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    vector.transfer_write %s, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
  }
  return
}
