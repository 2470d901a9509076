// RUN: fpa-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

// A tile of rows keeps the keys up to the last one that its last row sees, so
// it is an attention aligned bottom-right by itself. Here Lk = Lq + 32.

// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0) -> (d0 * 16)>
// CHECK-DAG: #[[END:.*]] = affine_map<(d0) -> (0, d0 * 16 + 48)>
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<1x2x64x8xf32>, %[[K:[a-z0-9]+]]: tensor<1x2x96x8xf32>, %[[V:[a-z0-9]+]]: tensor<1x2x96x4xf32>, %[[F:[a-z0-9]+]]: tensor<1x2x96xf32>,
// CHECK: scf.forall (%[[IV:.*]]) in (4)
// CHECK-DAG: %[[I:.*]] = affine.apply #[[ROW]](%[[IV]])
// CHECK-DAG: %[[E:.*]] = affine.max #[[END]](%[[IV]])
// CHECK-DAG: %[[QT:.*]] = tensor.extract_slice %[[Q]][0, 0, %[[I]], 0] [1, 2, 16, 8]
// CHECK-DAG: %[[KT:.*]] = tensor.extract_slice %[[K]][0, 0, 0, 0] [1, 2, %[[E]], 8]
// CHECK-DAG: %[[VT:.*]] = tensor.extract_slice %[[V]][0, 0, 0, 0] [1, 2, %[[E]], 4]
// CHECK-DAG: %[[FT:.*]] = tensor.extract_slice %[[F]][0, 0, 0] [1, 2, %[[E]]]
// CHECK: %[[T:.*]]:2 = fpa.attention ins(%[[QT]], %[[KT]], %[[VT]] : {{.*}}) field(%[[FT]] :
// CHECK: tensor.parallel_insert_slice %[[T]]#0 into %{{.*}}[0, 0, %[[I]], 0] [1, 2, 16, 4]
// CHECK: tensor.parallel_insert_slice %[[T]]#1 into %{{.*}}[0, 0, %[[I]]] [1, 2, 16]
func.func @rows(%q: tensor<1x2x64x8xf32>, %k: tensor<1x2x96x8xf32>, %v: tensor<1x2x96x4xf32>,
    %f: tensor<1x2x96xf32>, %o0: tensor<1x2x64x4xf32>, %l0: tensor<1x2x64xf32>)
    -> (tensor<1x2x64x4xf32>, tensor<1x2x64xf32>) {
  %o, %lse = fpa.attention
      ins(%q, %k, %v : tensor<1x2x64x8xf32>, tensor<1x2x96x8xf32>, tensor<1x2x96x4xf32>)
      field(%f : tensor<1x2x96xf32>) outs(%o0, %l0 : tensor<1x2x64x4xf32>, tensor<1x2x64xf32>)
      -> tensor<1x2x64x4xf32>, tensor<1x2x64xf32>
  return %o, %lse : tensor<1x2x64x4xf32>, tensor<1x2x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [0, 0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Dynamic lengths; a window cuts the keys off at the start as well.

// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0) -> (d0 * 16)>
// CHECK-DAG: #[[SIZEMAP:.*]] = affine_map<(d0)[s0] -> (d0 * -16 + s0, 16)>
// CHECK-DAG: #[[ENDMAP:.*]] = affine_map<(d0, d1)[s0, s1] -> (0, d0 + d1 * 16 - s0 + s1)>
// CHECK-DAG: #[[STARTMAP:.*]] = affine_map<(d0)[s0, s1] -> (0, d0 * 16 - s0 + s1 - 9)>
// CHECK-DAG: #[[COUNT:.*]] = affine_map<(d0, d1) -> (d0 - d1)>
// CHECK-LABEL: func.func @window(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<1x1x?x8xf32>, %[[K:[a-z0-9]+]]: tensor<1x1x?x8xf32>, %[[V:[a-z0-9]+]]: tensor<1x1x?x4xf32>, %[[F:[a-z0-9]+]]: tensor<1x1x?xf32>, %[[L:[a-z0-9]+]]: tensor<1x1x?xf32>,
// CHECK: scf.forall (%[[IV:.*]]) in
// CHECK-DAG: %[[M:.*]] = affine.min #[[SIZEMAP]](%[[IV]])
// CHECK-DAG: %[[END:.*]] = affine.max #[[ENDMAP]](%[[M]], %[[IV]])[%[[LQ:.*]], %[[LK:.*]]]
// CHECK-DAG: %[[START:.*]] = affine.max #[[STARTMAP]](%[[IV]])[%[[LQ]], %[[LK]]]
// CHECK-DAG: %[[N:.*]] = affine.apply #[[COUNT]](%[[END]], %[[START]])
// CHECK-DAG: %[[KT:.*]] = tensor.extract_slice %[[K]][0, 0, %[[START]], 0] [1, 1, %[[N]], 8]
// CHECK-DAG: %[[VT:.*]] = tensor.extract_slice %[[V]][0, 0, %[[START]], 0] [1, 1, %[[N]], 4]
// CHECK-DAG: %[[FT:.*]] = tensor.extract_slice %[[F]][0, 0, %[[START]]] [1, 1, %[[N]]]
// CHECK-DAG: %[[LT:.*]] = tensor.extract_slice %[[L]][0, 0, %[[START]]] [1, 1, %[[N]]]
// CHECK: fpa.attention ins(%{{.*}}, %[[KT]], %[[VT]] : {{.*}}) field(%[[FT]] : {{.*}}) level(%[[LT]] : {{.*}} {window = 10 : i64}
func.func @window(%q: tensor<1x1x?x8xf32>, %k: tensor<1x1x?x8xf32>, %v: tensor<1x1x?x4xf32>,
    %f: tensor<1x1x?xf32>, %l: tensor<1x1x?xf32>, %o0: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = fpa.attention
      ins(%q, %k, %v : tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x4xf32>)
      field(%f : tensor<1x1x?xf32>) level(%l : tensor<1x1x?xf32>)
      outs(%o0 : tensor<1x1x?x4xf32>) {window = 10 : i64} -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [0, 0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// One query head uses its group's key head; field has a head for each query
// head. Whole rows need no slice of the keys.

// CHECK-DAG: #[[GROUP:.*]] = affine_map<(d0) -> (d0 floordiv 4)>
// CHECK-LABEL: func.func @one_head(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x8x?x8xf16>, %[[K:[a-z0-9]+]]: tensor<2x2x?x8xf16>, %[[F:[a-z0-9]+]]: tensor<2x8x?xf32>,
// CHECK: scf.forall (%[[B:.*]], %[[H:.*]]) in (2, 8)
// CHECK-NOT: affine.max
// CHECK: %[[HK:.*]] = affine.apply #[[GROUP]](%[[H]])
// CHECK-NOT: affine.max
// CHECK: %[[LK:.*]] = tensor.dim %[[K]]
// CHECK-DAG: tensor.extract_slice %[[Q]][%[[B]], %[[H]], 0, 0] [1, 1, %{{.*}}, 8]
// CHECK-DAG: tensor.extract_slice %[[K]][%[[B]], %[[HK]], 0, 0] [1, 1, %[[LK]], 8]
// CHECK-DAG: tensor.extract_slice %[[F]][%[[B]], %[[H]], 0] [1, 1, %[[LK]]]
// CHECK: fpa.attention
func.func @one_head(%q: tensor<2x8x?x8xf16>, %k: tensor<2x2x?x8xf16>, %f: tensor<2x8x?xf32>,
    %o0: tensor<2x8x?x8xf16>) -> tensor<2x8x?x8xf16> {
  %o = fpa.attention
      ins(%q, %k, %k : tensor<2x8x?x8xf16>, tensor<2x2x?x8xf16>, tensor<2x2x?x8xf16>)
      field(%f : tensor<2x8x?xf32>) outs(%o0 : tensor<2x8x?x8xf16>) -> tensor<2x8x?x8xf16>
  return %o : tensor<2x8x?x8xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Whole groups of heads. 12 heads in tiles of 8: the last tile has 4.

// CHECK-LABEL: func.func @head_groups(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<1x12x16x8xf32>, %[[K:[a-z0-9]+]]: tensor<1x3x16x8xf32>, %[[F:[a-z0-9]+]]: tensor<1x3x16xf32>,
// CHECK: scf.forall (%[[IV:.*]]) in (2)
// CHECK-DAG: %[[H:.*]] = affine.apply #{{.*}}(%[[IV]])
// CHECK-DAG: %[[N:.*]] = affine.min #{{.*}}(%[[IV]])
// CHECK-DAG: %[[HK:.*]] = affine.apply #{{.*}}(%[[IV]])
// CHECK-DAG: %[[NK:.*]] = affine.apply #{{.*}}(%[[N]])
// CHECK-DAG: tensor.extract_slice %[[Q]][0, %[[H]], 0, 0] [1, %[[N]], 16, 8]
// CHECK-DAG: tensor.extract_slice %[[K]][0, %[[HK]], 0, 0] [1, %[[NK]], 16, 8]
// CHECK-DAG: tensor.extract_slice %[[F]][0, %[[HK]], 0] [1, %[[NK]], 16]
// CHECK: fpa.attention
func.func @head_groups(%q: tensor<1x12x16x8xf32>, %k: tensor<1x3x16x8xf32>, %f: tensor<1x3x16xf32>,
    %o0: tensor<1x12x16x8xf32>) -> tensor<1x12x16x8xf32> {
  %o = fpa.attention
      ins(%q, %k, %k : tensor<1x12x16x8xf32>, tensor<1x3x16x8xf32>, tensor<1x3x16x8xf32>)
      field(%f : tensor<1x3x16xf32>) outs(%o0 : tensor<1x12x16x8xf32>) -> tensor<1x12x16x8xf32>
  return %o : tensor<1x12x16x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @dynamic_heads(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<1x?x16x8xf32>, %[[K:[a-z0-9]+]]: tensor<1x?x16x8xf32>,
// CHECK: scf.forall (%[[H:.*]]) in
// CHECK-DAG: %[[HQ:.*]] = tensor.dim %[[Q]], %c1
// CHECK-DAG: %[[HK:.*]] = tensor.dim %[[K]], %c1
// CHECK: %[[GROUP:.*]] = arith.divui %[[HQ]], %[[HK]]
// CHECK: %[[KH:.*]] = arith.divui %[[H]], %[[GROUP]]
// CHECK: tensor.extract_slice %[[K]][0, %[[KH]], 0, 0] [1, 1, 16, 8]
func.func @dynamic_heads(%q: tensor<1x?x16x8xf32>, %k: tensor<1x?x16x8xf32>,
    %o0: tensor<1x?x16x8xf32>) -> tensor<1x?x16x8xf32> {
  %o = fpa.attention
      ins(%q, %k, %k : tensor<1x?x16x8xf32>, tensor<1x?x16x8xf32>, tensor<1x?x16x8xf32>)
      outs(%o0 : tensor<1x?x16x8xf32>) -> tensor<1x?x16x8xf32>
  return %o : tensor<1x?x16x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Columns of value, by scf.for. Packed sequences may be tiled so.

// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<1x1x16x8xf32>, %[[V:[a-z0-9]+]]: tensor<1x1x16x32xf32>, %[[CU:[a-z0-9]+]]: tensor<3xi64>,
// CHECK: scf.for %[[C:.*]] = %c0 to %c32 step %c8
// CHECK: %[[VT:.*]] = tensor.extract_slice %[[V]][0, 0, 0, %[[C]]] [1, 1, 16, 8]
// CHECK: fpa.attention ins(%[[Q]], %[[Q]], %[[VT]] : {{.*}}) cu_seqlens(%[[CU]], %[[CU]] :
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, %[[C]]] [1, 1, 16, 8]
func.func @columns(%q: tensor<1x1x16x8xf32>, %v: tensor<1x1x16x32xf32>, %cu: tensor<3xi64>,
    %o0: tensor<1x1x16x32xf32>) -> tensor<1x1x16x32xf32> {
  %o = fpa.attention
      ins(%q, %q, %v : tensor<1x1x16x8xf32>, tensor<1x1x16x8xf32>, tensor<1x1x16x32xf32>)
      cu_seqlens(%cu, %cu : tensor<3xi64>, tensor<3xi64>)
      outs(%o0 : tensor<1x1x16x32xf32>) -> tensor<1x1x16x32xf32>
  return %o : tensor<1x1x16x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %op tile_sizes [0, 0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Memrefs: views instead of slices.

// CHECK-LABEL: func.func @memrefs(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: memref<1x2x64x8xf32>, %[[O:[a-z0-9]+]]: memref<1x2x64x8xf32>
// CHECK: scf.for %[[I:.*]] = %c0 to %c64 step %c16
// CHECK-DAG: %[[E:.*]] = affine.max #{{.*}}(%[[I]])
// CHECK-DAG: %[[QT:.*]] = memref.subview %[[Q]][0, 0, %[[I]], 0] [1, 2, 16, 8]
// CHECK-DAG: %[[KT:.*]] = memref.subview %[[Q]][0, 0, 0, 0] [1, 2, %[[E]], 8]
// CHECK-DAG: %[[OT:.*]] = memref.subview %[[O]][0, 0, %[[I]], 0] [1, 2, 16, 8]
// CHECK: fpa.attention ins(%[[QT]], %[[KT]], %[[KT]] : {{.*}}) outs(%[[OT]] : memref<1x2x16x8xf32, strided<[1024, 512, 8, 1], offset: ?>>){{$}}
func.func @memrefs(%q: memref<1x2x64x8xf32>, %o: memref<1x2x64x8xf32>) {
  fpa.attention ins(%q, %q, %q : memref<1x2x64x8xf32>, memref<1x2x64x8xf32>, memref<1x2x64x8xf32>)
      outs(%o : memref<1x2x64x8xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %op tile_sizes [0, 0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// No heads at all: nothing to divide by.

// CHECK-LABEL: func.func @no_heads(
func.func @no_heads(%q: tensor<1x0x16x8xf32>, %k: tensor<1x2x16x8xf32>, %o0: tensor<1x0x16x8xf32>) -> tensor<1x0x16x8xf32> {
  %o = fpa.attention
      ins(%q, %k, %k : tensor<1x0x16x8xf32>, tensor<1x2x16x8xf32>, tensor<1x2x16x8xf32>)
      outs(%o0 : tensor<1x0x16x8xf32>) -> tensor<1x0x16x8xf32>
  return %o : tensor<1x0x16x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["fpa.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Fused into a consumer that is tiled by rows.

// CHECK-LABEL: func.func @fused(
// CHECK: scf.for %[[I:.*]] =
// CHECK:   %[[T:.*]] = fpa.attention {{.*}} -> tensor<1x2x8x4xf32>
// CHECK:   linalg.generic {{.*}} ins(%[[T]] :
// CHECK-NOT: fpa.attention
#id = affine_map<(b, h, i, v) -> (b, h, i, v)>
func.func @fused(%q: tensor<1x2x32x8xf32>, %v: tensor<1x2x32x4xf32>, %f: tensor<1x2x32xf32>) -> tensor<1x2x32x4xf32> {
  %e = tensor.empty() : tensor<1x2x32x4xf32>
  %o = fpa.attention
      ins(%q, %q, %v : tensor<1x2x32x8xf32>, tensor<1x2x32x8xf32>, tensor<1x2x32x4xf32>)
      field(%f : tensor<1x2x32xf32>) outs(%e : tensor<1x2x32x4xf32>) -> tensor<1x2x32x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<1x2x32x4xf32>) outs(%e : tensor<1x2x32x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  } -> tensor<1x2x32x4xf32>
  return %r : tensor<1x2x32x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b:1 = transform.structured.fuse %op tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The lse of an attention, fused: the tile has whole columns.

// CHECK-LABEL: func.func @fused_lse(
// CHECK: scf.for
// CHECK:   %[[T:.*]]:2 = fpa.attention {{.*}} -> tensor<1x2x8x4xf32>, tensor<1x2x8xf32>
// CHECK:   linalg.generic {{.*}} ins(%[[T]]#1 :
#id3 = affine_map<(b, h, i) -> (b, h, i)>
func.func @fused_lse(%q: tensor<1x2x32x8xf32>, %v: tensor<1x2x32x4xf32>, %f: tensor<1x2x32xf32>) -> tensor<1x2x32xf32> {
  %e = tensor.empty() : tensor<1x2x32x4xf32>
  %el = tensor.empty() : tensor<1x2x32xf32>
  %o:2 = fpa.attention
      ins(%q, %q, %v : tensor<1x2x32x8xf32>, tensor<1x2x32x8xf32>, tensor<1x2x32x4xf32>)
      field(%f : tensor<1x2x32xf32>) outs(%e, %el : tensor<1x2x32x4xf32>, tensor<1x2x32xf32>)
      -> tensor<1x2x32x4xf32>, tensor<1x2x32xf32>
  %r = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o#1 : tensor<1x2x32xf32>) outs(%el : tensor<1x2x32xf32>) {
  ^bb0(%x: f32, %y: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  } -> tensor<1x2x32xf32>
  return %r : tensor<1x2x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b:1 = transform.structured.fuse %op tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
