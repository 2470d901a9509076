// RUN: fpa-opt %s -split-input-file --fpa-tile-attention --canonicalize --cse | FileCheck %s

// Every size static and a multiple of its tile: no size is computed.

// CHECK-DAG: #[[$BEGIN:.*]] = affine_map<(d0) -> (d0 * -48 + 48)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0) -> (d0 * -48 + 95)>
// CHECK-DAG: #[[$EDGES:.*]] = affine_map<(d0, d1) -> ((d0 + 1) ceildiv 64 - ((d1 + 1) floordiv 256) * 4)>
// CHECK-DAG: #[[$EDGE:.*]] = affine_map<(d0, d1) -> (d0 * -64 + ((d1 + 1) ceildiv 64) * 64 - 64)>
// CHECK-DAG: #[[$INNERS:.*]] = affine_map<(d0) -> ((d0 + 1) floordiv 256)>
// CHECK-DAG: #[[$INNER:.*]] = affine_map<(d0, d1) -> (d0 * -256 + ((d1 + 1) floordiv 256) * 256 - 256)>

// CHECK-LABEL: func @static(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x4x96x64xf32>, %[[K:.*]]: tensor<2x4x512x64xf32>, %[[V:.*]]: tensor<2x4x512x32xf32>, %[[F:.*]]: tensor<2x4x512xf32>, %[[O0:.*]]: tensor<2x4x96x32xf32>, %[[L0:.*]]: tensor<2x4x96xf32>)
// CHECK-DAG:     %[[C512:.*]] = arith.constant 512 : index
// CHECK:         %[[S:.*]] = fpa.prefix_min axis(2) reverse exclusive segment(256) ins(%[[F]] :
// CHECK:         %[[IV:.*]]:2 = fpa.key_intervals key_length(%[[C512]])
// CHECK:         scf.forall (%[[B:.*]], %[[H:.*]], %[[T:.*]]) in (2, 4, 2) shared_outs(%[[O:.*]] = %[[O0]], %[[L:.*]] = %[[L0]])
// CHECK:           %[[I0:.*]] = affine.apply #[[$BEGIN]](%[[T]])
// CHECK:           %[[QT:.*]] = tensor.extract_slice %[[Q]][%[[B]], %[[H]], %[[I0]], 0] [1, 1, 48, 64]
// CHECK-SAME:        to tensor<48x64xf32>
// CHECK:           %[[FIRST:.*]] = tensor.extract_slice %[[IV]]#0[%[[I0]]] [48] [1]
// CHECK:           %[[LAST:.*]] = tensor.extract_slice %[[IV]]#1[%[[I0]]] [48] [1]
// CHECK:           %[[I1:.*]] = affine.apply #[[$LAST]](%[[T]])
// CHECK:           %[[MIN64:.*]] = tensor.extract %[[IV]]#1[%[[I0]]]
// CHECK:           %[[MIN:.*]] = arith.index_cast %[[MIN64]]
// CHECK:           %[[MAX64:.*]] = tensor.extract %[[IV]]#1[%[[I1]]]
// CHECK:           %[[MAX:.*]] = arith.index_cast %[[MAX64]]
// CHECK-COUNT-4:   linalg.fill
// CHECK:           %[[NA:.*]] = affine.apply #[[$EDGES]](%[[MAX]], %[[MIN]])
// CHECK:           %[[A:.*]]:4 = scf.for %[[TA:.*]] = %{{.*}} to %[[NA]]
// CHECK-SAME:        -> (tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
// CHECK:             %[[B0:.*]] = affine.apply #[[$EDGE]](%[[TA]], %[[MAX]])
// CHECK:             tensor.extract_slice %[[K]][%[[B]], %[[H]], %[[B0]], 0] [1, 1, 64, 64]
// CHECK:             tensor.extract_slice %[[V]][%[[B]], %[[H]], %[[B0]], 0] [1, 1, 64, 32]
// CHECK:             tensor.extract_slice %[[F]][%[[B]], %[[H]], %[[B0]]] [1, 1, 64]
// CHECK:             fpa.online_attention ins(%[[QT]],
// CHECK-NOT:         suffix
// CHECK-SAME:        interval(%[[FIRST]], %[[LAST]] at %[[B0]]
// CHECK-SAME:        {scale = 1.250000e-01 : f64}
// CHECK:           %[[NB:.*]] = affine.apply #[[$INNERS]](%[[MIN]])
// CHECK:           %[[BB:.*]]:4 = scf.for %[[TB:.*]] = %{{.*}} to %[[NB]] {{.*}} iter_args(%{{.*}} = %[[A]]#0, %{{.*}} = %[[A]]#1, %{{.*}} = %[[A]]#2, %{{.*}} = %[[A]]#3)
// CHECK:             %[[B0:.*]] = affine.apply #[[$INNER]](%[[TB]], %[[MIN]])
// CHECK:             tensor.extract_slice %[[K]][%[[B]], %[[H]], %[[B0]], 0] [1, 1, 256, 64]
// CHECK:             %[[ST:.*]] = tensor.extract_slice %[[S]][%[[B]], %[[H]], %[[B0]]] [1, 1, 256]
// CHECK:             fpa.online_attention ins(%[[QT]],
// CHECK-SAME:        suffix(%[[ST]] : tensor<256xf32>)
// CHECK-NOT:         interval
// CHECK:           %[[OT:.*]] = tensor.extract_slice %[[O]][%[[B]], %[[H]], %[[I0]], 0] [1, 1, 48, 32]
// CHECK:           %[[LT:.*]] = tensor.extract_slice %[[L]][%[[B]], %[[H]], %[[I0]]] [1, 1, 48]
// CHECK:           %[[R:.*]]:2 = fpa.online_finalize ins(%[[BB]]#0, %[[BB]]#1, %[[BB]]#2 {{.*}} outs(%[[OT]], %[[LT]]
// CHECK:           scf.forall.in_parallel
// CHECK:             tensor.parallel_insert_slice %[[R]]#0 into %[[O]][%[[B]], %[[H]], %[[I0]], 0] [1, 1, 48, 32]
// CHECK:             tensor.parallel_insert_slice %[[R]]#1 into %[[L]][%[[B]], %[[H]], %[[I0]]] [1, 1, 48]
func.func @static(%q: tensor<2x4x96x64xf32>, %k: tensor<2x4x512x64xf32>,
                  %v: tensor<2x4x512x32xf32>, %f: tensor<2x4x512xf32>,
                  %o0: tensor<2x4x96x32xf32>, %l0: tensor<2x4x96xf32>)
    -> (tensor<2x4x96x32xf32>, tensor<2x4x96xf32>) {
  %o, %lse = fpa.attention
    ins(%q, %k, %v : tensor<2x4x96x64xf32>, tensor<2x4x512x64xf32>, tensor<2x4x512x32xf32>)
    field(%f : tensor<2x4x512xf32>)
    outs(%o0, %l0 : tensor<2x4x96x32xf32>, tensor<2x4x96xf32>)
    -> tensor<2x4x96x32xf32>, tensor<2x4x96xf32>
  return %o, %lse : tensor<2x4x96x32xf32>, tensor<2x4x96xf32>
}

// -----

// The last query tile and the last edge tile may be short; a separate level;
// head counts that are not known are divided where there is a head.

// CHECK-DAG: #[[$TILES:.*]] = affine_map<()[s0] -> (s0 ceildiv 48)>
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0)[s0] -> (48, {{.*}})>
// CHECK-DAG: #[[$KEYS:.*]] = affine_map<(d0, d1)[s0] -> (64, {{.*}})>

// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[Q:.*]]: tensor<?x?x?x64xf32>, %[[K:.*]]: tensor<?x?x?x64xf32>, %[[V:.*]]: tensor<?x?x?x64xf32>, %[[F:.*]]: tensor<?x?x?xf32>, %[[LV:.*]]: tensor<?x?x?xf32>,
// CHECK:         %[[N:.*]] = affine.apply #[[$TILES]]()
// CHECK:         scf.forall (%{{.*}}, %[[H:.*]], %{{.*}}) in (%{{.*}}, %{{.*}}, %[[N]])
// CHECK:           %[[GROUP:.*]] = arith.divui
// CHECK:           %[[HK:.*]] = arith.divui %[[H]], %[[GROUP]]
// CHECK:           %[[ROWS:.*]] = affine.min #[[$ROWS]]
// CHECK:           tensor.extract_slice %[[Q]][{{.*}}] [1, 1, %[[ROWS]], 64] {{.*}} to tensor<?x64xf32>
// CHECK:           scf.for
// CHECK-SAME:        -> (tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
// CHECK:             %[[KEYS:.*]] = affine.min #[[$KEYS]]
// CHECK:             tensor.extract_slice %[[K]][%{{.*}}, %[[HK]], %{{.*}}, 0] [1, 1, %[[KEYS]], 64]
// CHECK:             tensor.extract_slice %[[F]][{{.*}}] [1, 1, %[[KEYS]]]
// CHECK:             tensor.extract_slice %[[LV]][{{.*}}] [1, 1, %[[KEYS]]]
// CHECK:             fpa.online_attention {{.*}} field({{.*}}) level({{.*}}) interval
// CHECK:           scf.for
// CHECK:             tensor.extract_slice %[[K]][{{.*}}] [1, 1, 256, 64]
// CHECK:             fpa.online_attention {{.*}} field({{.*}}) level({{.*}}) suffix
// CHECK-NOT:       scf.for
// CHECK:           fpa.online_finalize {{.*}} -> tensor<?x64xf32>
func.func @dynamic(%q: tensor<?x?x?x64xf32>, %k: tensor<?x?x?x64xf32>,
                   %v: tensor<?x?x?x64xf32>, %f: tensor<?x?x?xf32>,
                   %l: tensor<?x?x?xf32>, %o0: tensor<?x?x?x64xf32>)
    -> tensor<?x?x?x64xf32> {
  %o = fpa.attention
    ins(%q, %k, %v : tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>)
    field(%f : tensor<?x?x?xf32>) level(%l : tensor<?x?x?xf32>)
    outs(%o0 : tensor<?x?x?x64xf32>) -> tensor<?x?x?x64xf32>
  return %o : tensor<?x?x?x64xf32>
}

// -----

// A window brings a left edge. Where it begins right of the last full tile,
// the right edge ends there and the other loops do not run.

// CHECK-DAG: #[[$START:.*]] = affine_map<(d0, d1) -> (((d0 + 1) floordiv 256) * 256, (d1 floordiv 64) * 64)>
// CHECK-DAG: #[[$INNER:.*]] = affine_map<(d0, d1) -> (((d0 + 1) floordiv 256) * 256, (d1 ceildiv 256) * 256)>

// CHECK-LABEL: func @window(
// CHECK:         fpa.key_intervals {{.*}} {window = 100 : i64}
// CHECK:         scf.forall
// CHECK:           affine.min #[[$INNER]]
// CHECK:           affine.max #[[$START]]
// CHECK:           scf.for
// CHECK:             fpa.online_attention {{.*}} interval
// CHECK:           scf.for
// CHECK:             fpa.online_attention
// CHECK-NOT:         interval
// CHECK:           scf.for
// CHECK:             fpa.online_attention {{.*}} interval
// CHECK:           fpa.online_finalize
func.func @window(%q: tensor<1x1x960x64xf32>, %k: tensor<1x1x960x64xf32>,
                  %v: tensor<1x1x960x64xf32>, %o0: tensor<1x1x960x64xf32>)
    -> tensor<1x1x960x64xf32> {
  %o = fpa.attention
    ins(%q, %k, %v : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>)
    outs(%o0 : tensor<1x1x960x64xf32>) {window = 100 : i64} -> tensor<1x1x960x64xf32>
  return %o : tensor<1x1x960x64xf32>
}

// -----

// Packed sequences, two query heads for each key head, a field for each query
// head.

// CHECK-DAG: #[[$HALF:.*]] = affine_map<(d0) -> (d0 floordiv 2)>

// CHECK-LABEL: func @packed_gqa(
// CHECK-SAME:    %{{.*}}: tensor<1x4x?x16xf16>, %[[K:.*]]: tensor<1x2x?x16xf16>, %{{.*}}: tensor<1x2x?x16xf16>, %[[F:.*]]: tensor<1x4x?xf32>, %[[CQ:.*]]: tensor<?xi64>, %[[CK:.*]]: tensor<?xi64>
// CHECK:         fpa.key_intervals key_length(%{{.*}}) cu_seqlens(%[[CQ]], %[[CK]] :
// CHECK:         scf.forall (%[[H:.*]], %{{.*}}) in (4,
// CHECK:           %[[HK:.*]] = affine.apply #[[$HALF]](%[[H]])
// CHECK:           linalg.fill {{.*}} tensor<48x16xf32>
// CHECK:           scf.for
// CHECK:             tensor.extract_slice %[[K]][0, %[[HK]],
// CHECK:             tensor.extract_slice %[[F]][0, %[[H]],
// CHECK:           scf.for
// CHECK:           scf.for
// CHECK:           fpa.online_finalize {{.*}} -> tensor<?x16xf16>
func.func @packed_gqa(%q: tensor<1x4x?x16xf16>, %k: tensor<1x2x?x16xf16>,
                      %v: tensor<1x2x?x16xf16>, %f: tensor<1x4x?xf32>,
                      %cq: tensor<?xi64>, %ck: tensor<?xi64>,
                      %o0: tensor<1x4x?x16xf16>) -> tensor<1x4x?x16xf16> {
  %o = fpa.attention
    ins(%q, %k, %v : tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>)
    field(%f : tensor<1x4x?xf32>)
    cu_seqlens(%cq, %ck : tensor<?xi64>, tensor<?xi64>)
    outs(%o0 : tensor<1x4x?x16xf16>) -> tensor<1x4x?x16xf16>
  return %o : tensor<1x4x?x16xf16>
}

// -----

// Without a field there are no minima.

// CHECK-LABEL: func @plain(
// CHECK-NOT:     fpa.prefix_min
// CHECK:         fpa.online_attention
// CHECK-NOT:     field
// CHECK:         fpa.online_attention
// CHECK-NOT:     field
// CHECK-NOT:     suffix
// CHECK:         fpa.online_finalize
func.func @plain(%q: tensor<1x1x96x64xf64>, %k: tensor<1x1x96x64xf64>,
                 %v: tensor<1x1x96x64xf64>, %o0: tensor<1x1x96x64xf64>)
    -> tensor<1x1x96x64xf64> {
  %o = fpa.attention
    ins(%q, %k, %v : tensor<1x1x96x64xf64>, tensor<1x1x96x64xf64>, tensor<1x1x96x64xf64>)
    outs(%o0 : tensor<1x1x96x64xf64>) {scale = 1.0 : f64} -> tensor<1x1x96x64xf64>
  return %o : tensor<1x1x96x64xf64>
}

// -----

// A field that never rises needs no suffix minima, but its inner tiles end
// left of every row's own key.

// CHECK-DAG: #[[$INNER:.*]] = affine_map<(d0) -> ((d0 floordiv 256) * 256, 0)>

// CHECK-LABEL: func @non_increasing(
// CHECK-NOT:     fpa.prefix_min
// CHECK:         affine.max #[[$INNER]]
// CHECK:         fpa.online_attention {{.*}} field({{.*}}) interval({{.*}}) {{.*}} {non_increasing, {{.*}}, smooth = 2.000000e+00 : f64}
// CHECK:         fpa.online_attention {{.*}} field({{.*}}) outs({{.*}}) {non_increasing, {{.*}}, smooth = 2.000000e+00 : f64}
func.func @non_increasing(%q: tensor<1x1x96x64xf32>, %k: tensor<1x1x960x64xf32>,
                          %v: tensor<1x1x960x64xf32>, %f: tensor<1x1x960xf32>,
                          %o0: tensor<1x1x96x64xf32>) -> tensor<1x1x96x64xf32> {
  %o = fpa.attention
    ins(%q, %k, %v : tensor<1x1x96x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>)
    field(%f : tensor<1x1x960xf32>)
    outs(%o0 : tensor<1x1x96x64xf32>) {non_increasing, smooth = 2.0 : f64} -> tensor<1x1x96x64xf32>
  return %o : tensor<1x1x96x64xf32>
}

// -----

// One query tile of one head: the loop stays, and canonicalization keeps it.

// CHECK-LABEL: func @one_tile(
// CHECK:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (1, 1, 1)
// CHECK:         mapping = [#fpa.work_item<0>, #fpa.work_item<1>, #fpa.work_item<2>]
func.func @one_tile(%q: tensor<1x1x6x8xf32>, %o0: tensor<1x1x6x8xf32>)
    -> tensor<1x1x6x8xf32> {
  %o = fpa.attention
    ins(%q, %q, %q : tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>)
    outs(%o0 : tensor<1x1x6x8xf32>) -> tensor<1x1x6x8xf32>
  return %o : tensor<1x1x6x8xf32>
}

// -----

// No query row: no loop.

// CHECK-LABEL: func @no_rows(
// CHECK-SAME:    %[[O:[a-z0-9]*]]: tensor<1x1x0x8xf32>)
// CHECK-NOT:     scf.forall
// CHECK:         return %[[O]]
func.func @no_rows(%q: tensor<1x1x0x8xf32>, %k: tensor<1x1x6x8xf32>,
                   %o0: tensor<1x1x0x8xf32>) -> tensor<1x1x0x8xf32> {
  %o = fpa.attention
    ins(%q, %k, %k : tensor<1x1x0x8xf32>, tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>)
    outs(%o0 : tensor<1x1x0x8xf32>) -> tensor<1x1x0x8xf32>
  return %o : tensor<1x1x0x8xf32>
}
