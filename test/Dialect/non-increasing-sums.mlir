// RUN: fpa-opt %s --canonicalize | FileCheck %s

// Fields that never rise along the keys get `non_increasing`: FoX, a running
// sum of values that are at most 0, however these are written.

!q = tensor<1x4x64x16xf32>
!f = tensor<1x4x64xf32>

// CHECK-LABEL: func.func @log_sigmoid
// CHECK: {non_increasing}
func.func @log_sigmoid(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %n = arith.negf %x : !f
  %p = math.exp %n : !f
  %one = arith.constant dense<1.0> : tensor<1x4x64xf32>
  %d = arith.addf %one, %p : !f
  %s = arith.divf %one, %d : !f
  %g = math.log %s : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @exclusive_sum
// CHECK: {non_increasing}
func.func @exclusive_sum(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %n = arith.negf %x : !f
  %p = math.exp %n : !f
  %one = arith.constant dense<1.0> : tensor<1x4x64xf32>
  %d = arith.addf %one, %p : !f
  %s = arith.divf %one, %d : !f
  %g = math.log2 %s : !f
  %field = fpa.prefix_sum axis(2) exclusive ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @negated_softplus
// CHECK: {non_increasing}
func.func @negated_softplus(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %p = math.exp %x : !f
  %l = math.log1p %p : !f
  %g = arith.negf %l : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @negated_log_of_one_plus_exp
// CHECK: {non_increasing}
func.func @negated_log_of_one_plus_exp(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %one = arith.constant dense<1.0> : tensor<1x4x64xf32>
  %p = math.exp %x : !f
  %d = arith.addf %p, %one : !f
  %l = math.log %d : !f
  %g = arith.negf %l : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// min(0, x) - log1p(exp(-|x|))
// CHECK-LABEL: func.func @stable_log_sigmoid
// CHECK: {non_increasing}
func.func @stable_log_sigmoid(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %zero = arith.constant dense<0.0> : tensor<1x4x64xf32>
  %m = arith.minimumf %zero, %x : !f
  %a = math.absf %x : !f
  %n = arith.negf %a : !f
  %p = math.exp %n : !f
  %l = math.log1p %p : !f
  %g = arith.subf %m, %l : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @minimum_with_zero
// CHECK: {non_increasing}
func.func @minimum_with_zero(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %zero = arith.constant dense<0.0> : tensor<1x4x64xf32>
  %g = arith.minimumf %x, %zero : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @minnum_with_zero
// CHECK: {non_increasing}
func.func @minnum_with_zero(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %zero = arith.constant dense<0.0> : tensor<1x4x64xf32>
  %g = arith.minnumf %x, %zero : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @negated_abs
// CHECK: {non_increasing}
func.func @negated_abs(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %a = math.absf %x : !f
  %g = arith.negf %a : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @negated_exp
// CHECK: {non_increasing}
func.func @negated_exp(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %a = math.exp %x : !f
  %g = arith.negf %a : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @constant_times_exp
// CHECK: {non_increasing}
func.func @constant_times_exp(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %c = arith.constant dense<-0.3> : !f
  %a = math.exp %x : !f
  %g = arith.mulf %a, %c : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @constant_gates
// CHECK: {non_increasing}
func.func @constant_gates(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %g = arith.constant dense<-0.125> : !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @select_of_gates
// CHECK: {non_increasing}
func.func @select_of_gates(%q: !q, %o: !q, %x: !f, %e: !f, %b: tensor<1x4x64xi1>) -> !q {
  %c = arith.constant dense<-0.125> : !f
  %a = math.absf %x : !f
  %n = arith.negf %a : !f
  %g = arith.select %b, %c, %n : tensor<1x4x64xi1>, !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// In one body, over transposed gates of another type.
// CHECK-LABEL: func.func @fused_log_sigmoid
// CHECK: {non_increasing}
func.func @fused_log_sigmoid(%q: !q, %o: !q, %x: !f, %e: !f, %t: tensor<1x64x4xf16>) -> !q {
  %one = arith.constant 1.0 : f32
  %g = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (b, l, h)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t : tensor<1x64x4xf16>) outs(%e : !f) {
  ^bb0(%in: f16, %out: f32):
    %w = arith.extf %in : f16 to f32
    %n = arith.negf %w : f32
    %p = math.exp %n : f32
    %d = arith.addf %p, %one : f32
    %s = arith.divf %one, %d : f32
    %l = math.log %s : f32
    linalg.yield %l : f32
  } -> !f
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @named_ops
// CHECK: {non_increasing}
func.func @named_ops(%q: !q, %o: !q, %x: !f, %e: !f, %t: tensor<4x64xf32>, %u: tensor<4x64xf32>) -> !q {
  %a = linalg.abs ins(%t : tensor<4x64xf32>) outs(%u : tensor<4x64xf32>) -> tensor<4x64xf32>
  %n = linalg.negf ins(%a : tensor<4x64xf32>) outs(%u : tensor<4x64xf32>) -> tensor<4x64xf32>
  %g = linalg.broadcast ins(%n : tensor<4x64xf32>) outs(%e : !f) dimensions = [0]
  %field = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @reshaped_sum
// CHECK: {non_increasing}
func.func @reshaped_sum(%q: !q, %o: !q, %x: !f, %e: !f, %t: tensor<4x64xf32>, %u: tensor<4x64xf32>) -> !q {
  %a = math.absf %t : tensor<4x64xf32>
  %n = arith.negf %a : tensor<4x64xf32>
  %s = fpa.prefix_sum axis(1) ins(%n : tensor<4x64xf32>) outs(%u : tensor<4x64xf32>) -> tensor<4x64xf32>
  %field = tensor.expand_shape %s [[0, 1], [2]] output_shape [1, 4, 64] : tensor<4x64xf32> into !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @running_minimum
// CHECK: {non_increasing}
func.func @running_minimum(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %field = fpa.prefix_min axis(2) exclusive ins(%x : !f) outs(%e : !f) -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @scaled_sum
// CHECK: {non_increasing}
func.func @scaled_sum(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %c = arith.constant dense<0.25> : !f
  %a = math.absf %x : !f
  %g = arith.negf %a : !f
  %s = fpa.prefix_sum axis(2) ins(%g : !f) outs(%e : !f) -> !f
  %field = arith.mulf %c, %s : !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @unvarying
// CHECK: {non_increasing}
func.func @unvarying(%q: !q, %o: !q, %x: !f, %e: !f, %t: tensor<1x4xf32>) -> !q {
  %field = linalg.broadcast ins(%t : tensor<1x4xf32>) outs(%e : !f) dimensions = [2]
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}
