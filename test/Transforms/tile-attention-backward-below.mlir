// RUN: fpa-opt %s --fpa-tile-attention="split-backward common-minimum query-tile=16 key-tile=32 edge-tile=32" --canonicalize --cse | FileCheck %s

// With branches, a step of a full tile is told whether the minimum of its first row is
// below the tile's fields and levels, and where it is not, whether that of its last row is
// below no level. A level of its own has a table of its tiles' minima, and levels have one
// of their maxima. Edges and the smooth penalty have no such branches.

// CHECK-LABEL: func @level(
// CHECK-SAME:    %[[L:[a-z0-9]*]]: tensor<1x1x512xf32>
// CHECK:         %[[RUNS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x32x16xf32>)
// CHECK:         %[[LEVELS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x16xf32>)
// CHECK:           scf.for
// CHECK:             tensor.extract %[[L]]
// CHECK:             arith.minimumf
// CHECK:             arith.maximumf
// CHECK:             arith.minimumf
// CHECK:         %[[LARGEST:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x16xf32>)
// CHECK:           scf.for
// CHECK:             tensor.extract %[[L]]
// CHECK:             arith.minimumf
// CHECK:             arith.maximumf
// CHECK:             arith.maximumf
// CHECK:         %[[MINIMA:.*]]:2 = scf.forall
// CHECK:         fpa.pass_field
// CHECK-COUNT-2: tensor.extract %[[RUNS]]
// CHECK:         %[[PASSED:.*]] = arith.select
// CHECK:         %[[LEAST:.*]] = tensor.extract %[[RUNS]][%c0, %c0, %c0, %[[T:[a-z0-9]*]]]
// CHECK:         %[[FIRST:.*]] = tensor.extract %[[MINIMA]]#1[%c0, %c0, %{{.*}}, %c0]
// CHECK:         %[[MOST:.*]] = arith.minimumf %[[PASSED]], %[[FIRST]]
// CHECK:         %[[ENDS:.*]] = arith.cmpf ogt, %[[MOST]], %[[LEAST]]
// CHECK:         %[[BELOW_FIELDS:.*]] = arith.cmpf olt, %[[MOST]], %[[LEAST]]
// CHECK:         %[[LEVEL:.*]] = tensor.extract %[[LEVELS]][%c0, %c0, %[[T]]]
// CHECK:         %[[BELOW_LEVELS:.*]] = arith.cmpf olt, %[[MOST]], %[[LEVEL]]
// CHECK:         %[[BELOW:.*]] = arith.andi %[[BELOW_FIELDS]], %[[BELOW_LEVELS]]
// CHECK:         %[[ABOVE:.*]] = scf.if %[[BELOW]] -> (i1) {
// CHECK:           scf.yield %false
// CHECK:         } else {
// CHECK:           %[[LAST:.*]] = tensor.extract %[[MINIMA]]#1[%c0, %c0, %{{.*}}, %c15]
// CHECK:           %[[FEWEST:.*]] = arith.minimumf %[[MOST]], %[[LAST]]
// CHECK:           %[[HIGHEST:.*]] = tensor.extract %[[LARGEST]][%c0, %c0, %[[T]]]
// CHECK:           arith.cmpf oge, %[[FEWEST]], %[[HIGHEST]]
// CHECK:         fpa.backward_tile part <queries> {{.*}} passed(%[[MOST]] : f32) least(%[[LEAST]] : f32) ends(%[[ENDS]]) below(%[[BELOW]]) above(%[[ABOVE]])
// CHECK:         fpa.backward_tile part <queries>
// CHECK-NOT:       below
// CHECK-SAME:      interval(
// CHECK:         fpa.backward_tile part <keys>
// CHECK-NOT:       below
// CHECK-SAME:      interval(
// CHECK:         fpa.backward_tile part <keys> {{.*}} passed(%{{.*}} : f32) least(%{{.*}} : f32) below(%{{.*}}) above(%{{.*}}) level(
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
