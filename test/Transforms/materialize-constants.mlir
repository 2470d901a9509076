// RUN: fpa-opt %s --fpa-materialize-constants=most=4 -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @fill(
// CHECK-NOT:     dense
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[EMPTY:.*]] = tensor.empty() : tensor<1000xf32>
// CHECK:         linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]] : tensor<1000xf32>)
func.func @fill() -> tensor<1000xf32> {
  %c = arith.constant dense<0.0> : tensor<1000xf32>
  return %c : tensor<1000xf32>
}

// CHECK-LABEL: func @elements(
// CHECK-NOT:     dense
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x2xi64>)
// CHECK:           linalg.index 0
// CHECK:           linalg.index 1
// CHECK-COUNT-3:   arith.select
// CHECK-NOT:       arith.select
// CHECK:           linalg.yield
func.func @elements() -> tensor<2x2xi64> {
  %c = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  return %c : tensor<2x2xi64>
}

// No memory where a loop can do without.
// CHECK-LABEL: func @operand(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>
// CHECK-NOT:     linalg.fill
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<8xf32>)
// CHECK:           %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK:           arith.mulf %{{.*}}, %[[HALF]]
#map = affine_map<(i) -> (i)>
func.func @operand(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant dense<0.5> : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%x, %c : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @large() -> tensor<5xf32> {
  // expected-error @below {{expected one value for all elements of a constant tensor on a GPU, or at most 4 elements, got 5: an argument may have more}}
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  return %c : tensor<5xf32>
}
