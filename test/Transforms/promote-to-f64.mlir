// RUN: fpa-opt %s --fpa-promote-to-f64 | FileCheck %s

// CHECK-LABEL: func.func @casts(
//  CHECK-SAME:   %[[X:.*]]: tensor<?xf64>, %[[N:.*]]: index) -> tensor<?xf64>
//       CHECK:   arith.constant dense<[1.500000e+00, 0x7FF0000000000000]> : tensor<2xf64>
//       CHECK:   arith.constant 2.500000e-01 : f64
//   CHECK-NOT:   arith.extf
//   CHECK-NOT:   arith.truncf
//       CHECK:   math.exp %[[X]] : tensor<?xf64>
func.func @casts(%x: tensor<?xbf16>, %n: index) -> tensor<?xf16> {
  %c = arith.constant dense<[1.5, 0x7F800000]> : tensor<2xf32>
  %s = arith.constant 0.25 : f16
  %y = arith.extf %x : tensor<?xbf16> to tensor<?xf32>
  %z = math.exp %y : tensor<?xf32>
  %w = arith.truncf %z : tensor<?xf32> to tensor<?xf16>
  return %w : tensor<?xf16>
}

// What defines the op stays what it is.
// CHECK-LABEL: func.func @attention
//       CHECK:   fpa.attention
//  CHECK-SAME:   scale = 1.250000e-01 : f64
//  CHECK-SAME:   window = 3 : i64
//  CHECK-SAME:   -> tensor<1x1x4x8xf64>, tensor<1x1x4xf64>
func.func @attention(%q: tensor<1x1x4x8xf16>, %f: tensor<1x1x4xf32>, %o: tensor<1x1x4x8xf16>,
                     %l: tensor<1x1x4xf32>) -> tensor<1x1x4x8xf16> {
  %r, %lse = fpa.attention
    ins(%q, %q, %q : tensor<1x1x4x8xf16>, tensor<1x1x4x8xf16>, tensor<1x1x4x8xf16>)
    field(%f : tensor<1x1x4xf32>) outs(%o, %l : tensor<1x1x4x8xf16>, tensor<1x1x4xf32>)
    {scale = 0.125 : f64, window = 3 : i64} -> tensor<1x1x4x8xf16>, tensor<1x1x4xf32>
  return %r : tensor<1x1x4x8xf16>
}
