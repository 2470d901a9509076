// RUN: fpa-opt %s --fpa-decompose --canonicalize --fpa-raise-attention --canonicalize -verify-diagnostics | FileCheck %s

// The decomposition of fpa.attention is attention written out, with guards for
// rows without keys, the penalty as a reduction under a condition, and the lse.
// Raised, it is the op it came from.

// CHECK-LABEL: func.func @tied(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<1x2x8x16xf32>, %[[K:[a-z0-9]+]]: tensor<1x2x12x16xf32>, %[[V:[a-z0-9]+]]: tensor<1x2x12x4xf32>, %[[F:[a-z0-9]+]]: tensor<1x2x12xf32>
// CHECK-NOT: linalg
// CHECK: %[[A:.*]]:2 = fpa.attention ins(%[[Q]], %[[K]], %[[V]] : {{.*}}) field(%[[F]] : tensor<1x2x12xf32>) outs({{.*}}) {scale = 2.500000e-01 : f64}
// CHECK-NEXT: return %[[A]]#0, %[[A]]#1
func.func @tied(%q: tensor<1x2x8x16xf32>, %k: tensor<1x2x12x16xf32>, %v: tensor<1x2x12x4xf32>,
    %f: tensor<1x2x12xf32>, %o0: tensor<1x2x8x4xf32>, %l0: tensor<1x2x8xf32>)
    -> (tensor<1x2x8x4xf32>, tensor<1x2x8xf32>) {
  %o, %lse = fpa.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x4xf32>)
      field(%f : tensor<1x2x12xf32>) outs(%o0, %l0 : tensor<1x2x8x4xf32>, tensor<1x2x8xf32>)
      -> tensor<1x2x8x4xf32>, tensor<1x2x8xf32>
  return %o, %lse : tensor<1x2x8x4xf32>, tensor<1x2x8xf32>
}

// More rows than keys, a level of its own for every query head, a window.

// CHECK-LABEL: func.func @level(
// CHECK-NOT: linalg
// CHECK: fpa.attention {{.*}} field(%{{.*}} : tensor<1x2x5xf32>) level(%{{.*}} : tensor<1x2x5xf32>) outs({{.*}}) {scale = 5.000000e-01 : f64, window = 3 : i64}
// CHECK-NEXT: return
func.func @level(%q: tensor<1x2x8x16xf32>, %k: tensor<1x2x5x16xf32>, %v: tensor<1x2x5x4xf32>,
    %f: tensor<1x2x5xf32>, %l: tensor<1x2x5xf32>, %o0: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %o = fpa.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf32>, tensor<1x2x5x16xf32>, tensor<1x2x5x4xf32>)
      field(%f : tensor<1x2x5xf32>) level(%l : tensor<1x2x5xf32>) outs(%o0 : tensor<1x2x8x4xf32>)
      {scale = 0.5, window = 3} -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}

// Shared key heads, those of the field too, half precision.

// CHECK-LABEL: func.func @shared(
// CHECK-NOT: linalg
// CHECK: fpa.attention ins({{.*}} : tensor<2x4x8x16xf16>, tensor<2x2x8x16xf16>, tensor<2x2x8x4xf16>) field(%{{.*}} : tensor<2x2x8xf32>)
// CHECK-NEXT: return
func.func @shared(%q: tensor<2x4x8x16xf16>, %k: tensor<2x2x8x16xf16>, %v: tensor<2x2x8x4xf16>,
    %f: tensor<2x2x8xf32>, %o0: tensor<2x4x8x4xf16>) -> tensor<2x4x8x4xf16> {
  %o = fpa.attention
      ins(%q, %k, %v : tensor<2x4x8x16xf16>, tensor<2x2x8x16xf16>, tensor<2x2x8x4xf16>)
      field(%f : tensor<2x2x8xf32>) outs(%o0 : tensor<2x4x8x4xf16>) -> tensor<2x4x8x4xf16>
  return %o : tensor<2x4x8x4xf16>
}

// The smooth penalty.

// CHECK-LABEL: func.func @smooth(
// CHECK-NOT: linalg
// CHECK: fpa.attention {{.*}} field(%{{.*}} : tensor<1x2x12xf32>) level(%{{.*}} : tensor<1x2x12xf32>) outs({{.*}}) {scale = 5.000000e-01 : f64, smooth = 3.000000e+00 : f64}
// CHECK-NEXT: return
func.func @smooth(%q: tensor<1x2x8x16xf32>, %k: tensor<1x2x12x16xf32>, %v: tensor<1x2x12x4xf32>,
    %f: tensor<1x2x12xf32>, %l: tensor<1x2x12xf32>, %o0: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %o = fpa.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x4xf32>)
      field(%f : tensor<1x2x12xf32>) level(%l : tensor<1x2x12xf32>) outs(%o0 : tensor<1x2x8x4xf32>)
      {scale = 0.5, smooth = 3.0} -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}

// Dynamic lengths: nothing but the guard says that rows without keys are 0.

// CHECK-LABEL: func.func @dynamic(
// CHECK: fpa.attention ins({{.*}} : tensor<?x3x?x16xf32>, tensor<?x3x?x16xf32>, tensor<?x3x?x4xf32>) field(%{{.*}} : tensor<?x3x?xf32>)
// CHECK-NEXT: return
func.func @dynamic(%q: tensor<?x3x?x16xf32>, %k: tensor<?x3x?x16xf32>, %v: tensor<?x3x?x4xf32>,
    %f: tensor<?x3x?xf32>, %o0: tensor<?x3x?x4xf32>) -> tensor<?x3x?x4xf32> {
  %o = fpa.attention
      ins(%q, %k, %v : tensor<?x3x?x16xf32>, tensor<?x3x?x16xf32>, tensor<?x3x?x4xf32>)
      field(%f : tensor<?x3x?xf32>) outs(%o0 : tensor<?x3x?x4xf32>) -> tensor<?x3x?x4xf32>
  return %o : tensor<?x3x?x4xf32>
}
