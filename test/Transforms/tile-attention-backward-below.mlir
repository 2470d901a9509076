// RUN: fpa-opt %s --fpa-tile-attention="split-backward common-minimum query-tile=16 key-tile=32 edge-tile=32" --canonicalize --cse | FileCheck %s

// With branches, a step of a full tile is told whether all that lies between it and
// where rows differ is below the tile's fields and levels. A level of its own has
// a table of its tiles' minima. Edges and the smooth penalty have no such branch.

// CHECK-LABEL: func @level(
// CHECK-SAME:    %[[L:[a-z0-9]*]]: tensor<1x1x512xf32>
// CHECK:         %[[RUNS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x32x16xf32>)
// CHECK:         %[[LEVELS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x16xf32>)
// CHECK:           scf.for
// CHECK:             tensor.extract %[[L]]
// CHECK:             arith.minimumf
// CHECK:             arith.maximumf
// CHECK:         fpa.pass_field
// CHECK-COUNT-2: tensor.extract %[[RUNS]]
// CHECK:         %[[PASSED:.*]] = arith.select
// CHECK:         %[[LEAST:.*]] = tensor.extract %[[RUNS]][%c0, %c0, %c0, %[[T:[a-z0-9]*]]]
// CHECK:         %[[ENDS:.*]] = arith.cmpf ogt, %[[PASSED]], %[[LEAST]]
// CHECK:         %[[BELOW_FIELDS:.*]] = arith.cmpf olt, %[[PASSED]], %[[LEAST]]
// CHECK:         %[[LEVEL:.*]] = tensor.extract %[[LEVELS]][%c0, %c0, %[[T]]]
// CHECK:         %[[BELOW_LEVELS:.*]] = arith.cmpf olt, %[[PASSED]], %[[LEVEL]]
// CHECK:         %[[BELOW:.*]] = arith.andi %[[BELOW_FIELDS]], %[[BELOW_LEVELS]]
// CHECK:         fpa.backward_tile part <queries> {{.*}} passed(%[[PASSED]] : f32) ends(%[[ENDS]]) below(%[[BELOW]])
// CHECK:         fpa.backward_tile part <queries>
// CHECK-NOT:       below
// CHECK-SAME:      interval(
// CHECK:         fpa.backward_tile part <keys>
// CHECK-NOT:       below
// CHECK-SAME:      interval(
// CHECK:         fpa.backward_tile part <keys> {{.*}} passed(%{{.*}} : f32) below(%{{.*}}) level(
func.func @level(%l: tensor<1x1x512xf32>, %q: tensor<1x1x512x64xf32>, %f: tensor<1x1x512xf32>)
    -> (tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>,
        tensor<1x1x512xf32>, tensor<1x1x512xf32>) {
  %d:5 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>)
    field(%f : tensor<1x1x512xf32>) level(%l : tensor<1x1x512xf32>)
    saved(%q, %f : tensor<1x1x512x64xf32>, tensor<1x1x512xf32>) gradient(%q : tensor<1x1x512x64xf32>)
    outs(%q, %q, %q, %f, %f : tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>,
      tensor<1x1x512x64xf32>, tensor<1x1x512xf32>, tensor<1x1x512xf32>)
    -> tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>,
       tensor<1x1x512xf32>, tensor<1x1x512xf32>
  return %d#0, %d#1, %d#2, %d#3, %d#4
    : tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>,
      tensor<1x1x512xf32>, tensor<1x1x512xf32>
}

// CHECK-LABEL: func @smooth(
// CHECK-NOT:     below(
// CHECK:         return
func.func @smooth(%q: tensor<1x1x512x64xf32>, %f: tensor<1x1x512xf32>)
    -> (tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512xf32>) {
  %d:4 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>)
    field(%f : tensor<1x1x512xf32>)
    saved(%q, %f : tensor<1x1x512x64xf32>, tensor<1x1x512xf32>) gradient(%q : tensor<1x1x512x64xf32>)
    outs(%q, %q, %q, %f : tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>,
      tensor<1x1x512x64xf32>, tensor<1x1x512xf32>)
    {smooth = 1.0 : f64}
    -> tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512xf32>
}
