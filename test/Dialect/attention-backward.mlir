// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

// Every optional part, alone and together, on tensors and on memrefs.

// CHECK-LABEL: func.func @plain
// CHECK: %{{.*}}:3 = fpa.attention_backward ins(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>)
// CHECK-SAME: saved(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<2x4x128x64xf32>, tensor<2x4x128xf32>)
// CHECK-SAME: gradient(%{{[a-z0-9]+}} : tensor<2x4x128x64xf32>)
// CHECK-SAME: outs(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>)
// CHECK-SAME: -> tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>
func.func @plain(%q: tensor<2x4x128x64xf32>, %lse: tensor<2x4x128xf32>) {
  %d:3 = fpa.attention_backward
      ins(%q, %q, %q : tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>)
      saved(%q, %lse : tensor<2x4x128x64xf32>, tensor<2x4x128xf32>)
      gradient(%q : tensor<2x4x128x64xf32>)
      outs(%q, %q, %q : tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>)
      -> tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>
  return
}

// A field and a level that get no gradient.
// CHECK-LABEL: func.func @constant_field
// CHECK: %{{.*}}:3 = fpa.attention_backward {{.*}} field(%{{[a-z0-9]+}} : tensor<1x2x?xf32>) level(%{{[a-z0-9]+}} : tensor<1x2x?xf32>) saved
func.func @constant_field(%q: tensor<1x2x?x8xf32>, %f: tensor<1x2x?xf32>) {
  %d:3 = fpa.attention_backward
      ins(%q, %q, %q : tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>)
      field(%f : tensor<1x2x?xf32>) level(%f : tensor<1x2x?xf32>)
      saved(%q, %f : tensor<1x2x?x8xf32>, tensor<1x2x?xf32>)
      gradient(%q : tensor<1x2x?x8xf32>)
      outs(%q, %q, %q : tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>)
      -> tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_gqa_with_lse_gradient
// CHECK: %{{.*}}:5 = fpa.attention_backward {{.*}} field(%{{[a-z0-9]+}} : tensor<?x2x?xf32>) level(%{{[a-z0-9]+}} : tensor<?x2x?xf32>)
// CHECK-SAME: gradient(%{{[a-z0-9]+}} : tensor<?x8x?x80xbf16>) lse_gradient(%{{[a-z0-9]+}} : tensor<?x8x?xf32>)
// CHECK-SAME: outs(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?x8x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x80xbf16>, tensor<?x2x?xf32>, tensor<?x2x?xf32>)
// CHECK-SAME: {scale = 1.000000e+00 : f64, smooth = 8.000000e+00 : f64, window = 128 : i64}
func.func @dynamic_gqa_with_lse_gradient(
    %q: tensor<?x8x?x64xbf16>, %k: tensor<?x2x?x64xbf16>, %v: tensor<?x2x?x80xbf16>,
    %f: tensor<?x2x?xf32>, %l: tensor<?x2x?xf32>, %o: tensor<?x8x?x80xbf16>, %lse: tensor<?x8x?xf32>) {
  %d:5 = fpa.attention_backward
      ins(%q, %k, %v : tensor<?x8x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x80xbf16>)
      field(%f : tensor<?x2x?xf32>) level(%l : tensor<?x2x?xf32>)
      saved(%o, %lse : tensor<?x8x?x80xbf16>, tensor<?x8x?xf32>)
      gradient(%o : tensor<?x8x?x80xbf16>) lse_gradient(%lse : tensor<?x8x?xf32>)
      outs(%q, %k, %v, %f, %l : tensor<?x8x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x80xbf16>,
           tensor<?x2x?xf32>, tensor<?x2x?xf32>)
      {scale = 1.0 : f64, smooth = 8.0 : f64, window = 128 : i64}
      -> tensor<?x8x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x80xbf16>, tensor<?x2x?xf32>, tensor<?x2x?xf32>
  return
}

// CHECK-LABEL: func.func @packed_tied_f16
// CHECK: %{{.*}}:4 = fpa.attention_backward {{.*}} field(%{{[a-z0-9]+}} : tensor<1x6x?xf32>) cu_seqlens(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>, tensor<?xi64>) saved
func.func @packed_tied_f16(
    %q: tensor<1x6x?x48xf16>, %k: tensor<1x3x?x48xf16>, %f: tensor<1x6x?xf32>,
    %cq: tensor<?xi64>, %ck: tensor<?xi64>) {
  %d:4 = fpa.attention_backward
      ins(%q, %k, %k : tensor<1x6x?x48xf16>, tensor<1x3x?x48xf16>, tensor<1x3x?x48xf16>)
      field(%f : tensor<1x6x?xf32>)
      cu_seqlens(%cq, %ck : tensor<?xi64>, tensor<?xi64>)
      saved(%q, %f : tensor<1x6x?x48xf16>, tensor<1x6x?xf32>)
      gradient(%q : tensor<1x6x?x48xf16>)
      outs(%q, %k, %k, %f : tensor<1x6x?x48xf16>, tensor<1x3x?x48xf16>, tensor<1x3x?x48xf16>, tensor<1x6x?xf32>)
      -> tensor<1x6x?x48xf16>, tensor<1x3x?x48xf16>, tensor<1x3x?x48xf16>, tensor<1x6x?xf32>
  return
}

// CHECK-LABEL: func.func @memrefs
// CHECK: fpa.attention_backward ins(%{{.*}} : memref<1x2x65x96xf64, strided<[?, ?, ?, 1], offset: ?>>, memref<1x1x63x96xf64>, memref<1x1x63x32xf64>) field(%{{[a-z0-9]+}} : memref<1x1x63xf64>)
// CHECK-SAME: outs(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : memref<1x2x65x96xf64>, memref<1x1x63x96xf64>, memref<1x1x63x32xf64>, memref<1x1x63xf64>)
// CHECK-NOT: ->
// CHECK: return
func.func @memrefs(
    %q: memref<1x2x65x96xf64, strided<[?, ?, ?, 1], offset: ?>>, %k: memref<1x1x63x96xf64>,
    %v: memref<1x1x63x32xf64>, %f: memref<1x1x63xf64>, %o: memref<1x2x65x32xf64>,
    %lse: memref<1x2x65xf64>, %dq: memref<1x2x65x96xf64>, %dk: memref<1x1x63x96xf64>,
    %dv: memref<1x1x63x32xf64>, %df: memref<1x1x63xf64>) {
  fpa.attention_backward
      ins(%q, %k, %v : memref<1x2x65x96xf64, strided<[?, ?, ?, 1], offset: ?>>,
                       memref<1x1x63x96xf64>, memref<1x1x63x32xf64>)
      field(%f : memref<1x1x63xf64>)
      saved(%o, %lse : memref<1x2x65x32xf64>, memref<1x2x65xf64>)
      gradient(%o : memref<1x2x65x32xf64>)
      outs(%dq, %dk, %dv, %df : memref<1x2x65x96xf64>, memref<1x1x63x96xf64>,
           memref<1x1x63x32xf64>, memref<1x1x63xf64>)
  return
}

// What pruning tells of itself follows the gradients.

// CHECK-LABEL: func.func @counts
// CHECK: %{{.*}}:6 = fpa.attention_backward {{.*}} outs({{.*}} : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xi64>, tensor<2x4x8xi64>) {counts, prune_eps = 1.000000e-03 : f64} ->
// CHECK: %{{.*}}:5 = fpa.attention_backward {{.*}} outs({{.*}} : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xi64>, tensor<2x4x8xi64>) {counts, prune_eps = 1.000000e-03 : f64} ->
func.func @counts(%q: tensor<2x4x8x16xf32>, %f: tensor<2x4x8xf32>, %n: tensor<2x4x8xi64>)
    -> (tensor<2x4x8xi64>, tensor<2x4x8xi64>) {
  %r:6 = fpa.attention_backward
    ins(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    field(%f : tensor<2x4x8xf32>)
    saved(%q, %f : tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    gradient(%q : tensor<2x4x8x16xf32>)
    outs(%q, %q, %q, %f, %n, %n : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xi64>, tensor<2x4x8xi64>)
    {prune_eps = 1.0e-3 : f64, counts} -> tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xi64>, tensor<2x4x8xi64>
  %s:5 = fpa.attention_backward
    ins(%q, %q, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    field(%f : tensor<2x4x8xf32>)
    saved(%q, %f : tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    gradient(%q : tensor<2x4x8x16xf32>)
    outs(%q, %q, %q, %n, %n : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xi64>, tensor<2x4x8xi64>)
    {prune_eps = 1.0e-3 : f64, counts} -> tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xi64>, tensor<2x4x8xi64>
  return %r#4, %s#4 : tensor<2x4x8xi64>, tensor<2x4x8xi64>
}
