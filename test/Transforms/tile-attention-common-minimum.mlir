// RUN: fpa-opt %s -split-input-file --fpa-tile-attention="query-tile=16 key-tile=64 edge-tile=16 common-minimum" --canonicalize --cse | FileCheck %s

// Three loops with online attention: the edge, the tiles in which rows have minima
// of their own, and those in which they have one. The two scalar loops between find
// the lowest field of the edge, and how far to the left it stays the lowest.

// CHECK-DAG: #[[$FROM:.*]] = affine_map<(d0, d1) -> (d0 * 64 + ((d1 + 1) floordiv 64) * 64)>
// CHECK-DAG: #[[$LEFT:.*]] = affine_map<(d0, d1) -> (d0 * -64 + ((d1 + 1) floordiv 64) * 64 - 64)>
// CHECK-DAG: #[[$OWN:.*]] = affine_map<(d0, d1) -> ((d1 + 1) floordiv 64 + (-d0) floordiv 64)>
// CHECK-DAG: #[[$REST:.*]] = affine_map<(d0) -> (d0 floordiv 64)>
// CHECK-DAG: #[[$FURTHER:.*]] = affine_map<(d0, d1) -> (d0 - d1 * 64 - 64)>

// CHECK-LABEL: func @tied(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: tensor<1x1x256xf32>,
// CHECK-DAG:     %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK:         %[[S:.*]] = fpa.prefix_min axis(2) reverse exclusive segment(64) ins(%[[F]] :
// CHECK:         scf.forall
// CHECK:           %[[EDGE:.*]]:4 = scf.for
// CHECK:             fpa.online_attention {{.*}} interval(
// CHECK:           %[[LOW:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[D:.*]] = %[[INF]]) -> (f32)
// CHECK:             %[[AT:.*]] = affine.apply #[[$FROM]](%[[I]], %{{.*}})
// CHECK:             %[[F0:.*]] = tensor.extract %[[F]][%{{.*}}, %{{.*}}, %[[AT]]]
// CHECK:             %[[S0:.*]] = tensor.extract %[[S]][%{{.*}}, %{{.*}}, %[[AT]]]
// CHECK:             %[[X0:.*]] = arith.minimumf %[[F0]], %[[S0]]
// CHECK:             %[[D1:.*]] = arith.minimumf %[[D]], %[[X0]]
// CHECK:             scf.yield %[[D1]]
// CHECK:           %[[N:.*]]:2 = scf.for %[[J:.*]] = {{.*}} iter_args(%[[APART:.*]] = %{{.*}}, %[[C:.*]] = %[[INF]]) -> (index, f32)
// CHECK:             affine.apply #[[$LEFT]](%[[J]], %{{.*}})
// CHECK:             %[[C1:.*]] = arith.minimumf %[[C]],
// CHECK:             %[[ABOVE:.*]] = arith.cmpf ugt, %[[C]], %[[LOW]]
// CHECK:             %[[NEXT:.*]] = affine.apply {{.*}}(%[[J]])
// CHECK:             %[[N1:.*]] = arith.select %[[ABOVE]], %[[NEXT]], %[[APART]]
// CHECK:             %[[C2:.*]] = arith.select %[[ABOVE]], %[[C1]], %[[C]]
// CHECK:             scf.yield %[[N1]], %[[C2]]
// CHECK:           %[[DONE:.*]] = arith.muli %[[N]]#0, %{{.*}} : index
// CHECK:           %[[SPLIT:.*]] = arith.subi %{{.*}}, %[[DONE]] : index
// CHECK:           %[[COUNT:.*]] = affine.apply #[[$OWN]](%[[SPLIT]], %{{.*}})
// CHECK:           %[[OWN:.*]]:4 = scf.for %[[J:.*]] = {{.*}} to %[[COUNT]] {{.*}} iter_args(%{{.*}} = %[[EDGE]]#0,
// CHECK:             affine.apply #[[$LEFT]](%[[J]], %{{.*}})
// CHECK:             fpa.online_attention
// CHECK-NOT:         common
// CHECK-SAME:        suffix(
// CHECK:           %[[LEFT:.*]] = affine.apply #[[$REST]](%[[SPLIT]])
// CHECK:           scf.for %[[J:.*]] = {{.*}} to %[[LEFT]] {{.*}} iter_args(%{{.*}} = %[[OWN]]#0, %{{.*}} = %[[OWN]]#1, %{{.*}} = %[[OWN]]#2, %[[R:.*]] = %[[OWN]]#3, %[[C:.*]] = %[[N]]#1)
// CHECK:             affine.apply #[[$FURTHER]](%[[SPLIT]], %[[J]])
// CHECK:             fpa.online_attention {{.*}} suffix({{.*}}) common(%[[C]] : f32)
// CHECK:             arith.minimumf %[[C]],
// CHECK:           fpa.online_finalize
func.func @tied(%f: tensor<1x1x256xf32>, %q: tensor<1x1x256x16xf32>, %o0: tensor<1x1x256x16xf32>)
    -> tensor<1x1x256x16xf32> {
  %o = fpa.attention
    ins(%q, %q, %q : tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>)
    field(%f : tensor<1x1x256xf32>)
    outs(%o0 : tensor<1x1x256x16xf32>) -> tensor<1x1x256x16xf32>
  return %o : tensor<1x1x256x16xf32>
}

// -----

// The smooth form takes no infinities.

// CHECK-LABEL: func @smooth(
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 3.40282347E+38 : f32
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant -3.40282347E+38 : f32
// CHECK:         scf.forall
// CHECK:           %[[X0:.*]] = arith.minimumf
// CHECK:           %[[X1:.*]] = arith.minimumf %[[X0]], %[[MOST]]
// CHECK:           %[[X2:.*]] = arith.maximumf %[[X1]], %[[LEAST]]
// CHECK:           arith.minimumf %{{.*}}, %[[X2]]
func.func @smooth(%f: tensor<1x1x256xf32>, %q: tensor<1x1x256x16xf32>, %o0: tensor<1x1x256x16xf32>)
    -> tensor<1x1x256x16xf32> {
  %o = fpa.attention
    ins(%q, %q, %q : tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>)
    field(%f : tensor<1x1x256xf32>)
    outs(%o0 : tensor<1x1x256x16xf32>) {smooth = 2.0 : f64} -> tensor<1x1x256x16xf32>
  return %o : tensor<1x1x256x16xf32>
}

// -----

// A left edge would want the minima of its rows, a field that never rises has one
// for each row that is no other's, and without a field there is nothing to find.

// CHECK-LABEL: func @apart(
// CHECK-NOT:     common
// CHECK:         return
func.func @apart(%q: tensor<1x1x256x16xf32>, %f: tensor<1x1x256xf32>, %o0: tensor<1x1x256x16xf32>)
    -> (tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>) {
  %w = fpa.attention
    ins(%q, %q, %q : tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>)
    field(%f : tensor<1x1x256xf32>)
    outs(%o0 : tensor<1x1x256x16xf32>) {window = 100 : i64} -> tensor<1x1x256x16xf32>
  %n = fpa.attention
    ins(%q, %q, %q : tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>)
    field(%f : tensor<1x1x256xf32>)
    outs(%o0 : tensor<1x1x256x16xf32>) {non_increasing} -> tensor<1x1x256x16xf32>
  %p = fpa.attention
    ins(%q, %q, %q : tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>)
    outs(%o0 : tensor<1x1x256x16xf32>) -> tensor<1x1x256x16xf32>
  return %w, %n, %p : tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>
}
