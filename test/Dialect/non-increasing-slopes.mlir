// RUN: fpa-opt %s --canonicalize | FileCheck %s

// Fields that never rise along the keys get `non_increasing`: ALiBi, an index
// times a slope of at most 0, and constants. Then what only looks like them.

!q = tensor<1x4x64x16xf32>
!f = tensor<1x4x64xf32>

// CHECK-LABEL: func.func @alibi
// CHECK: {non_increasing}
func.func @alibi(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %slopes = arith.constant dense<[-0.5, -0.25, -0.125, -0.0625]> : tensor<4xf32>
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (h)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slopes : tensor<4xf32>) outs(%e : !f) {
  ^bb0(%slope: f32, %out: f32):
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i64
    %u = arith.sitofp %i : i64 to f32
    %y = arith.mulf %u, %slope : f32
    linalg.yield %y : f32
  } -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @alibi_negated_product
// CHECK: {non_increasing}
func.func @alibi_negated_product(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %slopes = arith.constant dense<[0.5, 0.25, 0.125, 0.0625]> : tensor<4xf32>
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (h)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slopes : tensor<4xf32>) outs(%e : !f) {
  ^bb0(%slope: f32, %out: f32):
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i64
    %u = arith.sitofp %i : i64 to f32
    %p = arith.mulf %slope, %u : f32
    %y = arith.negf %p : f32
    linalg.yield %y : f32
  } -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// 64 positions fit an i32 index.
// CHECK-LABEL: func.func @alibi_subtracted
// CHECK: {non_increasing}
func.func @alibi_subtracted(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %slopes = arith.constant dense<[0.5, 0.25, 0.125, 0.0625]> : tensor<4xf32>
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (h)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slopes : tensor<4xf32>) outs(%e : !f) {
  ^bb0(%slope: f32, %out: f32):
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i32
    %u = arith.sitofp %i : i32 to f32
    %c = arith.constant 3.0 : f32
    %p = arith.mulf %slope, %u : f32
    %y = arith.subf %c, %p : f32
    linalg.yield %y : f32
  } -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @alibi_computed_slopes
// CHECK: {non_increasing}
func.func @alibi_computed_slopes(%q: !q, %o: !q, %x: !f, %e: !f, %slopes: tensor<4xf32>) -> !q {
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (h)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slopes : tensor<4xf32>) outs(%e : !f) {
  ^bb0(%slope: f32, %out: f32):
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i64
    %u = arith.sitofp %i : i64 to f32
    %two = arith.constant 0.5 : f32
    %s = math.powf %two, %slope : f32
    %p = arith.mulf %s, %u : f32
    %y = arith.negf %p : f32
    linalg.yield %y : f32
  } -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @falling_constant
// CHECK: {non_increasing}
func.func @falling_constant(%q: tensor<1x1x4x16xf32>, %o: tensor<1x1x4x16xf32>, %x: tensor<1x1x4xf32>, %e: tensor<1x1x4xf32>) -> tensor<1x1x4x16xf32> {
  %field = arith.constant dense<[[[0.0, -1.0, -1.0, -5.0]]]> : tensor<1x1x4xf32>
  %r = fpa.attention ins(%q, %q, %q : tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>) field(%field : tensor<1x1x4xf32>) outs(%o : tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32>
  return %r : tensor<1x1x4x16xf32>
}

// CHECK-LABEL: func.func @alibi_rising
// CHECK-NOT: non_increasing
func.func @alibi_rising(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %slopes = arith.constant dense<[0.5, 0.25, 0.125, 0.0625]> : tensor<4xf32>
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (h)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slopes : tensor<4xf32>) outs(%e : !f) {
  ^bb0(%slope: f32, %out: f32):
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i64
    %u = arith.sitofp %i : i64 to f32
    %y = arith.mulf %u, %slope : f32
    linalg.yield %y : f32
  } -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @alibi_mixed
// CHECK-NOT: non_increasing
func.func @alibi_mixed(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %slopes = arith.constant dense<[-0.5, -0.25, 0.125, -0.0625]> : tensor<4xf32>
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (h)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slopes : tensor<4xf32>) outs(%e : !f) {
  ^bb0(%slope: f32, %out: f32):
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i64
    %u = arith.sitofp %i : i64 to f32
    %y = arith.mulf %u, %slope : f32
    linalg.yield %y : f32
  } -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @alibi_unknown
// CHECK-NOT: non_increasing
func.func @alibi_unknown(%q: !q, %o: !q, %x: !f, %e: !f, %slopes: tensor<4xf32>) -> !q {
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (h)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slopes : tensor<4xf32>) outs(%e : !f) {
  ^bb0(%slope: f32, %out: f32):
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i64
    %u = arith.sitofp %i : i64 to f32
    %y = arith.mulf %u, %slope : f32
    linalg.yield %y : f32
  } -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// True, but not among the patterns: neither factor stands still.
// CHECK-LABEL: func.func @alibi_quadratic
// CHECK-NOT: non_increasing
func.func @alibi_quadratic(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %slopes = arith.constant dense<[-0.5, -0.25, -0.125, -0.0625]> : tensor<4xf32>
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (h)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slopes : tensor<4xf32>) outs(%e : !f) {
  ^bb0(%slope: f32, %out: f32):
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i64
    %u = arith.sitofp %i : i64 to f32
    %p = arith.mulf %slope, %u : f32
    %y = arith.mulf %p, %u : f32
    linalg.yield %y : f32
  } -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// 64 positions do not fit an i5 index.
// CHECK-LABEL: func.func @alibi_wraps
// CHECK-NOT: non_increasing
func.func @alibi_wraps(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %slopes = arith.constant dense<[-0.5, -0.25, -0.125, -0.0625]> : tensor<4xf32>
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (h)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slopes : tensor<4xf32>) outs(%e : !f) {
  ^bb0(%slope: f32, %out: f32):
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i5
    %u = arith.sitofp %i : i5 to f32
    %y = arith.mulf %u, %slope : f32
    linalg.yield %y : f32
  } -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @alibi_divided
// CHECK-NOT: non_increasing
func.func @alibi_divided(%q: !q, %o: !q, %x: !f, %e: !f) -> !q {
  %slopes = arith.constant dense<[-0.5, -0.25, -0.125, -0.0625]> : tensor<4xf32>
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, l) -> (h)>, affine_map<(b, h, l) -> (b, h, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slopes : tensor<4xf32>) outs(%e : !f) {
  ^bb0(%slope: f32, %out: f32):
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i64
    %u = arith.sitofp %i : i64 to f32
    %y = arith.divf %slope, %u : f32
    linalg.yield %y : f32
  } -> !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%field : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @rising_constant
// CHECK-NOT: non_increasing
func.func @rising_constant(%q: tensor<1x1x4x16xf32>, %o: tensor<1x1x4x16xf32>, %x: tensor<1x1x4xf32>, %e: tensor<1x1x4xf32>) -> tensor<1x1x4x16xf32> {
  %field = arith.constant dense<[[[0.0, -1.0, -0.5, -5.0]]]> : tensor<1x1x4xf32>
  %r = fpa.attention ins(%q, %q, %q : tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>) field(%field : tensor<1x1x4xf32>) outs(%o : tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32>
  return %r : tensor<1x1x4x16xf32>
}
