// RUN: fpa-opt %s -split-input-file --fpa-tile-cached-attention --canonicalize --cse | FileCheck %s

// One new token of four query heads on two key heads: blocks of two rows.

!keys = tensor<1x2x?x8xf32>
!row = tensor<1x2x?xf32>
!new = tensor<1x2x1x8xf32>
// CHECK-DAG:   #[[WHOLE:.*]] = affine_map<(d0) -> (d0 floordiv 256)>
// CHECK-DAG:   #[[LEFT:.*]] = affine_map<(d0) -> ((d0 mod 256) ceildiv 64)>
// CHECK-LABEL: func @grouped(
// CHECK-SAME:    %[[Q:.*]]: tensor<1x4x1x8xf32>, %[[K:.*]]: tensor<1x2x1x8xf32>, %[[F:.*]]: tensor<1x2x1xf32>, %[[CK:.*]]: tensor<1x2x?x8xf32>, %[[CL:.*]]: tensor<1x2x?xf32>, %[[CM:.*]]: tensor<1x2x?xf32>, %[[N:.*]]: tensor<1x2xi64>
// CHECK:         tensor.expand_shape %[[Q]] {{\[}}[0], [1, 2], [3], [4]{{\]}} output_shape [1, 2, 2, 1, 8]
// CHECK:         %[[ROWS:.*]] = tensor.collapse_shape
// CHECK:         %[[P:.*]]:3 = scf.forall (%[[H:.*]], %[[C:.*]]) in (2, %{{.*}}) shared_outs
// CHECK:           %[[X:.*]] = tensor.extract %[[N]]
// CHECK:           affine.apply #[[WHOLE]]
// CHECK:           scf.for
// CHECK:             tensor.extract_slice %[[CM]]{{.*}} [1, 1, 256]
// CHECK:             tensor.extract_slice %[[CK]]{{.*}} [1, 1, 256, 8]
// CHECK:             fpa.online_attention ins({{.*}}tensor<2x8xf32>, tensor<256x8xf32>, tensor<256x8xf32>)
// CHECK-SAME:          field(%[[S:[^ ]*]] : tensor<256xf32>) level(%{{.*}}) suffix(%[[S]] : tensor<256xf32>) common(%{{.*}} : f32)
// CHECK-NOT:           interval
// CHECK:           affine.apply #[[LEFT]]
// CHECK:           scf.for
// CHECK:             fpa.online_attention ins({{.*}}tensor<2x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>)
// CHECK:         scf.forall (%{{.*}}) in (2) shared_outs
// CHECK:           fpa.online_attention ins({{.*}}tensor<2x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>)
// CHECK-SAME:        suffix(
// CHECK:           scf.for
// CHECK:             tensor.extract_slice %[[P]]#0
// CHECK:             fpa.online_merge
// CHECK:           fpa.online_finalize
// CHECK:         tensor.collapse_shape
// CHECK-NOT:     fpa.cached_attention
func.func @grouped(%q: tensor<1x4x1x8xf32>, %k: !new, %f: tensor<1x2x1xf32>,
                   %ck: !keys, %cl: !row, %cm: !row, %n: tensor<1x2xi64>,
                   %o0: tensor<1x4x1x8xf32>) -> tensor<1x4x1x8xf32> {
  %o = fpa.cached_attention ins(%q, %k, %k : tensor<1x4x1x8xf32>, !new, !new)
    field(%f : tensor<1x2x1xf32>)
    cache(%ck, %ck, %cl, %cm, %n : !keys, !keys, !row, !row, tensor<1x2xi64>)
    outs(%o0 : tensor<1x4x1x8xf32>) {scale = 0.5 : f64} -> tensor<1x4x1x8xf32>
  return %o : tensor<1x4x1x8xf32>
}

// -----

// Sizes that are not known, and sequences of different lengths: rows that a
// sequence does not have see nothing and are cleared.

!q = tensor<?x?x?x8xf16>
!row = tensor<?x?x?xf32>
// CHECK-LABEL: func @dynamic(
// CHECK:         fpa.prefix_min
// CHECK:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}, %{{.*}})
// CHECK:           fpa.online_finalize
// CHECK:         linalg.generic
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.select
func.func @dynamic(%q: !q, %k: !q, %f: !row, %t: tensor<?xi64>, %ck: !q, %cl: !row,
                   %n: tensor<?x?xi64>, %o0: !q, %l0: !row) -> (!q, !row) {
  %o, %lse = fpa.cached_attention ins(%q, %k, %k : !q, !q, !q) field(%f : !row)
    lengths(%t : tensor<?xi64>)
    cache(%ck, %ck, %cl, %cl, %n : !q, !q, !row, !row, tensor<?x?xi64>)
    outs(%o0, %l0 : !q, !row) {scale = 0.5 : f64} -> !q, !row
  return %o, %lse : !q, !row
}

// -----

// An op that says its own sizes is tiled in them: blocks have all their rows, and
// the loops know what the machine is to do.

!keys = tensor<1x2x?x16xf16>
!row = tensor<1x2x?xf32>
!new = tensor<1x2x1x16xf16>
// CHECK-LABEL: func @own_sizes(
// CHECK:         scf.forall
// CHECK:           fpa.online_attention ins({{.*}}tensor<2x16xf16>, tensor<32x16xf16>, tensor<32x16xf16>)
// CHECK-SAME:        outs({{.*}}tensor<16x16xf32>
// CHECK:         fpa.stages = 3 : i64, fpa.warps = 1 : i64
// CHECK:         scf.forall
// CHECK:           fpa.online_merge ins({{.*}}tensor<16x16xf32>
// CHECK:         fpa.stages = 3 : i64, fpa.warps = 1 : i64
func.func @own_sizes(%q: tensor<1x4x1x16xf16>, %k: !new, %f: tensor<1x2x1xf32>,
                     %ck: !keys, %cl: !row, %n: tensor<1x2xi64>) -> tensor<1x4x1x16xf16> {
  %o = fpa.cached_attention ins(%q, %k, %k : tensor<1x4x1x16xf16>, !new, !new)
    field(%f : tensor<1x2x1xf32>)
    cache(%ck, %ck, %cl, %cl, %n : !keys, !keys, !row, !row, tensor<1x2xi64>)
    outs(%q : tensor<1x4x1x16xf16>)
    {scale = 0.5 : f64, fpa.tiles = {query = 16, key = 32, edge = 16, chunk = 64, warps = 1, stages = 3}}
    -> tensor<1x4x1x16xf16>
  return %o : tensor<1x4x1x16xf16>
}
