// RUN: fpa-opt %s --fpa-gpu-loops-pipeline | FileCheck %s

// Every op of other people's becomes a kernel of a thread for each element,
// which ends where the elements end; the host only counts and launches.

#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @graph(
//  CHECK-SAME:   %[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>, %[[R:.*]]: memref<?xf32>, %[[T:.*]]: memref<f32>)
//   CHECK-NOT:   scf.
//       CHECK:   %[[ROWS:.*]] = memref.dim %[[A]], %c0
//       CHECK:   %[[COLUMNS:.*]] = memref.dim %[[A]], %c1
//       CHECK:   %[[COUNT:.*]] = arith.muli %[[ROWS]], %[[COLUMNS]]
//       CHECK:   gpu.launch_func @kernels::@[[TURN:.*]] blocks in (%{{.*}}, %c1, %c1) threads in (%c256, %c1, %c1)
//       CHECK:   gpu.launch_func @kernels::@[[SUM:.*]] blocks in
//       CHECK:   gpu.launch_func @kernels::@[[ZERO:.*]] blocks in (%c1, %c1, %c1)
//       CHECK:   gpu.launch_func @kernels::@[[COPY:.*]] blocks in
//   CHECK-NOT:   memref.copy
//       CHECK: gpu.module @kernels
//       CHECK:   gpu.func @[[TURN]]({{.*}}) kernel
//       CHECK:     %[[BLOCK:.*]] = gpu.block_id x
//       CHECK:     %[[THREAD:.*]] = gpu.thread_id x
//       CHECK:     %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c256
//       CHECK:     %[[I:.*]] = arith.addi %[[THREAD]], %[[FIRST]]
//       CHECK:     arith.cmpi ult, %[[I]]
//       CHECK:     scf.if
//       CHECK:       arith.remsi %[[I]]
//       CHECK:       memref.load
//       CHECK:       memref.store
//       CHECK:   gpu.func @[[SUM]]
//       CHECK:     scf.for
func.func @graph(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %r: memref<?xf32>, %t: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #turned], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%b : memref<?x?xf32>) outs(%r : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  linalg.fill ins(%zero : f32) outs(%t : memref<f32>)
  memref.copy %a, %b : memref<?x?xf32> to memref<?x?xf32>
  return
}
