// RUN: fpa-opt %s --fpa-assign-layouts=warps=2 --split-input-file | FileCheck %s

// Rows of products go to lanes and warps, columns to registers and lanes; a
// right operand, and what is computed on it, has its own layout.

// CHECK-LABEL: func @products(
// CHECK:         vector.transfer_read %arg0{{.*}}fpa.layouts = [#fpa.layout<["l2 l3 l4 r w0 x2", "r l0 l1 x2"]>]
// CHECK:         vector.transfer_read %arg1{{.*}}fpa.layouts = [#fpa.layout<["l2 l3 l4 x4", "r l0 l1 x2"]>]
// CHECK:         arith.extf {{.*}}fpa.layouts = [#fpa.layout<["l2 l3 l4 x4", "r l0 l1 x2"]>]
// CHECK:         vector.contract {{.*}}fpa.layouts = [#fpa.layout<["l2 l3 l4 r w0 x2", "r l0 l1 x4"]>]
// CHECK:         vector.multi_reduction {{.*}}fpa.layouts = [#fpa.layout<["l2 l3 l4 r w0 x2"]>]
// CHECK:         vector.transfer_read %arg2{{.*}}fpa.layouts = [#fpa.layout<["r l0 l1 x4", "l2 l3 l4 x6"]>]
// CHECK:         vector.contract {{.*}}fpa.layouts = [#fpa.layout<["l2 l3 l4 r w0 x2", "r l0 l1 x6"]>]
// CHECK:       } {fpa.warps = 2 : i64}
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @products(%q: memref<64x16xf16>, %k: memref<32x16xf16>,
                    %v: memref<32x48xf16>, %sums: memref<64xf32>,
                    %o: memref<64x48xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %s0 = arith.constant dense<0.0> : vector<64x32xf32>
  %r0 = arith.constant dense<0.0> : vector<64xf32>
  %o0 = arith.constant dense<0.0> : vector<64x48xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %k0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf16>, vector<32x16xf16>
    %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
    %k1 = arith.extf %k0 : vector<32x16xf16> to vector<32x16xf32>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %s0 : vector<64x16xf32>, vector<32x16xf32> into vector<64x32xf32>
    %r = vector.multi_reduction <add>, %s, %r0 [1] : vector<64x32xf32> to vector<64xf32>
    %v0 = vector.transfer_read %v[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x48xf16>, vector<32x48xf16>
    %v1 = arith.extf %v0 : vector<32x48xf16> to vector<32x48xf32>
    %w = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %v1, %o0 : vector<64x32xf32>, vector<32x48xf32> into vector<64x48xf32>
    vector.transfer_write %r, %sums[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    vector.transfer_write %w, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x48xf32>, memref<64x48xf32>
  }
  return
}

// -----

// Without products the last dimension of memory runs along lanes.

// CHECK-LABEL: func @scan(
// CHECK:         vector.transfer_read {{.*}}fpa.layouts = [#fpa.layout<["r r l0 l1 l2 l3 l4 w0 x2"]>]
// CHECK:         fpa.vector_scan {{.*}}fpa.layouts = [#fpa.layout<["r r l0 l1 l2 l3 l4 w0 x2"]>, #fpa.layout<[]>]
func.func @scan(%x: memref<512xf32>, %y: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %init = arith.constant dense<0x7F800000> : vector<f32>
  scf.forall (%b) in (1) {
    %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : memref<512xf32>, vector<512xf32>
    %s, %t = fpa.vector_scan <min> axis(0) %v, %init : vector<512xf32>, vector<f32>
    vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<512xf32>, memref<512xf32>
  }
  return
}

// -----

// Where all of memory is lines, the elements of that which is scanned over run along
// lanes, and the others along the lanes that are left and across warps.

// CHECK-LABEL: func @pass(
// CHECK:         vector.transfer_read %arg1{{.*}}fpa.layouts = [#fpa.layout<["l3 l4 w0 x2"]>]
// CHECK:         vector.transfer_read %arg0{{.*}}fpa.layouts = [#fpa.layout<["r r l0 l1 l2 x1"]>]
// CHECK:         arith.select {{.*}}fpa.layouts = [#fpa.layout<["l3 l4 w0 x2", "r r l0 l1 l2 x1"]>]
// CHECK:         vector.transfer_read %arg2{{.*}}fpa.layouts = [#fpa.layout<["l3 l4 w0 x2"]>]
// CHECK:         fpa.vector_scan {{.*}}fpa.layouts = [#fpa.layout<["l3 l4 w0 x2", "r r l0 l1 l2 x1"]>, #fpa.layout<["l3 l4 w0 x2"]>]
func.func @pass(%f: memref<32xf32>, %last: memref<16xi32>, %r: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f32
  %inf = arith.constant dense<0x7F800000> : vector<16x32xf32>
  %step = vector.step : vector<32xindex>
  scf.forall (%b) in (1) {
    %key = arith.index_cast %step : vector<32xindex> to vector<32xi32>
    %keys = vector.broadcast %key : vector<32xi32> to vector<16x32xi32>
    %l = vector.transfer_read %last[%c0], %zero {in_bounds = [true]} : memref<16xi32>, vector<16xi32>
    %l0 = vector.broadcast %l : vector<16xi32> to vector<32x16xi32>
    %l1 = vector.transpose %l0, [1, 0] : vector<32x16xi32> to vector<16x32xi32>
    %sees = arith.cmpi sle, %keys, %l1 : vector<16x32xi32>
    %v = vector.transfer_read %f[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %v1 = vector.broadcast %v : vector<32xf32> to vector<16x32xf32>
    %reach = arith.select %sees, %v1, %inf : vector<16x32xi1>, vector<16x32xf32>
    %r0 = vector.transfer_read %r[%c0], %pad {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
    %m, %t = fpa.vector_scan <min> axis(1) reverse exclusive %reach, %r0 : vector<16x32xf32>, vector<16xf32>
    vector.transfer_write %t, %r[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  }
  return
}

// -----

// The same for a sum. Lines that nothing is combined along all run along lanes.

// CHECK-LABEL: func @sum(
// CHECK:         vector.transfer_read %arg0{{.*}}fpa.layouts = [#fpa.layout<["r r l0 l1 l2 x1"]>]
// CHECK:         vector.transfer_read %arg1{{.*}}fpa.layouts = [#fpa.layout<["w0 x8"]>]
// CHECK:         vector.multi_reduction {{.*}}fpa.layouts = [#fpa.layout<["w0 x8"]>]
func.func @sum(%f: memref<32xf32>, %r: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %v = vector.transfer_read %f[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %v1 = vector.broadcast %v : vector<32xf32> to vector<16x32xf32>
    %r0 = vector.transfer_read %r[%c0], %pad {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
    %s = vector.multi_reduction <add>, %v1, %r0 [1] : vector<16x32xf32> to vector<16xf32>
    vector.transfer_write %s, %r[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  }
  return
}

// CHECK-LABEL: func @lines_alone(
// CHECK:         vector.transfer_read %arg0{{.*}}fpa.layouts = [#fpa.layout<["r r l0 l1 l2 l3 x1"]>]
// CHECK:         vector.transfer_read %arg1{{.*}}fpa.layouts = [#fpa.layout<["r r l0 l1 x1"]>]
func.func @lines_alone(%x: memref<64xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %w = vector.transfer_read %y[%c0], %pad {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
    %v1 = arith.addf %v, %v : vector<64xf32>
    %w1 = arith.addf %w, %w : vector<16xf32>
    vector.transfer_write %v1, %x[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    vector.transfer_write %w1, %y[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  }
  return
}

// -----

// Lines of keys that something is computed on are spread over the threads, and
// only the results go to all of them.

// CHECK-LABEL: func @lines(
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = vector.transfer_read %arg2{{.*}}fpa.layouts = [#fpa.layout<["l0 l1 l2 l3 l4 w0 x1"]>]
// CHECK:           arith.addf {{.*}}fpa.layouts = [#fpa.layout<["l0 l1 l2 l3 l4 w0 x1"]>]
// CHECK-COUNT-3:   arith.mulf
// CHECK:           %[[ALL:.*]] = fpa.convert_layout %{{.*}} {fpa.layouts = [#fpa.layout<["r l0 l1 x8"]>]} : vector<64xf32>
// CHECK:           vector.broadcast %[[ALL]]
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @lines(%q: memref<32x16xf32>, %k: memref<128x16xf32>,
                 %x: memref<128xf32>, %o: memref<32x64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<32x64xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf32>, vector<32x16xf32>
    %r = scf.for %i = %c0 to %c128 step %c64 iter_args(%acc = %s0) -> (vector<32x64xf32>) {
      %k0 = vector.transfer_read %k[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf32>, vector<64x16xf32>
      %x0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<128xf32>, vector<64xf32>
      %x1 = arith.addf %x0, %x0 : vector<64xf32>
      %x2 = arith.mulf %x1, %x0 : vector<64xf32>
      %x3 = arith.mulf %x2, %x1 : vector<64xf32>
      %x4 = arith.mulf %x3, %x2 : vector<64xf32>
      %x5 = vector.broadcast %x4 : vector<64xf32> to vector<32x64xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q0, %k0, %acc : vector<32x16xf32>, vector<64x16xf32> into vector<32x64xf32>
      %t = arith.addf %s, %x5 : vector<32x64xf32>
      scf.yield %t : vector<32x64xf32>
    }
    vector.transfer_write %r, %o[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  }
  return
}

// -----

// Branches have lines of their own, of those that are known before, and hand round
// what only they need.

// CHECK-LABEL: func @lines_in_branch(
// CHECK:           arith.addf {{.*}}fpa.layouts = [#fpa.layout<["l0 l1 l2 l3 l4 w0 x1"]>]
// CHECK:           %[[X2:.*]] = arith.mulf
// CHECK:           %[[ALL:.*]] = fpa.convert_layout %[[X2]] {fpa.layouts = [#fpa.layout<["r l0 l1 x8"]>]} : vector<64xf32>
// CHECK:           vector.broadcast %[[ALL]]
// CHECK:           scf.if
// CHECK:             arith.mulf %[[X2]],{{.*}}fpa.layouts = [#fpa.layout<["l0 l1 l2 l3 l4 w0 x1"]>]
// CHECK:             %[[X4:.*]] = arith.mulf
// CHECK:             %[[OWN:.*]] = fpa.convert_layout %[[X4]] {fpa.layouts = [#fpa.layout<["r l0 l1 x8"]>]} : vector<64xf32>
// CHECK:             vector.broadcast %[[OWN]]
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @lines_in_branch(%c: i1, %q: memref<32x16xf32>, %k: memref<128x16xf32>,
                 %x: memref<128xf32>, %o: memref<32x64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<32x64xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf32>, vector<32x16xf32>
    %r = scf.for %i = %c0 to %c128 step %c64 iter_args(%acc = %s0) -> (vector<32x64xf32>) {
      %k0 = vector.transfer_read %k[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf32>, vector<64x16xf32>
      %x0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<128xf32>, vector<64xf32>
      %x1 = arith.addf %x0, %x0 : vector<64xf32>
      %x2 = arith.mulf %x1, %x0 : vector<64xf32>
      %x5 = vector.broadcast %x2 : vector<64xf32> to vector<32x64xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q0, %k0, %acc : vector<32x16xf32>, vector<64x16xf32> into vector<32x64xf32>
      %r0 = scf.if %c -> (vector<32x64xf32>) {
        %x3 = arith.mulf %x2, %x1 : vector<64xf32>
        %x4 = arith.mulf %x3, %x2 : vector<64xf32>
        %x6 = vector.broadcast %x4 : vector<64xf32> to vector<32x64xf32>
        scf.yield %x6 : vector<32x64xf32>
      } else {
        scf.yield %x5 : vector<32x64xf32>
      }
      %t = arith.addf %s, %r0 : vector<32x64xf32>
      scf.yield %t : vector<32x64xf32>
    }
    vector.transfer_write %r, %o[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  }
  return
}

// -----

// What is key and value at a time, and left operand too, is read for each role;
// so is what is computed on the way. A product that shares its role shares the
// read.

// CHECK-LABEL: func @shared(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<32x32xf16>
// CHECK-DAG:     %[[L0:.*]] = vector.transfer_read %[[X]]{{.*}}fpa.layouts = [#fpa.layout<["l2 l3 l4 r w0 x1", "r l0 l1 x4"]>]
// CHECK-DAG:     %[[K0:.*]] = vector.transfer_read %[[X]]{{.*}}fpa.layouts = [#fpa.layout<["l2 l3 l4 x4", "r l0 l1 x4"]>]
// CHECK-DAG:     %[[V0:.*]] = vector.transfer_read %[[X]]{{.*}}fpa.layouts = [#fpa.layout<["r l0 l1 x4", "l2 l3 l4 x4"]>]
// CHECK-DAG:     %[[L:.*]] = arith.extf %[[L0]]
// CHECK-DAG:     %[[K:.*]] = arith.extf %[[K0]]
// CHECK-DAG:     %[[V:.*]] = arith.extf %[[V0]]
// CHECK-NOT:     vector.transfer_read
// CHECK:         %[[S:.*]] = vector.contract {{.*}} %[[L]], %[[K]],
// CHECK:         %[[T:.*]] = vector.contract {{.*}} %[[S]], %[[V]],
// CHECK:         vector.contract {{.*}} %[[T]], %[[V]],
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @shared(%x: memref<32x32xf16>, %o: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %s0 = arith.constant dense<0.0> : vector<32x32xf32>
  scf.forall (%b) in (1) {
    %x0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf16>, vector<32x32xf16>
    %x1 = arith.extf %x0 : vector<32x32xf16> to vector<32x32xf32>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x1, %x1, %s0 : vector<32x32xf32>, vector<32x32xf32> into vector<32x32xf32>
    %t = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %x1, %s0 : vector<32x32xf32>, vector<32x32xf32> into vector<32x32xf32>
    %u = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %t, %x1, %s0 : vector<32x32xf32>, vector<32x32xf32> into vector<32x32xf32>
    vector.transfer_write %u, %o[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  }
  return
}

// -----

// Columns that are scanned side by side are in lanes as they are in memory; few of
// them leave lanes to the axis.

// CHECK-LABEL: func @columns(
// CHECK:         fpa.vector_scan {{.*}}fpa.layouts = [#fpa.layout<["l3 l4 w0 x8", "l0 l1 l2 x1"]>, #fpa.layout<["l0 l1 l2 x1"]>]
func.func @columns(%x: memref<64x8xf32>, %y: memref<64x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %init = arith.constant dense<0x7F800000> : vector<8xf32>
  scf.forall (%b) in (1) {
    %v = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x8xf32>, vector<64x8xf32>
    %s, %t = fpa.vector_scan <min> axis(0) %v, %init : vector<64x8xf32>, vector<8xf32>
    vector.transfer_write %s, %y[%c0, %c0] {in_bounds = [true, true]} : vector<64x8xf32>, memref<64x8xf32>
  }
  return
}
