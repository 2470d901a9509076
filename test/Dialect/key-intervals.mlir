// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

// CHECK-LABEL: func.func @window
// CHECK: fpa.key_intervals key_length(%{{.*}}) outs(%{{.*}}, %{{.*}} : tensor<?xi64>, tensor<?xi64>) {window = 64 : i64} -> tensor<?xi64>, tensor<?xi64>
func.func @window(%lk: index, %f0: tensor<?xi64>, %l0: tensor<?xi64>)
    -> (tensor<?xi64>, tensor<?xi64>) {
  %first, %last = fpa.key_intervals key_length(%lk)
    outs(%f0, %l0 : tensor<?xi64>, tensor<?xi64>) {window = 64 : i64}
    -> tensor<?xi64>, tensor<?xi64>
  return %first, %last : tensor<?xi64>, tensor<?xi64>
}

// CHECK-LABEL: func.func @packed
// CHECK: fpa.key_intervals key_length(%{{.*}}) cu_seqlens(%{{.*}}, %{{.*}} : memref<?xi64>, memref<4xi64>) outs(%{{.*}}, %{{.*}} : memref<65xi64>, memref<?xi64>)
func.func @packed(%lk: index, %cq: memref<?xi64>, %ck: memref<4xi64>,
                  %f: memref<65xi64>, %l: memref<?xi64>) {
  fpa.key_intervals key_length(%lk)
    cu_seqlens(%cq, %ck : memref<?xi64>, memref<4xi64>)
    outs(%f, %l : memref<65xi64>, memref<?xi64>)
  return
}
