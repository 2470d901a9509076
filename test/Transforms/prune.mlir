// RUN: fpa-opt %s -split-input-file --fpa-tile-attention --canonicalize --cse | FileCheck %s
// RUN: fpa-opt %s -split-input-file --fpa-cpu-buffer-pipeline | FileCheck %s --check-prefix=VECTORS

// Bounds of keys, once for all rows: minus norms and levels, of each tile at its
// first key, levels by the mean of weights, and of all keys up to one. In the full tiles the step stands in a loop
// of as many iterations as tiles are needed, which is asked before; that loop is
// in one that has no iterations left once the walk has ended.

// CHECK-LABEL: func @forward(
// CHECK-SAME:    %[[Q:.*]]: tensor<1x2x?x64xf32>, %[[K:.*]]: tensor<1x1x?x64xf32>, %[[V:.*]]: tensor<1x1x?x32xf32>, %[[F:.*]]: tensor<1x1x?xf32>,
// CHECK:         scf.forall
// CHECK:           fpa.row_norms ins(%{{.*}} : tensor<?x64xf32>) {{.*}} {factor = -1.000000e+00 : f64}
// CHECK:         %[[KT:.*]] = fpa.prefix_min axis(2) reverse segment(256)
// CHECK:         %[[LEAST:.*]] = fpa.prefix_min axis(2) reverse segment(256) ins(%[[F]] :
// CHECK:         %[[LT:.*]] = scf.forall
// CHECK-DAG:       %[[LEVELS:.*]] = tensor.extract_slice %[[F]]
// CHECK-DAG:       %[[FIRST:.*]] = tensor.extract %[[LEAST]]
// CHECK:           fpa.mean_level ins(%[[LEVELS]] : tensor<?xf32>) least(%[[FIRST]] : f32)
// CHECK:         %[[KA:.*]] = fpa.prefix_min axis(2) ins(
// CHECK:         %[[LA:.*]] = fpa.prefix_min axis(2) ins(%[[F]] :
// CHECK:         scf.forall
// CHECK:           %[[REACH:.*]] = fpa.row_norms {{.*}} outs(%{{.*}} : tensor<48xf32>) {factor = 0.18033688011112
// The right edge is always walked.
// CHECK:           %[[EDGE:.*]]:4 = scf.for
// CHECK:             fpa.online_attention
// CHECK-SAME:          interval
// CHECK:           %[[W:.*]]:9 = scf.for {{.*}} iter_args(%{{.*}} = %[[EDGE]]#0, %{{.*}} = %[[EDGE]]#1, {{.*}}, %[[ON:.*]] = %c1, %{{.*}} = %c0, %{{.*}} = %c0)
// CHECK:             %[[AT:.*]] = affine.apply
// CHECK:             scf.for %{{.*}} = %c0 to %[[ON]]
// CHECK-DAG:           %[[NORM:.*]] = tensor.extract %[[KT]][%c0, %{{.*}}, %[[AT]]]
// CHECK-DAG:           %[[LEVEL:.*]] = tensor.extract %[[LT]][%c0, %{{.*}}, %[[AT]]]
// CHECK-DAG:           %[[ALL:.*]] = tensor.extract %[[KA]]
// CHECK:               %[[KEEP:.*]] = fpa.prune_keys rows(%[[REACH]], %[[MIN:.*]] : {{.*}}) maximum(%{{.*}} : tensor<48xf32>) keys(%[[NORM]], %[[LEVEL]], %[[ALL]] of %[[N:.*]] : f32) {eps = 1.000000e-04 : f64, head_size = 64 : i64}
// CHECK:               %[[DROP:.*]] = arith.subi %c1, %[[KEEP]]
// CHECK:               %[[SIZE:.*]] = arith.muli %[[KEEP]], %c256
// CHECK:               %[[END:.*]] = arith.addi %[[AT]], %[[SIZE]]
// CHECK:               %[[STEP:.*]]:3 = scf.for %[[HERE:.*]] = %[[AT]] to %[[END]] step %c256
// CHECK-COUNT-4:         tensor.extract_slice %{{.*}}%[[HERE]]
// CHECK:                 fpa.online_attention
// CHECK:               scf.for %{{.*}} = %c0 to %[[DROP]]
// CHECK-DAG:             %[[NORMS:.*]] = tensor.extract %[[KA]]
// CHECK-DAG:             %[[LEVELS:.*]] = tensor.extract %[[LA]]
// CHECK:                 %[[MORE:.*]] = fpa.prune_keys rows(%[[REACH]], %[[MIN]] : {{.*}}) maximum(%[[STEP]]#1 : {{.*}}) keys(%[[NORMS]], %[[LEVELS]], %[[ALL]] of %[[N]]
// CHECK:                 %[[IS:.*]] = arith.cmpi ne, %[[MORE]], %c0
// CHECK-DAG:             %[[A:.*]] = arith.select %[[IS]], %[[NORM]], %[[NORMS]]
// CHECK-DAG:             %[[B:.*]] = arith.select %[[IS]], %[[LEVEL]], %[[LEVELS]]
// CHECK-DAG:             %[[C:.*]] = arith.select %[[IS]], %c256, %{{.*}}
// CHECK:                 fpa.drop_keys rows(%[[REACH]], %[[MIN]] : {{.*}}) maximum(%[[STEP]]#1 : {{.*}}) keys(%[[A]], %[[B]], %[[ALL]] of %[[C]] : f32)
// The minimum passes the tile in either case.
// CHECK:               %[[PASSED:.*]] = fpa.pass_field {{.*}} outs(%[[MIN]] :
// CHECK:               scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[PASSED]],
// CHECK:           fpa.online_finalize ins(%[[W]]#0, %[[W]]#1, %[[W]]#2
// CHECK:           fpa.drop_finalize ins(%[[W]]#4, %[[W]]#5, %[[W]]#1, %[[W]]#2 {{.*}} keys(%{{.*}}, %[[W]]#7, %[[W]]#8

// The loops carry vectors and numbers, nothing in memory.
// VECTORS-LABEL: func @forward(
// VECTORS:       scf.for {{.*}} -> (vector<24x32xf32>, vector<24xf32>, vector<24xf32>, vector<24xf32>) {
// VECTORS:       scf.for {{.*}} -> (index, index, index, vector<24x32xf32>, vector<24xf32>, vector<24xf32>, vector<24xf32>, vector<24xf32>, vector<24xf32>) {
// VECTORS:       scf.for {{.*}} -> (index, index, index, vector<24x32xf32>, vector<24xf32>, vector<24xf32>, vector<24xf32>, vector<24xf32>, vector<24xf32>) {
// VECTORS:       scf.for {{.*}} -> (vector<24x32xf32>, vector<24xf32>, vector<24xf32>) {
// VECTORS:       scf.for {{.*}} -> (index, index, index, vector<24xf32>, vector<24xf32>) {
func.func @forward(%q: tensor<1x2x?x64xf32>, %k: tensor<1x1x?x64xf32>, %v: tensor<1x1x?x32xf32>,
                   %f: tensor<1x1x?xf32>, %o0: tensor<1x2x?x32xf32>, %l0: tensor<1x2x?xf32>,
                   %n0: tensor<1x2x?xi64>)
    -> (tensor<1x2x?x32xf32>, tensor<1x2x?xf32>, tensor<1x2x?xi64>, tensor<1x2x?xi64>) {
  %o:5 = fpa.attention
    ins(%q, %k, %v : tensor<1x2x?x64xf32>, tensor<1x1x?x64xf32>, tensor<1x1x?x32xf32>)
    field(%f : tensor<1x1x?xf32>)
    outs(%o0, %l0, %l0, %n0, %n0 : tensor<1x2x?x32xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>,
      tensor<1x2x?xi64>, tensor<1x2x?xi64>)
    {prune_eps = 1.0e-4 : f64} -> tensor<1x2x?x32xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>,
      tensor<1x2x?xi64>, tensor<1x2x?xi64>
  return %o#0, %o#2, %o#3, %o#4 : tensor<1x2x?x32xf32>, tensor<1x2x?xf32>, tensor<1x2x?xi64>,
    tensor<1x2x?xi64>
}

// -----

// Without dropped nothing is added up; a left edge is walked unless the walk has
// ended; in a field that never rises no minimum is to be passed.

// CHECK-LABEL: func @window(
// CHECK:         %[[W:.*]]:6 = scf.for {{.*}} = %c1, %{{.*}} = %c0, %{{.*}} = %{{.*}})
// CHECK:           fpa.prune_keys
// CHECK-NOT:       fpa.pass_field
// CHECK-NOT:       fpa.drop_keys
// CHECK:         scf.for %{{.*}} = %c0 to %[[W]]#3
// CHECK:           scf.for
// CHECK:             fpa.online_attention
// CHECK-SAME:          interval
// CHECK-NOT:     fpa.drop_finalize
func.func @window(%q: tensor<1x1x1000x64xf32>, %f: tensor<1x1x1000xf32>,
                  %o0: tensor<1x1x1000x64xf32>) -> tensor<1x1x1000x64xf32> {
  %o = fpa.attention
    ins(%q, %q, %q : tensor<1x1x1000x64xf32>, tensor<1x1x1000x64xf32>, tensor<1x1x1000x64xf32>)
    field(%f : tensor<1x1x1000xf32>) outs(%o0 : tensor<1x1x1000x64xf32>)
    {prune_eps = 1.0e-4 : f64, window = 500 : i64, non_increasing} -> tensor<1x1x1000x64xf32>
  return %o : tensor<1x1x1000x64xf32>
}

// -----

// With 0, or without a field, this is the program without pruning.

// CHECK-LABEL: func @exact(
// CHECK-NOT:     fpa.prune_keys
// CHECK:         scf.forall
// CHECK-NOT:     fpa.prune_keys
// CHECK:         scf.forall.in_parallel
// CHECK:         %[[D:.*]] = linalg.fill ins(%{{.*}} : f32)
// CHECK:         return %{{.*}}, %[[D]]
func.func @exact(%q: tensor<1x1x1000x64xf32>, %f: tensor<1x1x1000xf32>,
                 %o0: tensor<1x1x1000x64xf32>, %l0: tensor<1x1x1000xf32>)
    -> (tensor<1x1x1000x64xf32>, tensor<1x1x1000xf32>) {
  %o:3 = fpa.attention
    ins(%q, %q, %q : tensor<1x1x1000x64xf32>, tensor<1x1x1000x64xf32>, tensor<1x1x1000x64xf32>)
    field(%f : tensor<1x1x1000xf32>)
    outs(%o0, %l0, %l0 : tensor<1x1x1000x64xf32>, tensor<1x1x1000xf32>, tensor<1x1x1000xf32>)
    {prune_eps = 0.0 : f64}
    -> tensor<1x1x1000x64xf32>, tensor<1x1x1000xf32>, tensor<1x1x1000xf32>
  return %o#0, %o#2 : tensor<1x1x1000x64xf32>, tensor<1x1x1000xf32>
}

// -----

// Gradients: the walk that finds minima finds where to begin, by the bounds of all
// keys up to a tile; the other one asks before each tile, and where it leaves one
// out the carry passes it.

// CHECK-LABEL: func @backward(
// CHECK:         scf.forall
// CHECK:           fpa.row_norms
// CHECK:         scf.forall
// CHECK:           fpa.row_norms
// CHECK:           %[[M:.*]]:4 = scf.for
// CHECK:             scf.for
// CHECK:               %[[MORE:.*]] = fpa.prune_keys rows({{.*}}) lse(%{{.*}} : tensor<{{.*}}xf32>) keys(
// CHECK:               %[[LAST:.*]] = arith.cmpi eq, %[[MORE]], %c0
// CHECK:               arith.select %[[LAST]]
// CHECK:               fpa.pass_field
// CHECK:           scf.for
// CHECK:             %[[KEEP:.*]] = fpa.prune_keys rows({{.*}}) lse(
// CHECK:             arith.muli %[[KEEP]], %c256
// CHECK:             scf.for
// CHECK:               fpa.backward_tile
// CHECK:             %[[DROP:.*]] = arith.subi %c1, %[[KEEP]]
// CHECK:             arith.muli %[[DROP]], %c256
// CHECK:             scf.for
// CHECK:               fpa.pass_carry
// CHECK:           scf.for
// CHECK:             fpa.backward_tile
// CHECK-SAME:          interval
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
