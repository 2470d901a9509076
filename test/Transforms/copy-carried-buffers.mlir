// RUN: fpa-opt %s --allow-unregistered-dialect --fpa-copy-carried-buffers --canonicalize | FileCheck %s

// A new memref in each iteration.
// CHECK-LABEL: func @new(
// CHECK-SAME:      %[[X0:.*]]: memref<4xf32>
// CHECK:         %[[X:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         memref.copy %[[X0]], %[[X]]
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^ ]*}} {
// CHECK:           %[[Y:.*]] = memref.alloc()
// CHECK:           "step"(%[[X]], %[[Y]])
// CHECK:           memref.copy %[[Y]], %[[X]]
// CHECK:         }
// CHECK:         return %[[X]]
func.func @new(%x0: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0) -> memref<4xf32> {
    %y = memref.alloc() : memref<4xf32>
    "step"(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %y : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// Two change places, one of them seen through a view: both are read before either
// is written. The third stays, and so does what is no memref.
// CHECK-LABEL: func @swap(
// CHECK-SAME:      %{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>, %[[C:[^:]*]]: memref<4xf32>
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (i32) {
// CHECK:           "step"(%[[A]], %[[B]], %[[C]])
// CHECK:           %[[OLD_B:.*]] = memref.alloc()
// CHECK:           memref.copy %[[B]], %[[OLD_B]]
// CHECK:           %[[OLD_A:.*]] = memref.alloc()
// CHECK:           memref.copy %[[A]], %[[OLD_A]]
// CHECK:           memref.copy %[[OLD_B]], %[[A]]
// CHECK:           memref.copy %[[OLD_A]], %[[B]]
// CHECK:         return %[[A]], %[[B]], %[[C]], %[[R]]
func.func @swap(%a0: memref<4xf32>, %b0: memref<4xf32>, %c: memref<4xf32>, %n: index)
    -> (memref<4xf32>, memref<4xf32>, memref<4xf32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 7 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0, %b = %b0, %s = %c, %k = %k0)
      -> (memref<4xf32>, memref<4xf32>, memref<4xf32>, i32) {
    %t = "step"(%a, %b, %s) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> i32
    %e = memref.expand_shape %b [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
    %v = memref.collapse_shape %e [[0, 1]] : memref<2x2xf32> into memref<4xf32>
    scf.yield %v, %a, %s, %t : memref<4xf32>, memref<4xf32>, memref<4xf32>, i32
  }
  return %r#0, %r#1, %r#2, %r#3 : memref<4xf32>, memref<4xf32>, memref<4xf32>, i32
}

// Open sizes may grow, and what runs on a device is not the host's.
// CHECK-LABEL: func @left(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @left(%x0: memref<?xf32>, %y0: memref<4xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0) -> memref<?xf32> {
    %y = memref.alloc(%i) : memref<?xf32>
    "step"(%x, %y) : (memref<?xf32>, memref<?xf32>) -> ()
    scf.yield %y : memref<?xf32>
  }
  scf.parallel (%p) = (%c0) to (%n) step (%c1) {
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %y0) -> memref<4xf32> {
      %y = memref.alloca() : memref<4xf32>
      scf.yield %y : memref<4xf32>
    }
    "use"(%s) : (memref<4xf32>) -> ()
  }
  return %r : memref<?xf32>
}

// Memory that is nobody else's is the place itself.
// CHECK-LABEL: func @own(
// CHECK:         %[[X:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    scf.for
// CHECK:           %[[Y:.*]] = memref.alloc()
// CHECK:           memref.copy %[[Y]], %[[X]]
// CHECK:         return %[[X]]
func.func @own(%n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0) -> memref<4xf32> {
    %y = memref.alloc() : memref<4xf32>
    "step"(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %y : memref<4xf32>
  }
  return %r : memref<4xf32>
}
