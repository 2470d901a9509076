// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

!tile = tensor<48x64xf32>
!row = tensor<48xf32>

// CHECK-LABEL: func.func @inner
// CHECK: fpa.online_attention ins(%{{.*}} : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>) field(%{{.*}} : tensor<256xf32>) level(%{{.*}} : tensor<256xf32>) suffix(%{{.*}} : tensor<256xf32>) outs(%{{.*}}) {scale = 1.250000e-01 : f64, smooth = 2.000000e+00 : f64}
// CHECK: fpa.online_finalize ins(%{{.*}} : tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>) outs(%{{.*}}, %{{.*}} : tensor<48x64xf16>, tensor<48xf32>) -> tensor<48x64xf16>, tensor<48xf32>
func.func @inner(%q: !tile, %k: tensor<256x64xf32>, %f: tensor<256xf32>,
                 %l: tensor<256xf32>, %x: tensor<256xf32>, %a0: !tile,
                 %m0: !row, %s0: !row, %r0: !row, %o0: tensor<48x64xf16>)
    -> (tensor<48x64xf16>, !row) {
  %a, %m, %s, %r = fpa.online_attention
    ins(%q, %k, %k : !tile, tensor<256x64xf32>, tensor<256x64xf32>)
    field(%f : tensor<256xf32>) level(%l : tensor<256xf32>)
    suffix(%x : tensor<256xf32>)
    outs(%a0, %m0, %s0, %r0 : !tile, !row, !row, !row)
    {scale = 0.125 : f64, smooth = 2.0 : f64} -> !tile, !row, !row, !row
  %o, %lse = fpa.online_finalize ins(%a, %m, %s : !tile, !row, !row)
    outs(%o0, %m0 : tensor<48x64xf16>, !row) -> tensor<48x64xf16>, !row
  return %o, %lse : tensor<48x64xf16>, !row
}

// CHECK-LABEL: func.func @edge
// CHECK: field(%{{.*}} : tensor<?xf32>) interval(%{{.*}}, %{{.*}} at %{{.*}} : tensor<?xi64>, tensor<?xi64>) outs(%{{.*}}) {non_increasing, scale = 1.000000e+00 : f64}
func.func @edge(%q: tensor<?x64xbf16>, %k: tensor<?x64xbf16>, %f: tensor<?xf32>,
                %first: tensor<?xi64>, %last: tensor<?xi64>, %at: index,
                %a0: tensor<?x64xf32>, %m0: tensor<?xf32>) -> tensor<?x64xf32> {
  %a, %m, %s, %r = fpa.online_attention
    ins(%q, %k, %k : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?x64xbf16>)
    field(%f : tensor<?xf32>)
    interval(%first, %last at %at : tensor<?xi64>, tensor<?xi64>)
    outs(%a0, %m0, %m0, %m0 : tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
    {scale = 1.0 : f64, non_increasing}
    -> tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  return %a : tensor<?x64xf32>
}

// CHECK-LABEL: func.func @memrefs
// CHECK: fpa.online_attention ins(%{{.*}} : memref<5x8xf64>, memref<7x8xf64>, memref<7x3xf64>) outs(%{{.*}} : memref<5x3xf64>, memref<5xf64>, memref<5xf64>, memref<5xf64>) {scale = 1.000000e+00 : f64}
// CHECK: fpa.online_finalize ins(%{{.*}} : memref<5x3xf64>, memref<5xf64>, memref<5xf64>) outs(%{{.*}} : memref<5x3xf64>)
func.func @memrefs(%q: memref<5x8xf64>, %k: memref<7x8xf64>, %v: memref<7x3xf64>,
                   %a: memref<5x3xf64>, %m: memref<5xf64>, %s: memref<5xf64>,
                   %r: memref<5xf64>, %o: memref<5x3xf64>) {
  fpa.online_attention
    ins(%q, %k, %v : memref<5x8xf64>, memref<7x8xf64>, memref<7x3xf64>)
    outs(%a, %m, %s, %r : memref<5x3xf64>, memref<5xf64>, memref<5xf64>, memref<5xf64>)
    {scale = 1.0 : f64}
  fpa.online_finalize ins(%a, %m, %s : memref<5x3xf64>, memref<5xf64>, memref<5xf64>)
    outs(%o : memref<5x3xf64>)
  return
}

// The last query tile of a head has fewer rows than the state it carries.
// CHECK-LABEL: func.func @rows_to_spare
// CHECK: fpa.online_attention ins(%{{.*}} : tensor<16x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>) outs(%{{.*}} : tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
// CHECK: fpa.online_finalize ins(%{{.*}} : tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>) outs(%{{.*}}, %{{.*}} : tensor<16x64xf32>, tensor<16xf32>)
func.func @rows_to_spare(%q: tensor<16x64xf32>, %k: tensor<256x64xf32>, %a0: !tile,
                         %m0: !row, %l0: tensor<16xf32>) -> tensor<16x64xf32> {
  %a, %m, %s, %r = fpa.online_attention
    ins(%q, %k, %k : tensor<16x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>)
    outs(%a0, %m0, %m0, %m0 : !tile, !row, !row, !row)
    {scale = 1.0 : f64} -> !tile, !row, !row, !row
  %o, %lse = fpa.online_finalize ins(%a, %m, %s : !tile, !row, !row)
    outs(%q, %l0 : tensor<16x64xf32>, tensor<16xf32>) -> tensor<16x64xf32>, tensor<16xf32>
  return %o : tensor<16x64xf32>
}
