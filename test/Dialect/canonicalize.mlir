// RUN: fpa-opt %s --canonicalize --split-input-file | FileCheck %s

!q = tensor<1x4x64x16xf32>
!f = tensor<1x4x64xf32>

// CHECK-LABEL: func.func @tied_level
// CHECK: field(%{{.*}}) outs
func.func @tied_level(%q: !q, %f: !f, %o: !q) -> !q {
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f) level(%f : !f)
    outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @untied_level
// CHECK: field(%{{.*}}) level(%{{.*}}) outs
func.func @untied_level(%q: !q, %f: !f, %l: !f, %o: !q) -> !q {
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f) level(%l : !f)
    outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @tied_level_memref
// CHECK: field(%{{.*}}) outs
func.func @tied_level_memref(%q: memref<1x1x?x8xf32>, %f: memref<1x1x?xf32>,
                             %o: memref<1x1x?x8xf32>) {
  fpa.attention
    ins(%q, %q, %q : memref<1x1x?x8xf32>, memref<1x1x?x8xf32>, memref<1x1x?x8xf32>)
    field(%f : memref<1x1x?xf32>) level(%f : memref<1x1x?xf32>)
    outs(%o : memref<1x1x?x8xf32>)
  return
}

// -----

!q = tensor<1x4x64x16xf32>
!f = tensor<1x4x64xf32>

// CHECK-LABEL: func.func @field_is_infinite
// CHECK: fpa.attention ins(%{{.*}}, %{{.*}}, %{{.*}}) outs
func.func @field_is_infinite(%q: !q, %l: !f, %o: !q) -> !q {
  %f = arith.constant dense<0x7F800000> : !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f) level(%l : !f)
    outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @field_is_filled
// CHECK: fpa.attention ins(%{{.*}}, %{{.*}}, %{{.*}}) outs
// CHECK-NOT: non_increasing
func.func @field_is_filled(%q: tensor<1x4x?x16xf32>, %n: index, %o: tensor<1x4x?x16xf32>) -> tensor<1x4x?x16xf32> {
  %inf = arith.constant 0x7F800000 : f32
  %e = tensor.empty(%n) : tensor<1x4x?xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %r = fpa.attention
    ins(%q, %q, %q : tensor<1x4x?x16xf32>, tensor<1x4x?x16xf32>, tensor<1x4x?x16xf32>)
    field(%f : tensor<1x4x?xf32>) outs(%o : tensor<1x4x?x16xf32>)
    {non_increasing} -> tensor<1x4x?x16xf32>
  return %r : tensor<1x4x?x16xf32>
}

// CHECK-LABEL: func.func @field_is_one_constant
// CHECK: fpa.attention ins(%{{.*}}, %{{.*}}, %{{.*}}) outs
func.func @field_is_one_constant(%q: !q, %o: !q) -> !q {
  %f = arith.constant dense<-3.25> : !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f) outs(%o : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @level_is_minus_infinite
// CHECK: fpa.attention ins(%{{.*}}, %{{.*}}, %{{.*}}) outs
func.func @level_is_minus_infinite(%q: !q, %f: !f, %o: !q) -> !q {
  %l = arith.constant dense<0xFF800000> : !f
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f) level(%l : !f)
    outs(%o : !q) -> !q
  return %r : !q
}

// One finite element, a NaN, the wrong sign and a smooth penalty, which is not
// 0 where level and minimum are equal.
// CHECK-LABEL: func.func @only_looks_plain
// CHECK-COUNT-6: fpa.attention ins(%{{.*}}, %{{.*}}, %{{.*}}) field(%{{.*}})
func.func @only_looks_plain(%q: tensor<1x1x2x8xf32>, %l: tensor<1x1x2xf32>, %o: tensor<1x1x2x8xf32>) ->
    (tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>) {
  %inf = arith.constant dense<0x7F800000> : tensor<1x1x2xf32>
  %minus = arith.constant dense<0xFF800000> : tensor<1x1x2xf32>
  %mixed = arith.constant dense<[[[0x7F800000, 3.0e38]]]> : tensor<1x1x2xf32>
  %nan = arith.constant dense<[[[0x7FC00000, 0x7F800000]]]> : tensor<1x1x2xf32>
  %r0 = fpa.attention ins(%q, %q, %q : tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>)
    field(%mixed : tensor<1x1x2xf32>) level(%l : tensor<1x1x2xf32>) outs(%o : tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
  %r1 = fpa.attention ins(%q, %q, %q : tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>)
    field(%nan : tensor<1x1x2xf32>) outs(%o : tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
  %r2 = fpa.attention ins(%q, %q, %q : tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>)
    field(%minus : tensor<1x1x2xf32>) level(%l : tensor<1x1x2xf32>) outs(%o : tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
  %r3 = fpa.attention ins(%q, %q, %q : tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>)
    field(%l : tensor<1x1x2xf32>) level(%inf : tensor<1x1x2xf32>) outs(%o : tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
  %r4 = fpa.attention ins(%q, %q, %q : tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>)
    field(%inf : tensor<1x1x2xf32>) outs(%o : tensor<1x1x2x8xf32>) {smooth = 1.0 : f64} -> tensor<1x1x2x8xf32>
  %r5 = fpa.attention ins(%q, %q, %q : tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>)
    field(%l : tensor<1x1x2xf32>) level(%minus : tensor<1x1x2xf32>) outs(%o : tensor<1x1x2x8xf32>) {smooth = 1.0 : f64} -> tensor<1x1x2x8xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5 : tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>
}

// CHECK-LABEL: func.func @smooth_without_field
// CHECK-NOT: smooth =
func.func @smooth_without_field(%q: !q, %o: !q) -> !q {
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) outs(%o : !q) {smooth = 2.0 : f64} -> !q
  return %r : !q
}

// -----

!q = tensor<1x4x?x16xf32>
!k = tensor<1x4x64x16xf32>

// CHECK-LABEL: func.func @window_sees_all
// CHECK: fpa.attention
// CHECK-NOT: window =
// CHECK: return
func.func @window_sees_all(%q: !q, %k: !k, %o: !q) -> !q {
  %r = fpa.attention ins(%q, %k, %k : !q, !k, !k) outs(%o : !q) {window = 64 : i64} -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @window_hides_one
// CHECK: {window = 63 : i64}
func.func @window_hides_one(%q: !q, %k: !k, %o: !q) -> !q {
  %r = fpa.attention ins(%q, %k, %k : !q, !k, !k) outs(%o : !q) {window = 63 : i64} -> !q
  return %r : !q
}

// CHECK-LABEL: func.func @window_over_unknown_length
// CHECK: {window = 1000000 : i64}
func.func @window_over_unknown_length(%q: !q, %o: !q) -> !q {
  %r = fpa.attention ins(%q, %q, %q : !q, !q, !q) outs(%o : !q) {window = 1000000 : i64} -> !q
  return %r : !q
}

// -----

// Casts that forget sizes are folded into the op; the tensor dialect's pattern
// does this for every op in destination style.
// CHECK-LABEL: func.func @casts
// CHECK: fpa.attention ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x4x64x16xf32>, tensor<1x4x32x16xf32>, tensor<1x4x32x16xf32>)
// CHECK-SAME: field(%{{.*}} : tensor<1x4x32xf32>) outs(%{{.*}} : tensor<1x4x64x16xf32>)
// CHECK: fpa.prefix_min axis(2) ins(%{{.*}} : tensor<1x4x32xf32>) outs(%{{.*}} : tensor<1x4x?xf32>)
func.func @casts(%q: tensor<1x4x64x16xf32>, %k: tensor<1x4x32x16xf32>, %f: tensor<1x4x32xf32>, %m: tensor<1x4x?xf32>)
    -> (tensor<1x4x64x16xf32>, tensor<1x4x?xf32>) {
  %qd = tensor.cast %q : tensor<1x4x64x16xf32> to tensor<?x?x?x?xf32>
  %kd = tensor.cast %k : tensor<1x4x32x16xf32> to tensor<?x?x?x?xf32>
  %fd = tensor.cast %f : tensor<1x4x32xf32> to tensor<?x?x?xf32>
  %f1 = tensor.cast %f : tensor<1x4x32xf32> to tensor<1x4x?xf32>
  %r = fpa.attention
    ins(%qd, %kd, %kd : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>)
    field(%fd : tensor<?x?x?xf32>) outs(%qd : tensor<?x?x?x?xf32>) {scale = 1.0 : f64} -> tensor<?x?x?x?xf32>
  %s = tensor.cast %r : tensor<?x?x?x?xf32> to tensor<1x4x64x16xf32>
  %p = fpa.prefix_min axis(2) ins(%f1 : tensor<1x4x?xf32>) outs(%m : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  return %s, %p : tensor<1x4x64x16xf32>, tensor<1x4x?xf32>
}

// -----

!q = tensor<1x4x?x16xf32>
!l = tensor<1x4x?xf32>

// CHECK-LABEL: func.func @lse_is_not_read
// CHECK: field(%{{.*}}) level(%{{.*}}) cu_seqlens(%{{.*}}, %{{.*}} : tensor<?xi64>, tensor<?xi64>) outs(%{{.*}} : tensor<1x4x?x16xf32>)
// CHECK-SAME: {note, scale = 2.000000e+00 : f64, smooth = 3.000000e+00 : f64, window = 5 : i64} -> tensor<1x4x?x16xf32>{{$}}
func.func @lse_is_not_read(%q: !q, %f: !l, %g: !l, %c: tensor<?xi64>, %o: !q) -> !q {
  %r, %lse = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !l) level(%g : !l)
    cu_seqlens(%c, %c : tensor<?xi64>, tensor<?xi64>) outs(%o, %f : !q, !l)
    {note, scale = 2.0 : f64, smooth = 3.0 : f64, window = 5 : i64} -> !q, !l
  return %r : !q
}

// CHECK-LABEL: func.func @only_lse_is_read
// CHECK: outs(%{{.*}}, %{{.*}} : tensor<1x4x?x16xf32>, tensor<1x4x?xf32>)
func.func @only_lse_is_read(%q: !q, %f: !l, %o: !q) -> !l {
  %r, %lse = fpa.attention ins(%q, %q, %q : !q, !q, !q) outs(%o, %f : !q, !l) -> !q, !l
  return %lse : !l
}

// -----

!q = tensor<1x4x64x16xf32>
!f = tensor<1x4x64xf32>

// CHECK-LABEL: func.func @nothing_to_prune
// CHECK: fpa.attention ins(%{{.*}}, %{{.*}}, %{{.*}}) outs(%{{.*}} : {{.*}}) ->
// CHECK: fpa.attention {{.*}} field(%{{.*}}) outs(%{{.*}} : {{.*}}) ->
// CHECK: fpa.attention {{.*}} field(%{{.*}}) outs(%{{.*}}) {prune_eps = 1.000000e-03 : f64}
func.func @nothing_to_prune(%q: !q, %f: !f, %o: !q) -> (!q, !q, !q) {
  %a = fpa.attention ins(%q, %q, %q : !q, !q, !q) outs(%o : !q) {prune_eps = 1.0e-3 : f64} -> !q
  %b = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f) outs(%o : !q)
    {prune_eps = 0.0 : f64} -> !q
  %c = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f) outs(%o : !q)
    {prune_eps = 1.0e-3 : f64} -> !q
  return %a, %b, %c : !q, !q, !q
}

// The last outs that nobody reads go, and with them a pruning of nothing.

// CHECK-LABEL: func.func @unread_outs
// CHECK: %{{.*}}:3 = fpa.attention
// CHECK: %{{.*}} = fpa.attention {{.*}} outs(%{{.*}} : tensor<1x4x64x16xf32>) ->
// CHECK: %{{.*}}:5 = fpa.attention
func.func @unread_outs(%q: !q, %f: !f, %o: !q, %n: tensor<1x4x64xi64>)
    -> (!f, !q, tensor<1x4x64xi64>) {
  %a:5 = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    outs(%o, %f, %f, %n, %n : !q, !f, !f, tensor<1x4x64xi64>, tensor<1x4x64xi64>)
    {prune_eps = 1.0e-3 : f64} -> !q, !f, !f, tensor<1x4x64xi64>, tensor<1x4x64xi64>
  %b:5 = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    outs(%o, %f, %f, %n, %n : !q, !f, !f, tensor<1x4x64xi64>, tensor<1x4x64xi64>)
    {prune_eps = 0.0 : f64} -> !q, !f, !f, tensor<1x4x64xi64>, tensor<1x4x64xi64>
  %c:5 = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    outs(%o, %f, %f, %n, %n : !q, !f, !f, tensor<1x4x64xi64>, tensor<1x4x64xi64>)
    {prune_eps = 1.0e-3 : f64} -> !q, !f, !f, tensor<1x4x64xi64>, tensor<1x4x64xi64>
  return %a#2, %b#0, %c#3 : !f, !q, tensor<1x4x64xi64>
}

// CHECK-LABEL: func.func @nothing_to_prune_backward
// CHECK: fpa.attention_backward
// CHECK-NOT: prune_eps
func.func @nothing_to_prune_backward(%q: !q, %f: !f) -> (!q, !q, !q) {
  %r:3 = fpa.attention_backward ins(%q, %q, %q : !q, !q, !q) saved(%q, %f : !q, !f)
    gradient(%q : !q) outs(%q, %q, %q : !q, !q, !q) {prune_eps = 1.0e-3 : f64} -> !q, !q, !q
  return %r#0, %r#1, %r#2 : !q, !q, !q
}

// It may not go where it is asked what was left out.

// CHECK-LABEL: func.func @counts_of_nothing
// CHECK: fpa.attention_backward {{.*}} {counts, prune_eps = 0.000000e+00 : f64}
func.func @counts_of_nothing(%q: !q, %f: !f, %n: tensor<1x4x64xi64>) -> tensor<1x4x64xi64> {
  %r:5 = fpa.attention_backward ins(%q, %q, %q : !q, !q, !q) saved(%q, %f : !q, !f)
    gradient(%q : !q) outs(%q, %q, %q, %n, %n : !q, !q, !q, tensor<1x4x64xi64>, tensor<1x4x64xi64>)
    {prune_eps = 0.0 : f64, counts} -> !q, !q, !q, tensor<1x4x64xi64>, tensor<1x4x64xi64>
  return %r#3 : tensor<1x4x64xi64>
}
