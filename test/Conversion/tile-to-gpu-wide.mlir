// RUN: fpa-opt %s --fpa-assign-layouts=warps=4 --convert-fpa-tile-to-gpu=stages=2 --canonicalize --cse | FileCheck %s

// Where rows begin is known when the kernel runs, for all threads alike: where they
// are aligned, those of several rows too, a thread moves its neighbours at once, but
// for the last ones in memory; else rows go through shared memory, one element a
// thread from a sector's first on.

// CHECK-LABEL: gpu.func @rows_0(
// CHECK-SAME:      %[[X:arg[0-9]+]]: memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK:           %[[LANE:.*]] = arith.andi %thread_id_x, %c31
// CHECK-DAG:       %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK-DAG:       {{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK:           %[[SEVERAL:.*]] = arith.cmpi ugt, %{{.*}}, %c1
// CHECK:           %[[APART:.*]] = arith.muli %[[STRIDES]]#0, %c4
// CHECK:           arith.select %[[SEVERAL]], %[[APART]], %c0
// CHECK:           %[[REST:.*]] = arith.andi %{{.*}}, %c15
// CHECK:           %[[ALIGNED:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK:           scf.if %[[ALIGNED]]
// CHECK:             %[[INSIDE:.*]] = arith.cmpi slt
// CHECK:             scf.if %[[INSIDE]]
// CHECK:               vector.load %[[X]][{{.*}}] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK:             } else {
// CHECK-COUNT-4:       memref.load %[[X]]
// CHECK:             gpu.barrier
// CHECK:             %[[BEFORE:.*]] = arith.andi %{{.*}}, %c7
// CHECK:             %[[FIRST:.*]] = arith.subi %[[LANE]], %[[BEFORE]]
// CHECK:             arith.andi %[[FIRST]], %c127
// CHECK-COUNT-4:     nvgpu.device_async_copy %[[X]]
// CHECK:             nvvm.cp.async.wait.group 0
// CHECK:             gpu.barrier
// CHECK:             vector.load {{.*}} {alignment = 16 : i64} : {{.*}}workgroup{{.*}}, vector<4xf32>
// CHECK:           scf.if
// CHECK:             vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK:             } else {
// CHECK-COUNT-4:       memref.store
// CHECK:             gpu.barrier
// CHECK:             vector.store {{.*}} {alignment = 16 : i64} : {{.*}}workgroup{{.*}}, vector<4xf32>
// CHECK:             gpu.barrier
// CHECK-COUNT-4:     vector.store {{.*}} : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<1xf32>
func.func @rows(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %y: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %init = arith.constant dense<0x7F800000> : vector<4xf32>
  scf.forall (%b) in (1) {
    %v = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, false]} : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4x128xf32>
    %s, %t = fpa.vector_scan <min> axis(1) %v, %init : vector<4x128xf32>, vector<4xf32>
    vector.transfer_write %s, %y[%c0, %c0] {in_bounds = [true, false]} : vector<4x128xf32>, memref<?x?xf32, strided<[?, 1], offset: ?>>
  }
  return
}

// Bits are no neighbours that one access could move: a vector of them is packed.

// CHECK-LABEL: gpu.func @bits_0(
// CHECK-NOT:       vector.load
// CHECK-COUNT-4:   memref.load {{.*}} : memref<512xi1>
// CHECK-NOT:       memref.load {{.*}} : memref<512xi1>
func.func @bits(%m: memref<512xi1>, %x: memref<512xf32>, %y: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant false
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<512xf32>
  %init = arith.constant dense<0x7F800000> : vector<f32>
  scf.forall (%b) in (1) {
    %p = vector.transfer_read %m[%c0], %none {in_bounds = [true]} : memref<512xi1>, vector<512xi1>
    %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : memref<512xf32>, vector<512xf32>
    %w = arith.select %p, %v, %zero : vector<512xi1>, vector<512xf32>
    %s, %t = fpa.vector_scan <min> axis(0) %w, %init : vector<512xf32>, vector<f32>
    vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<512xf32>, memref<512xf32>
  }
  return
}
