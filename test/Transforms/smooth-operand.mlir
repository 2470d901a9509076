// RUN: fpa-opt %s --fpa-tile-attention --canonicalize | FileCheck %s --check-prefix=TILE
// RUN: fpa-opt %s --fpa-tile-attention=split-backward --canonicalize | FileCheck %s --check-prefix=SPLIT
// RUN: fpa-opt %s --fpa-decompose --canonicalize | FileCheck %s --check-prefix=PLAIN
// RUN: fpa-opt %s --fpa-differentiate=functions=forward --canonicalize | FileCheck %s --check-prefix=GRADIENT
// RUN: fpa-opt %s --fpa-vectorize-tiles --canonicalize | FileCheck %s --check-prefix=VECTOR

!q = tensor<1x1x960x64xf32>
!f = tensor<1x1x960xf32>

// beta is read once for a query tile, not for each of its key tiles.

// TILE-LABEL: func.func @forward(
// TILE-SAME:  %[[B:[a-z0-9]+]]: tensor<f32>
// TILE:       scf.forall
// TILE:         %[[BETA:.*]] = tensor.extract %[[B]][] : tensor<f32>
// TILE-NOT:     tensor.extract %[[B]]
// TILE:         fpa.online_attention {{.*}} smooth(%[[BETA]] : f32) interval(
// TILE:         fpa.online_attention {{.*}} suffix({{.*}}) smooth(%[[BETA]] : f32) outs(

// PLAIN-LABEL: func.func @forward(
// PLAIN-SAME:  %[[B:[a-z0-9]+]]: tensor<f32>
// PLAIN:       %[[BETA:.*]] = tensor.extract %[[B]][] : tensor<f32>
// PLAIN:       %[[X:.*]] = arith.mulf %{{.*}}, %[[BETA]]
// PLAIN:       math.log1p
// PLAIN:       arith.divf %{{.*}}, %[[BETA]]

// The number has no gradient.
// GRADIENT-LABEL: func.func @forward_backward(
// GRADIENT-SAME: %[[B:[a-z0-9]+]]: tensor<f32>, %{{.*}}) -> (tensor<1x1x960x64xf32>, tensor<1x1x960xf32>)
// GRADIENT:      fpa.attention_backward {{.*}} smooth(%[[B]] : tensor<f32>)
func.func @forward(%q: !q, %f: !f, %beta: tensor<f32>) -> !q {
  %o = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%beta : tensor<f32>) outs(%q : !q) -> !q
  return %o : !q
}

// TILE-LABEL: func.func @backward(
// TILE-SAME:  %[[B:[a-z0-9]+]]: tensor<f32>
// TILE:       tensor.extract %[[B]][] : tensor<f32>
// TILE-NOT:   tensor.extract %[[B]]
// TILE-COUNT-2: fpa.backward_tile {{.*}} smooth(%{{.*}} : f32)

// SPLIT-LABEL: func.func @backward(
// SPLIT-COUNT-2: fpa.backward_tile part <queries> {{.*}} smooth(%{{.*}} : f32)
// SPLIT-COUNT-2: fpa.backward_tile part <keys> {{.*}} smooth(%{{.*}} : f32)

// PLAIN-LABEL: func.func @backward(
// PLAIN-SAME:  %[[B:[a-z0-9]+]]: tensor<f32>
// PLAIN-COUNT-2: tensor.extract %[[B]][] : tensor<f32>
func.func @backward(%q: !q, %f: !f, %lse: !f, %beta: tensor<f32>) -> (!q, !q, !q, !f) {
  %d:4 = fpa.attention_backward ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%beta : tensor<f32>) saved(%q, %lse : !q, !f) gradient(%q : !q)
    outs(%q, %q, %q, %f : !q, !q, !q, !f) -> !q, !q, !q, !f
  return %d#0, %d#1, %d#2, %d#3 : !q, !q, !q, !f
}

// The factors are numbers before they are blocks.

// VECTOR-LABEL: func.func @step(
// VECTOR-SAME:  %[[B:[a-z0-9]+]]: f32
// VECTOR-DAG:   %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
// VECTOR-DAG:   %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// VECTOR:       %[[SCALE:.*]] = arith.mulf %[[B]], %[[LOG2E]] : f32
// VECTOR:       vector.broadcast %[[SCALE]] : f32 to vector<16x32xf32>
// VECTOR:       %[[BACK:.*]] = arith.divf %[[ONE]], %[[B]] : f32
// VECTOR:       vector.broadcast %[[BACK]] : f32 to vector<16x32xf32>
func.func @step(%q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %f: tensor<32xf32>, %m: tensor<16xf32>,
                %beta: f32) -> tensor<16x8xf32> {
  %r:4 = fpa.online_attention
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>)
    field(%f : tensor<32xf32>) smooth(%beta : f32)
    outs(%q, %m, %m, %m : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
    {scale = 0.5 : f64} -> tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  return %r#0 : tensor<16x8xf32>
}
