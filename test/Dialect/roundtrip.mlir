// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: fpa.attention ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x8x?x64xf32>
func.func @main(%q: tensor<1x8x?x64xf32>, %k: tensor<1x2x?x64xf32>, %v: tensor<1x2x?x64xf32>, %f: tensor<1x2x?xf32>, %o0: tensor<1x8x?x64xf32>, %l0: tensor<1x8x?xf32>) -> (tensor<1x8x?x64xf32>, tensor<1x8x?xf32>) {
  %o, %lse = fpa.attention
      ins(%q, %k, %v : tensor<1x8x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>)
      field(%f : tensor<1x2x?xf32>) level(%f : tensor<1x2x?xf32>)
      outs(%o0, %l0 : tensor<1x8x?x64xf32>, tensor<1x8x?xf32>)
      {window = 128 : i64} -> tensor<1x8x?x64xf32>, tensor<1x8x?xf32>
  return %o, %lse : tensor<1x8x?x64xf32>, tensor<1x8x?xf32>
}
// CHECK-LABEL: func.func @s
// CHECK: fpa.prefix_min axis(1) reverse exclusive segment(64)
// CHECK: fpa.vector_scan <min> axis(1) reverse exclusive
func.func @s(%x: tensor<4x?xf32>, %m0: tensor<4x?xf32>, %i0: tensor<4x?xi64>, %w: vector<48x64xf32>, %r : vector<48xf32>) -> tensor<4x?xf32> {
   %m, %at = fpa.prefix_min axis(1) reverse exclusive segment(64)
      ins(%x : tensor<4x?xf32>) outs(%m0, %i0 : tensor<4x?xf32>, tensor<4x?xi64>)
      -> tensor<4x?xf32>, tensor<4x?xi64>
   %mm, %carry = fpa.vector_scan <min> axis(1) reverse exclusive %w, %r
      : vector<48x64xf32>, vector<48xf32>
   return %m : tensor<4x?xf32>
}
