// RUN: fpa-opt %s --convert-fpa-cache-to-scf=parallel --canonicalize --cse | FileCheck %s

// Each loop reads what those before it have written. All read the counts, which
// change in the last one.

!row = memref<3x2x?xf32>
!count = memref<3x2xi64>

// CHECK-LABEL: func @update(
// CHECK-SAME:    %[[K:[^:]*]]: memref<3x2x1x8xf16>, %[[V:[^:]*]]: memref<3x2x1x4xf16>, %[[F:[^:]*]]: memref<3x2x1xf32>, %[[CK:[^:]*]]: memref<3x2x?x8xf16>, %[[CV:[^:]*]]: memref<3x2x?x4xf16>, %[[CL:[^:]*]]: memref<3x2x?xf32>, %[[CM:[^:]*]]: memref<3x2x?xf32>, %[[N:[^:]*]]: memref<3x2xi64>
// CHECK:         %[[ROOM:.*]] = memref.dim %[[CK]]
// CHECK:         %[[DEAD:.*]] = memref.alloc(%[[ROOM]]) : memref<3x2x?xi32>
// CHECK:         %[[LIVING:.*]] = memref.alloc(%{{.*}}) : memref<3x2x?xindex>
// New rows, element by element.
// CHECK:         scf.forall {{.*}} in (3, 2, 8)
// CHECK:           memref.load %[[K]]
// CHECK:           memref.store %{{.*}}, %[[CK]]
// CHECK:         scf.forall {{.*}} in (3, 2, 4)
// CHECK:           memref.store %{{.*}}, %[[CV]]
// Minima and marks, key by key.
// CHECK:         scf.forall {{.*}} in (3, 2, %[[ROOM]])
// CHECK:           arith.minimumf
// CHECK:           memref.store %{{.*}}, %[[CM]]
// CHECK:           arith.cmpf ogt
// CHECK:           memref.store %{{.*}}, %[[DEAD]]
// CHECK:         scf.forall {{.*}} in (3, 2, %{{.*}})
// CHECK:           memref.store %{{.*}}, %[[LIVING]]
// Columns move, each by itself.
// CHECK:         scf.forall {{.*}} in (3, 2, 8)
// CHECK:           memref.load %[[LIVING]]
// CHECK:           memref.load %[[DEAD]]
// CHECK:           memref.store %{{.*}}, %[[CK]]
// CHECK:         scf.forall {{.*}} in (3, 2, 4)
// CHECK:           memref.store %{{.*}}, %[[CV]]
// CHECK-NOT:     memref.store %{{.*}}, %[[N]]
// CHECK:         scf.forall {{.*}} in (3, 2)
// CHECK:           memref.store %{{.*}}, %[[CL]]
// CHECK:           memref.store %{{.*}}, %[[CM]]
// CHECK:           memref.store %{{.*}}, %[[N]]
// CHECK:         memref.dealloc %[[LIVING]]
// CHECK:         memref.dealloc %[[DEAD]]
func.func @update(%k: memref<3x2x1x8xf16>, %v: memref<3x2x1x4xf16>, %f: memref<3x2x1xf32>,
                  %ck: memref<3x2x?x8xf16>, %cv: memref<3x2x?x4xf16>, %cl: !row, %cm: !row,
                  %n: !count) {
  fpa.update_cache ins(%k, %v : memref<3x2x1x8xf16>, memref<3x2x1x4xf16>)
    field(%f : memref<3x2x1xf32>)
    outs(%ck, %cv, %cl, %cm, %n : memref<3x2x?x8xf16>, memref<3x2x?x4xf16>, !row, !row, !count)
    {evict_above = 8.0 : f64}
  return
}

// What is dropped is summed up before others take its place.
// CHECK-LABEL: func @dropped(
// CHECK-SAME:    %[[CK:[^:]*]]: memref<3x2x64x8xf32>, {{.*}}%[[D:[^:]*]]: memref<3x2x3xf64>)
// CHECK:         memref.alloc() : memref<3x2x64xi32>
// CHECK:         memref.alloc() : memref<3x2x1xindex>
// CHECK:         math.exp
// CHECK:         math.sqrt
// CHECK:         } else {
// CHECK:           memref.store %{{.*}}, %[[D]]
// CHECK:         scf.forall {{.*}} in (3, 2, 8)
// CHECK:           memref.store %{{.*}}, %[[CK]]
func.func @dropped(%k: memref<3x2x3x8xf32>, %f: memref<3x2x3xf32>, %t: memref<3xi64>,
                   %ck: memref<3x2x64x8xf32>, %cl: memref<3x2x64xf32>, %n: !count,
                   %d: memref<3x2x3xf64>) {
  fpa.update_cache ins(%k, %k : memref<3x2x3x8xf32>, memref<3x2x3x8xf32>)
    field(%f : memref<3x2x3xf32>) level(%f : memref<3x2x3xf32>)
    lengths(%t : memref<3xi64>)
    outs(%ck, %ck, %cl, %cl, %n, %d : memref<3x2x64x8xf32>, memref<3x2x64x8xf32>, memref<3x2x64xf32>, memref<3x2x64xf32>, !count, memref<3x2x3xf64>)
    {evict_above = 8.0 : f64}
  return
}
