// RUN: fpa-opt %s --fpa-raise-attention --canonicalize --split-input-file -verify-diagnostics | FileCheck %s

// FoX: sums of log gates, of the row minus of the key. The row's part is the
// same for all keys of a row; the key's is a field that never rises.

// CHECK-LABEL: func.func @gates(
// CHECK: %[[C:.*]] = fpa.prefix_sum
// CHECK: %[[F:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0, 1, 2]] output_shape [1, 1, 8]
// CHECK: fpa.attention {{.*}} field(%[[F]] : tensor<1x1x8xf32>) {{.*}} {non_increasing, scale = 2.500000e-01 : f64}
// CHECK-NOT: linalg.softmax
#s = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#x = affine_map<(i) -> (i)>
func.func @gates(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>, %g: tensor<8xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %g0 = tensor.empty() : tensor<8xf32>
  %logs = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel"]} ins(%g : tensor<8xf32>) outs(%g0 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %e = math.exp %n : f32
    %d = arith.addf %e, %one : f32
    %gate = arith.divf %one, %d : f32
    %l = math.log %gate : f32
    linalg.yield %l : f32
  } -> tensor<8xf32>
  %c = fpa.prefix_sum axis(0) ins(%logs : tensor<8xf32>) outs(%g0 : tensor<8xf32>) -> tensor<8xf32>
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #i, #j, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p, %c, %c : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %ci: f32, %cj: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %scale, %in : f32
    %decay = arith.subf %ci, %cj : f32
    %y = arith.addf %x, %decay : f32
    %later = arith.cmpi ult, %i, %j : index
    %z = arith.select %later, %none, %y : f32
    linalg.yield %z : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// The range-minimum penalty with the minimum over a third axis, of +inf where the
// key t is not between j and the row; the excess as a select; a window. Four rows
// at the last of eight keys.

// CHECK-LABEL: func.func @range_minimum(
// CHECK: fpa.attention {{.*}} field(%{{.*}} : tensor<1x1x8xf32>) level(%{{.*}} : tensor<1x1x8xf32>) {{.*}} {scale = 2.500000e-01 : f64, window = 6 : i64}
// CHECK-NOT: linalg.softmax
#s = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
#t3 = affine_map<(i, j, t) -> (t)>
#ijt = affine_map<(i, j, t) -> (i, j, t)>
func.func @range_minimum(%q: tensor<4x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>, %f: tensor<8xf32>, %l: tensor<8xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %inf = arith.constant 0x7F800000 : f32
  %four = arith.constant 4 : index
  %b0 = tensor.empty() : tensor<4x8x8xf32>
  %between = linalg.generic {indexing_maps = [#t3, #ijt], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%f : tensor<8xf32>) outs(%b0 : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = linalg.index 2 : index
    %p = arith.addi %i, %four : index
    %after = arith.cmpi sgt, %t, %j : index
    %before = arith.cmpi sle, %t, %p : index
    %both = arith.andi %after, %before : i1
    %x = arith.select %both, %in, %inf : f32
    linalg.yield %x : f32
  } -> tensor<4x8x8xf32>
  %s0 = tensor.empty() : tensor<4x8xf32>
  %mi = linalg.fill ins(%inf : f32) outs(%s0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = linalg.reduce { arith.minimumf } ins(%between : tensor<4x8x8xf32>) outs(%mi : tensor<4x8xf32>) dimensions = [2]
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<4x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s, #j, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p, %m, %l : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>) outs(%s0 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %least: f32, %level: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %at = arith.addi %i, %four : index
    %low = arith.cmpf ole, %level, %least : f32
    %z = arith.subf %level, %least : f32
    %pen = arith.select %low, %zero, %z : f32
    %x = arith.mulf %in, %scale : f32
    %y = arith.subf %x, %pen : f32
    %seen = arith.cmpi sle, %j, %at : index
    %a = arith.select %seen, %y, %none : f32
    %five = arith.constant 5 : index
    %j5 = arith.addi %j, %five : index
    %near = arith.cmpi sge, %j5, %at : index
    %b = arith.select %near, %a, %none : f32
    linalg.yield %b : f32
  } -> tensor<4x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<4x8xf32>) outs(%s0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %o0 = tensor.empty() : tensor<4x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %o = linalg.matmul ins(%w, %v : tensor<4x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %o : tensor<4x4xf32>
}
