// RUN: fpa-opt %s -split-input-file --fpa-tile-attention --canonicalize --cse | FileCheck %s

// Every size static: 16 iterations of the parallel loop are made of 2 x 4 heads
// and 2 chunks of one query tile each. Field and level are tied.

// CHECK-DAG: #[[$BEGIN:.*]] = affine_map<(d0) -> (96, d0 * 48)>
// CHECK-DAG: #[[$INNERS:.*]] = affine_map<(d0) -> ((d0 + 1) floordiv 256, 0)>
// CHECK-DAG: #[[$EDGES:.*]] = affine_map<(d0, d1) -> ((d0 + 1) ceildiv 64 - ((d1 + 1) floordiv 256) * 4, 0)>
// CHECK-DAG: #[[$SUM:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-DAG: #[[$EDGE_LEFTWARDS:.*]] = affine_map<(d0, d1) -> (d0 * -64 + ((d1 + 1) ceildiv 64) * 64 - 64)>
// CHECK-DAG: #[[$EDGE_PLACE:.*]] = affine_map<(d0, d1, d2) -> (-d0 + d1 + d2 - 1)>
// CHECK-DAG: #[[$INNER_LEFTWARDS:.*]] = affine_map<(d0, d1) -> (d0 * -256 + ((d1 + 1) floordiv 256) * 256 - 256)>
// CHECK-DAG: #[[$INNER:.*]] = affine_map<(d0) -> (d0 * 256)>
// CHECK-DAG: #[[$EDGE:.*]] = affine_map<(d0, d1) -> (d0 * 64 + ((d1 + 1) floordiv 256) * 256)>

// CHECK-LABEL: func @tied(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<2x4x96x64xf32>, %[[K:[a-z0-9]*]]: tensor<2x4x512x64xf32>, %[[V:[a-z0-9]*]]: tensor<2x4x512x32xf32>, %[[F:[a-z0-9]*]]: tensor<2x4x512xf32>, %[[O:[a-z0-9]*]]: tensor<2x4x96x32xf32>, %[[LSE:[a-z0-9]*]]: tensor<2x4x96xf32>, %[[DO:[a-z0-9]*]]: tensor<2x4x96x32xf32>, %[[DLSE:[a-z0-9]*]]: tensor<2x4x96xf32>, %[[Q0:[a-z0-9]*]]: tensor<2x4x96x64xf32>, %[[K0:[a-z0-9]*]]: tensor<2x4x512x64xf32>, %[[V0:[a-z0-9]*]]: tensor<2x4x512x32xf32>, %[[F0:[a-z0-9]*]]: tensor<2x4x512xf32>)
// CHECK-DAG:     %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// The minima inside of key tiles, and where they are.
// CHECK:         %[[S:.*]]:2 = fpa.prefix_min axis(2) reverse exclusive segment(256) ins(%[[F]] : {{.*}} -> tensor<2x4x512xf32>, tensor<2x4x512xi64>
// CHECK:         %[[IV:.*]]:2 = fpa.key_intervals
// The sums of every chunk begin at 0.
// CHECK:         %[[DK0:.*]] = linalg.fill ins(%[[ZERO]] : f32) {{.*}} -> tensor<2x4x2x512x64xf32>
// CHECK:         %[[DV0:.*]] = linalg.fill ins(%[[ZERO]] : f32) {{.*}} -> tensor<2x4x2x512x32xf32>
// CHECK:         %[[W0:.*]] = linalg.fill ins(%[[ZERO]] : f32) {{.*}} -> tensor<2x4x2x512xf32>
// CHECK:         %[[ALL:.*]]:6 = scf.forall (%[[B:.*]], %[[H:.*]], %[[C:.*]]) in (2, 4, 2) shared_outs(%[[QS:.*]] = %[[Q0]], %[[KS:.*]] = %[[DK0]], %[[VS:.*]] = %[[DV0]], %{{.*}} = %[[W0]], %{{.*}} = %[[W0]], %{{.*}} = %[[W0]])
// CHECK:           %[[R0:.*]] = affine.min #[[$BEGIN]](%[[C]])
// CHECK:           tensor.extract_slice %[[QS]][%[[B]], %[[H]], %[[R0]], 0]
// CHECK:           tensor.extract_slice %[[KS]][%[[B]], %[[H]], %[[C]], 0, 0] [1, 1, 1, 512, 64] [1, 1, 1, 1, 1] : tensor<2x4x2x512x64xf32> to tensor<512x64xf32>
// CHECK:           tensor.extract_slice %[[VS]][%[[B]], %[[H]], %[[C]], 0, 0]
// CHECK:           scf.for %[[N:.*]] = %{{.*}} iter_args
// CHECK-SAME:        -> (tensor<1x?x64xf32>, tensor<512x64xf32>, tensor<512x32xf32>, tensor<1x512xf32>, tensor<1x512xf32>, tensor<1x512xf32>)
// CHECK-DAG:         %[[MIN64:.*]] = tensor.extract %[[IV]]#1[%[[I0:.*]]] : tensor<96xi64>
// CHECK-DAG:         %[[MIN:.*]] = arith.index_cast %[[MIN64]]
// CHECK:             %[[MAX64:.*]] = tensor.extract %[[IV]]#1
// CHECK:             %[[MAX:.*]] = arith.index_cast %[[MAX64]]
// CHECK:             %[[INNERS:.*]] = affine.max #[[$INNERS]](%[[MIN]])
// CHECK:             %[[EDGES:.*]] = affine.max #[[$EDGES]](%[[MAX]], %[[MIN]])
// CHECK:             %[[STEPS:.*]] = affine.apply #[[$SUM]](%[[INNERS]], %[[EDGES]])
// The minima to the right of every tile, from right to left, beforehand.
// CHECK:             %[[PLACES:.*]] = tensor.empty(%[[STEPS]]) : tensor<?x48xf32>
// CHECK:             %[[TOP:.*]] = linalg.fill ins(%[[INF]] : f32)
// CHECK:             %[[ME:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %[[EDGES]] {{.*}} iter_args(%[[AT:[a-z0-9]+]] = %[[PLACES]], %[[R:[a-z0-9]+]] = %[[TOP]])
// CHECK-DAG:           %[[KEY:.*]] = affine.apply #[[$EDGE_LEFTWARDS]](%[[I]], %[[MAX]])
// CHECK-DAG:           %[[PLACE:.*]] = affine.apply #[[$EDGE_PLACE]](%[[I]], %[[INNERS]], %[[EDGES]])
// CHECK-DAG:           %[[PUT:.*]] = tensor.insert_slice %[[R]] into %[[AT]][%[[PLACE]], 0] [1, 48]
// CHECK-DAG:           %[[FT:.*]] = tensor.extract_slice %[[F]][%[[B]], %[[H]], %[[KEY]]] [1, 1, 64]
// CHECK:               %[[NEXT:.*]] = fpa.pass_field field(%[[FT]] : {{.*}}) interval(%{{.*}} at %[[KEY]] : tensor<48xi64>) outs(%[[R]] :
// CHECK:               scf.yield %[[PUT]], %[[NEXT]]
// CHECK:             %[[MI:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %[[INNERS]] {{.*}} iter_args(%{{.*}} = %[[ME]]#0, %[[R:[a-z0-9]+]] = %[[ME]]#1)
// CHECK:               affine.apply #[[$INNER_LEFTWARDS]](%[[I]], %[[MIN]])
// CHECK:               fpa.pass_field field({{.*}} : tensor<256xf32>) suffix({{.*}} : tensor<256xf32>) outs(%[[R]] :
// From left to right: full tiles, then the right edge, one carry for both.
// CHECK:             %[[WI:.*]]:7 = scf.for %[[I:.*]] = %{{.*}} to %[[INNERS]] {{.*}} iter_args(%[[A:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[CARRY:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[DK:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[DV:[a-z0-9]+]] = 
// CHECK-DAG:           %[[KEY:.*]] = affine.apply #[[$INNER]](%[[I]])
// CHECK-DAG:           %[[R:.*]] = tensor.extract_slice %[[MI]]#0[%[[I]], 0] [1, 48]
// CHECK-DAG:           %[[DKT:.*]] = tensor.extract_slice %[[DK]][%[[KEY]], 0] [256, 64]
// CHECK-DAG:           %[[DVT:.*]] = tensor.extract_slice %[[DV]][%[[KEY]], 0] [256, 32]
// CHECK-DAG:           %[[ST:.*]] = tensor.extract_slice %[[S]]#0[%[[B]], %[[H]], %[[KEY]]] [1, 1, 256]
// CHECK:               %[[STEP:.*]]:7 = fpa.backward_tile {{.*}} field(%{{.*}}, %[[R]] : {{.*}}) suffix(%[[ST]] : tensor<256xf32>) outs(%[[A]], %[[DKT]], %[[DVT]], %[[CARRY]], {{.*}}) {scale = 1.250000e-01 : f64}
// CHECK:               %[[DK1:.*]] = tensor.insert_slice %[[STEP]]#1 into %[[DK]][%[[KEY]], 0] [256, 64]
// CHECK:               %[[DV1:.*]] = tensor.insert_slice %[[STEP]]#2 into %[[DV]][%[[KEY]], 0] [256, 32]
// CHECK:               scf.yield %[[STEP]]#0, %[[STEP]]#3, %[[DK1]], %[[DV1]],
// CHECK:             %[[WE:.*]]:7 = scf.for %[[I:.*]] = %{{.*}} to %[[EDGES]] {{.*}} iter_args(%[[A:[a-z0-9]+]] = %[[WI]]#0, %[[CARRY:[a-z0-9]+]] = %[[WI]]#1, %{{[a-z0-9]+}} = %[[WI]]#2,
// CHECK-DAG:           %[[KEY:.*]] = affine.apply #[[$EDGE]](%[[I]], %[[MIN]])
// CHECK-DAG:           %[[PLACE:.*]] = affine.apply #[[$SUM]](%[[INNERS]], %[[I]])
// CHECK-DAG:           %[[R:.*]] = tensor.extract_slice %[[MI]]#0[%[[PLACE]], 0] [1, 48]
// CHECK:               fpa.backward_tile {{.*}} field(%{{.*}}, %[[R]] : {{.*}}) interval(%{{.*}}, %{{.*}} at %[[KEY]] : {{.*}}) outs(%[[A]], %{{.*}}, %{{.*}}, %[[CARRY]],
// CHECK-NOT:         scf.for
// CHECK:             fpa.backward_finalize ins(%[[WE]]#0 : {{.*}} {scale = 1.250000e-01 : f64}
// CHECK:             scf.yield %{{.*}}, %[[WE]]#2, %[[WE]]#3, %[[WE]]#4, %[[WE]]#5, %[[WE]]#6
// CHECK:           scf.forall.in_parallel
// CHECK-COUNT-6:     tensor.parallel_insert_slice
// Chunks are added in their order.
// CHECK:         %[[DK:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%[[ALL]]#1 :
// CHECK:         %[[DV:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%[[ALL]]#2 :
// CHECK:         %[[LEVEL:.*]] = linalg.generic {{.*}} ins(%[[ALL]]#3 :
// CHECK:         %[[SUFFIX:.*]] = linalg.generic {{.*}} ins(%[[ALL]]#4 :
// CHECK:         %[[FIELD:.*]] = linalg.generic {{.*}} ins(%[[ALL]]#5 :
// CHECK:         %[[DKS:.*]] = linalg.generic {{.*}} ins(%[[DK]] : {{.*}}) outs(%[[K0]] :
// CHECK:           arith.mulf
// The last place of a tile belongs to the minimum of the whole tile.
// CHECK:         %[[WHERE:.*]] = linalg.generic {{.*}} ins(%[[S]]#1 :
// CHECK:           %[[T:.*]] = linalg.index 2
// CHECK:           %[[R:.*]] = arith.remui %[[T]], %c256
// CHECK:           %[[LAST:.*]] = arith.cmpi eq, %[[R]], %c255
// CHECK:           %[[T0:.*]] = arith.subi %[[T]], %[[R]]
// CHECK:           tensor.extract %[[F]][%{{.*}}, %{{.*}}, %[[T0]]]
// CHECK:           tensor.extract %[[S]]#0[%{{.*}}, %{{.*}}, %[[T0]]]
// CHECK:           tensor.extract %[[S]]#1[%{{.*}}, %{{.*}}, %[[T0]]]
// CHECK:           arith.cmpf olt
// CHECK:           arith.select %[[LAST]]
// CHECK:         %[[PLACED:.*]] = fpa.prefix_min_backward axis(2) ins(%[[WHERE]], %[[SUFFIX]] :
// CHECK:         %[[DF:.*]] = linalg.generic {{.*}} ins(%[[FIELD]], %[[PLACED]], %[[LEVEL]] : {{.*}}) outs(%[[F0]] :
// CHECK:         return %[[ALL]]#0, %[[DKS]], %{{.*}}, %[[DF]]
func.func @tied(%q: tensor<2x4x96x64xf32>, %k: tensor<2x4x512x64xf32>, %v: tensor<2x4x512x32xf32>,
                %f: tensor<2x4x512xf32>, %o: tensor<2x4x96x32xf32>, %lse: tensor<2x4x96xf32>,
                %do: tensor<2x4x96x32xf32>, %dlse: tensor<2x4x96xf32>, %q0: tensor<2x4x96x64xf32>,
                %k0: tensor<2x4x512x64xf32>, %v0: tensor<2x4x512x32xf32>, %f0: tensor<2x4x512xf32>)
    -> (tensor<2x4x96x64xf32>, tensor<2x4x512x64xf32>, tensor<2x4x512x32xf32>, tensor<2x4x512xf32>) {
  %dq, %dk, %dv, %df = fpa.attention_backward
    ins(%q, %k, %v : tensor<2x4x96x64xf32>, tensor<2x4x512x64xf32>, tensor<2x4x512x32xf32>)
    field(%f : tensor<2x4x512xf32>)
    saved(%o, %lse : tensor<2x4x96x32xf32>, tensor<2x4x96xf32>)
    gradient(%do : tensor<2x4x96x32xf32>) lse_gradient(%dlse : tensor<2x4x96xf32>)
    outs(%q0, %k0, %v0, %f0 : tensor<2x4x96x64xf32>, tensor<2x4x512x64xf32>,
      tensor<2x4x512x32xf32>, tensor<2x4x512xf32>)
    -> tensor<2x4x96x64xf32>, tensor<2x4x512x64xf32>, tensor<2x4x512x32xf32>, tensor<2x4x512xf32>
  return %dq, %dk, %dv, %df
    : tensor<2x4x96x64xf32>, tensor<2x4x512x64xf32>, tensor<2x4x512x32xf32>, tensor<2x4x512xf32>
}

// -----

// No size but those of heads is known. There are as many chunks as make 16
// iterations, and at most one for each query tile. A level of its own.

// CHECK-DAG: #[[$TILES:.*]] = affine_map<()[s0] -> (s0 ceildiv 48, 1)>
// CHECK-DAG: #[[$CHUNKS:.*]] = affine_map<()[s0, s1] -> (s1, s0)>

// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<?x?x?x64xf32>, %[[K:[a-z0-9]*]]: tensor<?x?x?x64xf32>, {{.*}})
// CHECK:         %[[COUNT:.*]] = affine.max #[[$TILES]]
// CHECK:         %[[WANTED:.*]] = arith.ceildivui %c16, %{{.*}}
// CHECK:         %[[CHUNKS:.*]] = affine.min #[[$CHUNKS]]()[%[[WANTED]], %[[COUNT]]]
// CHECK:         %[[TILES:.*]] = arith.ceildivui %[[COUNT]], %[[CHUNKS]]
// CHECK:         %[[ALL:.*]]:6 = scf.forall (%{{.*}}, %[[H:.*]], %[[C:.*]]) in (%{{.*}}, %{{.*}}, %[[CHUNKS]])
// The query heads, and heads of the field, that share a key head.
// CHECK:           %[[GROUP:.*]] = arith.divui
// CHECK:           arith.muli %[[H]], %[[GROUP]]
// CHECK:           %[[FIELDS:.*]] = arith.divui
// CHECK:           arith.muli %[[H]], %[[FIELDS]]
// CHECK:           arith.muli %[[C]], %[[TILES]]
// CHECK:           scf.for %{{.*}} = %c0 to %[[GROUP]]
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK:                 fpa.pass_field {{.*}} interval
// CHECK:               scf.for
// CHECK:                 fpa.pass_field {{.*}} suffix
// CHECK:               scf.for
// CHECK:                 fpa.backward_tile {{.*}} level({{.*}}) suffix
// CHECK:               scf.for
// CHECK:                 fpa.backward_tile {{.*}} level({{.*}}) interval
// CHECK:               fpa.backward_finalize
// The level's gradient is no part of the field's.
// CHECK:         %[[DL:.*]] = linalg.generic {{.*}} ins(%[[ALL]]#3 :
// CHECK:         %[[FIELD:.*]] = linalg.generic {{.*}} ins(%[[ALL]]#5 :
// CHECK:         %[[PLACED:.*]] = fpa.prefix_min_backward
// CHECK:         %[[DF:.*]] = linalg.generic {{.*}} ins(%[[FIELD]], %[[PLACED]] :
// CHECK:         return %{{.*}}, %{{.*}}, %{{.*}}, %[[DF]], %[[DL]]
func.func @dynamic(%q: tensor<?x?x?x64xf32>, %k: tensor<?x?x?x64xf32>, %f: tensor<?x?x?xf32>,
                   %l: tensor<?x?x?xf32>, %o: tensor<?x?x?x64xf32>, %lse: tensor<?x?x?xf32>,
                   %do: tensor<?x?x?x64xf32>, %q0: tensor<?x?x?x64xf32>, %k0: tensor<?x?x?x64xf32>,
                   %v0: tensor<?x?x?x64xf32>, %f0: tensor<?x?x?xf32>, %l0: tensor<?x?x?xf32>)
    -> (tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?xf32>,
        tensor<?x?x?xf32>) {
  %d:5 = fpa.attention_backward
    ins(%q, %k, %k : tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>)
    field(%f : tensor<?x?x?xf32>) level(%l : tensor<?x?x?xf32>)
    saved(%o, %lse : tensor<?x?x?x64xf32>, tensor<?x?x?xf32>) gradient(%do : tensor<?x?x?x64xf32>)
    outs(%q0, %k0, %v0, %f0, %l0 : tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>,
      tensor<?x?x?x64xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>)
    -> tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?xf32>,
       tensor<?x?x?xf32>
  return %d#0, %d#1, %d#2, %d#3, %d#4
    : tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>
}

// -----

// Packed sequences, two query heads for each key head and a field for each
// query head: an iteration owns one key head, and two of the field. Both edges.

// CHECK-DAG: #[[$HEAD:.*]] = affine_map<(d0, d1) -> (d0 + d1 * 2)>

// CHECK-LABEL: func @packed_gqa(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<1x4x?x16xf16>, %[[K:[a-z0-9]*]]: tensor<1x2x?x16xf16>, %[[F:[a-z0-9]*]]: tensor<1x4x?xf32>, %[[CQ:[a-z0-9]*]]: tensor<?xi64>, %[[CK:[a-z0-9]*]]: tensor<?xi64>
// CHECK:         fpa.key_intervals key_length(%{{.*}}) cu_seqlens(%[[CQ]], %[[CK]] :
// CHECK:         scf.forall (%[[H:.*]], %[[C:.*]]) in (2, %{{.*}}) {{.*}} -> (tensor<1x4x?x16xf16>, tensor<1x2x?x?x16xf32>, tensor<1x2x?x?x16xf32>, tensor<1x4x?x?xf32>,
// CHECK:           tensor.extract_slice %{{.*}}[0, %{{.*}}, %[[C]], 0] [1, 2, 1, %{{.*}}] [1, 1, 1, 1] : tensor<1x4x?x?xf32> to tensor<2x?xf32>
// CHECK:           scf.for %[[U:.*]] = %c0 to %c2
// CHECK:             scf.for
// CHECK:               %[[HEAD:.*]] = affine.apply #[[$HEAD]](%[[U]], %[[H]])
// CHECK:               tensor.extract_slice %[[Q]][0, %[[HEAD]],
// CHECK-COUNT-3:       fpa.pass_field
// CHECK:               scf.for
// CHECK:                 %[[KT:.*]] = tensor.extract_slice %[[K]][0, %[[H]],
// CHECK:                 tensor.extract_slice %[[F]][0, %[[HEAD]],
// CHECK:                 fpa.backward_tile ins(%{{.*}}, %[[KT]], {{.*}} interval
// CHECK:               scf.for
// CHECK:                 fpa.backward_tile
// CHECK-NOT:             interval
// CHECK:               scf.for
// CHECK:                 fpa.backward_tile {{.*}} interval
// CHECK:               fpa.backward_finalize {{.*}} -> tensor<?x16xf16>
// CHECK:         arith.truncf %{{.*}} : f32 to f16
func.func @packed_gqa(%q: tensor<1x4x?x16xf16>, %k: tensor<1x2x?x16xf16>, %f: tensor<1x4x?xf32>,
                      %cq: tensor<?xi64>, %ck: tensor<?xi64>, %lse: tensor<1x4x?xf32>)
    -> (tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x4x?xf32>) {
  %d:4 = fpa.attention_backward
    ins(%q, %k, %k : tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>)
    field(%f : tensor<1x4x?xf32>) cu_seqlens(%cq, %ck : tensor<?xi64>, tensor<?xi64>)
    saved(%q, %lse : tensor<1x4x?x16xf16>, tensor<1x4x?xf32>) gradient(%q : tensor<1x4x?x16xf16>)
    outs(%q, %k, %k, %f : tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>,
      tensor<1x4x?xf32>)
    -> tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x4x?xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x4x?xf32>
}

// -----

// A window brings a left edge, which comes first. The field is a constant:
// minima are found, but nothing is carried or placed.

// CHECK-LABEL: func @window(
// CHECK:         fpa.prefix_min
// CHECK-SAME:      -> tensor<1x1x960xf32>{{$}}
// CHECK:         fpa.key_intervals {{.*}} {window = 100 : i64}
// CHECK:         scf.forall (%{{.*}}) in (16)
// CHECK-COUNT-3:     fpa.pass_field
// CHECK:             scf.for {{.*}} -> (tensor<48x64xf32>, tensor<960x64xf32>, tensor<960x64xf32>)
// CHECK:               fpa.backward_tile {{.*}} interval({{.*}} outs(%{{.*}}, %{{.*}}, %{{.*}} : {{.*}} smooth = 2.000000e+00 : f64}
// CHECK:             scf.for
// CHECK:               fpa.backward_tile {{.*}} suffix
// CHECK:             scf.for
// CHECK:               fpa.backward_tile {{.*}} interval
// CHECK-NOT:     fpa.prefix_min_backward
// CHECK:         return
func.func @window(%q: tensor<1x1x960x64xf32>, %f: tensor<1x1x960xf32>, %lse: tensor<1x1x960xf32>)
    -> (tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>) {
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>)
    field(%f : tensor<1x1x960xf32>) saved(%q, %lse : tensor<1x1x960x64xf32>, tensor<1x1x960xf32>)
    gradient(%q : tensor<1x1x960x64xf32>)
    outs(%q, %q, %q : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>)
    {window = 100 : i64, smooth = 2.0 : f64}
    -> tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>
  return %d#0, %d#1, %d#2
    : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>
}

// -----

// Without a field there are no minima, in one query tile one chunk.

// CHECK-LABEL: func @plain(
// CHECK-NOT:     fpa.prefix_min
// CHECK:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (1, 1, 1)
// CHECK-NOT:       fpa.pass_field
// CHECK:           fpa.backward_tile
// CHECK-NOT:       field
// CHECK:         mapping = [#fpa.work_item<0>, #fpa.work_item<1>, #fpa.work_item<2>]
// CHECK:         return
func.func @plain(%q: tensor<1x1x6x8xf64>, %lse: tensor<1x1x6xf64>)
    -> (tensor<1x1x6x8xf64>, tensor<1x1x6x8xf64>, tensor<1x1x6x8xf64>) {
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x6x8xf64>, tensor<1x1x6x8xf64>, tensor<1x1x6x8xf64>)
    saved(%q, %lse : tensor<1x1x6x8xf64>, tensor<1x1x6xf64>) gradient(%q : tensor<1x1x6x8xf64>)
    outs(%q, %q, %q : tensor<1x1x6x8xf64>, tensor<1x1x6x8xf64>, tensor<1x1x6x8xf64>)
    {scale = 1.0 : f64} -> tensor<1x1x6x8xf64>, tensor<1x1x6x8xf64>, tensor<1x1x6x8xf64>
  return %d#0, %d#1, %d#2 : tensor<1x1x6x8xf64>, tensor<1x1x6x8xf64>, tensor<1x1x6x8xf64>
}
