// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

!row = tensor<?x2x?xf32>
!count = tensor<?x2xi64>

// CHECK-LABEL: func.func @live
// CHECK: fpa.live_keys field(%{{.*}} : tensor<?x2x?xf32>) level(%{{.*}} : tensor<?x2x?xf32>) outs(%{{.*}} : tensor<?x2x?xf32>, tensor<?x2xi64>, tensor<?x2x?xi64>) {evict_above = 8.000000e+00 : f64} -> tensor<?x2x?xf32>, tensor<?x2xi64>, tensor<?x2x?xi64>
func.func @live(%f: !row, %l: !row, %n: !count, %at: tensor<?x2x?xi64>)
    -> (!row, !count, tensor<?x2x?xi64>) {
  %r:3 = fpa.live_keys field(%f : !row) level(%l : !row)
    outs(%f, %n, %at : !row, !count, tensor<?x2x?xi64>) {evict_above = 8.0 : f64}
    -> !row, !count, tensor<?x2x?xi64>
  return %r#0, %r#1, %r#2 : !row, !count, tensor<?x2x?xi64>
}

// CHECK-LABEL: func.func @step
// CHECK: fpa.cached_attention ins(%{{.*}} : tensor<?x4x3x8xf16>, tensor<?x2x3x8xf16>, tensor<?x2x3x6xf16>) field(%{{.*}} : tensor<?x2x3xf32>) level(%{{.*}} : tensor<?x2x3xf32>) lengths(%{{.*}} : tensor<?xi64>) cache(%{{.*}} : tensor<?x2x?x8xf16>, tensor<?x2x?x6xf16>, tensor<?x2x?xf32>, tensor<?x2x?xf32>, tensor<?x2xi64>) outs(%{{.*}} : tensor<?x4x3x6xf16>, tensor<?x4x3xf32>) {scale = 5.000000e-01 : f64} -> tensor<?x4x3x6xf16>, tensor<?x4x3xf32>
// CHECK: fpa.update_cache ins(%{{.*}} : tensor<?x2x3x8xf16>, tensor<?x2x3x6xf16>) field(%{{.*}} : tensor<?x2x3xf32>) level(%{{.*}} : tensor<?x2x3xf32>) lengths(%{{.*}} : tensor<?xi64>) outs(%{{.*}} : tensor<?x2x?x8xf16>, tensor<?x2x?x6xf16>, tensor<?x2x?xf32>, tensor<?x2x?xf32>, tensor<?x2xi64>, tensor<?x2x3xf64>) {evict_above = 0x7FF0000000000000 : f64}
func.func @step(%q: tensor<?x4x3x8xf16>, %k: tensor<?x2x3x8xf16>,
                %v: tensor<?x2x3x6xf16>, %f: tensor<?x2x3xf32>,
                %l: tensor<?x2x3xf32>, %t: tensor<?xi64>,
                %ck: tensor<?x2x?x8xf16>, %cv: tensor<?x2x?x6xf16>, %cl: !row,
                %cm: !row, %n: !count, %d: tensor<?x2x3xf64>,
                %o0: tensor<?x4x3x6xf16>, %l0: tensor<?x4x3xf32>)
    -> (tensor<?x4x3x6xf16>, !count) {
  %o, %lse = fpa.cached_attention
    ins(%q, %k, %v : tensor<?x4x3x8xf16>, tensor<?x2x3x8xf16>, tensor<?x2x3x6xf16>)
    field(%f : tensor<?x2x3xf32>) level(%l : tensor<?x2x3xf32>)
    lengths(%t : tensor<?xi64>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<?x2x?x8xf16>, tensor<?x2x?x6xf16>, !row, !row, !count)
    outs(%o0, %l0 : tensor<?x4x3x6xf16>, tensor<?x4x3xf32>) {scale = 0.5 : f64}
    -> tensor<?x4x3x6xf16>, tensor<?x4x3xf32>
  %r:6 = fpa.update_cache
    ins(%k, %v : tensor<?x2x3x8xf16>, tensor<?x2x3x6xf16>)
    field(%f : tensor<?x2x3xf32>) level(%l : tensor<?x2x3xf32>)
    lengths(%t : tensor<?xi64>)
    outs(%ck, %cv, %cl, %cm, %n, %d : tensor<?x2x?x8xf16>, tensor<?x2x?x6xf16>, !row, !row, !count, tensor<?x2x3xf64>)
    {evict_above = 0x7FF0000000000000 : f64}
    -> tensor<?x2x?x8xf16>, tensor<?x2x?x6xf16>, !row, !row, !count, tensor<?x2x3xf64>
  return %o, %r#4 : tensor<?x4x3x6xf16>, !count
}

// CHECK-LABEL: func.func @merge
// CHECK: fpa.online_merge ins(%{{.*}} : memref<16x8xf64>, memref<16xf64>, memref<16xf64>) outs(%{{.*}} : memref<16x8xf64>, memref<16xf64>, memref<16xf64>)
func.func @merge(%a: memref<16x8xf64>, %m: memref<16xf64>, %b: memref<16x8xf64>,
                 %n: memref<16xf64>) {
  fpa.online_merge ins(%a, %m, %m : memref<16x8xf64>, memref<16xf64>, memref<16xf64>)
    outs(%b, %n, %n : memref<16x8xf64>, memref<16xf64>, memref<16xf64>)
  return
}
