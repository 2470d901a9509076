// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

// CHECK-LABEL: func.func @tensors
// CHECK: fpa.prefix_min_backward axis(1) ins(%{{.*}}, %{{.*}} : tensor<4x?xi64>, tensor<?x9xf64>) outs(%{{.*}} : tensor<4x?xf64>) -> tensor<4x?xf64>
func.func @tensors(%i: tensor<4x?xi64>, %g: tensor<?x9xf64>, %x0: tensor<4x?xf64>) -> tensor<4x?xf64> {
  %x = fpa.prefix_min_backward axis(1) ins(%i, %g : tensor<4x?xi64>, tensor<?x9xf64>)
    outs(%x0 : tensor<4x?xf64>) -> tensor<4x?xf64>
  return %x : tensor<4x?xf64>
}

// CHECK-LABEL: func.func @memrefs
// CHECK: fpa.prefix_min_backward axis(0) ins(%{{.*}}, %{{.*}} : memref<?xi64>, memref<?xf32>) outs(%{{.*}} : memref<?xf32>)
func.func @memrefs(%i: memref<?xi64>, %g: memref<?xf32>, %x: memref<?xf32>) {
  fpa.prefix_min_backward axis(0) ins(%i, %g : memref<?xi64>, memref<?xf32>) outs(%x : memref<?xf32>)
  return
}
