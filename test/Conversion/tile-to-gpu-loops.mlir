// RUN: fpa-opt %s --fpa-assign-layouts=warps=4 --convert-fpa-tile-to-gpu=stages=2 --canonicalize --cse --split-input-file | FileCheck %s

// What a loop around a loop reads stays in one copy, and in registers for all loops
// inside; those copy ahead. Both end where all threads are. The outer loop carries
// the thread's number, so that addresses are computed inside of it.

// CHECK-LABEL: gpu.func @nest_0(
// CHECK-DAG:       %[[QS:.*]] = memref.view %{{.*}}[%c0][] : {{.*}} to memref<1x64x16xf16, #gpu.address_space<workgroup>>
// CHECK-DAG:       %[[ID:.*]] = gpu.thread_id x
// CHECK:           %[[OWN:.*]] = arith.index_castui %[[ID]] : index to i32
// CHECK:           scf.for %[[N:.*]] = %c0 to %c128 step %c64 iter_args(%[[THREAD:.*]] = %[[OWN]]) -> (i32) {
// CHECK-NOT:         %[[ID]]
// CHECK:             %[[NOW:.*]] = arith.index_castui %[[THREAD]] : i32 to index
// CHECK:             arith.divui %[[NOW]], %c2
// CHECK:             nvgpu.device_async_copy %arg0[{{.*}}], %[[QS]][%c0,
// CHECK-NEXT:        nvvm.cp.async.commit.group
// CHECK-NEXT:        nvvm.cp.async.wait.group 0
// CHECK-NEXT:        gpu.barrier
// CHECK:             nvgpu.ldmatrix %[[QS]][
// CHECK:             %[[KS:.*]] = memref.view {{.*}} to memref<2x32x16xf16, #gpu.address_space<workgroup>>
// CHECK:             nvgpu.device_async_copy %arg1[{{.*}}], %[[KS]][%c0,
// CHECK:             nvvm.cp.async.commit.group
// CHECK:             scf.for {{.*}} iter_args(%[[SLOT:.*]] = %c0, %{{.*}} = %{{.*}}) -> (index, vector<2x8xf32>)
// CHECK-NOT:           nvgpu.ldmatrix %[[QS]][
// CHECK:               nvvm.cp.async.wait.group 0
// CHECK-NEXT:          gpu.barrier
// CHECK:               nvgpu.device_async_copy %arg1[{{.*}}], %[[KS]]
// CHECK:               %[[PLACE:.*]] = arith.muli %[[SLOT]], %c512
// CHECK:               %[[ROW:.*]] = arith.addi %[[PLACE]],
// CHECK:               %[[CHUNK:.*]] = arith.addi %[[ROW]],
// CHECK:               nvgpu.ldmatrix %[[KS]][%c0, %c0, %[[CHUNK]]]
// CHECK:               scf.yield
// CHECK:             nvvm.cp.async.wait.group 0
// CHECK-NEXT:        gpu.barrier
// CHECK:             vector.store {{.*}} memref<128x32xf32>
// CHECK:             gpu.barrier
// CHECK-NEXT:        %[[SAME:.*]], %{{.*}} = gpu.shuffle xor %[[THREAD]], %c0_i32, %c32_i32 : i32
// CHECK-NEXT:        scf.yield %[[SAME]] : i32
// CHECK-NEXT:      }
// CHECK-NEXT:      nvvm.cp.async.wait.group 0
// CHECK-NEXT:      gpu.barrier
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @nest(%q: memref<128x16xf16>, %k: memref<128x16xf16>, %o: memref<128x32xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %s0 = arith.constant dense<0.0> : vector<64x32xf32>
  scf.forall (%b) in (1) {
    scf.for %n = %c0 to %c128 step %c64 {
      %q0 = vector.transfer_read %q[%n, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf16>, vector<64x16xf16>
      %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
      %r = scf.for %i = %c0 to %c128 step %c32 iter_args(%acc = %s0) -> (vector<64x32xf32>) {
        %k0 = vector.transfer_read %k[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf16>, vector<32x16xf16>
        %k1 = arith.extf %k0 : vector<32x16xf16> to vector<32x16xf32>
        %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %acc : vector<64x16xf32>, vector<32x16xf32> into vector<64x32xf32>
        scf.yield %s : vector<64x32xf32>
      }
      vector.transfer_write %r, %o[%n, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<128x32xf32>
    }
  }
  return
}

// -----

// A read of what the loop writes may take place ahead where the place moves on by
// at least its own size from one iteration to the next: no other one writes it.

// CHECK-LABEL: gpu.func @sums_0(
// CHECK-DAG:       %[[KS:.*]] = memref.view {{.*}} to memref<2x32x16xf16, #gpu.address_space<workgroup>>
// CHECK-DAG:       %[[XS:.*]] = memref.view {{.*}} to memref<2x1x32xf32, #gpu.address_space<workgroup>>
// CHECK:           scf.for %[[I:.*]] = %c0 to %c4 step %c1 iter_args(%[[SLOT:.*]] = %c0,
// CHECK:             %[[LATER:.*]] = memref.subview %arg1[%{{.*}}] [32] [1]
// CHECK:             nvgpu.device_async_copy %[[LATER]]{{.*}}, %[[XS]][
// CHECK:             %[[NOW:.*]] = memref.subview %arg1[%{{.*}}] [32] [1]
// CHECK:             vector.load %[[XS]][%[[SLOT]],
// CHECK:             memref.store %{{.*}}, %[[NOW]]
// CHECK:             scf.yield {{.*}} : index, vector<2x8xf32>
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @sums(%q: memref<64x16xf16>, %k: memref<128x16xf16>, %sums: memref<160xf32>, %o: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x32xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %s0) -> (vector<64x32xf32>) {
      %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %line = memref.subview %sums[%at] [32] [1] : memref<160xf32> to memref<32xf32, strided<[1], offset: ?>>
      %k0 = vector.transfer_read %k[%at, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf16>, vector<32x16xf16>
      %k1 = arith.extf %k0 : vector<32x16xf16> to vector<32x16xf32>
      %x = vector.transfer_read %line[%c0], %zero {in_bounds = [true]} : memref<32xf32, strided<[1], offset: ?>>, vector<32xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %acc : vector<64x16xf32>, vector<32x16xf32> into vector<64x32xf32>
      %y = vector.multi_reduction <add>, %s, %x [0] : vector<64x32xf32> to vector<32xf32>
      vector.transfer_write %y, %line[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32, strided<[1], offset: ?>>
      scf.yield %s : vector<64x32xf32>
    }
    vector.transfer_write %r, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  }
  return
}

// -----

// Here half of what an iteration reads is written by the one before. All is read
// when that one has ended: nothing is copied ahead, and there is one copy.

// CHECK-LABEL: gpu.func @same_place_0(
// CHECK-DAG:       %[[KS:.*]] = memref.view {{.*}} to memref<1x32x16xf16, #gpu.address_space<workgroup>>
// CHECK-DAG:       %[[XS:.*]] = memref.view {{.*}} to memref<1x1x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:       nvgpu.device_async_copy
// CHECK:           scf.for %[[I:.*]] = %c0 to %c4 step %c1 iter_args(%{{.*}} = %{{.*}}) -> (vector<2x8xf32>)
// CHECK:             %[[LINE:.*]] = memref.subview %arg1[%{{.*}}] [32] [1]
// CHECK:             nvgpu.device_async_copy %arg2[{{.*}}], %[[KS]][%c0,
// CHECK:             nvgpu.device_async_copy %[[LINE]]{{.*}}, %[[XS]][%c0,
// CHECK:             nvvm.cp.async.commit.group
// CHECK-NEXT:        nvvm.cp.async.wait.group 0
// CHECK-NEXT:        gpu.barrier
// CHECK-NOT:         nvgpu.device_async_copy
// CHECK:             memref.store %{{.*}}, %[[LINE]]
// CHECK:             gpu.barrier
// CHECK-NEXT:        scf.yield
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @same_place(%q: memref<64x16xf16>, %k: memref<128x16xf16>, %sums: memref<160xf32>, %o: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x32xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %s0) -> (vector<64x32xf32>) {
      %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %there = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
      %line = memref.subview %sums[%there] [32] [1] : memref<160xf32> to memref<32xf32, strided<[1], offset: ?>>
      %k0 = vector.transfer_read %k[%at, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf16>, vector<32x16xf16>
      %k1 = arith.extf %k0 : vector<32x16xf16> to vector<32x16xf32>
      %x = vector.transfer_read %line[%c0], %zero {in_bounds = [true]} : memref<32xf32, strided<[1], offset: ?>>, vector<32xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %acc : vector<64x16xf32>, vector<32x16xf32> into vector<64x32xf32>
      %y = vector.multi_reduction <add>, %s, %x [0] : vector<64x32xf32> to vector<32xf32>
      vector.transfer_write %y, %line[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32, strided<[1], offset: ?>>
      scf.yield %s : vector<64x32xf32>
    }
    vector.transfer_write %r, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  }
  return
}

// -----

// Left operands that stay for a loop are read from shared memory in each iteration
// where together they take too many registers.

// CHECK-LABEL: gpu.func @wide_0(
// CHECK-DAG:       %[[QS:.*]] = memref.view %{{.*}} to memref<1x64x128xf16, #gpu.address_space<workgroup>>
// CHECK-DAG:       %[[XS:.*]] = memref.view %{{.*}} to memref<1x64x32xf16, #gpu.address_space<workgroup>>
// CHECK-NOT:       nvgpu.ldmatrix
// CHECK:           scf.for
// CHECK-COUNT-8:     nvgpu.ldmatrix %[[QS]][
// CHECK:             nvvm.mma.sync
// CHECK-COUNT-2:     nvgpu.ldmatrix %[[XS]][
// CHECK:             scf.yield
// CHECK-LABEL: gpu.func @lone_0(
// CHECK:           %[[QS:.*]] = memref.view %{{.*}} to memref<1x64x128xf16, #gpu.address_space<workgroup>>
// CHECK-COUNT-8:   nvgpu.ldmatrix %[[QS]][
// CHECK:           scf.for
// CHECK-NOT:         nvgpu.ldmatrix %[[QS]][
// CHECK:             scf.yield
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @wide(%q: memref<64x128xf16>, %x: memref<64x32xf16>, %k: memref<128x128xf16>, %y: memref<128x32xf16>, %o: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %s0 = arith.constant dense<0.0> : vector<64x32xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x128xf16>, vector<64x128xf16>
    %q1 = arith.extf %q0 : vector<64x128xf16> to vector<64x128xf32>
    %x0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x32xf16>, vector<64x32xf16>
    %x1 = arith.extf %x0 : vector<64x32xf16> to vector<64x32xf32>
    %r = scf.for %i = %c0 to %c128 step %c32 iter_args(%acc = %s0) -> (vector<64x32xf32>) {
      %k0 = vector.transfer_read %k[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x128xf16>, vector<32x128xf16>
      %k1 = arith.extf %k0 : vector<32x128xf16> to vector<32x128xf32>
      %y0 = vector.transfer_read %y[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x32xf16>, vector<32x32xf16>
      %y1 = arith.extf %y0 : vector<32x32xf16> to vector<32x32xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %acc : vector<64x128xf32>, vector<32x128xf32> into vector<64x32xf32>
      %t = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x1, %y1, %s : vector<64x32xf32>, vector<32x32xf32> into vector<64x32xf32>
      scf.yield %t : vector<64x32xf32>
    }
    vector.transfer_write %r, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  }
  return
}
func.func @lone(%q: memref<64x128xf16>, %k: memref<128x128xf16>, %o: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %s0 = arith.constant dense<0.0> : vector<64x32xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x128xf16>, vector<64x128xf16>
    %q1 = arith.extf %q0 : vector<64x128xf16> to vector<64x128xf32>
    %r = scf.for %i = %c0 to %c128 step %c32 iter_args(%acc = %s0) -> (vector<64x32xf32>) {
      %k0 = vector.transfer_read %k[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x128xf16>, vector<32x128xf16>
      %k1 = arith.extf %k0 : vector<32x128xf16> to vector<32x128xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %acc : vector<64x128xf32>, vector<32x128xf32> into vector<64x32xf32>
      scf.yield %s : vector<64x32xf32>
    }
    vector.transfer_write %r, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  }
  return
}

// -----

// A wide left operand is read again in the loop over smaller tiles, and stays in
// registers through the one over the larger: it is read in front of that.
// Matrices of a loop are a constant apart, exchanged into one address.

// CHECK-LABEL: gpu.func @held_0(
// CHECK:           %[[QS:.*]] = memref.view %{{.*}}[%c0][] : {{.*}} to memref<1x64x128xf16, #gpu.address_space<workgroup>>
// CHECK-NOT:       nvgpu.ldmatrix
// CHECK:           scf.for
// CHECK-COUNT-8:     nvgpu.ldmatrix %[[QS]][
// CHECK-NOT:         nvgpu.ldmatrix %[[QS]][
// CHECK:             scf.yield
// CHECK:           %[[KS:.*]] = memref.view {{.*}} to memref<2x32x128xf16, #gpu.address_space<workgroup>>
// CHECK-COUNT-8:   nvgpu.ldmatrix %[[QS]][
// CHECK:           scf.for
// CHECK-NOT:         nvgpu.ldmatrix %[[QS]][
// CHECK:             nvgpu.ldmatrix %[[KS]][%c0, %c0, %[[BASE:[0-9]+]]]
// CHECK:             %[[NEXT:.*]] = arith.xori %[[BASE]], %c16
// CHECK:             nvgpu.ldmatrix %[[KS]][%c0, %c0, %[[NEXT]]]
// CHECK-NOT:         nvgpu.ldmatrix %[[QS]][
// CHECK:             scf.yield
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @held(%q: memref<64x128xf16>, %k: memref<128x128xf16>, %o: memref<64x16xf32>, %p: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %s0 = arith.constant dense<0.0> : vector<64x16xf32>
  %t0 = arith.constant dense<0.0> : vector<64x32xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x128xf16>, vector<64x128xf16>
    %q1 = arith.extf %q0 : vector<64x128xf16> to vector<64x128xf32>
    %r = scf.for %i = %c0 to %c32 step %c16 iter_args(%acc = %s0) -> (vector<64x16xf32>) {
      %k0 = vector.transfer_read %k[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x128xf16>, vector<16x128xf16>
      %k1 = arith.extf %k0 : vector<16x128xf16> to vector<16x128xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %acc : vector<64x128xf32>, vector<16x128xf32> into vector<64x16xf32>
      scf.yield %s : vector<64x16xf32>
    }
    %t = scf.for %i = %c32 to %c128 step %c32 iter_args(%acc = %t0) -> (vector<64x32xf32>) {
      %k0 = vector.transfer_read %k[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x128xf16>, vector<32x128xf16>
      %k1 = arith.extf %k0 : vector<32x128xf16> to vector<32x128xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %acc : vector<64x128xf32>, vector<32x128xf32> into vector<64x32xf32>
      scf.yield %s : vector<64x32xf32>
    }
    vector.transfer_write %r, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf32>, memref<64x16xf32>
    vector.transfer_write %t, %p[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  }
  return
}
