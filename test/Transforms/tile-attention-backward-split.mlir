// RUN: fpa-opt %s -split-input-file --fpa-tile-attention="split-backward query-tile=16 key-tile=32 edge-tile=32" --canonicalize --cse | FileCheck %s

// Every size static, field and level tied. 2 x 4 heads, 6 query tiles and 16 key
// tiles.

// CHECK-DAG: #[[$QUERIES:.*]] = affine_map<(d0) -> (d0 * 16)>
// CHECK-DAG: #[[$KEYS:.*]] = affine_map<(d0) -> (d0 * 32)>
// CHECK-DAG: #[[$RIGHTS:.*]] = affine_map<(d0, d1) -> ((d0 + 1) ceildiv 32 - (d1 + 1) floordiv 32, 0)>
// CHECK-DAG: #[[$LINES:.*]] = affine_map<(d0, d1) -> (d0 * 2 + (d1 + 1) floordiv 32)>
// CHECK-DAG: #[[$NEXT:.*]] = affine_map<(d0) -> (d0 + 1)>
// CHECK-DAG: #[[$BACKWARDS:.*]] = affine_map<(d0, d1) -> (d0 - d1 - 1)>
// CHECK-DAG: #[[$LAST_FIRST:.*]] = affine_map<(d0) -> (-d0 + 5)>
// CHECK-DAG: #[[$INNERS:.*]] = affine_map<(d0) -> ((d0 + 1) floordiv 32, 0)>
// CHECK-DAG: #[[$BETWEEN:.*]] = affine_map<(d0, d1) -> (-d0 + (d1 + 1) floordiv 32 - 1)>
// CHECK-DAG: #[[$EDGE:.*]] = affine_map<(d0, d1) -> (d0 * 32 + ((d1 + 1) floordiv 32) * 32)>
// CHECK-DAG: #[[$REACHES:.*]] = affine_map<(d0) -> (0, d0 * 32 - 416)>
// CHECK-DAG: #[[$COVERS:.*]] = affine_map<(d0) -> (0, d0 * 32 - 385)>
// CHECK-DAG: #[[$LINE:.*]] = affine_map<(d0, d1, d2) -> (d0 + d1 * 2 + d2 * 2 + 1)>

// CHECK-LABEL: func @tied(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<2x4x96x64xf32>, %[[K:[a-z0-9]*]]: tensor<2x4x512x64xf32>, %[[V:[a-z0-9]*]]: tensor<2x4x512x32xf32>, %[[F:[a-z0-9]*]]: tensor<2x4x512xf32>, %[[O:[a-z0-9]*]]: tensor<2x4x96x32xf32>, %[[LSE:[a-z0-9]*]]: tensor<2x4x96xf32>, %[[DO:[a-z0-9]*]]: tensor<2x4x96x32xf32>, %[[DLSE:[a-z0-9]*]]: tensor<2x4x96xf32>, %[[Q0:[a-z0-9]*]]: tensor<2x4x96x64xf32>, %[[K0:[a-z0-9]*]]: tensor<2x4x512x64xf32>, %[[V0:[a-z0-9]*]]: tensor<2x4x512x32xf32>, %[[F0:[a-z0-9]*]]: tensor<2x4x512xf32>)
// CHECK-DAG:     %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK-DAG:     %[[BIG:.*]] = arith.constant 3.40282347E+38 : f32
// CHECK-DAG:     %[[NBIG:.*]] = arith.constant -3.40282347E+38 : f32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[S:.*]]:2 = fpa.prefix_min axis(2) reverse exclusive segment(32) ins(%[[F]] : {{.*}} -> tensor<2x4x512xf32>, tensor<2x4x512xi64>
// CHECK:         %[[IV:.*]]:2 = fpa.key_intervals
// Delta of all rows.
// CHECK:         %[[DELTA:.*]] = scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 4, 6) shared_outs(%[[D0:.*]] = %{{.*}}) -> (tensor<2x4x96xf32>)
// CHECK:           %[[AT:.*]] = affine.apply #[[$QUERIES]](%[[I]])
// CHECK-DAG:       %[[DT:.*]] = tensor.extract_slice %[[D0]][%[[B]], %[[H]], %[[AT]]] [1, 1, 16]
// CHECK-DAG:       %[[OT:.*]] = tensor.extract_slice %[[O]][%[[B]], %[[H]], %[[AT]], 0]
// CHECK-DAG:       %[[DOT:.*]] = tensor.extract_slice %[[DO]][%[[B]], %[[H]], %[[AT]], 0]
// CHECK-DAG:       %[[DLSET:.*]] = tensor.extract_slice %[[DLSE]][%[[B]], %[[H]], %[[AT]]]
// CHECK:           fpa.backward_delta ins(%[[OT]], %[[DOT]] : {{.*}}) lse_gradient(%[[DLSET]] : {{.*}}) outs(%[[DT]] :
// The minimum of every key tile, infinities made finite as in a step, and of
// runs of 2^p tiles.
// CHECK:         %[[TILES:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4x16xf32>)
// CHECK:           scf.for
// CHECK:             %[[X:.*]] = tensor.extract %[[F]]
// CHECK:             %[[XL:.*]] = arith.minimumf %[[X]], %[[BIG]]
// CHECK:             %[[XF:.*]] = arith.maximumf %[[XL]], %[[NBIG]]
// CHECK:             arith.minimumf %{{.*}}, %[[XF]]
// CHECK:         %[[RUNS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4x32x16xf32>)
// CHECK:           %[[LEN:.*]] = arith.shli %c1
// CHECK:           %[[END:.*]] = arith.addi %{{.*}}, %[[LEN]]
// CHECK:           arith.cmpi sle, %[[END]], %c16
// CHECK:           scf.for
// CHECK:             tensor.extract %[[TILES]]
// Where the rows of a query tile see different keys their minima are written
// down, from right to left, one line for each key tile; and once those of all.
// CHECK:         %[[MIN:.*]]:2 = scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 4, 6) shared_outs(%[[W0:.*]] = %{{.*}}, %[[E0:.*]] = %{{.*}}) -> (tensor<2x4x28x16xf32>, tensor<2x4x6x16xf32>)
// CHECK:           %[[RIGHTS:.*]] = affine.max #[[$RIGHTS]](%{{.*}}, %[[FIRSTLAST:.*]])
// CHECK:           %[[LASTS:.*]] = tensor.extract_slice %[[IV]]#1
// CHECK:           %[[LINES:.*]] = affine.apply #[[$LINES]](%[[I]], %[[FIRSTLAST]])
// CHECK:           %[[COUNT:.*]] = affine.apply #[[$NEXT]](%[[RIGHTS]])
// CHECK:           %[[WT:.*]] = tensor.extract_slice %[[W0]][%[[B]], %[[H]], %[[LINES]], 0] [1, 1, %[[COUNT]], 16]
// CHECK:           %[[ET:.*]] = tensor.extract_slice %[[E0]][%[[B]], %[[H]], %[[I]], 0]
// CHECK:           %[[TOP:.*]] = tensor.extract_slice %[[WT]][%[[RIGHTS]], 0] [1, 16]
// CHECK:           linalg.fill ins(%[[INF]] : f32) outs(%[[TOP]] :
// CHECK:           linalg.fill ins(%[[INF]] : f32) outs(%[[ET]] :
// CHECK:           %[[FOUND:.*]]:2 = scf.for %[[N:.*]] = %c0 to %[[RIGHTS]] {{.*}} iter_args(%[[W:[a-z0-9_]+]] = %{{[a-z0-9_]+}}, %[[E:[a-z0-9_]+]] = %{{[a-z0-9_]+}})
// CHECK:             %[[PLACE:.*]] = affine.apply #[[$BACKWARDS]](%[[RIGHTS]], %[[N]])
// CHECK:             %[[LINE:.*]] = tensor.extract_slice %[[W]][%[[PLACE]], 0] [1, 16]
// CHECK:             %[[R:.*]]:2 = fpa.pass_field field({{.*}}) interval(%[[LASTS]] at %{{.*}}) outs(%[[E]], %[[LINE]] :
// CHECK:             %[[PUT:.*]] = tensor.insert_slice %[[R]]#1 into %[[W]][%[[PLACE]], 0]
// CHECK:             scf.yield %[[PUT]], %[[R]]#0
// CHECK:           scf.forall.in_parallel
// CHECK:             tensor.parallel_insert_slice %[[FOUND]]#0 into %[[W0]][%[[B]], %[[H]], %[[LINES]], 0] [1, 1, %[[COUNT]], 16]
// CHECK:             tensor.parallel_insert_slice %[[FOUND]]#1 into %[[E0]][%[[B]], %[[H]], %[[I]], 0]
// Rows walk along keys: the latest first.
// CHECK:         %[[SUMS:.*]] = linalg.fill ins(%[[ZERO]] : f32) {{.*}} -> tensor<2x4x6x512xf32>
// CHECK:         %[[OFQ:.*]]:3 = scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 4, 6) shared_outs(%[[QS:.*]] = %[[Q0]], %[[SS:.*]] = %[[SUMS]], %[[FS:.*]] = %[[SUMS]])
// CHECK:           %[[NUMBER:.*]] = affine.apply #[[$LAST_FIRST]](%[[I]])
// CHECK:           %[[ST:.*]] = tensor.extract_slice %[[SS]][%[[B]], %[[H]], %[[NUMBER]], 0] [1, 1, 1, 512]
// CHECK:           %[[FT:.*]] = tensor.extract_slice %[[FS]][%[[B]], %[[H]], %[[NUMBER]], 0] [1, 1, 1, 512]
// CHECK:           %[[OUT:.*]]:3 = scf.for {{.*}} iter_args(%{{[a-z0-9_]+}} = %{{[a-z0-9_]+}}, %[[SA:[a-z0-9_]+]] = %[[ST]], %[[FA:[a-z0-9_]+]] = %[[FT]])
// CHECK:             %[[TILE:.*]] = affine.apply
// CHECK:             tensor.extract_slice %[[DELTA]][%[[B]], %[[H]], %{{.*}}] [1, 1, 16]
// CHECK:             %[[INNERS:.*]] = affine.max #[[$INNERS]](%[[LEAST:.*]])
// CHECK:             %[[IN:.*]]:4 = scf.for %[[J:.*]] = %c0 to %[[INNERS]] {{.*}} iter_args(%[[A:[a-z0-9_]+]] = %{{[a-z0-9_]+}}, %[[C:[a-z0-9_]+]] = %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} = %[[SA]], %{{[a-z0-9_]+}} = %[[FA]])
// CHECK-DAG:           %[[KEY:.*]] = affine.apply #[[$KEYS]](%[[J]])
// CHECK-DAG:           %[[SJ:.*]] = tensor.extract_slice %[[S]]#0[%[[B]], %[[H]], %[[KEY]]] [1, 1, 32]
// CHECK-DAG:           %[[ENDS:.*]] = tensor.extract_slice %[[MIN]]#1[%[[B]], %[[H]], %[[TILE]], 0] [1, 1, 1, 16]
// What lies between is the smaller of two runs, which may overlap.
// CHECK-DAG:           %[[NEXT:.*]] = affine.apply #[[$NEXT]](%[[J]])
// CHECK-DAG:           %[[GAP:.*]] = affine.apply #[[$BETWEEN]](%[[J]], %[[LEAST]])
// CHECK:               %[[SOME:.*]] = arith.cmpi sge, %[[GAP]], %c1
// CHECK:               math.ctlz
// CHECK:               %[[LONG:.*]] = arith.shli %c1, %[[POWER:.*]] : index
// CHECK:               %[[FROM:.*]] = arith.select %[[SOME]], %[[NEXT]], %c0
// CHECK:               %[[UPTO:.*]] = arith.subi %{{.*}}, %[[LONG]]
// CHECK:               %[[RUN0:.*]] = tensor.extract %[[RUNS]][%[[B]], %[[H]], %[[POWER]], %[[FROM]]]
// CHECK:               %[[RUN1:.*]] = tensor.extract %[[RUNS]][%[[B]], %[[H]], %[[POWER]], %[[UPTO]]]
// CHECK:               %[[LESS:.*]] = arith.minimumf %[[RUN0]], %[[RUN1]]
// CHECK:               %[[PASSED:.*]] = arith.select %[[SOME]], %[[LESS]], %[[INF]]
// CHECK:               %[[STEP:.*]]:4 = fpa.backward_tile part <queries> {{.*}} field(%{{.*}}, %[[ENDS]] : {{.*}}) passed(%[[PASSED]] : f32) suffix(%[[SJ]] : {{.*}}) outs(%[[A]], %[[C]], %{{.*}}, %{{.*}} : tensor<16x64xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>)
// CHECK:               tensor.insert_slice %[[STEP]]#2
// CHECK:               tensor.insert_slice %[[STEP]]#3
// CHECK:             %[[RI:.*]]:4 = scf.for %[[J:.*]] = %c0 to %{{.*}} iter_args(%[[A:[a-z0-9_]+]] = %[[IN]]#0, %[[C:[a-z0-9_]+]] = %[[IN]]#1, %{{[a-z0-9_]+}} = %[[IN]]#2, %{{[a-z0-9_]+}} = %[[IN]]#3)
// CHECK-DAG:           %[[KEY:.*]] = affine.apply #[[$EDGE]](%[[J]], %[[LEAST]])
// CHECK-DAG:           %[[R:.*]] = tensor.extract_slice %[[MIN]]#0[%[[B]], %[[H]], %{{.*}}, 0] [1, 1, 1, 16]
// CHECK:               fpa.backward_tile part <queries> {{.*}} field(%{{.*}}, %[[R]] : {{.*}}) interval(%{{.*}}, %{{.*}} at %[[KEY]] : {{.*}}) outs(%[[A]], %[[C]],
// CHECK:             fpa.backward_finalize ins(%[[RI]]#0 : {{.*}} {scale = 1.250000e-01 : f64}
// Keys walk along rows, first those of which some see them not.
// CHECK:         %[[LINE0:.*]] = linalg.fill ins(%[[ZERO]] : f32) {{.*}} -> tensor<2x4x512xf32>
// CHECK:         %[[OFK:.*]]:4 = scf.forall (%[[B:.*]], %[[H:.*]], %[[J:.*]]) in (2, 4, 16) shared_outs(%[[KS:.*]] = %[[K0]], %[[VS:.*]] = %[[V0]], %[[LS:.*]] = %[[LINE0]], %[[SS:.*]] = %[[LINE0]])
// CHECK:           %[[KEY:.*]] = affine.apply #[[$KEYS]](%[[J]])
// CHECK:           %[[REACHES:.*]] = affine.max #[[$REACHES]](%[[J]])
// CHECK:           %[[FIRST:.*]] = arith.select %{{.*}}, %c6, %{{.*}} : index
// CHECK:           affine.max #[[$COVERS]](%[[J]])
// CHECK:           %[[KT:.*]] = tensor.extract_slice %[[K]][%[[B]], %[[H]], %[[KEY]], 0]
// CHECK:           %[[VT:.*]] = tensor.extract_slice %[[V]][%[[B]], %[[H]], %[[KEY]], 0]
// CHECK:           %[[RI:.*]]:4 = scf.for %[[I:.*]] = %c0 to {{.*}} -> (tensor<32x64xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>)
// CHECK:             %[[LINE:.*]] = affine.apply #[[$LINE]](%[[J]], %[[FIRST]], %[[I]])
// CHECK:             %[[R:.*]] = tensor.extract_slice %[[MIN]]#0[%[[B]], %[[H]], %[[LINE]], 0] [1, 1, 1, 16]
// CHECK:             fpa.backward_tile part <keys> ins(%{{.*}}, %[[KT]], %[[VT]] : {{.*}}) {{.*}} field(%{{.*}}, %[[R]] : {{.*}}) interval(%{{.*}}, %{{.*}} at %[[KEY]] : {{.*}}) outs(%{{.*}} : tensor<32x64xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>)
// CHECK:           %[[ALL:.*]]:4 = scf.for {{.*}} iter_args(%{{[a-z0-9_]+}} = %[[RI]]#0, %{{[a-z0-9_]+}} = %[[RI]]#1, %{{[a-z0-9_]+}} = %[[RI]]#2, %{{[a-z0-9_]+}} = %[[RI]]#3)
// CHECK:             %[[ENDS:.*]] = tensor.extract_slice %[[MIN]]#1
// CHECK:             tensor.extract %[[RUNS]]
// CHECK:             fpa.backward_tile part <keys> {{.*}} field(%{{.*}}, %[[ENDS]] : {{.*}}) passed(%{{.*}} : f32) suffix
// CHECK:           fpa.backward_finalize ins(%[[ALL]]#0 : {{.*}} {scale = 1.250000e-01 : f64}
// CHECK:           fpa.backward_finalize ins(%[[ALL]]#1 : {{.*}} {scale = 1.000000e+00 : f64}
// CHECK:           scf.forall.in_parallel
// CHECK-COUNT-4:     tensor.parallel_insert_slice
// What both have in the places of suffixes is put where the minima are.
// CHECK:         %[[INSUFFIX:.*]] = linalg.generic {{.*}} "reduction", {{.*}} ins(%[[OFQ]]#1 :
// CHECK:         %[[INEDGES:.*]] = linalg.generic {{.*}} "reduction", {{.*}} ins(%[[OFQ]]#2 :
// CHECK:         %[[BOTH:.*]] = linalg.generic {{.*}} ins(%[[OFK]]#3, %[[INSUFFIX]] :
// CHECK:         %[[WHERE:.*]] = linalg.generic {{.*}} ins(%[[S]]#1 :
// CHECK:         %[[PLACED:.*]] = fpa.prefix_min_backward axis(2) ins(%[[WHERE]], %[[BOTH]] :
// CHECK:         %[[DF:.*]] = linalg.generic {{.*}} ins(%[[INEDGES]], %[[PLACED]], %[[OFK]]#2 : {{.*}}) outs(%[[F0]] :
// CHECK:         return %[[OFQ]]#0, %[[OFK]]#0, %[[OFK]]#1, %[[DF]]
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

// Packed sequences and a window, and a level of its own; two query heads and two
// fields for each key head. Which query tiles see a key tile is found by halving,
// in the last key of rows and in the first.

// CHECK-DAG: #[[$HALVINGS:.*]] = affine_map<()[s0] -> (64, s0)>

// CHECK-LABEL: func @packed_window(
// CHECK:         %[[IV:.*]]:2 = fpa.key_intervals {{.*}} {window = 100 : i64}
// CHECK:         scf.forall
// CHECK:           fpa.backward_delta
// CHECK:         scf.forall
// CHECK:           fpa.pass_field
// A chunk of query tiles owns its sums.
// CHECK:         %[[CHUNKS:.*]] = affine.min
// CHECK:         %[[TILES:.*]] = arith.ceildivui %{{.*}}, %[[CHUNKS]]
// CHECK:         %[[OFQ:.*]]:3 = scf.forall (%{{.*}}, %{{.*}}) in (4, %[[CHUNKS]]) {{.*}} -> (tensor<1x4x?x16xf16>, tensor<1x4x?x?xf32>, tensor<1x4x?x?xf32>)
// CHECK:           arith.muli %{{.*}}, %[[TILES]]
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               fpa.backward_tile part <queries> {{.*}} passed({{.*}}) level({{.*}}) interval(
// CHECK:             scf.for
// CHECK:               fpa.backward_tile part <queries> {{.*}} passed({{.*}}) level({{.*}}) suffix(
// CHECK:             scf.for
// CHECK:               fpa.backward_tile part <queries>
// CHECK-NOT:           passed
// CHECK-SAME:          interval(
// CHECK:             fpa.backward_finalize {{.*}} -> tensor<?x16xf16>
// CHECK:         %[[OFK:.*]]:4 = scf.forall (%[[H:.*]], %{{.*}}) in (2, %{{.*}}) {{.*}} -> (tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x4x?xf32>, tensor<1x4x?xf32>)
// CHECK:           tensor.extract_slice {{.*}} [1, 2, 32] [1, 1, 1] : tensor<1x4x?xf32> to tensor<2x32xf32>
// CHECK:           %[[HALVINGS:.*]] = affine.min #[[$HALVINGS]]
// CHECK:           scf.for %{{.*}} = %c0 to %[[HALVINGS]]
// CHECK:             %[[BOUND:.*]] = tensor.extract %[[IV]]#1
// CHECK:             arith.cmpi sge, %[[BOUND]]
// CHECK:           scf.for %{{.*}} = %c0 to %[[HALVINGS]]
// CHECK:             tensor.extract %[[IV]]#1
// CHECK:           scf.for %{{.*}} = %c0 to %[[HALVINGS]]
// CHECK:             tensor.extract %[[IV]]#0
// CHECK:           scf.for %{{.*}} = %c0 to %[[HALVINGS]]
// CHECK:             tensor.extract %[[IV]]#0
// CHECK:           scf.for %{{.*}} = %c0 to %c2 {{.*}} -> (tensor<32x16xf32>, tensor<32x16xf32>, tensor<2x32xf32>, tensor<2x32xf32>)
// CHECK:             scf.for
// CHECK:               fpa.backward_tile part <keys>
// CHECK-NOT:           passed
// CHECK-SAME:          interval(
// CHECK:             scf.for
// CHECK:               fpa.backward_tile part <keys> {{.*}} passed({{.*}}) level({{.*}}) suffix(
// CHECK:             scf.for
// CHECK:               fpa.backward_tile part <keys> {{.*}} passed({{.*}}) level({{.*}}) interval(
// CHECK:             tensor.insert_slice {{.*}} [1, 32] [1, 1] : tensor<32xf32> into tensor<2x32xf32>
// The keys that fill up the last tile are cut off; the level's gradient is no part
// of the field's.
// CHECK:         %[[DL:.*]] = tensor.extract_slice %[[OFK]]#2
// CHECK:         %[[OWN:.*]] = tensor.extract_slice %[[OFK]]#3
// CHECK:         linalg.generic {{.*}} ins(%[[OWN]],
// CHECK:         %[[PLACED:.*]] = fpa.prefix_min_backward
// CHECK:         %[[DF:.*]] = linalg.generic {{.*}} ins(%{{[0-9]+}}, %[[PLACED]] :
// CHECK:         return %[[OFQ]]#0, %[[OFK]]#0, %[[OFK]]#1, %[[DF]], %[[DL]]
func.func @packed_window(%q: tensor<1x4x?x16xf16>, %k: tensor<1x2x?x16xf16>, %f: tensor<1x4x?xf32>,
                         %l: tensor<1x4x?xf32>, %cq: tensor<?xi64>, %ck: tensor<?xi64>,
                         %lse: tensor<1x4x?xf32>)
    -> (tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x4x?xf32>,
        tensor<1x4x?xf32>) {
  %d:5 = fpa.attention_backward
    ins(%q, %k, %k : tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>)
    field(%f : tensor<1x4x?xf32>) level(%l : tensor<1x4x?xf32>)
    cu_seqlens(%cq, %ck : tensor<?xi64>, tensor<?xi64>)
    saved(%q, %lse : tensor<1x4x?x16xf16>, tensor<1x4x?xf32>) gradient(%q : tensor<1x4x?x16xf16>)
    outs(%q, %k, %k, %f, %l : tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>,
      tensor<1x4x?xf32>, tensor<1x4x?xf32>)
    {window = 100 : i64}
    -> tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x4x?xf32>,
       tensor<1x4x?xf32>
  return %d#0, %d#1, %d#2, %d#3, %d#4
    : tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x4x?xf32>,
      tensor<1x4x?xf32>
}

// -----

// Nothing of all sizes is known but the heads'. Divisions by numbers of heads stay
// where there is a head.

// CHECK-LABEL: func @dynamic(
// CHECK-NOT:     fpa.prefix_min_backward
// CHECK:         fpa.backward_delta
// CHECK:         fpa.pass_field
// CHECK:         scf.forall
// CHECK:           arith.divui
// CHECK-COUNT-2:   fpa.backward_tile part <queries> {{.*}} outs(%{{.*}} : tensor<16x64xf32>)
// CHECK:         scf.forall
// CHECK:           %[[GROUP:.*]] = arith.divui
// CHECK:           scf.for %{{.*}} = %c0 to %[[GROUP]]
// CHECK-COUNT-2:     fpa.backward_tile part <keys> {{.*}} outs(%{{.*}}, %{{.*}} : tensor<32x64xf32>, tensor<32x64xf32>)
// CHECK:         return
func.func @dynamic(%q: tensor<?x?x?x64xf32>, %k: tensor<?x?x?x64xf32>, %f: tensor<?x?x?xf32>,
                   %lse: tensor<?x?x?xf32>)
    -> (tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>) {
  %d:3 = fpa.attention_backward
    ins(%q, %k, %k : tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>)
    field(%f : tensor<?x?x?xf32>)
    saved(%q, %lse : tensor<?x?x?x64xf32>, tensor<?x?x?xf32>) gradient(%q : tensor<?x?x?x64xf32>)
    outs(%q, %k, %k : tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>)
    -> tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>
  return %d#0, %d#1, %d#2 : tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>
}

// -----

// Without a field there are no minima, and each query tile is a chunk. Delta has
// rows for a whole last block.

// CHECK-LABEL: func @plain(
// CHECK-NOT:     fpa.prefix_min
// CHECK:         scf.forall (%{{.*}}, %{{.*}}) in (2, 7) shared_outs(%{{.*}} = %{{.*}}) -> (tensor<1x2x112xf64>)
// CHECK:           fpa.backward_delta ins(%{{.*}}, %{{.*}} : tensor<?x8xf64>, tensor<?x8xf64>) outs(%{{.*}} : tensor<16xf64>)
// CHECK-NOT:     fpa.pass_field
// CHECK:         scf.forall (%{{.*}}, %{{.*}}) in (2, 7) shared_outs(%{{.*}} = %{{.*}}) -> (tensor<1x2x100x8xf64>)
// CHECK:           fpa.backward_tile part <queries>
// CHECK-NOT:         field
// CHECK-SAME:        outs(%{{[a-z0-9_]+}} : tensor<16x8xf64>)
// CHECK:           fpa.backward_tile part <queries> {{.*}} interval({{.*}}) outs(%{{[a-z0-9_]+}} : tensor<16x8xf64>)
// CHECK:         scf.forall (%{{.*}}, %{{.*}}) in (2, 4)
// CHECK:           fpa.backward_tile part <keys> {{.*}} interval({{.*}}) outs(%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : tensor<32x8xf64>, tensor<32x8xf64>)
// CHECK:           fpa.backward_tile part <keys>
// CHECK-NOT:         interval
// CHECK-SAME:        outs(%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : tensor<32x8xf64>, tensor<32x8xf64>)
// CHECK:         return
func.func @plain(%q: tensor<1x2x100x8xf64>, %lse: tensor<1x2x100xf64>)
    -> (tensor<1x2x100x8xf64>, tensor<1x2x100x8xf64>, tensor<1x2x100x8xf64>) {
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x2x100x8xf64>, tensor<1x2x100x8xf64>, tensor<1x2x100x8xf64>)
    saved(%q, %lse : tensor<1x2x100x8xf64>, tensor<1x2x100xf64>) gradient(%q : tensor<1x2x100x8xf64>)
    outs(%q, %q, %q : tensor<1x2x100x8xf64>, tensor<1x2x100x8xf64>, tensor<1x2x100x8xf64>)
    {scale = 1.0 : f64} -> tensor<1x2x100x8xf64>, tensor<1x2x100x8xf64>, tensor<1x2x100x8xf64>
  return %d#0, %d#1, %d#2 : tensor<1x2x100x8xf64>, tensor<1x2x100x8xf64>, tensor<1x2x100x8xf64>
}

// -----

// A field that is a constant: minima are found, but nothing is carried or placed.

// CHECK-LABEL: func @constant(
// CHECK:         fpa.prefix_min
// CHECK-SAME:      -> tensor<1x1x960xf32>{{$}}
// CHECK:         scf.forall (%{{.*}}) in (60)
// CHECK:           fpa.backward_delta
// CHECK:         scf.forall (%{{.*}}) in (60)
// CHECK:           fpa.pass_field
// CHECK:         scf.forall (%{{.*}}) in (60)
// CHECK-COUNT-3:   fpa.backward_tile part <queries> {{.*}} outs(%{{[a-z0-9_]+}} : tensor<16x64xf32>) {scale = 1.250000e-01 : f64, smooth = 2.000000e+00 : f64}
// CHECK:         scf.forall (%{{.*}}) in (30)
// CHECK-COUNT-3:   fpa.backward_tile part <keys> {{.*}} outs(%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : tensor<32x64xf32>, tensor<32x64xf32>) {scale = 1.250000e-01 : f64, smooth = 2.000000e+00 : f64}
// CHECK-NOT:     fpa.prefix_min_backward
// CHECK:         return
func.func @constant(%q: tensor<1x1x960x64xf32>, %f: tensor<1x1x960xf32>, %lse: tensor<1x1x960xf32>)
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

// Each walk may have sizes of its own, and says to the machine how many warps it is
// for; delta has rows for the last block of either. Minima are those of the larger
// query tiles, of which the other walk's steps read their rows.

// CHECK-LABEL: func @own_sizes(
// CHECK:         scf.forall (%{{.*}}) in (9) shared_outs(%{{.*}} = %{{.*}}) -> (tensor<1x1x144xf32>)
// CHECK:           fpa.backward_delta {{.*}} outs(%{{.*}} : tensor<16xf32>)
// CHECK:         } {fpa.stages = 2 : i64, fpa.warps = 4 : i64}
// CHECK:           fpa.pass_field {{.*}} outs(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<48xf32>)
// CHECK:         } {fpa.stages = 2 : i64, fpa.warps = 4 : i64}
// CHECK-COUNT-2:   fpa.backward_tile part <queries> {{.*}} saved(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<48xf32>) {{.*}} outs(%{{[a-z0-9]+}} : tensor<48x64xf32>)
// CHECK:         } {fpa.stages = 2 : i64, fpa.warps = 4 : i64}
// CHECK-NOT:       fpa.pass_field
// CHECK-COUNT-2:   fpa.backward_tile part <keys> {{.*}} saved(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<16xf32>) {{.*}} outs(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<32x64xf32>, tensor<32x64xf32>)
// CHECK:         } {fpa.warps = 2 : i64}
func.func @own_sizes(%q: tensor<1x1x100x64xf32>, %f: tensor<1x1x100xf32>, %lse: tensor<1x1x100xf32>)
    -> (tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>) {
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>)
    field(%f : tensor<1x1x100xf32>) saved(%q, %lse : tensor<1x1x100x64xf32>, tensor<1x1x100xf32>)
    gradient(%q : tensor<1x1x100x64xf32>)
    outs(%q, %q, %q : tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>)
    {fpa.tiles = {keys = {query = 16 : i64, warps = 2 : i64},
                  queries = {query = 48 : i64, stages = 2 : i64, warps = 4 : i64}}}
    -> tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>
  return %d#0, %d#1, %d#2
    : tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>
}

// -----

// Key tiles of their own: suffixes are those of the larger ones, and so are the
// minima to their right; a carry ends with the first of the tiles that share them.

// CHECK-DAG: #[[$REST:.*]] = affine_map<(d0) -> (d0 mod 4)>
// CHECK-LABEL: func @own_keys(
// CHECK:         %[[S:.*]]:2 = fpa.prefix_min axis(2) reverse exclusive segment(64)
// CHECK-NOT:     fpa.prefix_min axis
// CHECK:           fpa.pass_field {{.*}} outs(%{{.*}}, %{{.*}} : tensor<32xf32>, tensor<32xf32>)
// CHECK:           fpa.pass_field {{.*}} outs(%{{.*}}, %{{.*}} : tensor<32xf32>, tensor<32xf32>)
// CHECK:         scf.forall
// CHECK:           scf.for
// CHECK:               %[[REST:.*]] = affine.apply #[[$REST]](%{{.*}})
// CHECK:               %[[IS_FIRST:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK:               fpa.backward_tile part <queries> {{.*}} passed(%{{.*}} : f32) ends(%[[IS_FIRST]]) suffix(%{{.*}} : tensor<16xf32>)
// CHECK:               fpa.backward_tile part <queries> {{.*}} interval(
// CHECK-NOT:           ends(
// CHECK:         scf.forall
// CHECK-COUNT-2:   fpa.backward_tile part <keys> {{.*}} outs({{.*}} : tensor<64x16xf32>, tensor<64x16xf32>, tensor<64xf32>, tensor<64xf32>)
// CHECK-COUNT-2: fpa.prefix_min_backward
func.func @own_keys(%q: tensor<1x1x512x16xf32>, %f: tensor<1x1x512xf32>)
    -> (tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512xf32>) {
  %d:4 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>)
    field(%f : tensor<1x1x512xf32>) saved(%q, %f : tensor<1x1x512x16xf32>, tensor<1x1x512xf32>)
    gradient(%q : tensor<1x1x512x16xf32>)
    outs(%q, %q, %q, %f : tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512xf32>)
    {fpa.tiles = {keys = {key = 64 : i64, query = 32 : i64}, queries = {key = 16 : i64, query = 32 : i64}}}
    -> tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512xf32>
}
