// RUN: fpa-opt %s --fpa-assign-layouts=warps=4 --convert-fpa-tile-to-gpu=stages=2 --canonicalize --cse --split-input-file | FileCheck %s

// A loop over tiles of keys: blocks are copied one iteration ahead, products
// are matrix instructions on what a warp holds of 16 rows, and the row sums go
// across the four lanes of a row.

// CHECK-LABEL: func.func @loop(
// CHECK-DAG:     %[[THREADS:.*]] = arith.constant 128 : index
// CHECK-DAG:     %[[SHARED:.*]] = arith.constant {{[0-9]+}} : i32
// CHECK:         gpu.launch_func @kernels::@loop_0 blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%[[THREADS]], {{.*}}) dynamic_shared_memory_size %[[SHARED]] args(
// CHECK-NOT:     scf.forall

// CHECK:       gpu.module @kernels
// CHECK:         gpu.func @loop_0({{.*}}) kernel attributes {known_block_size = array<i32: 128, 1, 1>}
// CHECK:           gpu.dynamic_shared_memory
// CHECK:           nvgpu.device_async_copy {{.*}}, 8 {bypassL1}
// CHECK:           nvvm.cp.async.wait.group 0
// CHECK:           gpu.barrier
// The left operand is read by matrix loads once, before the loop.
// CHECK-COUNT-1:   nvgpu.ldmatrix {{.*}}transpose = false}
// CHECK:           scf.if
// CHECK:             nvgpu.device_async_copy
// CHECK:           nvvm.cp.async.commit.group
// CHECK:           scf.for {{.*}} -> (index, vector<2x4xf32>, vector<2xf32>)
// CHECK-NEXT:        nvvm.cp.async.wait.group 0
// CHECK-NEXT:        gpu.barrier
// CHECK:             scf.if
// CHECK:               nvgpu.device_async_copy
// CHECK:             nvvm.cp.async.commit.group
// CHECK:             nvgpu.ldmatrix {{.*}}transpose = false}
// CHECK-COUNT-2:     nvvm.mma.sync
// CHECK:             gpu.shuffle xor
// CHECK:             nvgpu.ldmatrix {{.*}}transpose = true}
// CHECK-COUNT-2:     nvvm.mma.sync
// CHECK-NOT:         nvvm.mma.sync
// CHECK:             scf.yield
// The result leaves through shared memory, in whole rows.
// CHECK:           gpu.barrier
// CHECK:           vector.store {{.*}} : memref<1x64x24xf32, #gpu.address_space<workgroup>>, vector<2xf32>
// CHECK:           gpu.barrier
// CHECK:           vector.load {{.*}} vector<4xf32>
// CHECK:           vector.store {{.*}} {alignment = 16 : i64} : memref<64x16xf32>, vector<4xf32>
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @loop(%q: memref<64x16xf16>, %k: memref<128x16xf16>,
                %v: memref<128x16xf16>, %sums: memref<64xf32>,
                %o: memref<64x16xf32>, %blocks: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %s0 = arith.constant dense<0.0> : vector<64x16xf32>
  %r0 = arith.constant dense<0.0> : vector<64xf32>
  scf.forall (%b) in (%blocks) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
    %out:2 = scf.for %i = %c0 to %c128 step %c16 iter_args(%acc = %s0, %total = %r0) -> (vector<64x16xf32>, vector<64xf32>) {
      %k0 = vector.transfer_read %k[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf16>, vector<16x16xf16>
      %k1 = arith.extf %k0 : vector<16x16xf16> to vector<16x16xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %s0 : vector<64x16xf32>, vector<16x16xf32> into vector<64x16xf32>
      %r = vector.multi_reduction <add>, %s, %total [1] : vector<64x16xf32> to vector<64xf32>
      %v0 = vector.transfer_read %v[%i, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf16>, vector<16x16xf16>
      %v1 = arith.extf %v0 : vector<16x16xf16> to vector<16x16xf32>
      %w = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %v1, %acc : vector<64x16xf32>, vector<16x16xf32> into vector<64x16xf32>
      scf.yield %w, %r : vector<64x16xf32>, vector<64xf32>
    }
    vector.transfer_write %out#0, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf32>, memref<64x16xf32>
    vector.transfer_write %out#1, %sums[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  }
  return
}

// -----

// Rows beyond the end are filled with zeros by the copy and not written; f32
// is multiplied element by element.

// CHECK-LABEL: gpu.func @ragged_0(
// CHECK:           %[[VALID:.*]] = arith.select %{{.*}}, %c4, %c0 : index
// CHECK:           nvgpu.device_async_copy %arg{{[0-9]+}}[%{{.*}}], %{{.*}}, 4, %[[VALID]]
// CHECK:           scf.for
// CHECK:             math.fma {{.*}} : f32
// CHECK-NOT:       nvvm.mma.sync
// CHECK:           scf.if
// CHECK-NEXT:        vector.load
// CHECK-NEXT:        vector.store
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @ragged(%q: memref<?x16xf32>, %k: memref<16x16xf32>, %o: memref<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x16xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [false, true]} : memref<?x16xf32>, vector<64x16xf32>
    %k0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q0, %k0, %s0 : vector<64x16xf32>, vector<16x16xf32> into vector<64x16xf32>
    vector.transfer_write %s, %o[%c0, %c0] {in_bounds = [false, true]} : vector<64x16xf32>, memref<?x16xf32>
  }
  return
}

// -----

// A scan: four neighbours in a thread, read and written at once, then lanes by
// shuffles, then warps through shared memory.

// CHECK-LABEL: gpu.func @scan_0(
// CHECK:           vector.load %arg0[%[[AT:.*]]] {alignment = 16 : i64} : memref<512xf32>, vector<4xf32>
// CHECK:           arith.minimumf
// CHECK-COUNT-5:   gpu.shuffle xor
// CHECK-NOT:       gpu.shuffle
// CHECK:           gpu.barrier
// CHECK:           gpu.barrier
// CHECK:           vector.store %{{.*}}, %arg1[%[[AT]]] {alignment = 16 : i64} : memref<512xf32>, vector<4xf32>
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

// A sum over rows goes across the lanes of a column, then across warps through
// shared memory: each thread adds what all warps have, in their order, and what the
// sum begins with last.

// CHECK-LABEL: gpu.func @sum_of_rows_0(
// CHECK-DAG:       %[[START:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-COUNT-4:   nvvm.mma.sync
// CHECK-COUNT-24:  gpu.shuffle xor
// CHECK-NOT:       gpu.shuffle
// CHECK:           %[[ALL:.*]] = memref.view {{.*}} to memref<1x4x260xf32, #gpu.address_space<workgroup>>
// CHECK:           gpu.barrier
// CHECK-COUNT-8:   vector.store %{{.*}}, %[[ALL]][%c0, %{{.*}}, %{{.*}}]
// CHECK-NOT:       vector.store
// CHECK:           gpu.barrier
// CHECK:           %[[V0:.*]] = vector.load %[[ALL]][%c0, %c0,
// CHECK:           %[[W0:.*]] = vector.extract %[[V0]][0]
// CHECK-COUNT-7:   vector.load %[[ALL]][%c0, %c0,
// CHECK:           %[[V1:.*]] = vector.load %[[ALL]][%c0, %c1,
// CHECK:           %[[W1:.*]] = vector.extract %[[V1]][0]
// CHECK-COUNT-7:   vector.load %[[ALL]][%c0, %c1,
// CHECK:           %[[V2:.*]] = vector.load %[[ALL]][%c0, %c2,
// CHECK:           %[[W2:.*]] = vector.extract %[[V2]][0]
// CHECK-COUNT-7:   vector.load %[[ALL]][%c0, %c2,
// CHECK:           %[[V3:.*]] = vector.load %[[ALL]][%c0, %c3,
// CHECK:           %[[W3:.*]] = vector.extract %[[V3]][0]
// CHECK-COUNT-7:   vector.load %[[ALL]][%c0, %c3,
// CHECK:           gpu.barrier
// CHECK:           %[[S1:.*]] = arith.addf %[[W0]], %[[W1]]
// CHECK:           %[[S2:.*]] = arith.addf %[[S1]], %[[W2]]
// CHECK:           %[[S3:.*]] = arith.addf %[[S2]], %[[W3]]
// CHECK:           %[[SUM:.*]] = arith.addf %[[S3]], %[[START]]
// One lane of a column of one warp writes.
// CHECK:           scf.if
// CHECK-NEXT:        memref.store %[[SUM]]
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @sum_of_rows(%q: memref<64x16xf16>, %k: memref<32x16xf16>,
                       %o: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %s0 = arith.constant dense<0.0> : vector<64x32xf32>
  %r0 = arith.constant dense<1.0> : vector<32xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %k0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf16>, vector<32x16xf16>
    %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
    %k1 = arith.extf %k0 : vector<32x16xf16> to vector<32x16xf32>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %s0 : vector<64x16xf32>, vector<32x16xf32> into vector<64x32xf32>
    %r = vector.multi_reduction <add>, %s, %r0 [0] : vector<64x32xf32> to vector<32xf32>
    vector.transfer_write %r, %o[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  }
  return
}

// -----

// A block that is one number has no layout; neighbouring threads write neighbours.

// CHECK-LABEL: gpu.func @constant_0(
// CHECK-DAG:       %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:       %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK-DAG:       %[[LANE:.*]] = arith.andi %[[THREAD:.*]], %c31
// CHECK-DAG:       %[[WARP:.*]] = arith.shrui %[[THREAD]], %c5
// CHECK:           %[[W:.*]] = arith.andi %[[WARP]], %c3
// CHECK:           %[[FROM:.*]] = arith.shli %[[W]], %c5
// CHECK:           %[[AT:.*]] = arith.addi %[[LANE]], %[[FROM]]
// CHECK:           memref.store %[[INF]], %arg0[%[[AT]]] : memref<256xf32>
// CHECK:           %[[NEXT:.*]] = arith.addi %[[AT]], %c128
// CHECK:           memref.store %[[INF]], %arg0[%[[NEXT]]] : memref<256xf32>
// Rows of one warp are written by that one, as far as they exist.
// CHECK:           %[[BITS:.*]] = arith.andi %[[THREAD]], %c96
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[BITS]], %c0
// CHECK:           scf.if %[[FIRST]]
// CHECK:             %[[ROWS:.*]] = memref.dim %arg1, %c0
// CHECK:             %[[EXISTS:.*]] = arith.cmpi slt, %[[ROW:.*]], %[[ROWS]]
// CHECK:             scf.if %[[EXISTS]]
// CHECK-NEXT:          memref.store %[[ZERO]], %arg1[%[[ROW]], %[[LANE]]]
// CHECK-COUNT-15:    scf.if
// CHECK-NOT:         scf.if
func.func @constant(%y: memref<256xf32>, %z: memref<?x32xf32>) {
  %c0 = arith.constant 0 : index
  %inf = arith.constant dense<0x7F800000> : vector<256xf32>
  %zero = arith.constant dense<0.0> : vector<16x32xf32>
  scf.forall (%b) in (4) {
    vector.transfer_write %inf, %y[%c0] {in_bounds = [true]} : vector<256xf32>, memref<256xf32>
    vector.transfer_write %zero, %z[%b, %c0] {in_bounds = [false, true]} : vector<16x32xf32>, memref<?x32xf32>
  }
  return
}

// -----

// A product of f32 reads its left operand from shared memory. What comes next
// takes that memory when all threads are done with it. An operand that was copied
// there is read where it lies.

// CHECK-LABEL: gpu.func @after_product_0(
// CHECK-SAME:      %[[Q:arg[0-9]+]]: memref<64x16xf32>, %[[K:arg[0-9]+]]: memref<16x16xf32>, %[[X:arg[0-9]+]]: memref<128x16xf32>
// CHECK:           %[[QS:.*]] = memref.view {{.*}} to memref<1x64x16xf32, #gpu.address_space<workgroup>>
// CHECK:           %[[KS:.*]] = memref.view {{.*}} to memref<1x16x16xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:       memref.view
// CHECK-NOT:       vector.store
// CHECK:           scf.for
// CHECK-NOT:       vector.store
// CHECK:             vector.load %[[QS]][{{.*}} vector<4xf32>
// CHECK:             math.fma
// CHECK:           %[[LEFT:.*]] = memref.view {{.*}} to memref<1x64x24xf32, #gpu.address_space<workgroup>>
// CHECK:           gpu.barrier
// CHECK:           vector.store %{{.*}}, %[[LEFT]]
// CHECK:           nvvm.bar.warp.sync
// CHECK:           scf.for
// CHECK:             vector.load %[[LEFT]][{{.*}} vector<4xf32>
// CHECK:             math.fma
// CHECK-NOT:       nvgpu.device_async_copy %[[X]]
// CHECK:           gpu.barrier
// CHECK-NOT:       math.fma
// CHECK:           nvgpu.device_async_copy %[[X]]
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @after_product(%q: memref<64x16xf32>, %k: memref<16x16xf32>, %x: memref<128x16xf32>,
                         %o: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x16xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf32>, vector<64x16xf32>
    %k0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
    %q1 = arith.negf %q0 : vector<64x16xf32>
    %s1 = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q0, %k0, %s0 : vector<64x16xf32>, vector<16x16xf32> into vector<64x16xf32>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k0, %s1 : vector<64x16xf32>, vector<16x16xf32> into vector<64x16xf32>
    %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %s) -> (vector<64x16xf32>) {
      %at = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
      %x0 = vector.transfer_read %x[%at, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf32>, vector<64x16xf32>
      %sum = arith.addf %acc, %x0 : vector<64x16xf32>
      scf.yield %sum : vector<64x16xf32>
    }
    vector.transfer_write %r, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf32>, memref<64x16xf32>
  }
  return
}

// -----

// A line of one element may have any stride: it is read by itself, not copied in
// runs of neighbours.

// CHECK-LABEL: gpu.func @scattered_0(
// CHECK:           memref.load %{{.*}} : memref<1xf32, strided<[2], offset: ?>>
// CHECK-NOT:       nvgpu.device_async_copy {{.*}} : memref<1xf32,
// CHECK:           gpu.return
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @scattered(%q: memref<64x16xf16>, %k: memref<16x16xf16>, %l: memref<1xf32, strided<[2], offset: ?>>,
                     %o: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x16xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %k0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
    %k1 = arith.extf %k0 : vector<16x16xf16> to vector<16x16xf32>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %s0 : vector<64x16xf32>, vector<16x16xf32> into vector<64x16xf32>
    %line = vector.transfer_read %l[%c0], %zero : memref<1xf32, strided<[2], offset: ?>>, vector<16xf32>
    %all = vector.broadcast %line : vector<16xf32> to vector<64x16xf32>
    %sum = arith.addf %s, %all : vector<64x16xf32>
    vector.transfer_write %sum, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf32>, memref<64x16xf32>
  }
  return
}

// -----

// Every thread reads by itself what one of those with copies writes back: it writes
// when all have read, and they read when what was written before is there. One number
// that all read is the same. What nobody writes needs no barriers.

// CHECK-LABEL: gpu.func @written_0(
// CHECK-SAME:      %[[L:arg[0-9]+]]: memref<1xf32, strided<[2], offset: ?>>, %[[N:arg[0-9]+]]: memref<16xi64>
// CHECK:           scf.for
// CHECK-NOT:         memref.load
// CHECK:             gpu.barrier
// CHECK-NOT:         gpu.barrier
// CHECK-COUNT-4:     memref.load %[[L]][
// CHECK-NOT:         memref.
// CHECK:             gpu.barrier
// CHECK-NOT:         gpu.barrier
// CHECK-COUNT-4:     memref.store %{{.*}}, %[[L]][
// CHECK-NOT:         memref.
// CHECK:             gpu.barrier
// CHECK-NEXT:        memref.load %[[L]][%c0]
// CHECK-NEXT:        gpu.barrier
// CHECK-NOT:         gpu.barrier
// CHECK-COUNT-4:     memref.load %[[N]][
// CHECK-NOT:         gpu.barrier
// CHECK:             scf.yield {{.*}} : index, vector<2x4xf32>
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @written(%q: memref<64x16xf16>, %k: memref<16x16xf16>, %l: memref<1xf32, strided<[2], offset: ?>>,
                   %n: memref<16xi64>, %o: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %s0 = arith.constant dense<0.0> : vector<64x16xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %k0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
    %k1 = arith.extf %k0 : vector<16x16xf16> to vector<16x16xf32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %s0) -> (vector<64x16xf32>) {
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %acc : vector<64x16xf32>, vector<16x16xf32> into vector<64x16xf32>
      %line = vector.transfer_read %l[%c0], %zero : memref<1xf32, strided<[2], offset: ?>>, vector<16xf32>
      %sum = arith.addf %line, %line : vector<16xf32>
      vector.transfer_write %sum, %l[%c0] : vector<16xf32>, memref<1xf32, strided<[2], offset: ?>>
      %number = memref.load %l[%c0] : memref<1xf32, strided<[2], offset: ?>>
      %all = vector.broadcast %number : f32 to vector<64x16xf32>
      %ns = vector.transfer_read %n[%c0], %none {in_bounds = [true]} : memref<16xi64>, vector<16xi64>
      %more = arith.sitofp %ns : vector<16xi64> to vector<16xf32>
      %rows = vector.broadcast %more : vector<16xf32> to vector<64x16xf32>
      %t = arith.addf %s, %all : vector<64x16xf32>
      %u = arith.addf %t, %rows : vector<64x16xf32>
      scf.yield %u : vector<64x16xf32>
    }
    vector.transfer_write %r, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf32>, memref<64x16xf32>
  }
  return
}
