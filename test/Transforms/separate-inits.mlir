// RUN: fpa-opt %s --fpa-separate-inits | FileCheck %s

// CHECK-LABEL: func @loop(
// CHECK-DAG:     %[[A:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-DAG:     %[[B:.*]] = tensor.empty() : tensor<4xf32>
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[B]], %{{.*}} = %[[A]])
func.func @loop(%n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %empty, %b = %empty)
      -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// What is not empty may be shared: bufferization sees who reads it.
// CHECK-LABEL: func @filled(
// CHECK-COUNT-1: tensor.empty
// CHECK-NOT:     tensor.empty
func.func @filled(%n: index, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4xf32>
  %full = linalg.fill ins(%x : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %full, %b = %full)
      -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @inits(
// CHECK:         %[[A:.*]] = tensor.empty() : tensor<1x1x9xf32>
// CHECK:         %[[B:.*]] = tensor.empty() : tensor<1x1x9xf32>
// CHECK:         fpa.update_cache
// CHECK-SAME:      outs(%{{.*}}, %{{.*}}, %[[B]], %[[A]],
func.func @inits(%k: tensor<1x1x1x8xf32>, %f: tensor<1x1x1xf32>, %ck: tensor<1x1x9x8xf32>,
                 %cv: tensor<1x1x9x8xf32>, %n: tensor<1x1xi64>) -> tensor<1x1xi64> {
  %empty = tensor.empty() : tensor<1x1x9xf32>
  %r:5 = fpa.update_cache ins(%k, %k : tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>)
    field(%f : tensor<1x1x1xf32>)
    outs(%ck, %cv, %empty, %empty, %n : tensor<1x1x9x8xf32>, tensor<1x1x9x8xf32>, tensor<1x1x9xf32>, tensor<1x1x9xf32>, tensor<1x1xi64>)
    {evict_above = 8.0 : f64}
    -> tensor<1x1x9x8xf32>, tensor<1x1x9x8xf32>, tensor<1x1x9xf32>, tensor<1x1x9xf32>, tensor<1x1xi64>
  return %r#4 : tensor<1x1xi64>
}
