// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

// CHECK-LABEL: func.func @min
// CHECK: fpa.prefix_min axis(0) ins(%{{.*}} : tensor<?xf16>) outs(%{{.*}} : tensor<?xf16>) -> tensor<?xf16>
func.func @min(%x: tensor<?xf16>, %m0: tensor<?xf16>) -> tensor<?xf16> {
  %m = fpa.prefix_min axis(0) ins(%x : tensor<?xf16>) outs(%m0 : tensor<?xf16>)
    -> tensor<?xf16>
  return %m : tensor<?xf16>
}

// The keywords come in any order and are printed in one.
// CHECK-LABEL: func.func @min_with_index
// CHECK: fpa.prefix_min axis(1) reverse exclusive segment(64) ins(%{{.*}} : tensor<4x?xf32>) outs(%{{.*}}, %{{.*}} : tensor<4x?xf32>, tensor<4x?xi64>) -> tensor<4x?xf32>, tensor<4x?xi64>
func.func @min_with_index(%x: tensor<4x?xf32>, %m0: tensor<4x?xf32>,
                          %i0: tensor<4x?xi64>)
    -> (tensor<4x?xf32>, tensor<4x?xi64>) {
  %m, %at = fpa.prefix_min axis(1) segment(64) exclusive reverse
    ins(%x : tensor<4x?xf32>) outs(%m0, %i0 : tensor<4x?xf32>, tensor<4x?xi64>)
    -> tensor<4x?xf32>, tensor<4x?xi64>
  return %m, %at : tensor<4x?xf32>, tensor<4x?xi64>
}

// CHECK-LABEL: func.func @min_memref
// CHECK: fpa.prefix_min axis(0) exclusive ins(%{{.*}} : memref<7x3xbf16>) outs(%{{.*}}, %{{.*}} : memref<7x3xbf16>, memref<7x3xi64>)
func.func @min_memref(%x: memref<7x3xbf16>, %m: memref<7x3xbf16>,
                      %i: memref<7x3xi64>) {
  fpa.prefix_min axis(0) exclusive ins(%x : memref<7x3xbf16>)
    outs(%m, %i : memref<7x3xbf16>, memref<7x3xi64>)
  return
}

// CHECK-LABEL: func.func @sum
// CHECK: fpa.prefix_sum axis(2) reverse ins(%{{.*}} : tensor<2x0x5xf64>) outs(%{{.*}} : tensor<2x0x5xf64>) -> tensor<2x0x5xf64>
func.func @sum(%x: tensor<2x0x5xf64>, %s0: tensor<2x0x5xf64>) -> tensor<2x0x5xf64> {
  %s = fpa.prefix_sum axis(2) reverse ins(%x : tensor<2x0x5xf64>)
    outs(%s0 : tensor<2x0x5xf64>) -> tensor<2x0x5xf64>
  return %s : tensor<2x0x5xf64>
}

// CHECK-LABEL: func.func @sum_memref
// CHECK: fpa.prefix_sum axis(0) segment(3) ins(%{{.*}} : memref<?xf32>) outs(%{{.*}} : memref<?xf32>)
func.func @sum_memref(%x: memref<?xf32>, %s: memref<?xf32>) {
  fpa.prefix_sum axis(0) segment(3) ins(%x : memref<?xf32>) outs(%s : memref<?xf32>)
  return
}
