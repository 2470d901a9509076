// RUN: fpa-opt %s --convert-fpa-tile-to-cpu="lanes=8 registers=16" --cse | FileCheck %s

// Two rows fill no register, so lanes go to the columns of values. Keys are read as
// they lie, once for both rows, as many at a time as there are lanes, and so are
// values, which are widened on the way; of both, a line of each row is asked for a page
// ahead. As many keys as columns, whose masks are one value, are no reason to take one
// axis for the other.

#ij = affine_map<(i, d, j) -> (i, j)>
#jd = affine_map<(i, d, j) -> (j, d)>
#id = affine_map<(i, d, j) -> (i, d)>

// CHECK-LABEL: func.func @two_rows
//  CHECK-SAME:   %[[Q:[a-z0-9]+]]: memref<2x16xf32>, %[[K:[a-z0-9]+]]: memref<16x16xf32>, %[[V:[a-z0-9]+]]: memref<16x16xf16>
//       CHECK: scf.forall
//   CHECK-NOT:   memref.alloca() {{.*}} memref<16x{{.*}}xf32>
//       CHECK:   scf.for %[[KEY:.*]] = %c0 to %c16 step %c8
//       CHECK:     %[[AHEAD:.*]] = arith.addi %[[KEY]], %c64
//       CHECK:     memref.prefetch %[[K]][%[[AHEAD]], %c0], read, locality<3>, data
//       CHECK:     %[[LOW:.*]] = vector.load %[[K]][%[[KEY]], %c0] : memref<16x16xf32>, vector<8xf32>
//       CHECK:     arith.mulf %[[LOW]], %{{.*}} : vector<8xf32>
//       CHECK:     arith.mulf %[[LOW]], %{{.*}} : vector<8xf32>
//       CHECK:     %[[HIGH:.*]] = vector.load %[[K]][%[[KEY]], %c8] : memref<16x16xf32>, vector<8xf32>
//   CHECK-NOT:     memref.prefetch
//       CHECK:     vector.fma %[[HIGH]], %{{.*}} : vector<8xf32>
//       CHECK:     vector.fma %[[HIGH]], %{{.*}} : vector<8xf32>
//       CHECK:     %[[NEXT:.*]] = arith.addi %[[KEY]], %c1
//       CHECK:     vector.load %[[K]][%[[NEXT]], %c0]
//       CHECK:     vector.store %{{.*}}[%[[KEY]]] : memref<16xf32>, vector<8xf32>
//       CHECK:     vector.store %{{.*}}[%[[KEY]]] : memref<16xf32>, vector<8xf32>
//       CHECK:     }
//       CHECK:   memref.prefetch %[[V]]
//       CHECK:   %[[NARROW:.*]] = vector.load %[[V]][%{{.*}}, %{{.*}}] : memref<16x16xf16>, vector<8xf16>
//       CHECK:   arith.extf %[[NARROW]]
//       CHECK: return
func.func @two_rows(%q: memref<2x16xf32>, %k: memref<16x16xf32>, %v: memref<16x16xf16>, %o: memref<2x16xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %narrow = arith.constant 0.0 : f16
  %nod = arith.constant dense<0.0> : vector<16xf32>
  %nor = arith.constant dense<0.0> : vector<2x16xf32>
  %first = arith.constant dense<0> : vector<2xi32>
  %second = arith.constant dense<1> : vector<2xi32>
  scf.forall (%w) in (2) {
    %qv = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<2x16xf32>, vector<2x16xf32>
    %kv = vector.transfer_read %k[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
    %step = vector.step : vector<2xindex>
    %row = arith.index_cast %step : vector<2xindex> to vector<2xi32>
    %at0 = arith.cmpi eq, %row, %first : vector<2xi32>
    %wide0 = vector.broadcast %at0 : vector<2xi1> to vector<16x2xi1>
    %is0 = vector.transpose %wide0, [1, 0] : vector<16x2xi1> to vector<2x16xi1>
    %alone0 = arith.select %is0, %qv, %nor : vector<2x16xi1>, vector<2x16xf32>
    %q0 = vector.multi_reduction <add>, %alone0, %nod [0] : vector<2x16xf32> to vector<16xf32>
    %b0 = vector.broadcast %q0 : vector<16xf32> to vector<16x16xf32>
    %p0 = arith.mulf %kv, %b0 : vector<16x16xf32>
    %s0 = vector.multi_reduction <add>, %p0, %nod [1] : vector<16x16xf32> to vector<16xf32>
    %t0 = vector.broadcast %s0 : vector<16xf32> to vector<2x16xf32>
    %at1 = arith.cmpi eq, %row, %second : vector<2xi32>
    %wide1 = vector.broadcast %at1 : vector<2xi1> to vector<16x2xi1>
    %is1 = vector.transpose %wide1, [1, 0] : vector<16x2xi1> to vector<2x16xi1>
    %alone1 = arith.select %is1, %qv, %nor : vector<2x16xi1>, vector<2x16xf32>
    %q1 = vector.multi_reduction <add>, %alone1, %nod [0] : vector<2x16xf32> to vector<16xf32>
    %b1 = vector.broadcast %q1 : vector<16xf32> to vector<16x16xf32>
    %p1 = arith.mulf %kv, %b1 : vector<16x16xf32>
    %s1 = vector.multi_reduction <add>, %p1, %nod [1] : vector<16x16xf32> to vector<16xf32>
    %t1 = vector.broadcast %s1 : vector<16xf32> to vector<2x16xf32>
    %s = arith.select %is1, %t1, %t0 : vector<2x16xi1>, vector<2x16xf32>
    %weights = math.exp2 %s : vector<2x16xf32>
    %vn = vector.transfer_read %v[%c0, %c0], %narrow {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %vv = arith.extf %vn : vector<16x16xf16> to vector<16x16xf32>
    %sum = vector.contract {indexing_maps = [#ij, #jd, #id], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %weights, %vv, %nor : vector<2x16xf32>, vector<16x16xf32> into vector<2x16xf32>
    vector.transfer_write %sum, %o[%c0, %c0] {in_bounds = [true, true]} : vector<2x16xf32>, memref<2x16xf32>
  }
  return
}
