// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

// Every optional part, alone and together, on tensors and on memrefs.

// CHECK-LABEL: func.func @plain
// CHECK: fpa.attention ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>) outs(%{{.*}} : tensor<2x4x128x64xf32>) -> tensor<2x4x128x64xf32>
func.func @plain(%q: tensor<2x4x128x64xf32>, %k: tensor<2x4x128x64xf32>,
                 %v: tensor<2x4x128x64xf32>, %o0: tensor<2x4x128x64xf32>)
    -> tensor<2x4x128x64xf32> {
  %o = fpa.attention
      ins(%q, %k, %v : tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>)
      outs(%o0 : tensor<2x4x128x64xf32>) -> tensor<2x4x128x64xf32>
  return %o : tensor<2x4x128x64xf32>
}

// CHECK-LABEL: func.func @dynamic_gqa_with_lse
// CHECK: fpa.attention ins(%{{.*}} : tensor<?x8x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x80xbf16>) field(%{{.*}} : tensor<?x2x?xf32>) level(%{{.*}} : tensor<?x2x?xf32>) outs(%{{.*}}, %{{.*}} : tensor<?x8x?x80xbf16>, tensor<?x8x?xf32>)
// CHECK-SAME: {scale = 1.000000e+00 : f64, smooth = 8.000000e+00 : f64, window = 128 : i64} -> tensor<?x8x?x80xbf16>, tensor<?x8x?xf32>
func.func @dynamic_gqa_with_lse(
    %q: tensor<?x8x?x64xbf16>, %k: tensor<?x2x?x64xbf16>,
    %v: tensor<?x2x?x80xbf16>, %f: tensor<?x2x?xf32>, %l: tensor<?x2x?xf32>,
    %o0: tensor<?x8x?x80xbf16>, %l0: tensor<?x8x?xf32>)
    -> (tensor<?x8x?x80xbf16>, tensor<?x8x?xf32>) {
  %o, %lse = fpa.attention
      ins(%q, %k, %v : tensor<?x8x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x80xbf16>)
      field(%f : tensor<?x2x?xf32>) level(%l : tensor<?x2x?xf32>)
      outs(%o0, %l0 : tensor<?x8x?x80xbf16>, tensor<?x8x?xf32>)
      {scale = 1.0 : f64, smooth = 8.0 : f64, window = 128 : i64}
      -> tensor<?x8x?x80xbf16>, tensor<?x8x?xf32>
  return %o, %lse : tensor<?x8x?x80xbf16>, tensor<?x8x?xf32>
}

// CHECK-LABEL: func.func @packed_f16
// CHECK: field(%{{.*}} : tensor<1x6x?xf32>) cu_seqlens(%{{.*}}, %{{.*}} : tensor<?xi64>, tensor<?xi64>) outs(%{{.*}}) {non_increasing}
func.func @packed_f16(
    %q: tensor<1x6x?x48xf16>, %k: tensor<1x3x?x48xf16>,
    %v: tensor<1x3x?x48xf16>, %f: tensor<1x6x?xf32>,
    %cq: tensor<?xi64>, %ck: tensor<?xi64>, %o0: tensor<1x6x?x48xf16>)
    -> tensor<1x6x?x48xf16> {
  %o = fpa.attention
      ins(%q, %k, %v : tensor<1x6x?x48xf16>, tensor<1x3x?x48xf16>, tensor<1x3x?x48xf16>)
      field(%f : tensor<1x6x?xf32>)
      cu_seqlens(%cq, %ck : tensor<?xi64>, tensor<?xi64>)
      outs(%o0 : tensor<1x6x?x48xf16>) {non_increasing} -> tensor<1x6x?x48xf16>
  return %o : tensor<1x6x?x48xf16>
}

// All sizes unknown: only then must the scale be given.
// CHECK-LABEL: func.func @all_dynamic
// CHECK: fpa.attention
// CHECK-SAME: {scale = 1.250000e-01 : f64}
func.func @all_dynamic(
    %q: tensor<?x?x?x?xf64>, %f: tensor<?x?x?xf64>, %o0: tensor<?x?x?x?xf64>)
    -> tensor<?x?x?x?xf64> {
  %o = fpa.attention
      ins(%q, %q, %q : tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>)
      field(%f : tensor<?x?x?xf64>)
      outs(%o0 : tensor<?x?x?x?xf64>) {scale = 0.125 : f64} -> tensor<?x?x?x?xf64>
  return %o : tensor<?x?x?x?xf64>
}

// CHECK-LABEL: func.func @memrefs
// CHECK: fpa.attention ins(%{{.*}} : memref<1x2x65x96xf32, strided<[?, ?, ?, 1], offset: ?>>, memref<1x1x63x96xf32>, memref<1x1x63x32xf32>) field(%{{.*}} : memref<1x1x63xf32>) outs(%{{.*}}, %{{.*}} : memref<1x2x65x32xf32>, memref<1x2x65xf32>)
// CHECK-NOT: ->
// CHECK: return
func.func @memrefs(
    %q: memref<1x2x65x96xf32, strided<[?, ?, ?, 1], offset: ?>>,
    %k: memref<1x1x63x96xf32>, %v: memref<1x1x63x32xf32>,
    %f: memref<1x1x63xf32>, %o: memref<1x2x65x32xf32>, %l: memref<1x2x65xf32>) {
  fpa.attention
      ins(%q, %k, %v : memref<1x2x65x96xf32, strided<[?, ?, ?, 1], offset: ?>>,
                       memref<1x1x63x96xf32>, memref<1x1x63x32xf32>)
      field(%f : memref<1x1x63xf32>)
      outs(%o, %l : memref<1x2x65x32xf32>, memref<1x2x65xf32>)
  return
}

// Lengths of zero are legal.
// CHECK-LABEL: func.func @empty
// CHECK: fpa.attention
func.func @empty(%q: tensor<0x2x0x8xf32>, %o0: tensor<0x2x0x8xf32>)
    -> tensor<0x2x0x8xf32> {
  %o = fpa.attention
      ins(%q, %q, %q : tensor<0x2x0x8xf32>, tensor<0x2x0x8xf32>, tensor<0x2x0x8xf32>)
      outs(%o0 : tensor<0x2x0x8xf32>) -> tensor<0x2x0x8xf32>
  return %o : tensor<0x2x0x8xf32>
}
