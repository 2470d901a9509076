// RUN: fpa-opt %s -split-input-file --convert-fpa-tile-to-cpu="lanes=4 registers=16" --canonicalize --cse | FileCheck %s

// A product, what follows it element by element and its row maximum are one
// nest: 12 accumulators of 4 lanes are 4 keys times 3 registers of queries.
// Queries run along lanes, since nothing reduces over them.

// CHECK-LABEL: func.func @product_and_epilogue
//       CHECK: scf.forall
//   CHECK-DAG:   %[[MAX:.*]] = memref.alloca() {alignment = 64 : i64} : memref<12xf32>
//   CHECK-DAG:   %[[QT:.*]] = memref.alloca() {alignment = 64 : i64} : memref<6x12xf32>
//       CHECK:   vector.from_elements
//  CHECK-NEXT:   vector.store %{{.*}}, %[[QT]]
//       CHECK:   %[[ROWS:.*]]:3 = scf.for %[[J:.*]] = %c0 to %c8 step %c4
//       CHECK:     %[[ACC:.*]]:12 = scf.for %[[D:.*]] = %c0 to %c6 step %c1
// CHECK-COUNT-3:     vector.load %[[QT]][%[[D]], %{{.*}}] : memref<6x12xf32>, vector<4xf32>
// CHECK-COUNT-4:     memref.load %arg1[%{{.*}}, %[[D]]]
//       CHECK:       scf.yield
//       CHECK:     arith.mulf %[[ACC]]#0
//       CHECK:     arith.cmpf ogt
//  CHECK-NEXT:     arith.select
//       CHECK:     scf.yield
//       CHECK:   vector.store %[[ROWS]]#0, %[[MAX]][%c0]
//       CHECK:   memref.store %{{.*}}, %arg2
func.func @product_and_epilogue(%q: memref<12x6xf32>, %k: memref<8x6xf32>, %out: memref<12xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<12x8xf32>
  %two = arith.constant dense<2.0> : vector<12x8xf32>
  %low = arith.constant dense<0xFF800000> : vector<12xf32>
  scf.forall (%i) in (2) {
    %qv = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<12x6xf32>, vector<12x6xf32>
    %kv = vector.transfer_read %k[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x6xf32>, vector<8x6xf32>
    %s = vector.contract {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j, d)>, affine_map<(i, j, d) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %qv, %kv, %none : vector<12x6xf32>, vector<8x6xf32> into vector<12x8xf32>
    %t = arith.mulf %s, %two : vector<12x8xf32>
    %m = vector.multi_reduction <maxnumf>, %t, %low [1] : vector<12x8xf32> to vector<12xf32>
    vector.transfer_write %m, %out[%c0] {in_bounds = [true]} : vector<12xf32>, memref<12xf32>
  }
  return
}

// -----

// State that a loop carries lives in scratch memory, is computed in place and
// is taken over by the next loop. The accumulator's scaling joins the product.

// CHECK-LABEL: func.func @state_in_place
//       CHECK: scf.forall
//       CHECK:   %[[ACC:.*]] = memref.alloca() {alignment = 64 : i64} : memref<3x4xf32>
//   CHECK-NOT:   memref.alloca
//       CHECK:   scf.for
//       CHECK:     vector.store %{{.*}}, %[[ACC]]
//       CHECK:   scf.for %[[IT:.*]] = %c0 to %arg3 step %c8 {
//       CHECK:     vector.load %[[ACC]]
//       CHECK:     arith.mulf
//       CHECK:     scf.for
//       CHECK:       vector.fma
//       CHECK:     vector.store %{{.*}}, %[[ACC]]
//       CHECK:   memref.load %[[ACC]]
func.func @state_in_place(%p: memref<?x4xf32>, %v: memref<?x3xf32>, %out: memref<4x3xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<4x3xf32>
  %half = arith.constant dense<0.5> : vector<4x3xf32>
  scf.forall (%i) in (2) {
    %r = scf.for %it = %c0 to %n step %c8 iter_args(%acc = %none) -> (vector<4x3xf32>) {
      %pv = vector.transfer_read %p[%it, %c0], %zero {in_bounds = [true, true]} : memref<?x4xf32>, vector<8x4xf32>
      %vv = vector.transfer_read %v[%it, %c0], %zero {in_bounds = [true, true]} : memref<?x3xf32>, vector<8x3xf32>
      %scaled = arith.mulf %acc, %half : vector<4x3xf32>
      %next = vector.contract {indexing_maps = [affine_map<(i, e, j) -> (j, i)>, affine_map<(i, e, j) -> (j, e)>, affine_map<(i, e, j) -> (i, e)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %pv, %vv, %scaled : vector<8x4xf32>, vector<8x3xf32> into vector<4x3xf32>
      scf.yield %next : vector<4x3xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<4x3xf32>, memref<4x3xf32>
  }
  return
}

// -----

// A scan walks its axis in its direction and carries one register per run of
// lanes; its total is stored after the walk.

// CHECK-LABEL: func.func @reverse_scan
//       CHECK: %[[TOTAL:.*]] = scf.for %[[IV:.*]] = %c0 to %c24 step %c8 iter_args(%[[CARRY:.*]] = %{{.*}})
//       CHECK:   %[[LAST:.*]] = arith.subi %c23, %[[IV]]
//       CHECK:   %[[X:.*]] = vector.load %{{.*}}[%[[LAST]], %c0]
//       CHECK:   %[[NEXT:.*]] = arith.minimumf %[[CARRY]], %[[X]]
//       CHECK:   vector.store %[[CARRY]], %{{.*}}[%[[LAST]], %c0]
func.func @reverse_scan(%x: memref<24x4xf32>, %y: memref<24x4xf32>, %t: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %init = arith.constant dense<0x7F800000> : vector<4xf32>
  scf.forall (%i) in (2) {
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<24x4xf32>, vector<24x4xf32>
    %m, %total = fpa.vector_scan <min> axis(0) reverse exclusive %v, %init : vector<24x4xf32>, vector<4xf32>
    vector.transfer_write %m, %y[%c0, %c0] {in_bounds = [true, true]} : vector<24x4xf32>, memref<24x4xf32>
    vector.transfer_write %total, %t[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  }
  return
}

// -----

// In a masked product a masked-off term must not touch the accumulator, not
// even as 0 * NaN. The mask is a compare away from its source and is computed
// where it is needed.

// CHECK-LABEL: func.func @masked_product
//       CHECK: scf.for %[[J:.*]] = %c0 to %c8 step %c1 iter_args
//       CHECK:   vector.broadcast %[[J]] : index to vector<4xindex>
//       CHECK:   %[[MASK:.*]] = arith.cmpi slt
//       CHECK:   %[[SUM:.*]] = vector.fma %{{.*}}, %{{.*}}, %[[ACC:.*]] : vector<4xf32>
//       CHECK:   arith.select %[[MASK]], %[[SUM]], %[[ACC]]
func.func @masked_product(%p: memref<8x4xf32>, %v: memref<8x3xf32>, %last: memref<4xindex>, %out: memref<4x3xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<4x3xf32>
  %iota = vector.step : vector<8xindex>
  scf.forall (%i) in (2) {
    %l = vector.transfer_read %last[%c0], %c0 {in_bounds = [true]} : memref<4xindex>, vector<4xindex>
    %lb = vector.broadcast %l : vector<4xindex> to vector<8x4xindex>
    %jb0 = vector.broadcast %iota : vector<8xindex> to vector<4x8xindex>
    %jb = vector.transpose %jb0, [1, 0] : vector<4x8xindex> to vector<8x4xindex>
    %valid = arith.cmpi slt, %jb, %lb : vector<8x4xindex>
    %vb = vector.broadcast %valid : vector<8x4xi1> to vector<3x8x4xi1>
    %mask = vector.transpose %vb, [2, 0, 1] : vector<3x8x4xi1> to vector<4x3x8xi1>
    %pv = vector.transfer_read %p[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %vv = vector.transfer_read %v[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x3xf32>, vector<8x3xf32>
    %r = vector.mask %mask {
      vector.contract {indexing_maps = [affine_map<(i, e, j) -> (j, i)>, affine_map<(i, e, j) -> (j, e)>, affine_map<(i, e, j) -> (i, e)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %pv, %vv, %none : vector<8x4xf32>, vector<8x3xf32> into vector<4x3xf32>
    } : vector<4x3x8xi1> -> vector<4x3xf32>
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<4x3xf32>, memref<4x3xf32>
  }
  return
}

// -----

// A read that may leave memory is padded element by element when it does, and
// a write stops where memory stops.

// CHECK-LABEL: func.func @padded
//       CHECK: %[[SIZE:.*]] = memref.dim %arg0, %c0
//       CHECK: %[[LEFT:.*]] = arith.subi %[[SIZE]], %arg2
//       CHECK: %[[SOME:.*]] = arith.maxsi %[[LEFT]], %c0
//       CHECK: %[[VALID:.*]] = arith.minsi %[[SOME]], %c8
//       CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[VALID]], %c8
//       CHECK: scf.if %[[WHOLE]]
//       CHECK:   vector.load %arg0
//       CHECK: } else {
//       CHECK:   scf.if
//       CHECK:     memref.load %arg0
//       CHECK:   } else {
//       CHECK:     scf.yield %cst
//       CHECK: arith.addf
//       CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c1 {
//       CHECK:   memref.store %{{.*}}, %arg1
func.func @padded(%x: memref<?xf32>, %y: memref<?xf32>, %at: index) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (2) {
    %v = vector.transfer_read %x[%at], %zero : memref<?xf32>, vector<8xf32>
    %w = arith.addf %v, %v : vector<8xf32>
    vector.transfer_write %w, %y[%at] : vector<8xf32>, memref<?xf32>
  }
  return
}

// -----

// Half precision is widened once per block, along memory.

// CHECK-LABEL: func.func @widen
//       CHECK: %[[X:.*]] = vector.load %arg0[%{{.*}}, %{{.*}}] : memref<4x8xf16>, vector<4xf16>
//       CHECK: arith.extf %[[X]] : vector<4xf16> to vector<4xf32>
func.func @widen(%x: memref<4x8xf16>, %y: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  scf.forall (%i) in (2) {
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf16>, vector<4x8xf16>
    %w = arith.extf %v : vector<4x8xf16> to vector<4x8xf32>
    vector.transfer_write %w, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
  }
  return
}

// -----

// A value without axes is written as it is.

// CHECK-LABEL: func.func @uniform
//       CHECK: scf.for %[[I:.*]] = %c0 to %c8 step %c1
//       CHECK:   memref.store %cst, %arg0[%[[I]]]
func.func @uniform(%y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  scf.forall (%i) in (2) {
    vector.transfer_write %zero, %y[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
  }
  return
}

// -----

// Between memory's order and that of the lanes, squares of registers are
// transposed by shuffles: 2 steps of 4 shuffles for 4 lanes.

// CHECK-LABEL: func.func @transposed
//       CHECK: scf.for %[[Y:.*]] = %c0 to %c8 step %c4
// CHECK-COUNT-4: vector.load %arg0
//       CHECK:   vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5]
//  CHECK-NEXT:   vector.shuffle %{{.*}}, %{{.*}} [2, 3, 6, 7]
//       CHECK:   vector.shuffle %{{.*}}, %{{.*}} [0, 4, 2, 6]
//  CHECK-NEXT:   vector.shuffle %{{.*}}, %{{.*}} [1, 5, 3, 7]
// CHECK-COUNT-4: vector.store %{{.*}} memref<4x8xf32>
//       CHECK: arith.addf
//       CHECK: scf.if
// CHECK-COUNT-4: vector.shuffle
//       CHECK: } else {
//       CHECK:   memref.store
func.func @transposed(%x: memref<8x4xf32>, %y: memref<?x4xf32>, %m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<8xf32>
  scf.forall (%i) in (2) {
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %w = arith.addf %v, %v : vector<8x4xf32>
    %s = vector.multi_reduction <add>, %w, %none [1] : vector<8x4xf32> to vector<8xf32>
    vector.transfer_write %w, %y[%c0, %c0] : vector<8x4xf32>, memref<?x4xf32>
    vector.transfer_write %s, %m[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
  }
  return
}

// -----

// All of a line in one number: its registers, then their lanes.

// CHECK-LABEL: func.func @line_in_one_number
//   CHECK-DAG: %[[START:.*]] = arith.constant 1.000000e+00 : f32
//       CHECK: scf.forall
//       CHECK:   %[[LINE:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
// CHECK-COUNT-2: vector.store %{{.*}}, %[[LINE]]
//       CHECK:   %[[X:.*]] = vector.load %[[LINE]][%c0] : memref<8xf32>, vector<4xf32>
//       CHECK:   %[[Y:.*]] = vector.load %[[LINE]][%c4] : memref<8xf32>, vector<4xf32>
//       CHECK:   %[[LANES:.*]] = arith.addf %[[X]], %[[Y]] : vector<4xf32>
//       CHECK:   %[[SUM:.*]] = vector.reduction <add>, %[[LANES]], %[[START]] : vector<4xf32> into f32
//       CHECK:   memref.store %[[SUM]], %arg1
func.func @line_in_one_number(%x: memref<8xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  scf.forall (%i) in (2) {
    %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    %w = arith.mulf %v, %v : vector<8xf32>
    %s = vector.multi_reduction <add>, %w, %one [0] : vector<8xf32> to f32
    memref.store %s, %y[%c0] : memref<4xf32>
  }
  return
}

// -----

// A reset takes what has been summed out of the register that a scan carries.

// CHECK-LABEL: func.func @reset_scan
//       CHECK: scf.for %[[J:.*]] = %c0 to %c24 step %c8 iter_args(%[[CARRY:.*]] = %{{.*}})
//       CHECK:   %[[X:.*]] = vector.load %arg0[%[[J]], %c0]
//       CHECK:   %[[SUM:.*]] = arith.addf %[[CARRY]], %[[X]]
//       CHECK:   %[[STOP:.*]] = arith.cmpf olt, %[[X]], %{{.*}} : vector<4xf32>
//       CHECK:   %[[NEXT:.*]] = arith.select %[[STOP]], %[[X]], %[[SUM]]
//       CHECK:   vector.store %[[CARRY]], %{{.*}}[%[[J]], %c0]
func.func @reset_scan(%x: memref<24x4xf32>, %y: memref<24x4xf32>, %t: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<24x4xf32>
  %init = arith.constant dense<0.0> : vector<4xf32>
  scf.forall (%i) in (2) {
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<24x4xf32>, vector<24x4xf32>
    %stop = arith.cmpf olt, %v, %zeros : vector<24x4xf32>
    %m, %total = fpa.vector_scan <sum> axis(0) exclusive %v, %init reset(%stop) : vector<24x4xf32>, vector<4xf32>
    vector.transfer_write %m, %y[%c0, %c0] {in_bounds = [true, true]} : vector<24x4xf32>, memref<24x4xf32>
    vector.transfer_write %total, %t[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  }
  return
}

// -----

// A function of many instructions is not copied for each register of a product.

// CHECK-LABEL: func.func @product_and_function
//       CHECK:   vector.fma
//       CHECK:   vector.store
//       CHECK:   scf.for
// CHECK-COUNT-6:     math.exp2
//       CHECK:   scf.for
//   CHECK-NOT:   math.exp2
func.func @product_and_function(%q: memref<12x6xf32>, %k: memref<8x6xf32>, %out: memref<12x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<12x8xf32>
  scf.forall (%i) in (2) {
    %a = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<12x6xf32>, vector<12x6xf32>
    %b = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x6xf32>, vector<8x6xf32>
    %s = vector.contract {
      indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j, d)>, affine_map<(i, j, d) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
    } %a, %b, %zero : vector<12x6xf32>, vector<8x6xf32> into vector<12x8xf32>
    %p = math.exp2 %s : vector<12x8xf32>
    vector.transfer_write %p, %out[%c0, %c0] {in_bounds = [true, true]} : vector<12x8xf32>, memref<12x8xf32>
  }
  return
}
