// RUN: fpa-opt %s --fpa-assign-layouts=warps=4 --convert-fpa-tile-to-gpu=stages=2 --canonicalize --cse | FileCheck %s

// Two lines of one type that a loop copies go by one instruction, the lower threads
// with the one and the upper with the other: 64 pieces of four bytes each inside,
// where any number may be the first, and 16 of sixteen bytes ahead of the loop. The
// third is alone.

// CHECK-LABEL: gpu.func @pair_0(
// CHECK-SAME:      memref<64x16xf16>, %{{.*}}: memref<128x16xf16>, %[[X:arg[0-9]+]]: memref<128xf32>, %[[Y:arg[0-9]+]]: memref<128xf32>, %[[Z:arg[0-9]+]]: memref<128xf32>,
// CHECK:         %[[ALL:.*]] = gpu.dynamic_shared_memory
// CHECK:         memref.view %[[ALL]][%[[XS:.*]]][] {{.*}} to memref<2x1x64xf32, #gpu.address_space<workgroup>>
// CHECK:         memref.view %[[ALL]][%[[YS:.*]]][] {{.*}} to memref<2x1x64xf32, #gpu.address_space<workgroup>>
// CHECK:         %[[ZS:.*]] = memref.view {{.*}} to memref<2x1x64xf32, #gpu.address_space<workgroup>>
// CHECK:         %[[UP:.*]] = arith.cmpi uge, %[[ID:.*]], %c16
// CHECK-DAG:     %[[PLACE:.*]] = arith.select %[[UP]], %[[YS]], %[[XS]]
// CHECK-DAG:     %[[TO:.*]] = memref.view %[[ALL]][%[[PLACE]]][]
// CHECK-DAG:     %[[FROM:.*]] = arith.select %[[UP]], %[[Y]], %[[X]]
// CHECK:         %[[OWN:.*]] = arith.select %[[UP]], %{{.*}}, %[[ID]]
// CHECK:         %[[HAS:.*]] = arith.cmpi ult, %[[OWN]], %c16
// CHECK:         scf.if %[[HAS]]
// CHECK-NEXT:      nvgpu.device_async_copy %[[FROM]][{{.*}}], %[[TO]][{{.*}}], 4
// CHECK:         nvgpu.device_async_copy %[[Z]][{{.*}}], %[[ZS]][{{.*}}], 4
// CHECK:         scf.for
// CHECK:           %[[UPPER:.*]] = arith.cmpi uge, %[[ID]], %c64
// CHECK-DAG:       %[[AT:.*]] = arith.select %[[UPPER]], %[[YS]], %[[XS]]
// CHECK-DAG:       %[[HERE:.*]] = memref.view %[[ALL]][%[[AT]]][]
// CHECK-DAG:       %[[THERE:.*]] = arith.select %[[UPPER]], %[[Y]], %[[X]]
// CHECK-NOT:       scf.if
// CHECK:           nvgpu.device_async_copy %[[THERE]][{{.*}}], %[[HERE]][{{.*}}], 1
// CHECK:           scf.if
// CHECK:             nvgpu.device_async_copy %[[Z]][{{.*}}], %[[ZS]][{{.*}}], 1
// CHECK-NOT:       nvgpu.device_async_copy
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @pair(%q: memref<64x16xf16>, %k: memref<128x16xf16>, %x: memref<128xf32>,
                %y: memref<128xf32>, %z: memref<128xf32>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x64xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
    %sum = scf.for %i = %c0 to %c128 step %c64 iter_args(%acc = %s0) -> (vector<64x64xf32>) {
      %k0 = vector.transfer_read %k[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf16>, vector<64x16xf16>
      %k1 = arith.extf %k0 : vector<64x16xf16> to vector<64x16xf32>
      %x0 = vector.transfer_read %x[%i], %zero {in_bounds = [true]} : memref<128xf32>, vector<64xf32>
      %y0 = vector.transfer_read %y[%i], %zero {in_bounds = [true]} : memref<128xf32>, vector<64xf32>
      %z0 = vector.transfer_read %z[%i], %zero {in_bounds = [true]} : memref<128xf32>, vector<64xf32>
      %xy = arith.addf %x0, %y0 : vector<64xf32>
      %xyz = arith.mulf %xy, %z0 : vector<64xf32>
      %line = vector.broadcast %xyz : vector<64xf32> to vector<64x64xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %acc : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
      %t = arith.addf %s, %line : vector<64x64xf32>
      scf.yield %t : vector<64x64xf32>
    }
    vector.transfer_write %sum, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
  }
  return
}
