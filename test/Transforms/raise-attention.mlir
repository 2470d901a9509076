// RUN: fpa-opt %s --fpa-raise-attention --canonicalize --split-input-file -verify-diagnostics | FileCheck %s

// Merged batch and heads, a transposed key, a scale on the product, a mask
// that selects, linalg.softmax. A reshape says what the batch is made of.

// CHECK-LABEL: func.func @batched(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x3x8x16xf32>, %[[K:[a-z0-9]+]]: tensor<2x3x8x16xf32>, %[[V:[a-z0-9]+]]: tensor<2x3x8x4xf32>
// CHECK-NOT: linalg
// CHECK: %[[O:.*]] = fpa.attention ins(%[[Q]], %[[K]], %[[V]] : {{.*}}) outs({{.*}}) {scale = 2.500000e-01 : f64} -> tensor<2x3x8x4xf32>
// CHECK-NEXT: %[[R:.*]] = tensor.collapse_shape %[[O]] {{\[\[}}0, 1], [2], [3]]
// CHECK-NEXT: return %[[R]]
#id = affine_map<(n, i, j) -> (n, i, j)>
func.func @batched(%q4: tensor<2x3x8x16xf32>, %k4: tensor<2x3x8x16xf32>, %v4: tensor<2x3x8x4xf32>) -> tensor<6x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %q = tensor.collapse_shape %q4 [[0, 1], [2], [3]] : tensor<2x3x8x16xf32> into tensor<6x8x16xf32>
  %k = tensor.collapse_shape %k4 [[0, 1], [2], [3]] : tensor<2x3x8x16xf32> into tensor<6x8x16xf32>
  %v = tensor.collapse_shape %v4 [[0, 1], [2], [3]] : tensor<2x3x8x4xf32> into tensor<6x8x4xf32>
  %kt0 = tensor.empty() : tensor<6x16x8xf32>
  %kt = linalg.transpose ins(%k : tensor<6x8x16xf32>) outs(%kt0 : tensor<6x16x8xf32>) permutation = [0, 2, 1]
  %s0 = tensor.empty() : tensor<6x8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<6x8x8xf32>) -> tensor<6x8x8xf32>
  %p = linalg.batch_matmul ins(%q, %kt : tensor<6x8x16xf32>, tensor<6x16x8xf32>) outs(%sz : tensor<6x8x8xf32>) -> tensor<6x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<6x8x8xf32>) outs(%s0 : tensor<6x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %x = arith.mulf %in, %scale : f32
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> tensor<6x8x8xf32>
  %w = linalg.softmax dimension(2) ins(%s : tensor<6x8x8xf32>) outs(%s0 : tensor<6x8x8xf32>) -> tensor<6x8x8xf32>
  %o0 = tensor.empty() : tensor<6x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<6x8x4xf32>) -> tensor<6x8x4xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<6x8x8xf32>, tensor<6x8x4xf32>) outs(%oz : tensor<6x8x4xf32>) -> tensor<6x8x4xf32>
  return %o : tensor<6x8x4xf32>
}

// -----

// One head, in the order in which frameworks decompose: an additive mask made
// from a constant matrix, maxima, differences, exponentials, sums, quotients.
// The scale divides the query.

// CHECK-LABEL: func.func @additive(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<4x16xf32>, %[[K:[a-z0-9]+]]: tensor<4x16xf32>, %[[V:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[Q4:.*]] = tensor.expand_shape %[[Q]] {{\[\[}}0, 1, 2], [3]] output_shape [1, 1, 4, 16]
// CHECK-DAG: %[[K4:.*]] = tensor.expand_shape %[[K]]
// CHECK-DAG: %[[V4:.*]] = tensor.expand_shape %[[V]]
// CHECK: fpa.attention ins(%[[Q4]], %[[K4]], %[[V4]] : {{.*}}) {scale = 2.500000e-01 : f64} -> tensor<1x1x4x8xf32>
// CHECK-NOT: linalg
#ij = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>
#col = affine_map<(i, j) -> (j, i)>
func.func @additive(%q0: tensor<4x16xf32>, %k: tensor<4x16xf32>, %v: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant dense<4.0> : tensor<4x16xf32>
  %none = arith.constant 0xFF800000 : f32
  %mask = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000],
    [0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %q = arith.divf %q0, %four : tensor<4x16xf32>
  %s0 = tensor.empty() : tensor<4x4xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg.matmul indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j, d)>, affine_map<(i, j, d) -> (i, j)>]
      ins(%q, %k : tensor<4x16xf32>, tensor<4x16xf32>) outs(%sz : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = arith.addf %p, %mask : tensor<4x4xf32>
  %m0 = tensor.empty() : tensor<4x1xf32>
  %mi = linalg.fill ins(%none : f32) outs(%m0 : tensor<4x1xf32>) -> tensor<4x1xf32>
  %mc = tensor.collapse_shape %mi [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
  %m1 = linalg.reduce ins(%s : tensor<4x4xf32>) outs(%mc : tensor<4xf32>) dimensions = [1]
    (%in: f32, %acc: f32) { %x = arith.maxnumf %in, %acc : f32  linalg.yield %x : f32 }
  %m = tensor.expand_shape %m1 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %e = linalg.generic {indexing_maps = [#ij, #row, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<4x4xf32>, tensor<4x1xf32>) outs(%s0 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<4x4xf32>
  %x = math.exp %e : tensor<4x4xf32>
  %t0 = tensor.empty() : tensor<4xf32>
  %tz = linalg.fill ins(%zero : f32) outs(%t0 : tensor<4xf32>) -> tensor<4xf32>
  %t = linalg.reduce { arith.addf } ins(%x : tensor<4x4xf32>) outs(%tz : tensor<4xf32>) dimensions = [1]
  %tb = linalg.broadcast ins(%t : tensor<4xf32>) outs(%s0 : tensor<4x4xf32>) dimensions = [1]
  %w = linalg.div ins(%x, %tb : tensor<4x4xf32>, tensor<4x4xf32>) outs(%s0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %o0 = tensor.empty() : tensor<4x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %o = linalg.matmul ins(%w, %v : tensor<4x4xf32>, tensor<4x8xf32>) outs(%oz : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// -----

// ALiBi with dynamic batch and lengths, in the order batch, length, heads, head
// size, a finite mask, weights of shared key heads. That rows and keys are of
// one number follows from the mask.

// CHECK-LABEL: func.func @alibi(
// CHECK: linalg.generic
// CHECK: fpa.attention ins({{.*}} : tensor<?x4x?x16xf32>, tensor<?x2x?x16xf32>, tensor<?x2x?x16xf32>) field(%{{.*}} : tensor<?x4x?xf32>)
// CHECK-SAME: non_increasing, scale = 1.250000e-01 : f64
// CHECK: linalg.transpose
// CHECK-NOT: math.exp
#q = affine_map<(b, h, i, j, d) -> (b, i, h, d)>
#k = affine_map<(b, h, i, j, d) -> (b, j, h, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#w = affine_map<(b, i, h, v, j) -> (b, h, i, j)>
#v = affine_map<(b, i, h, v, j) -> (b, j, h, v)>
#o = affine_map<(b, i, h, v, j) -> (b, i, h, v)>
#bhij = affine_map<(b, h, i, j) -> (b, h, i, j)>
#bhi = affine_map<(b, h, i, j) -> (b, h, i)>
#bh = affine_map<(b, h, i, j) -> (h)>
#two = affine_map<(b, h, i, j) -> (i, j)>
#rep = affine_map<(b, j, h, g, d) -> (b, j, h, d)>
#full = affine_map<(b, j, h, g, d) -> (b, j, h, g, d)>
func.func @alibi(%q: tensor<?x?x4x16xf32>, %k2: tensor<?x?x2x16xf32>, %v2: tensor<?x?x2x16xf32>) -> tensor<?x?x4x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %least = arith.constant -3.40282347E+38 : f32
  %none = arith.constant 0xFF800000 : f32
  %slopes = arith.constant dense<[0.5, 0.25, 0.125, 0.0625]> : tensor<4xf32>
  %b = tensor.dim %q, %c0 : tensor<?x?x4x16xf32>
  %l = tensor.dim %q, %c1 : tensor<?x?x4x16xf32>
  %r0 = tensor.empty(%b, %l) : tensor<?x?x2x2x16xf32>
  %kr = linalg.generic {indexing_maps = [#rep, #full], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%k2 : tensor<?x?x2x16xf32>) outs(%r0 : tensor<?x?x2x2x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x?x2x2x16xf32>
  %k = tensor.collapse_shape %kr [[0], [1], [2, 3], [4]] : tensor<?x?x2x2x16xf32> into tensor<?x?x4x16xf32>
  %vr = linalg.generic {indexing_maps = [#rep, #full], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%v2 : tensor<?x?x2x16xf32>) outs(%r0 : tensor<?x?x2x2x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x?x2x2x16xf32>
  %v = tensor.collapse_shape %vr [[0], [1], [2, 3], [4]] : tensor<?x?x2x2x16xf32> into tensor<?x?x4x16xf32>
  %m0 = tensor.empty(%l, %l) : tensor<?x?xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%m0 : tensor<?x?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %later = arith.cmpi sgt, %j, %i : index
    %x = arith.select %later, %least, %zero : f32
    linalg.yield %x : f32
  } -> tensor<?x?xf32>
  %s0 = tensor.empty(%b, %l, %l) : tensor<?x4x?x?xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
  %p = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>) outs(%sz : tensor<?x4x?x?xf32>) {
  ^bb0(%a: f32, %c: f32, %acc: f32):
    %x = arith.mulf %a, %c : f32
    %y = arith.addf %acc, %x : f32
    linalg.yield %y : f32
  } -> tensor<?x4x?x?xf32>
  %s = linalg.generic {indexing_maps = [#bhij, #bh, #two, #bhij], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %slopes, %mask : tensor<?x4x?x?xf32>, tensor<4xf32>, tensor<?x?xf32>) outs(%s0 : tensor<?x4x?x?xf32>) {
  ^bb0(%a: f32, %slope: f32, %hidden: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %d = arith.subi %j, %i : index
    %di = arith.index_cast %d : index to i64
    %distance = arith.sitofp %di : i64 to f32
    %bias = arith.mulf %slope, %distance : f32
    %x = arith.mulf %a, %scale : f32
    %y = arith.addf %x, %bias : f32
    %z = arith.addf %y, %hidden : f32
    linalg.yield %z : f32
  } -> tensor<?x4x?x?xf32>
  %r = tensor.empty(%b, %l) : tensor<?x4x?xf32>
  %maxi = linalg.fill ins(%none : f32) outs(%r : tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  %max = linalg.generic {indexing_maps = [#bhij, #bhi], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s : tensor<?x4x?x?xf32>) outs(%maxi : tensor<?x4x?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %x = arith.maximumf %a, %acc : f32
    linalg.yield %x : f32
  } -> tensor<?x4x?xf32>
  %e = linalg.generic {indexing_maps = [#bhij, #bhi, #bhij], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<?x4x?x?xf32>, tensor<?x4x?xf32>) outs(%s0 : tensor<?x4x?x?xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %x = arith.subf %a, %c : f32
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<?x4x?x?xf32>
  %sumi = linalg.fill ins(%zero : f32) outs(%r : tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  %sum = linalg.generic {indexing_maps = [#bhij, #bhi], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%e : tensor<?x4x?x?xf32>) outs(%sumi : tensor<?x4x?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %x = arith.addf %a, %acc : f32
    linalg.yield %x : f32
  } -> tensor<?x4x?xf32>
  %n = linalg.generic {indexing_maps = [#bhij, #bhi, #bhij], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<?x4x?x?xf32>, tensor<?x4x?xf32>) outs(%s0 : tensor<?x4x?x?xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %x = arith.divf %a, %c : f32
    linalg.yield %x : f32
  } -> tensor<?x4x?x?xf32>
  %o0 = tensor.empty(%b, %l) : tensor<?x?x4x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<?x?x4x16xf32>) -> tensor<?x?x4x16xf32>
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%n, %v : tensor<?x4x?x?xf32>, tensor<?x?x4x16xf32>) outs(%oz : tensor<?x?x4x16xf32>) {
  ^bb0(%a: f32, %c: f32, %acc: f32):
    %x = arith.mulf %a, %c : f32
    %y = arith.addf %acc, %x : f32
    linalg.yield %y : f32
  } -> tensor<?x?x4x16xf32>
  return %o : tensor<?x?x4x16xf32>
}
