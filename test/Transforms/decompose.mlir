// RUN: fpa-opt %s --fpa-decompose --split-input-file | FileCheck %s

// Every step of the definition, in its order.

// CHECK-DAG: #[[BHI:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[BHIJ:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[I:.*]] = affine_map<(d0, d1, d2, d3) -> (d2)>
// CHECK-LABEL: func.func @tied(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<1x2x8x16xf32>, %[[K:[a-z0-9]+]]: tensor<1x2x12x16xf32>, %[[V:[a-z0-9]+]]: tensor<1x2x12x4xf32>, %[[F:[a-z0-9]+]]: tensor<1x2x12xf32>, %[[O0:[a-z0-9]+]]: tensor<1x2x8x4xf32>, %[[L0:[a-z0-9]+]]: tensor<1x2x8xf32>
// CHECK: %[[LAST:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8xi64>)
// CHECK: %[[MIN:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%[[F]], %[[LAST]] : tensor<1x2x12xf32>, tensor<8xi64>)
// CHECK:   arith.minimumf {{.*}}, %out
// CHECK:   %[[T:.*]] = linalg.index 4
// CHECK:   %[[TI:.*]] = arith.index_cast %[[T]]
// CHECK:   %[[J:.*]] = linalg.index 3
// CHECK:   %[[JI:.*]] = arith.index_cast %[[J]]
// CHECK:   arith.cmpi slt, %[[JI]], %[[TI]] : i64
// CHECK:   arith.cmpi sle, %[[TI]], %in{{.*}} : i64
// CHECK: %[[Z:.*]] = linalg.generic {{.*}} ins(%[[F]], %[[MIN]] :
// CHECK:   arith.subf
// CHECK: %[[DOT:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%[[Q]], %[[K]] :
// CHECK: %[[PEN:.*]] = linalg.generic {{.*}} ins(%[[Z]] :
// CHECK:   arith.maximumf %in, %cst{{.*}} : f32
// CHECK: %[[S:.*]] = linalg.generic {indexing_maps = [#[[BHIJ]], #[[I]], #[[I]], #[[BHIJ]], #[[BHIJ]]], {{.*}} ins(%[[DOT]], %{{.*}}, %[[LAST]], %[[PEN]] :
// CHECK:   %[[SCALED:.*]] = arith.mulf %in, %{{.*}} : f32
// CHECK:   arith.subf %[[SCALED]], %in
// CHECK: %[[MAX:.*]] = linalg.generic {indexing_maps = [#[[BHIJ]], #[[BHI]]], {{.*}} ins(%[[S]] :
// CHECK: %[[W:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[MAX]],
// CHECK:   math.exp
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[BHIJ]], #[[BHI]]], {{.*}} ins(%[[W]] :
// CHECK: %[[ACC:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[V]],
// CHECK: %[[O:.*]] = linalg.generic {{.*}} ins(%[[ACC]], %[[SUM]] : {{.*}}) outs(%[[O0]] :
// CHECK:   arith.divf
// CHECK: %[[L:.*]] = linalg.generic {{.*}} ins(%[[MAX]], %[[SUM]] : {{.*}}) outs(%[[L0]] :
// CHECK:   math.log
// CHECK: return %[[O]], %[[L]]
func.func @tied(%q: tensor<1x2x8x16xf32>, %k: tensor<1x2x12x16xf32>, %v: tensor<1x2x12x4xf32>,
    %f: tensor<1x2x12xf32>, %o0: tensor<1x2x8x4xf32>, %l0: tensor<1x2x8xf32>)
    -> (tensor<1x2x8x4xf32>, tensor<1x2x8xf32>) {
  %o, %lse = fpa.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x4xf32>)
      field(%f : tensor<1x2x12xf32>) outs(%o0, %l0 : tensor<1x2x8x4xf32>, tensor<1x2x8xf32>)
      -> tensor<1x2x8x4xf32>, tensor<1x2x8xf32>
  return %o, %lse : tensor<1x2x8x4xf32>, tensor<1x2x8xf32>
}

// -----

// Half precision is widened where it is read; sums are f32; no field means no
// penalty, no lse no logarithm.

// CHECK-LABEL: func.func @plain_half(
// CHECK-NOT: arith.minimumf
// CHECK: linalg.generic
// CHECK:   arith.extf %in : f16 to f32
// CHECK:   arith.extf %in_{{.*}} : f16 to f32
// CHECK-NOT: arith.minimumf
// CHECK:   math.exp %{{.*}} : f32
// CHECK:   arith.truncf %{{.*}} : f32 to f16
// CHECK-NOT: math.log
// CHECK: return
func.func @plain_half(%q: tensor<?x?x?x?xf16>, %k: tensor<?x?x?x?xf16>, %v: tensor<?x?x?x?xf16>,
    %o0: tensor<?x?x?x?xf16>) -> tensor<?x?x?x?xf16> {
  %o = fpa.attention
      ins(%q, %k, %v : tensor<?x?x?x?xf16>, tensor<?x?x?x?xf16>, tensor<?x?x?x?xf16>)
      outs(%o0 : tensor<?x?x?x?xf16>) {scale = 0.5 : f64} -> tensor<?x?x?x?xf16>
  return %o : tensor<?x?x?x?xf16>
}

// -----

// CHECK-LABEL: func.func @smooth_window(
// CHECK: arith.constant 4 : i64
// CHECK: arith.maxsi
// CHECK: math.log1p
// CHECK: arith.divf
func.func @smooth_window(%q: tensor<1x1x8x8xf64>, %f: tensor<1x1x8xf64>, %l: tensor<1x1x8xf64>,
    %o0: tensor<1x1x8x8xf64>) -> tensor<1x1x8x8xf64> {
  %o = fpa.attention
      ins(%q, %q, %q : tensor<1x1x8x8xf64>, tensor<1x1x8x8xf64>, tensor<1x1x8x8xf64>)
      field(%f : tensor<1x1x8xf64>) level(%l : tensor<1x1x8xf64>)
      outs(%o0 : tensor<1x1x8x8xf64>) {smooth = 4.0 : f64, window = 5 : i64} -> tensor<1x1x8x8xf64>
  return %o : tensor<1x1x8x8xf64>
}
