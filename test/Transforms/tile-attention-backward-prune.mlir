// RUN: fpa-opt %s -split-input-file --fpa-tile-attention="split-backward query-tile=16 key-tile=32 edge-tile=32" --canonicalize --cse | FileCheck %s

// Both walks leave out pairs of a group of 64 rows and one of 128 keys, each four
// tiles, by numbers that stand for the whole group.

// CHECK-DAG: #[[$GROUP_END:.*]] = affine_map<(d0) -> (d0 * 128 + 128)>
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<(d0) -> (0, d0 * 4)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1) -> ((d0 + 1) floordiv 32, d1 * 4)>

// CHECK-LABEL: func @backward(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<1x1x960x64xf32>, %[[F:[a-z0-9]*]]: tensor<1x1x960xf32>, %[[LSE:[a-z0-9]*]]: tensor<1x1x960xf32>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// Bounds of keys, as where a walk owns all of them.
// CHECK:         fpa.row_norms {{.*}} {factor = -1.000000e+00 : f64}
// CHECK:         %[[NORM:.*]] = fpa.prefix_min axis(2) reverse segment(128)
// CHECK:         fpa.prefix_min axis(2) reverse segment(128) ins(%[[F]] :
// CHECK:         %[[LEVEL:.*]] = scf.forall
// CHECK:           fpa.mean_level
// CHECK:         %[[ALL:.*]] = fpa.prefix_min axis(2) ins(
// Bounds of rows: the largest reach and the least lse of each group.
// CHECK:         %[[REACHES:.*]] = scf.forall
// CHECK:           fpa.row_norms {{.*}} {factor = -0.18033688011112042 : f64}
// CHECK:         %[[REACH:.*]] = fpa.prefix_min axis(2) reverse segment(64) ins(%[[REACHES]] :
// CHECK:         %[[LEAST:.*]] = fpa.prefix_min axis(2) reverse segment(64) ins(%[[LSE]] :
// The largest level up to a key, and the largest lse from a row on.
// CHECK:         %[[NEGATIVE:.*]] = linalg.generic {{.*}} ins(%[[LEVEL]] :
// CHECK:           arith.negf
// CHECK:         %[[HIGHEST:.*]] = fpa.prefix_min axis(2) ins(%[[NEGATIVE]] :
// CHECK:         linalg.generic {{.*}} ins(%[[LSE]] :
// CHECK:         %[[MOST:.*]] = fpa.prefix_min axis(2) reverse ins(
// The largest reach and the least lse from a row on.
// CHECK:         %[[REACHFROM:.*]] = fpa.prefix_min axis(2) reverse ins(%[[REACHES]] :
// CHECK:         %[[LEASTFROM:.*]] = fpa.prefix_min axis(2) reverse ins(%[[LSE]] :
// Rows walk along keys.
// CHECK:         scf.forall {{.*}} -> (tensor<1x1x960x64xf32>, tensor<1x1x16x960xf32>, tensor<1x1x16x960xf32>)
// CHECK:           %[[MINUS:.*]] = tensor.extract %[[REACH]]
// CHECK:           %[[R:.*]] = arith.negf %[[MINUS]]
// CHECK:           %[[L:.*]] = tensor.extract %[[LEAST]]
// Where the rows need even what had the largest level, no norm and the least
// minimum, all groups are one.
// CHECK:           %[[TOGETHER:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %c1) -> (index)
// CHECK:             %[[LOW:.*]] = tensor.extract %[[HIGHEST]]
// CHECK:             %[[TOP:.*]] = arith.negf %[[LOW]]
// CHECK:             arith.maximumf
// CHECK:             fpa.prune_keys rows(%[[R]], %{{.*}} : f32, f32) lse(%[[L]] : f32) keys(%[[ZERO]], %[[TOP]], %{{.*}} of %{{.*}} : f32) {eps = 1.000000e-04 : f64, head_size = 64 : i64}
// CHECK:           %[[IS:.*]] = arith.cmpi eq, %[[TOGETHER]], %c1
// CHECK:           %[[STEP:.*]] = arith.select %[[IS]], %{{.*}}, %c1
// Else the first group is found by halving: of all keys up to one none is needed.
// CHECK:           math.ctlz
// CHECK:           %[[HALVINGS:.*]] = arith.select %[[IS]], %c0, %{{.*}}
// CHECK:           %[[BEGIN:.*]]:2 = scf.for %{{.*}} = %c0 to %[[HALVINGS]] {{.*}} iter_args(%[[LO:.*]] = %c0, %[[HI:.*]] = %{{.*}}) -> (index, index)
// CHECK:             tensor.extract %[[ALL]]
// CHECK:             tensor.extract %[[LEASTS:.*]][%c0, %c0, %{{.*}}]
// CHECK:             %[[ANY:.*]] = fpa.prune_keys rows(%[[R]], %{{.*}} : f32, f32) lse(%[[L]] : f32)
// CHECK:             %[[NONE:.*]] = arith.cmpi eq, %[[ANY]], %c0
// CHECK:             %[[OPEN:.*]] = arith.cmpi slt, %[[LO]], %[[HI]]
// CHECK:             arith.select %[[NONE]], %{{.*}}, %[[LO]]
// CHECK:             arith.select %[[NONE]], %[[HI]], %{{.*}}
// CHECK:           %[[IN:.*]]:4 = scf.for %[[G:.*]] = %[[BEGIN]]#0 to %{{.*}} step %[[STEP]] iter_args(%[[S0:[a-z0-9_]+]] = %{{.*}}, %[[S1:[a-z0-9_]+]] = %{{.*}}, %[[S2:[a-z0-9_]+]] = %{{.*}}, %[[S3:[a-z0-9_]+]] = %{{.*}})
// CHECK-DAG:         %[[N:.*]] = tensor.extract %[[NORM]]
// CHECK-DAG:         %[[V:.*]] = tensor.extract %[[LEVEL]]
// CHECK-DAG:         %[[A:.*]] = tensor.extract %[[ALL]]
// CHECK:             %[[NEEDED:.*]] = fpa.prune_keys rows(%[[R]], %{{.*}} : f32, f32) lse(%[[L]] : f32) keys(%[[N]], %[[V]], %[[A]] of %{{.*}} : f32)
// A group of which not all rows see all keys is walked.
// CHECK:             %[[CUT:.*]] = arith.ori %{{.*}}, %{{.*}} : i1
// CHECK:             %[[OWN:.*]] = arith.select %[[CUT]], %c1, %[[NEEDED]]
// CHECK:             %[[KEEP:.*]] = arith.ori %[[OWN]], %[[TOGETHER]]
// CHECK:             %[[NEXT:.*]] = arith.addi %[[G]], %[[STEP]]
// CHECK:             %[[FROM:.*]] = affine.max #[[$FIRST]](%[[G]])
// CHECK:             %[[TO:.*]] = affine.min #[[$LAST]](%{{.*}}, %[[NEXT]])
// CHECK:             %[[COUNT:.*]] = affine.max #{{.*}}(%[[TO]], %[[FROM]])
// CHECK:             %[[STEPS:.*]] = arith.muli %[[KEEP]], %[[COUNT]]
// CHECK:             %[[WALKED:.*]]:4 = scf.for %{{.*}} = %c0 to %[[STEPS]] {{.*}} iter_args(%{{.*}} = %[[S0]], %{{.*}} = %[[S1]], %{{.*}} = %[[S2]], %{{.*}} = %[[S3]])
// CHECK:               fpa.backward_tile part <queries>
// CHECK-NOT:             interval
// The carry passes a group that was left out, block by block, if it may end there.
// CHECK:             %[[DROP:.*]] = arith.subi %c1, %[[KEEP]]
// CHECK:             %[[PASSED:.*]]:2 = scf.for %{{.*}} = %c0 to %[[DROP]] {{.*}} iter_args(%[[C:.*]] = %[[WALKED]]#1, %[[U:.*]] = %[[WALKED]]#2)
// CHECK:               %[[MAY:.*]] = arith.cmpf ogt
// CHECK:               %[[BLOCKS:.*]] = arith.select %[[MAY]], %c4, %c0
// CHECK:               scf.for %{{.*}} = %c0 to %[[BLOCKS]]
// CHECK:                 fpa.pass_carry field(%{{.*}} : tensor<32xf32>, tensor<32xf32>, tensor<16xf32>) passed(%{{.*}} : f32) outs(
// CHECK:             scf.yield %[[WALKED]]#0, %[[PASSED]]#0, %[[PASSED]]#1, %[[WALKED]]#3
// Edges are always walked.
// CHECK:           scf.for {{.*}} iter_args(%{{.*}} = %[[IN]]#0
// CHECK:             fpa.backward_tile part <queries> {{.*}} interval
// Keys walk along rows: the same question, of each group of rows.
// CHECK:         scf.forall {{.*}} -> (tensor<1x1x960xf32>, tensor<1x1x960xf32>)
// CHECK:           fpa.backward_tile part <keys> {{.*}} interval
// CHECK:           %[[TOGETHER:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %c1) -> (index)
// CHECK:             %[[HIGH:.*]] = tensor.extract %[[MOST]]
// CHECK:             %[[TOP:.*]] = arith.negf %[[HIGH]]
// CHECK:             fpa.prune_keys rows(%[[ZERO]], %{{.*}} : f32, f32) lse(%[[TOP]] : f32) keys(%[[ZERO]], %{{.*}}, %{{.*}} of %c128 : f32)
// Here the last group is found: no row from one on needs the keys.
// CHECK:           %[[END:.*]]:2 = scf.for {{.*}} -> (index, index)
// CHECK:             tensor.extract %[[REACHFROM]]
// CHECK:             tensor.extract %[[LEASTFROM]]
// CHECK:             fpa.prune_keys {{.*}} of %c960 : f32)
// CHECK:           scf.for %[[G:.*]] = %{{.*}} to %[[END]]#1 step
// CHECK:             %[[MINUS:.*]] = tensor.extract %[[REACH]]
// CHECK:             %[[R:.*]] = arith.negf %[[MINUS]]
// CHECK:             %[[L:.*]] = tensor.extract %[[LEAST]]
// CHECK:             fpa.prune_keys rows(%[[R]], %{{.*}} : f32, f32) lse(%[[L]] : f32) keys(%{{.*}}, %{{.*}}, %{{.*}} of %{{.*}} : f32)
// CHECK:             %[[OWN:.*]] = arith.select
// CHECK:             %[[KEEP:.*]] = arith.ori %[[OWN]], %[[TOGETHER]]
// CHECK:             arith.muli %[[KEEP]]
// CHECK:             scf.for
// CHECK:               fpa.backward_tile part <keys>
func.func @backward(%q: tensor<1x1x960x64xf32>, %f: tensor<1x1x960xf32>, %lse: tensor<1x1x960xf32>)
    -> (tensor<1x1x960x64xf32>, tensor<1x1x960xf32>) {
  %r:4 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>)
    field(%f : tensor<1x1x960xf32>)
    saved(%q, %lse : tensor<1x1x960x64xf32>, tensor<1x1x960xf32>)
    gradient(%q : tensor<1x1x960x64xf32>)
    outs(%q, %q, %q, %f : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>,
      tensor<1x1x960x64xf32>, tensor<1x1x960xf32>)
    {prune_eps = 1.0e-4 : f64} -> tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>,
      tensor<1x1x960x64xf32>, tensor<1x1x960xf32>
  return %r#0, %r#3 : tensor<1x1x960x64xf32>, tensor<1x1x960xf32>
}

// -----

// Without gradients of the field there is no carry to pass.

// CHECK-LABEL: func @constant(
// CHECK:         fpa.prune_keys
// CHECK:         fpa.backward_tile
// CHECK-NOT:     fpa.pass_carry
// CHECK:         return
func.func @constant(%q: tensor<1x1x960x64xf32>, %f: tensor<1x1x960xf32>, %lse: tensor<1x1x960xf32>)
    -> tensor<1x1x960x64xf32> {
  %r:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>)
    field(%f : tensor<1x1x960xf32>)
    saved(%q, %lse : tensor<1x1x960x64xf32>, tensor<1x1x960xf32>)
    gradient(%q : tensor<1x1x960x64xf32>)
    outs(%q, %q, %q : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>)
    {prune_eps = 1.0e-4 : f64} -> tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>,
      tensor<1x1x960x64xf32>
  return %r#0 : tensor<1x1x960x64xf32>
}

// -----

// Where rows may miss keys on the left no walk ends early: a carry may come from
// there, and an edge is on both sides.

// CHECK-LABEL: func @window(
// CHECK-NOT:     -> (index, index)
// CHECK:         fpa.prune_keys
// CHECK-NOT:     -> (index, index)
// CHECK:         return
func.func @window(%q: tensor<1x1x960x64xf32>, %f: tensor<1x1x960xf32>, %lse: tensor<1x1x960xf32>)
    -> tensor<1x1x960x64xf32> {
  %r:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>)
    field(%f : tensor<1x1x960xf32>)
    saved(%q, %lse : tensor<1x1x960x64xf32>, tensor<1x1x960xf32>)
    gradient(%q : tensor<1x1x960x64xf32>)
    outs(%q, %q, %q : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>)
    {prune_eps = 1.0e-4 : f64, window = 500 : i64} -> tensor<1x1x960x64xf32>,
      tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>
  return %r#0 : tensor<1x1x960x64xf32>
}

// -----

// With 0 this is the program without pruning.

// CHECK-LABEL: func @exact(
// CHECK-NOT:     fpa.row_norms
// CHECK-NOT:     fpa.prune_keys
// CHECK:         return
func.func @exact(%q: tensor<1x1x960x64xf32>, %f: tensor<1x1x960xf32>, %lse: tensor<1x1x960xf32>)
    -> (tensor<1x1x960x64xf32>, tensor<1x1x960xf32>) {
  %r:4 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>)
    field(%f : tensor<1x1x960xf32>)
    saved(%q, %lse : tensor<1x1x960x64xf32>, tensor<1x1x960xf32>)
    gradient(%q : tensor<1x1x960x64xf32>)
    outs(%q, %q, %q, %f : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>,
      tensor<1x1x960x64xf32>, tensor<1x1x960xf32>)
    {prune_eps = 0.0 : f64} -> tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>,
      tensor<1x1x960x64xf32>, tensor<1x1x960xf32>
  return %r#0, %r#3 : tensor<1x1x960x64xf32>, tensor<1x1x960xf32>
}

// -----

// What the walk of rows left out: groups, and all keys before the one it began at.
// Those of keys leave out the same and do not count.

// CHECK-LABEL: func @counts(
// CHECK-DAG:     %[[KEYS:.*]] = arith.constant 128 : index
// CHECK:         scf.forall {{.*}} -> (tensor<1x1x960x64xf32>, tensor<1x1x960xi64>, tensor<1x1x960xi64>)
// CHECK:           %[[TOGETHER:.*]] = scf.for {{.*}} -> (index)
// CHECK:           %[[BEGIN:.*]]:2 = scf.for {{.*}} -> (index, index)
// CHECK:           %[[WALK:.*]]:2 = scf.for %{{.*}} = %[[BEGIN]]#0 {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SUM:[a-z0-9]+]] = %c0)
// CHECK:             %[[KEEP:.*]] = arith.ori %{{.*}}, %{{.*}} : index
// CHECK:             %[[DROP:.*]] = arith.subi %c1, %[[KEEP]]
// CHECK:             %[[LEFT:.*]] = arith.muli %[[DROP]], %[[KEYS]]
// CHECK:             %[[NEXT:.*]] = arith.addi %[[SUM]], %[[LEFT]]
// CHECK:             scf.yield %{{.*}}, %[[NEXT]]
// CHECK:           %[[END:.*]] = affine.apply #{{.*}}(%[[BEGIN]]#0)
// CHECK:           fpa.drop_finalize keys(%{{.*}}, %[[WALK]]#1, %[[END]] : tensor<16xi64>) outs({{.*}}) {rows = 16 : i64}
// CHECK-NOT:     fpa.drop_finalize
// CHECK:         return
func.func @counts(%q: tensor<1x1x960x64xf32>, %f: tensor<1x1x960xf32>, %n: tensor<1x1x960xi64>)
    -> (tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960xi64>, tensor<1x1x960xi64>) {
  %r:5 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>)
    field(%f : tensor<1x1x960xf32>)
    saved(%q, %f : tensor<1x1x960x64xf32>, tensor<1x1x960xf32>)
    gradient(%q : tensor<1x1x960x64xf32>)
    outs(%q, %q, %q, %n, %n : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>,
      tensor<1x1x960x64xf32>, tensor<1x1x960xi64>, tensor<1x1x960xi64>)
    {prune_eps = 1.0e-4 : f64, counts} -> tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>,
      tensor<1x1x960x64xf32>, tensor<1x1x960xi64>, tensor<1x1x960xi64>
  return %r#0, %r#1, %r#3, %r#4 : tensor<1x1x960x64xf32>, tensor<1x1x960x64xf32>, tensor<1x1x960xi64>, tensor<1x1x960xi64>
}
