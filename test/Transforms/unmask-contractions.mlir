// RUN: fpa-opt %s -split-input-file --fpa-unmask-contractions --canonicalize | FileCheck %s

#p = affine_map<(i, e, j) -> (i, j)>
#v = affine_map<(i, e, j) -> (j, e)>
#o = affine_map<(i, e, j) -> (i, e)>

// Both products have operands that are extended from f16.

// CHECK-LABEL: func.func @weights(
//  CHECK-SAME:   %[[S:.*]]: vector<4x8xf32>, %[[V:.*]]: vector<8x2xf16>, %[[ACC:.*]]: vector<4x2xf32>, %[[MASK:.*]]: vector<4x8xi1>)
//   CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<4x2xf32>
//   CHECK-DAG:   %[[WIDE0:.*]] = arith.constant dense<0.000000e+00> : vector<4x8xf32>
//   CHECK-DAG:   %[[NARROW0:.*]] = arith.constant dense<0.000000e+00> : vector<8x2xf16>
//   CHECK-DAG:   %[[NAN:.*]] = arith.constant dense<2.550000e+02> : vector<8x2xf16>
//   CHECK-DAG:   %[[INF:.*]] = arith.constant dense<0x7C00> : vector<8x2xf16>
//       CHECK:   %[[E:.*]] = math.exp2 %[[S]]
//       CHECK:   %[[P:.*]] = arith.select %[[MASK]], %[[E]], %[[WIDE0]]
//       CHECK:   %[[SIZE:.*]] = math.absf %[[V]] : vector<8x2xf16>
//       CHECK:   %[[FINITE:.*]] = arith.cmpf olt, %[[SIZE]], %[[INF]] : vector<8x2xf16>
//       CHECK:   %[[NUMBER:.*]] = arith.select %[[FINITE]], %[[V]], %[[NARROW0]]
//       CHECK:   %[[NUMBERS:.*]] = arith.extf %[[NUMBER]] : vector<8x2xf16> to vector<8x2xf32>
//       CHECK:   %[[SUM:.*]] = vector.contract {{.*}} %[[P]], %[[NUMBERS]], %[[ACC]]
//       CHECK:   %[[ONE:.*]] = arith.select %[[MASK]], %{{.*}}, %{{.*}} : vector<4x8xi1>, vector<4x8xf16>
//       CHECK:   arith.select %{{.*}}, %{{.*}}, %[[NAN]]
//       CHECK:   %[[CODE:.*]] = arith.select %[[FINITE]], %[[NARROW0]], %{{.*}}
//   CHECK-DAG:   %[[CODES:.*]] = arith.extf %[[CODE]] : vector<8x2xf16> to vector<8x2xf32>
//   CHECK-DAG:   %[[ONES:.*]] = arith.extf %[[ONE]] : vector<4x8xf16> to vector<4x8xf32>
//       CHECK:   %[[COUNTS:.*]] = vector.contract {{.*}} %[[ONES]], %[[CODES]], %[[ZERO]]
//       CHECK:   %[[N:.*]] = math.floor
//       CHECK:   %[[BOTH:.*]] = arith.addf
//       CHECK:   %[[R:.*]] = arith.addf %[[SUM]], %[[BOTH]]
//       CHECK:   return %[[R]]
//   CHECK-NOT:   vector.mask
func.func @weights(%s: vector<4x8xf32>, %v: vector<8x2xf16>, %acc: vector<4x2xf32>, %mask: vector<4x8xi1>) -> vector<4x2xf32> {
  %p = math.exp2 %s : vector<4x8xf32>
  %w = arith.extf %v : vector<8x2xf16> to vector<8x2xf32>
  %b = vector.broadcast %mask : vector<4x8xi1> to vector<2x4x8xi1>
  %m = vector.transpose %b, [1, 0, 2] : vector<2x4x8xi1> to vector<4x2x8xi1>
  %r = vector.mask %m { vector.contract {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %p, %w, %acc : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32> } : vector<4x2x8xi1> -> vector<4x2xf32>
  return %r : vector<4x2xf32>
}

// -----

#p = affine_map<(i, e, j) -> (i, j)>
#v = affine_map<(i, e, j) -> (j, e)>
#o = affine_map<(i, e, j) -> (i, e)>

// What an infinity times a number of unknown sign is, nobody can say.

// CHECK-LABEL: func.func @any_sign(
//   CHECK-DAG:   %[[NAN:.*]] = arith.constant dense<0x7FC00000> : vector<4x2xf32>
//       CHECK:   %[[SUM:.*]] = vector.contract
//       CHECK:   %[[COUNTS:.*]] = vector.contract
//       CHECK:   %[[ANY:.*]] = arith.cmpf ogt, %[[COUNTS]]
//       CHECK:   %[[D:.*]] = arith.select %[[ANY]], %[[NAN]]
//       CHECK:   arith.addf %[[SUM]], %[[D]]
func.func @any_sign(%s: vector<4x8xf32>, %v: vector<8x2xf32>, %acc: vector<4x2xf32>, %mask: vector<4x8xi1>) -> vector<4x2xf32> {
  %b = vector.broadcast %mask : vector<4x8xi1> to vector<2x4x8xi1>
  %m = vector.transpose %b, [1, 0, 2] : vector<2x4x8xi1> to vector<4x2x8xi1>
  %r = vector.mask %m { vector.contract {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %v, %acc : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32> } : vector<4x2x8xi1> -> vector<4x2xf32>
  return %r : vector<4x2xf32>
}

// -----

#p = affine_map<(i, e, j) -> (i, j)>
#v = affine_map<(i, e, j) -> (j, e)>
#o = affine_map<(i, e, j) -> (i, e)>

// A mask of V as well is not one of weights; the mask of 4x4 below is
// transposed; 254 codes could not be told apart.

// CHECK-LABEL: func.func @stay
// CHECK-COUNT-3: vector.mask
func.func @stay(%s: vector<4x4xf32>, %v: vector<4x2xf32>, %acc: vector<4x2xf32>, %whole: vector<4x2x4xi1>, %mask: vector<4x4xi1>,
                %ls: vector<4x254xf32>, %lv: vector<254x2xf32>, %lmask: vector<4x254xi1>) -> (vector<4x2xf32>, vector<4x2xf32>, vector<4x2xf32>) {
  %0 = vector.mask %whole { vector.contract {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %v, %acc : vector<4x4xf32>, vector<4x2xf32> into vector<4x2xf32> } : vector<4x2x4xi1> -> vector<4x2xf32>
  %b = vector.broadcast %mask : vector<4x4xi1> to vector<2x4x4xi1>
  %t = vector.transpose %b, [2, 0, 1] : vector<2x4x4xi1> to vector<4x2x4xi1>
  %1 = vector.mask %t { vector.contract {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %v, %acc : vector<4x4xf32>, vector<4x2xf32> into vector<4x2xf32> } : vector<4x2x4xi1> -> vector<4x2xf32>
  %lb = vector.broadcast %lmask : vector<4x254xi1> to vector<2x4x254xi1>
  %lm = vector.transpose %lb, [1, 0, 2] : vector<2x4x254xi1> to vector<4x2x254xi1>
  %2 = vector.mask %lm { vector.contract {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ls, %lv, %acc : vector<4x254xf32>, vector<254x2xf32> into vector<4x2xf32> } : vector<4x2x254xi1> -> vector<4x2xf32>
  return %0, %1, %2 : vector<4x2xf32>, vector<4x2xf32>, vector<4x2xf32>
}
