// RUN: fpa-opt %s | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

// Ops that leave keys out, on tensors and on memrefs.

// CHECK-LABEL: @norms
// CHECK: fpa.row_norms ins(%{{.*}} : tensor<?x64xbf16>) outs(%{{.*}} : tensor<48xf32>) {factor = 2.500000e-01 : f64} -> tensor<48xf32>
// CHECK: fpa.row_norms ins(%{{.*}} : memref<256x8xf64>) outs(%{{.*}} : memref<256xf64>) {factor = -1.000000e+00 : f64}
func.func @norms(%q: tensor<?x64xbf16>, %n0: tensor<48xf32>, %k: memref<256x8xf64>,
                 %n1: memref<256xf64>) -> tensor<48xf32> {
  %n = fpa.row_norms ins(%q : tensor<?x64xbf16>) outs(%n0 : tensor<48xf32>)
    {factor = 0.25 : f64} -> tensor<48xf32>
  fpa.row_norms ins(%k : memref<256x8xf64>) outs(%n1 : memref<256xf64>) {factor = -1.0 : f64}
  return %n : tensor<48xf32>
}

// CHECK-LABEL: @levels
// CHECK: fpa.mean_level ins(%{{.*}} : tensor<?xf32>) least(%{{.*}} : f32) outs(%{{.*}} : tensor<256xf32>) -> tensor<256xf32>
// CHECK: fpa.mean_level ins(%{{.*}} : memref<7xf64>) least(%{{.*}} : f64) outs(%{{.*}} : memref<7xf64>)
func.func @levels(%l: tensor<?xf32>, %a: f32, %o: tensor<256xf32>, %m: memref<7xf64>, %b: f64)
    -> tensor<256xf32> {
  %n = fpa.mean_level ins(%l : tensor<?xf32>) least(%a : f32) outs(%o : tensor<256xf32>)
    -> tensor<256xf32>
  fpa.mean_level ins(%m : memref<7xf64>) least(%b : f64) outs(%m : memref<7xf64>)
  return %n : tensor<256xf32>
}

// CHECK-LABEL: @keys
// CHECK: fpa.prune_keys rows(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<48xf32>) maximum(%{{.*}} : tensor<48xf32>) keys(%{{.*}}, %{{.*}}, %{{.*}} of %{{.*}} : f32) {eps = 1.000000e-04 : f64, head_size = 64 : i64}
// CHECK: fpa.prune_keys rows({{.*}}) lse(%{{.*}} : tensor<?xf32>) keys(
// CHECK: fpa.drop_keys rows(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<48xf32>) maximum(%{{.*}} : tensor<48xf32>) keys(%{{.*}}, %{{.*}}, %{{.*}} of %{{.*}} : f32) outs(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<48xf32>) {head_size = 64 : i64} -> tensor<48xf32>, tensor<48xf32>
func.func @keys(%x: tensor<48xf32>, %lse: tensor<?xf32>, %a: f32, %n: index)
    -> (index, index, tensor<48xf32>, tensor<48xf32>) {
  %y = fpa.prune_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) maximum(%x : tensor<48xf32>)
    keys(%a, %a, %a of %n : f32) {eps = 1.0e-4 : f64, head_size = 64 : i64}
  %z = fpa.prune_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) lse(%lse : tensor<?xf32>)
    keys(%a, %a, %a of %n : f32) {eps = 1.0e-4 : f64, head_size = 64 : i64}
  %d:2 = fpa.drop_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) maximum(%x : tensor<48xf32>)
    keys(%a, %a, %a of %n : f32) outs(%x, %x : tensor<48xf32>, tensor<48xf32>)
    {head_size = 64 : i64} -> tensor<48xf32>, tensor<48xf32>
  return %y, %z, %d#0, %d#1 : index, index, tensor<48xf32>, tensor<48xf32>
}

// Numbers that stand for all rows.
// CHECK-LABEL: @numbers
// CHECK: fpa.prune_keys rows(%{{.*}}, %{{.*}} : f32, f32) lse(%{{.*}} : f32) keys(%{{.*}}, %{{.*}}, %{{.*}} of %{{.*}} : f32)
// CHECK: fpa.pass_carry field(%{{.*}} : tensor<256xf32>, tensor<256xf32>, tensor<48xf32>) passed(%{{.*}} : f32) outs(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<256xf32>) -> tensor<48xf32>, tensor<256xf32>
func.func @numbers(%a: f32, %n: index, %x: tensor<48xf32>, %f: tensor<256xf32>)
    -> (index, tensor<48xf32>) {
  %y = fpa.prune_keys rows(%a, %a : f32, f32) lse(%a : f32)
    keys(%a, %a, %a of %n : f32) {eps = 1.0e-4 : f64, head_size = 64 : i64}
  %c:2 = fpa.pass_carry
    field(%f, %f, %x : tensor<256xf32>, tensor<256xf32>, tensor<48xf32>) passed(%a : f32)
    outs(%x, %f : tensor<48xf32>, tensor<256xf32>) -> tensor<48xf32>, tensor<256xf32>
  return %y, %c#0 : index, tensor<48xf32>
}

// CHECK-LABEL: @ends
// CHECK: fpa.drop_finalize ins({{.*}}) outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
// CHECK: fpa.drop_finalize ins({{.*}}) keys(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi64>) outs(
// CHECK: fpa.drop_finalize keys(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi64>) outs(%{{.*}}, %{{.*}} : tensor<?xi64>, tensor<?xi64>) {rows = 48 : i64} -> tensor<?xi64>, tensor<?xi64>
// CHECK: fpa.pass_carry field(%{{.*}}, %{{.*}}, %{{.*}} : tensor<256xf32>, tensor<256xf32>, tensor<48xf32>) outs(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<256xf32>) -> tensor<48xf32>, tensor<256xf32>
func.func @ends(%x: tensor<48xf32>, %o: tensor<?xf32>, %i: tensor<?xi64>, %n: index,
                %f: tensor<256xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<48xf32>) {
  %a = fpa.drop_finalize
    ins(%x, %x, %x, %x : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %b:3 = fpa.drop_finalize
    ins(%x, %x, %x, %x : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    keys(%i, %n, %n : tensor<?xi64>)
    outs(%a, %i, %i : tensor<?xf32>, tensor<?xi64>, tensor<?xi64>)
    -> tensor<?xf32>, tensor<?xi64>, tensor<?xi64>
  %d:2 = fpa.drop_finalize keys(%i, %n, %n : tensor<?xi64>)
    outs(%i, %i : tensor<?xi64>, tensor<?xi64>) {rows = 48 : i64}
    -> tensor<?xi64>, tensor<?xi64>
  %c:2 = fpa.pass_carry
    field(%f, %f, %x : tensor<256xf32>, tensor<256xf32>, tensor<48xf32>)
    outs(%x, %f : tensor<48xf32>, tensor<256xf32>) -> tensor<48xf32>, tensor<256xf32>
  return %b#0, %b#2, %c#0 : tensor<?xf32>, tensor<?xi64>, tensor<48xf32>
}
