// RUN: fpa-opt %s -split-input-file --convert-fpa-tile-to-cpu="lanes=4 registers=16" --canonicalize --cse | FileCheck %s

// Every axis is reduced by one product. Lanes go to the queries, along which
// the loop carries its state. The product that reduces them runs along the head
// axis, and reads queries in rows, as they are in memory: there are two vectors
// of them beside 6 keys.

#qd = affine_map<(i, j, d) -> (i, d)>
#kd = affine_map<(i, j, d) -> (j, d)>
#ij = affine_map<(i, j, d) -> (i, j)>

// CHECK-LABEL: func.func @two_forms
//  CHECK-SAME:   %[[Q:[a-z0-9]+]]: memref<16x8xf32>, %[[K:[a-z0-9]+]]: memref<12x8xf32>, %[[DK:[a-z0-9]+]]: memref<12x8xf32>
//       CHECK: scf.forall
//       CHECK:   %[[S:.*]] = memref.alloca() {alignment = 64 : i64} : memref<12x16xf32>
//       CHECK:   vector.shuffle
//       CHECK:   vector.store %{{.*}}, %[[QT:[a-z0-9_]+]][%
//       CHECK:   scf.for %{{.*}} = %c0 to %arg4 step %c1
//       CHECK:     scf.for %[[D:.*]] = %c0 to %c8 step %c1 iter_args
// CHECK-COUNT-4:     vector.load %[[QT]][%[[D]], %{{.*}}] : memref<8x16xf32>, vector<4xf32>
//       CHECK:       memref.load %[[K]][%{{.*}}, %[[D]]]
//       CHECK:     vector.store %{{.*}}, %[[S]]
//       CHECK:     %[[ACC:.*]]:12 = scf.for %[[I:.*]] = %c0 to %c16 step %c1
//  CHECK-NEXT:       vector.load %[[Q]][%[[I]], %c0] : memref<16x8xf32>, vector<4xf32>
//  CHECK-NEXT:       vector.load %[[Q]][%[[I]], %c4] : memref<16x8xf32>, vector<4xf32>
// CHECK-COUNT-6:     memref.load %[[S]][%{{.*}}, %[[I]]]
//   CHECK-NOT:       memref.load
//       CHECK:       scf.yield
func.func @two_forms(%q: memref<16x8xf32>, %k: memref<12x8xf32>, %dk: memref<12x8xf32>, %dq: memref<16x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16x12xf32>
  %noq = arith.constant dense<0.0> : vector<16x8xf32>
  %nok = arith.constant dense<0.0> : vector<12x8xf32>
  scf.forall (%w) in (2) {
    %qv = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x8xf32>, vector<16x8xf32>
    %r = scf.for %it = %c0 to %n step %c1 iter_args(%dqa = %noq) -> vector<16x8xf32> {
      %kv = vector.transfer_read %k[%c0, %c0], %zero {in_bounds = [true, true]} : memref<12x8xf32>, vector<12x8xf32>
      %s = vector.contract {indexing_maps = [#qd, #kd, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %qv, %kv, %none : vector<16x8xf32>, vector<12x8xf32> into vector<16x12xf32>
      %p = math.exp2 %s : vector<16x12xf32>
      %ds = arith.addf %s, %p : vector<16x12xf32>
      %dqn = vector.contract {indexing_maps = [#ij, #kd, #qd], iterator_types = ["parallel", "reduction", "parallel"], kind = #vector.kind<add>} %ds, %kv, %dqa : vector<16x12xf32>, vector<12x8xf32> into vector<16x8xf32>
      %dkn = vector.contract {indexing_maps = [#ij, #qd, #kd], iterator_types = ["reduction", "parallel", "parallel"], kind = #vector.kind<add>} %ds, %qv, %nok : vector<16x12xf32>, vector<16x8xf32> into vector<12x8xf32>
      vector.transfer_write %dkn, %dk[%c0, %c0] {in_bounds = [true, true]} : vector<12x8xf32>, memref<12x8xf32>
      scf.yield %dqn : vector<16x8xf32>
    }
    vector.transfer_write %r, %dq[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
  }
  return
}

// -----

// What is computed from a read, element by element, is computed in both forms.
// A head of 6 elements is padded to 8 in scratch memory, rows of it are copied
// in runs of 4 and 2.

#qd = affine_map<(i, j, d) -> (i, d)>
#kd = affine_map<(i, j, d) -> (j, d)>
#ij = affine_map<(i, j, d) -> (i, j)>

// CHECK-LABEL: func.func @widened_and_padded
//  CHECK-SAME:   %[[Q:[a-z0-9]+]]: memref<8x6xf16>
//   CHECK-DAG:   %[[ROWS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8x8xf32>
//   CHECK-DAG:   %[[LANES:.*]] = memref.alloca() {alignment = 64 : i64} : memref<6x8xf32>
//       CHECK:   vector.load %[[Q]][%{{.*}}, %c0] : memref<8x6xf16>, vector<4xf16>
//       CHECK:   vector.load %[[Q]][%{{.*}}, %c4] : memref<8x6xf16>, vector<2xf16>
//       CHECK:   arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
//       CHECK:   vector.store %{{.*}}, %[[LANES]]
//       CHECK:   arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
//       CHECK:   vector.store %{{.*}}, %[[ROWS]]
//       CHECK:   scf.for %[[D:.*]] = %c0 to %c6 step %c1
//       CHECK:     vector.load %[[LANES]][%[[D]]
//       CHECK:   scf.for %[[I:.*]] = %c0 to %c8 step %c1 iter_args
//  CHECK-NEXT:     vector.load %[[ROWS]][%[[I]], %c0] : memref<8x8xf32>, vector<4xf32>
//  CHECK-NEXT:     vector.load %[[ROWS]][%[[I]], %c4] : memref<8x8xf32>, vector<4xf32>
//       CHECK:   vector.store %{{.*}} : memref<12x6xf32>, vector<4xf32>
//       CHECK:   vector.store %{{.*}} : memref<12x6xf32>, vector<2xf32>
func.func @widened_and_padded(%q: memref<8x6xf16>, %k: memref<12x6xf32>, %dk: memref<12x6xf32>, %sum: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %zeroh = arith.constant 0.0 : f16
  %none = arith.constant dense<0.0> : vector<8x12xf32>
  %nok = arith.constant dense<0.0> : vector<12x6xf32>
  %nos = arith.constant dense<0.0> : vector<8xf32>
  scf.forall (%w) in (2) {
    %qh = vector.transfer_read %q[%c0, %c0], %zeroh {in_bounds = [true, true]} : memref<8x6xf16>, vector<8x6xf16>
    %qv = arith.extf %qh : vector<8x6xf16> to vector<8x6xf32>
    %kv = vector.transfer_read %k[%c0, %c0], %zero {in_bounds = [true, true]} : memref<12x6xf32>, vector<12x6xf32>
    %s = vector.contract {indexing_maps = [#qd, #kd, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %qv, %kv, %none : vector<8x6xf32>, vector<12x6xf32> into vector<8x12xf32>
    %p = math.exp2 %s : vector<8x12xf32>
    %ds = arith.addf %s, %p : vector<8x12xf32>
    %t = vector.multi_reduction <add>, %ds, %nos [1] : vector<8x12xf32> to vector<8xf32>
    vector.transfer_write %t, %sum[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    %dkn = vector.contract {indexing_maps = [#ij, #qd, #kd], iterator_types = ["reduction", "parallel", "parallel"], kind = #vector.kind<add>} %ds, %qv, %nok : vector<8x12xf32>, vector<8x6xf32> into vector<12x6xf32>
    vector.transfer_write %dkn, %dk[%c0, %c0] {in_bounds = [true, true]} : vector<12x6xf32>, memref<12x6xf32>
  }
  return
}

// -----

// Along lanes the registers of a row are added first, then the lanes of four
// rows at once: 3 times 2 shuffles and an addition.

// CHECK-LABEL: func.func @sum_along_lanes
//       CHECK: %[[PART:.*]] = memref.alloca() {alignment = 64 : i64} : memref<12x4xf32>
//       CHECK: %[[A:.*]] = vector.load %arg0[%[[J:.*]], %c0]
//       CHECK: %[[B:.*]] = vector.load %arg0[%[[J]], %c4]
//       CHECK: %[[AB:.*]] = arith.addf %[[B]], %[[A]]
//       CHECK: vector.store %[[AB]], %[[PART]][%[[J]], %c0]
//       CHECK: scf.for %[[R:.*]] = %c0 to %c12 step %c4
// CHECK-COUNT-2: vector.load %[[PART]]
//       CHECK:   vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5]
//       CHECK:   vector.shuffle %{{.*}}, %{{.*}} [2, 3, 6, 7]
//       CHECK:   %[[FIRST:.*]] = arith.addf
// CHECK-COUNT-2: vector.load %[[PART]]
//       CHECK:   vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5]
//       CHECK:   vector.shuffle %{{.*}}, %{{.*}} [2, 3, 6, 7]
//       CHECK:   %[[SECOND:.*]] = arith.addf
//       CHECK:   vector.shuffle %[[FIRST]], %[[SECOND]] [0, 2, 4, 6]
//       CHECK:   vector.shuffle %[[FIRST]], %[[SECOND]] [1, 3, 5, 7]
//       CHECK:   %[[SUM:.*]] = arith.addf
//       CHECK:   %[[INIT:.*]] = vector.load %arg1[%[[R]]]
//       CHECK:   arith.addf %[[SUM]], %[[INIT]]
func.func @sum_along_lanes(%x: memref<12x8xf32>, %init: memref<12xf32>, %y: memref<12xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant dense<0xFF800000> : vector<8xf32>
  scf.forall (%w) in (2) {
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<12x8xf32>, vector<12x8xf32>
    %i = vector.transfer_read %init[%c0], %zero {in_bounds = [true]} : memref<12xf32>, vector<12xf32>
    %m, %t = fpa.vector_scan <min> axis(0) exclusive %v, %low : vector<12x8xf32>, vector<8xf32>
    %s = vector.multi_reduction <add>, %v, %i [1] : vector<12x8xf32> to vector<12xf32>
    vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<12xf32>, memref<12xf32>
    vector.transfer_write %t, %z[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
  }
  return
}

// -----

// With several registers of lanes at a time, each row's register has a start:
// nothing for a sum, the initial value for a maximum.

// CHECK-LABEL: func.func @maximum_in_chunks
//       CHECK: %[[PART:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8x4xf32>
//       CHECK: scf.for %[[J:.*]] = %c0 to %c8 step %c1
//       CHECK:   %[[INIT:.*]] = memref.load %arg1[%[[J]]]
//       CHECK:   %[[START:.*]] = vector.broadcast %[[INIT]]
//       CHECK:   vector.store %[[START]], %[[PART]][%[[J]], %c0]
//       CHECK: scf.for %{{.*}} = %c0 to %c24 step %c12
//       CHECK:   vector.load %[[PART]]
//       CHECK:   arith.maxnumf
//       CHECK:   vector.store %{{.*}}, %[[PART]]
func.func @maximum_in_chunks(%x: memref<8x24xf32>, %init: memref<8xf32>, %y: memref<8xf32>, %z: memref<24xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant dense<0.0> : vector<24xf32>
  scf.forall (%w) in (2) {
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x24xf32>, vector<8x24xf32>
    %i = vector.transfer_read %init[%c0], %zero {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    %m, %t = fpa.vector_scan <sum> axis(0) %v, %low : vector<8x24xf32>, vector<24xf32>
    %s = vector.multi_reduction <maxnumf>, %v, %i [1] : vector<8x24xf32> to vector<8xf32>
    vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    vector.transfer_write %t, %z[%c0] {in_bounds = [true]} : vector<24xf32>, memref<24xf32>
  }
  return
}

// -----

// A block that is read, updated by a product and written back needs no scratch
// memory: rows of the block are rows of memory.

#p = affine_map<(j, e, i) -> (i, j)>
#g = affine_map<(j, e, i) -> (i, e)>
#v = affine_map<(j, e, i) -> (j, e)>

// CHECK-LABEL: func.func @update_in_place
//  CHECK-SAME:   %[[P:[a-z0-9]+]]: memref<12x8xf32>, %[[G:[a-z0-9]+]]: memref<8x4xf32>, %[[DV:[a-z0-9]+]]: memref<?x4xf32>
//       CHECK: scf.forall
//   CHECK-NOT:   memref.alloca() {{.*}} memref<12x4xf32>
//       CHECK:   vector.load %[[DV]]
//       CHECK:   scf.for %[[I:.*]] = %c0 to %c8 step %c1 iter_args
//       CHECK:     vector.load %[[G]][%[[I]], %c0]
//       CHECK:   vector.store %{{.*}}, %[[DV]][%{{.*}}, %c0] : memref<?x4xf32>, vector<4xf32>
func.func @update_in_place(%p: memref<12x8xf32>, %g: memref<8x4xf32>, %dv: memref<?x4xf32>, %sum: memref<8xf32>, %at: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nos = arith.constant dense<0.0> : vector<8xf32>
  scf.forall (%w) in (2) {
    %pt = vector.transfer_read %p[%c0, %c0], %zero {in_bounds = [true, true]} : memref<12x8xf32>, vector<12x8xf32>
    %pv = vector.transpose %pt, [1, 0] : vector<12x8xf32> to vector<8x12xf32>
    %q = math.exp2 %pv : vector<8x12xf32>
    %gv = vector.transfer_read %g[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %ge = vector.multi_reduction <add>, %gv, %nos [1] : vector<8x4xf32> to vector<8xf32>
    %s, %t = fpa.vector_scan <sum> axis(1) %q, %ge : vector<8x12xf32>, vector<8xf32>
    vector.transfer_write %t, %sum[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    %old = vector.transfer_read %dv[%at, %c0], %zero {in_bounds = [true, true]} : memref<?x4xf32>, vector<12x4xf32>
    %new = vector.contract {indexing_maps = [#p, #g, #v], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %gv, %old : vector<8x12xf32>, vector<8x4xf32> into vector<12x4xf32>
    vector.transfer_write %new, %dv[%at, %c0] {in_bounds = [true, true]} : vector<12x4xf32>, memref<?x4xf32>
  }
  return
}

// -----

// What is read elsewhere in that memory must be read before: the product is
// computed in scratch memory and copied.

#p = affine_map<(j, e, i) -> (i, j)>
#g = affine_map<(j, e, i) -> (i, e)>
#v = affine_map<(j, e, i) -> (j, e)>

// CHECK-LABEL: func.func @overlapping
//  CHECK-SAME:   %[[P:[a-z0-9]+]]: memref<12x8xf32>, %[[X:[a-z0-9]+]]: memref<?x4xf32>
//       CHECK: scf.forall
//       CHECK:   %[[NEW:.*]] = memref.alloca() {{.*}} memref<12x4xf32>
//       CHECK:   scf.for %[[I:.*]] = %c0 to %c8 step %c1 iter_args
//       CHECK:     vector.load %[[X]]
//       CHECK:   vector.store %{{.*}}, %[[NEW]]
//       CHECK:   vector.load %[[NEW]]
//       CHECK:   vector.store %{{.*}}, %[[X]]
func.func @overlapping(%p: memref<12x8xf32>, %x: memref<?x4xf32>, %sum: memref<8xf32>, %at: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nos = arith.constant dense<0.0> : vector<8xf32>
  scf.forall (%w) in (2) {
    %pt = vector.transfer_read %p[%c0, %c0], %zero {in_bounds = [true, true]} : memref<12x8xf32>, vector<12x8xf32>
    %pv = vector.transpose %pt, [1, 0] : vector<12x8xf32> to vector<8x12xf32>
    %q = math.exp2 %pv : vector<8x12xf32>
    %gv = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<?x4xf32>, vector<8x4xf32>
    %ge = vector.multi_reduction <add>, %gv, %nos [1] : vector<8x4xf32> to vector<8xf32>
    %s, %t = fpa.vector_scan <sum> axis(1) %q, %ge : vector<8x12xf32>, vector<8xf32>
    vector.transfer_write %t, %sum[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    %old = vector.transfer_read %x[%at, %c0], %zero {in_bounds = [true, true]} : memref<?x4xf32>, vector<12x4xf32>
    %new = vector.contract {indexing_maps = [#p, #g, #v], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %gv, %old : vector<8x12xf32>, vector<8x4xf32> into vector<12x4xf32>
    vector.transfer_write %new, %x[%at, %c0] {in_bounds = [true, true]} : vector<12x4xf32>, memref<?x4xf32>
  }
  return
}

// -----

// A mask over queries and keys changes along the rows of a product that reduces
// queries. Where the values are finite, weights of zero do the same.

#p = affine_map<(j, e, i) -> (i, j)>
#g = affine_map<(j, e, i) -> (i, e)>
#v = affine_map<(j, e, i) -> (j, e)>

// CHECK-LABEL: func.func @masked
//       CHECK:   arith.select %{{.*}} : vector<4xi1>, vector<4xf32>
//  CHECK-NEXT:   vector.store %{{.*}}, %{{.*}} : memref<12x8xf32>, vector<4xf32>
//       CHECK:   %[[NUMBER:.*]] = arith.cmpf ord
//       CHECK:   %[[FINITE:.*]] = vector.reduction <and>, %[[NUMBER]]
//       CHECK:   scf.if %[[FINITE]]
//       CHECK:     vector.fma
//   CHECK-NOT:     arith.select
//       CHECK:   } else {
//       CHECK:   scf.for %[[I:.*]] = %c0 to %c8 step %c1 iter_args(%[[ACC:[a-z0-9]+]] =
//       CHECK:     %[[LAST:.*]] = memref.load %arg2[%[[I]]]
//       CHECK:     %[[SUM:.*]] = vector.fma %{{.*}}, %{{.*}}, %[[ACC]]
//       CHECK:     arith.select %{{.*}}, %[[SUM]], %[[ACC]]
func.func @masked(%p: memref<12x8xf32>, %g: memref<8x4xf32>, %last: memref<8xindex>, %dv: memref<12x4xf32>, %sum: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nos = arith.constant dense<0.0> : vector<8xf32>
  %none = arith.constant dense<0.0> : vector<12x4xf32>
  %iota = vector.step : vector<12xindex>
  scf.forall (%w) in (2) {
    %pt = vector.transfer_read %p[%c0, %c0], %zero {in_bounds = [true, true]} : memref<12x8xf32>, vector<12x8xf32>
    %pv = vector.transpose %pt, [1, 0] : vector<12x8xf32> to vector<8x12xf32>
    %q = math.exp2 %pv : vector<8x12xf32>
    %gv = vector.transfer_read %g[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %ge = vector.multi_reduction <add>, %gv, %nos [1] : vector<8x4xf32> to vector<8xf32>
    %s, %t = fpa.vector_scan <sum> axis(1) %q, %ge : vector<8x12xf32>, vector<8xf32>
    vector.transfer_write %t, %sum[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    %l = vector.transfer_read %last[%c0], %c0 {in_bounds = [true]} : memref<8xindex>, vector<8xindex>
    %lb = vector.broadcast %l : vector<8xindex> to vector<12x8xindex>
    %lt = vector.transpose %lb, [1, 0] : vector<12x8xindex> to vector<8x12xindex>
    %jb = vector.broadcast %iota : vector<12xindex> to vector<8x12xindex>
    %valid = arith.cmpi sle, %jb, %lt : vector<8x12xindex>
    %vb = vector.broadcast %valid : vector<8x12xi1> to vector<4x8x12xi1>
    %mask = vector.transpose %vb, [2, 0, 1] : vector<4x8x12xi1> to vector<12x4x8xi1>
    %new = vector.mask %mask {
      vector.contract {indexing_maps = [#p, #g, #v], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %gv, %none : vector<8x12xf32>, vector<8x4xf32> into vector<12x4xf32>
    } : vector<12x4x8xi1> -> vector<12x4xf32>
    vector.transfer_write %new, %dv[%c0, %c0] {in_bounds = [true, true]} : vector<12x4xf32>, memref<12x4xf32>
  }
  return
}

// -----

// One row of queries. The nest that only reads keys and sums them goes over memory
// once, without room for what is not yet added: as many keys as there are lanes end
// with the sums of their lanes, of which two become one as soon as they are there. The
// product with the values takes each element of them once, so that is widened on the
// way and not before; and all of a value at once. Loads of keys with one product for
// each element keep memory busy by themselves; those of values, which are narrower, are
// helped, a line at a time.

#ij = affine_map<(i, d, j) -> (i, j)>
#jd = affine_map<(i, d, j) -> (j, d)>
#id = affine_map<(i, d, j) -> (i, d)>

// CHECK-LABEL: func.func @one_row
//  CHECK-SAME:   %[[Q:[a-z0-9]+]]: memref<32xf32>, %[[K:[a-z0-9]+]]: memref<16x32xf32>, %[[V:[a-z0-9]+]]: memref<16x32xf16>
//       CHECK: scf.forall
//   CHECK-NOT:   memref.alloca() {{.*}} memref<{{64|16x.*}}xf32>
//   CHECK-NOT:   memref.prefetch
//       CHECK:   scf.for %[[ROW:.*]] = %c0 to %c16 step %c4
//       CHECK:     %[[K0:.*]] = vector.load %[[K]][%[[ROW]], %c0] : memref<16x32xf32>, vector<4xf32>
//       CHECK:     arith.mulf %[[K0]], %{{.*}} : vector<4xf32>
// CHECK-COUNT-7:     vector.fma
// CHECK-COUNT-7:     vector.fma
//       CHECK:     vector.shuffle %[[X:.*]], %[[Y:.*]] [0, 1, 4, 5]
//       CHECK:     vector.shuffle %[[X]], %[[Y]] [2, 3, 6, 7]
//       CHECK:     %[[FIRST:.*]] = arith.addf
// CHECK-COUNT-14:    vector.fma
//       CHECK:     vector.shuffle %{{.*}} [0, 1, 4, 5]
//       CHECK:     vector.shuffle %{{.*}} [2, 3, 6, 7]
//       CHECK:     %[[SECOND:.*]] = arith.addf
//       CHECK:     %[[EVEN:.*]] = vector.shuffle %[[FIRST]], %[[SECOND]] [0, 2, 4, 6]
//       CHECK:     %[[ODD:.*]] = vector.shuffle %[[FIRST]], %[[SECOND]] [1, 3, 5, 7]
//       CHECK:     %[[SUMS:.*]] = arith.addf %[[EVEN]], %[[ODD]]
//       CHECK:     vector.store %{{.*}}[%[[ROW]]] : memref<16xf32>, vector<4xf32>
//   CHECK-NOT:   memref<16x32xf32>
//       CHECK:   scf.for %[[J:.*]] = %c0 to %c16 step %c1 iter_args
//       CHECK:     %[[AHEAD:.*]] = arith.addi %[[J]], %c64
//       CHECK:     memref.prefetch %[[V]][%[[AHEAD]], %c0], read, locality<3>, data
//   CHECK-NOT:     memref.prefetch
// CHECK-COUNT-8:   vector.load %[[V]][%[[J]], %{{.*}}] : memref<16x32xf16>, vector<4xf16>
//       CHECK:     scf.yield
//   CHECK-NOT:   iter_args
//       CHECK: return
func.func @one_row(%q: memref<32xf32>, %k: memref<16x32xf32>, %v: memref<16x32xf16>, %o: memref<1x32xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %narrow = arith.constant 0.0 : f16
  %nos = arith.constant dense<0.0> : vector<16xf32>
  %noo = arith.constant dense<0.0> : vector<1x32xf32>
  scf.forall (%w) in (2) {
    %qv = vector.transfer_read %q[%c0], %zero {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %kv = vector.transfer_read %k[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x32xf32>, vector<16x32xf32>
    %rows = vector.broadcast %qv : vector<32xf32> to vector<16x32xf32>
    %products = arith.mulf %kv, %rows : vector<16x32xf32>
    %s = vector.multi_reduction <add>, %products, %nos [1] : vector<16x32xf32> to vector<16xf32>
    %row = vector.broadcast %s : vector<16xf32> to vector<1x16xf32>
    %weights = math.exp2 %row : vector<1x16xf32>
    %vv = vector.transfer_read %v[%c0, %c0], %narrow {in_bounds = [true, true]} : memref<16x32xf16>, vector<16x32xf16>
    %wide = arith.extf %vv : vector<16x32xf16> to vector<16x32xf32>
    %sum = vector.contract {indexing_maps = [#ij, #jd, #id], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %weights, %wide, %noo : vector<1x16xf32>, vector<16x32xf32> into vector<1x32xf32>
    vector.transfer_write %sum, %o[%c0, %c0] {in_bounds = [true, true]} : vector<1x32xf32>, memref<1x32xf32>
  }
  return
}
