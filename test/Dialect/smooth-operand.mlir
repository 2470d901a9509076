// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --canonicalize | FileCheck %s --check-prefix=CANON

// A beta of the smooth penalty that is known at run time only.

!q = tensor<1x2x?x8xf32>
!f = tensor<1x2x?xf32>

// CHECK-LABEL: func.func @graph
// CHECK: fpa.attention ins({{.*}}) field(%{{.*}} : tensor<1x2x?xf32>) smooth(%[[B:.*]] : tensor<f32>) outs(
// CHECK: fpa.attention_backward ins({{.*}}) field({{.*}}) smooth(%[[B]] : tensor<f32>) saved(
// CANON-LABEL: func.func @graph
// CANON: fpa.attention {{.*}} smooth(%{{.*}} : tensor<f32>)
// CANON: fpa.attention_backward {{.*}} smooth(%{{.*}} : tensor<f32>)
func.func @graph(%q: !q, %f: !f, %beta: tensor<f32>) -> (!q, !q, !q, !q, !f) {
  %o, %lse = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%beta : tensor<f32>) outs(%q, %f : !q, !f) -> !q, !f
  %d:4 = fpa.attention_backward ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%beta : tensor<f32>) saved(%o, %lse : !q, !f) gradient(%o : !q)
    outs(%q, %q, %q, %f : !q, !q, !q, !f) -> !q, !q, !q, !f
  return %o, %d#0, %d#1, %d#2, %d#3 : !q, !q, !q, !q, !f
}

// CHECK-LABEL: func.func @buffers
// CHECK: fpa.attention {{.*}} smooth(%{{.*}} : memref<f64>) outs(
func.func @buffers(%q: memref<1x2x4x8xf64>, %f: memref<1x2x4xf64>, %beta: memref<f64>,
                   %o: memref<1x2x4x8xf64>) {
  fpa.attention ins(%q, %q, %q : memref<1x2x4x8xf64>, memref<1x2x4x8xf64>, memref<1x2x4x8xf64>)
    field(%f : memref<1x2x4xf64>) smooth(%beta : memref<f64>) outs(%o : memref<1x2x4x8xf64>)
  return
}

// CHECK-LABEL: func.func @steps
// CHECK: fpa.online_attention ins({{.*}}) field({{.*}}) smooth(%[[B:.*]] : f32) outs(
// CHECK: fpa.backward_tile ins({{.*}}) field({{.*}}) smooth(%[[B]] : f32) outs(
func.func @steps(%q: tensor<4x8xf32>, %f: tensor<4xf32>, %beta: f32) -> tensor<4x8xf32> {
  %a, %m, %s, %r = fpa.online_attention
    ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    field(%f : tensor<4xf32>) smooth(%beta : f32)
    outs(%q, %f, %f, %f : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    {scale = 0.5 : f64} -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %t:3 = fpa.backward_tile ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    gradient(%a : tensor<4x8xf32>) saved(%m, %s : tensor<4xf32>, tensor<4xf32>)
    field(%f, %r : tensor<4xf32>, tensor<4xf32>) smooth(%beta : f32)
    outs(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    {scale = 0.5 : f64} -> tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  return %t#0 : tensor<4x8xf32>
}

// A number that is known is the attribute.
// CANON-LABEL: func.func @known
// CANON: fpa.attention ins({{.*}}) field({{.*}}) outs({{.*}}) {smooth = 2.500000e+00 : f64}
// CANON: fpa.attention_backward {{.*}} field({{.*}}) saved({{.*}} {smooth = 2.500000e+00 : f64}
func.func @known(%q: !q, %f: !f) -> (!q, !q, !q, !q, !f) {
  %number = arith.constant 2.5 : f32
  %beta = tensor.from_elements %number : tensor<f32>
  %o, %lse = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%beta : tensor<f32>) outs(%q, %f : !q, !f) -> !q, !f
  %d:4 = fpa.attention_backward ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%beta : tensor<f32>) saved(%o, %lse : !q, !f) gradient(%o : !q)
    outs(%q, %q, %q, %f : !q, !q, !q, !f) -> !q, !q, !q, !f
  return %o, %d#0, %d#1, %d#2, %d#3 : !q, !q, !q, !q, !f
}

// The attribute would refuse this number.
// CANON-LABEL: func.func @wrong
// CANON: fpa.attention {{.*}} smooth(%{{.*}} : tensor<f32>)
func.func @wrong(%q: !q, %f: !f) -> !q {
  %beta = arith.constant dense<-1.0> : tensor<f32>
  %o = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%beta : tensor<f32>) outs(%q : !q) -> !q
  return %o : !q
}

// No penalty to smooth, and one that is not 0 where the exact one is; outs
// that nobody reads go without it.
// CANON-LABEL: func.func @simpler
// CANON: fpa.attention ins({{.*}} : {{.*}}) outs(%{{.*}} : tensor<1x2x?x8xf32>) ->
// CANON: fpa.attention ins({{.*}}) field(%{{.*}}) smooth(%{{.*}}) outs(%{{.*}} : tensor<1x2x4x8xf32>) {non_increasing} ->
func.func @simpler(%q: !q, %x: tensor<1x2x4x8xf32>, %f: tensor<1x2x4xf32>, %beta: tensor<f32>)
    -> (!q, tensor<1x2x4x8xf32>) {
  %o = fpa.attention ins(%q, %q, %q : !q, !q, !q)
    smooth(%beta : tensor<f32>) outs(%q : !q) -> !q
  %inf = arith.constant dense<0x7F800000> : tensor<1x2x4xf32>
  %p, %lse = fpa.attention
    ins(%x, %x, %x : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>)
    field(%inf : tensor<1x2x4xf32>) smooth(%beta : tensor<f32>)
    outs(%x, %f : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4x8xf32>, tensor<1x2x4xf32>
  return %o, %p : !q, tensor<1x2x4x8xf32>
}
