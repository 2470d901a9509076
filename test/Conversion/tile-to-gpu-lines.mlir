// RUN: fpa-opt %s --fpa-assign-layouts=warps=4 --convert-fpa-tile-to-gpu=stages=2 --canonicalize --cse | FileCheck %s

// A line of 64 keys is computed by 64 threads, and again by the other 64: each half
// writes a copy, in the order in which four lanes read 16 numbers each, and reads it
// 16 bytes at a time. The line's first number is read where the loop has copied the
// line to, but not that of other memory.

// CHECK-LABEL: gpu.func @lines_0(
// CHECK-SAME:      memref<128xf32>, %[[O:arg[0-9]+]]: memref<128xf32>,
// CHECK-DAG:     %[[C5:.*]] = arith.constant 5 : index
// CHECK:         %[[SAME:.*]], %{{.*}} = gpu.shuffle xor
// CHECK:         %[[THREAD:.*]] = arith.index_castui %[[SAME]] : i32 to index
// CHECK:         %[[WARP:.*]] = arith.shrui %[[THREAD]], %[[C5]]
// CHECK:         %[[X:.*]] = memref.view {{.*}} to memref<2x1x64xf32, #gpu.address_space<workgroup>>
// CHECK:         scf.for {{.*}} iter_args(%[[SLOT:[a-z0-9]+]] = %c0
// CHECK:           %[[HALF:.*]] = arith.shrui %[[WARP]], %c1
// CHECK:           %[[LINE:.*]] = memref.view {{.*}} to memref<2x1x96xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:       scf.if
// CHECK:           vector.store %{{.*}}, %[[LINE]][%[[HALF]], %c0, %{{.*}}] {{.*}} vector<1xf32>
// CHECK:           gpu.barrier
// CHECK-COUNT-4:   vector.load %[[LINE]][%[[HALF]], %c0, %{{.*}}] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK-NOT:       vector.load %[[LINE]]
// CHECK:           %[[ONE:.*]] = vector.load %[[X]][%[[SLOT]], %c0, %c0] {{.*}} vector<1xf32>
// CHECK:           vector.extract %[[ONE]][0]
// CHECK:           memref.load %[[O]][
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @lines(%q: memref<64x16xf16>, %k: memref<128x16xf16>,
                 %x: memref<128xf32>, %r: memref<64x64xf32>, %least: memref<1xf32>, %o: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x64xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
    %sum:2 = scf.for %i = %c0 to %c128 step %c64 iter_args(%acc = %s0, %low = %zero) -> (vector<64x64xf32>, f32) {
      %k0 = vector.transfer_read %k[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf16>, vector<64x16xf16>
      %k1 = arith.extf %k0 : vector<64x16xf16> to vector<64x16xf32>
      %part = memref.subview %x[%i] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: ?>>
      %x0 = vector.transfer_read %part[%c0], %zero {in_bounds = [true]} : memref<64xf32, strided<[1], offset: ?>>, vector<64xf32>
      %x1 = arith.addf %x0, %x0 : vector<64xf32>
      %x2 = arith.mulf %x1, %x0 : vector<64xf32>
      %x3 = arith.mulf %x2, %x1 : vector<64xf32>
      %x4 = arith.mulf %x3, %x2 : vector<64xf32>
      %x5 = vector.broadcast %x4 : vector<64xf32> to vector<64x64xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %acc : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
      %t = arith.addf %s, %x5 : vector<64x64xf32>
      %first = memref.load %x[%i] : memref<128xf32>
      %other = memref.load %o[%i] : memref<128xf32>
      %both = arith.minimumf %first, %other : f32
      %lower = arith.minimumf %low, %both : f32
      scf.yield %t, %lower : vector<64x64xf32>, f32
    }
    vector.transfer_write %sum#0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    memref.store %sum#1, %least[%c0] : memref<1xf32>
  }
  return
}
