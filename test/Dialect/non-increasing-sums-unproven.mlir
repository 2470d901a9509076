// RUN: fpa-opt %s --canonicalize | FileCheck %s

// Fields that only look like running sums of values that are at most 0.

!q = tensor<1x4x64x16xf32>
!f = tensor<1x4x64xf32>

// CHECK-LABEL: func.func @softplus
// CHECK-NOT: non_increasing
func.func @softplus(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %p = math.exp %x : !f
  %g = math.log1p %p : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @log_of_anything
// CHECK-NOT: non_increasing
func.func @log_of_anything(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %g = math.log %x : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @log_of_exp
// CHECK-NOT: non_increasing
func.func @log_of_exp(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %p = math.exp %x : !f
  %g = math.log %p : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// 2 / (1 + exp(x)) may be above 1.
// CHECK-LABEL: func.func @log_of_two_over
// CHECK-NOT: non_increasing
func.func @log_of_two_over(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %two = arith.constant dense<2.0> : !f
  %p = math.exp %x : !f
  %one = arith.constant dense<1.0> : tensor<1x4x64xf32>
  %d = arith.addf %one, %p : !f
  %s = arith.divf %two, %d : !f
  %g = math.log %s : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// 1 / (1 - exp(x)) may be above 1.
// CHECK-LABEL: func.func @log_of_one_minus
// CHECK-NOT: non_increasing
func.func @log_of_one_minus(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %one = arith.constant dense<1.0> : tensor<1x4x64xf32>
  %p = math.exp %x : !f
  %d = arith.subf %one, %p : !f
  %s = arith.divf %one, %d : !f
  %g = math.log %s : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @minimum_with_one
// CHECK-NOT: non_increasing
func.func @minimum_with_one(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %one = arith.constant dense<1.0> : tensor<1x4x64xf32>
  %g = arith.minimumf %x, %one : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @maximum_with_zero
// CHECK-NOT: non_increasing
func.func @maximum_with_zero(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %zero = arith.constant dense<0.0> : tensor<1x4x64xf32>
  %g = arith.maximumf %x, %zero : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// Where x is NaN, minnum gives the other operand.
// CHECK-LABEL: func.func @minnum_of_nan
// CHECK-NOT: non_increasing
func.func @minnum_of_nan(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %a = math.absf %x : !f
  %n = arith.negf %a : !f
  %g = arith.minnumf %n, %e : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @abs
// CHECK-NOT: non_increasing
func.func @abs(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %g = math.absf %x : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @gates_with_one_rise
// CHECK-NOT: non_increasing
func.func @gates_with_one_rise(%q: tensor<1x1x4x16xf32>, %o: tensor<1x1x4x16xf32>, %x: tensor<1x1x4xf32>, %e: tensor<1x1x4xf32>) -> tensor<1x1x4x16xf32> {
  %g = arith.constant dense<[[[-1.0, -1.0, 0.5, -1.0]]]> : tensor<1x1x4xf32>
  %field = fpa.prefix_sum axis(2) ins(%g : tensor<1x1x4xf32>) outs(%e : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  %r = fpa.attention ins(%q, %q, %q : tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>) field(%field : tensor<1x1x4xf32>) outs(%o : tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32>
  return %r : tensor<1x1x4x16xf32>
}

// CHECK-LABEL: func.func @constant_times_anything
// CHECK-NOT: non_increasing
func.func @constant_times_anything(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %c = arith.constant dense<-0.3> : !f
  %g = arith.mulf %x, %c : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @select_of_one
// CHECK-NOT: non_increasing
func.func @select_of_one(%q: !q, %o: !q, %x: !f, %e: !f, %b: tensor<1x4x64xi1>) -> !q {
  %a = math.absf %x : !f
  %n = arith.negf %a : !f
  %g = arith.select %b, %x, %n : tensor<1x4x64xi1>, !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @index_that_wraps
// CHECK-NOT: non_increasing
func.func @index_that_wraps(%q: !q, %o: !q, %x: !f, %e: !f, %w: tensor<1x4x64xindex>) -> !q {
  %t = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%w : tensor<1x4x64xindex>) {
  ^bb0(%out: index):
    %i = linalg.index 2 : index
    linalg.yield %i : index
  } -> tensor<1x4x64xindex>
  %n = arith.index_cast %t : tensor<1x4x64xindex> to tensor<1x4x64xi5>
  %u = arith.sitofp %n : tensor<1x4x64xi5> to !f
  %g = arith.negf %u : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @reverse_sum
// CHECK-NOT: non_increasing
func.func @reverse_sum(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %a = math.absf %x : !f
  %g = arith.negf %a : !f
  %field = fpa.prefix_sum axis(2) reverse ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @sum_of_segments
// CHECK-NOT: non_increasing
func.func @sum_of_segments(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %a = math.absf %x : !f
  %g = arith.negf %a : !f
  %field = fpa.prefix_sum axis(2) segment(8) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @sum_over_heads
// CHECK-NOT: non_increasing
func.func @sum_over_heads(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %a = math.absf %x : !f
  %g = arith.negf %a : !f
  %field = fpa.prefix_sum axis(1) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @negated_sum
// CHECK-NOT: non_increasing
func.func @negated_sum(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %a = math.absf %x : !f
  %g = arith.negf %a : !f
  %s = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %field = arith.negf %s : !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @sum_plus_anything
// CHECK-NOT: non_increasing
func.func @sum_plus_anything(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %a = math.absf %x : !f
  %g = arith.negf %a : !f
  %s = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %field = arith.addf %s, %x : !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @product_of_sums
// CHECK-NOT: non_increasing
func.func @product_of_sums(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %a = math.absf %x : !f
  %g = arith.negf %a : !f
  %s = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %field = arith.mulf %s, %s : !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @running_minimum_of_segments
// CHECK-NOT: non_increasing
func.func @running_minimum_of_segments(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %field = fpa.prefix_min axis(2) segment(8) ins(%x : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @untied
// CHECK-NOT: non_increasing
func.func @untied(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %a = math.absf %x : !f
  %g = arith.negf %a : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) level(%x : !f) outs(%o : !q) -> !q
  return %r : !q
}

// The sum runs over the heads once it is transposed.
// CHECK-LABEL: func.func @transposed_sum
// CHECK-NOT: non_increasing
func.func @transposed_sum(%q: !q, %o: !q, %x: !f, %e: !f, %t: tensor<1x64x4xf32>) -> !q {
  %a = math.absf %t : tensor<1x64x4xf32>
  %g = arith.negf %a : tensor<1x64x4xf32>
  %s = fpa.prefix_sum axis(2) ins(%g : tensor<1x64x4xf32>) outs(%t : tensor<1x64x4xf32>) -> tensor<1x64x4xf32>
  %field = linalg.transpose ins(%s : tensor<1x64x4xf32>) outs(%e : !f) permutation = [0, 2, 1]
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @split_axis
// CHECK-NOT: non_increasing
func.func @split_axis(%q: !q, %o: !q, %x: !f, %e: !f, %t: tensor<1x256xf32>) -> !q {
  %a = math.absf %t : tensor<1x256xf32>
  %g = arith.negf %a : tensor<1x256xf32>
  %s = fpa.prefix_sum axis(1) ins(%g : tensor<1x256xf32>) outs(%t : tensor<1x256xf32>) -> tensor<1x256xf32>
  %n = arith.negf %s : tensor<1x256xf32>
  %field = tensor.expand_shape %n [[0], [1, 2]] output_shape [1, 4, 64] : tensor<1x256xf32> into !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @flipped
// CHECK-NOT: non_increasing
func.func @flipped(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %a = math.absf %x : !f
  %g = arith.negf %a : !f
  %s = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (b, h, 63 - l)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !f) outs(%e : !f) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// A reduction over no elements leaves the init, which may be anything.
// CHECK-LABEL: func.func @reduced
// CHECK-NOT: non_increasing
func.func @reduced(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %g = linalg.generic {
      indexing_maps = [affine_map<(b, h, l, d) -> (b, h, l, d)>, affine_map<(b, h, l, d) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q : !q) outs(%e : !f) {
  ^bb0(%in: f32, %out: f32):
    %a = math.absf %in : f32
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}
