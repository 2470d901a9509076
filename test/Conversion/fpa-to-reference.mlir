// RUN: fpa-opt %s --convert-fpa-to-reference -split-input-file -verify-diagnostics | FileCheck %s

// CHECK: func.func private @fpa_reference_prefix_min({{.*}}) attributes {llvm.emit_c_interface}
// CHECK-LABEL: func.func @prefix_min(
//  CHECK-SAME:   %[[X:.*]]: tensor<4x?xf64>, %[[M0:.*]]: tensor<4x?xf64>,
//       CHECK:   %[[IN:.*]] = bufferization.to_buffer %[[X]] read_only
//       CHECK:   %[[A:.*]] = memref.cast %[[IN]]
//       CHECK:   %[[N:.*]] = tensor.dim %[[M0]]
//       CHECK:   %[[OUT:.*]] = memref.alloc(%[[N]]) : memref<4x?xf64>
//       CHECK:   %[[B:.*]] = memref.cast %[[OUT]]
//       CHECK:   %[[INDEX:.*]] = memref.alloc(%{{.*}}) : memref<4x?xi64>
//       CHECK:   %[[C:.*]] = memref.cast %[[INDEX]]
// An index, reverse and exclusive.
//       CHECK:   %[[PRESENT:.*]] = arith.constant 448 : i64
//       CHECK:   %[[AXIS:.*]] = arith.constant 1 : i64
//       CHECK:   call @fpa_reference_prefix_min(%[[A]], %[[B]], %[[C]], %[[PRESENT]], %[[AXIS]], %{{.*}})
//       CHECK:   %[[R:.*]] = bufferization.to_tensor %[[OUT]] restrict : memref
//       CHECK:   return %[[R]]
func.func @prefix_min(%x: tensor<4x?xf64>, %m0: tensor<4x?xf64>, %i0: tensor<4x?xi64>) -> tensor<4x?xf64> {
  %m, %at = fpa.prefix_min axis(1) reverse exclusive
    ins(%x : tensor<4x?xf64>) outs(%m0, %i0 : tensor<4x?xf64>, tensor<4x?xi64>)
    -> tensor<4x?xf64>, tensor<4x?xi64>
  return %m : tensor<4x?xf64>
}

// -----

// CHECK-LABEL: func.func @attention
// A field and a window.
//       CHECK:   arith.constant 17 : i64
//       CHECK:   arith.constant 5.000000e-01 : f64
//       CHECK:   arith.constant 3 : i64
//       CHECK:   call @fpa_reference_attention
func.func @attention(%q: tensor<1x1x4x4xf64>, %f: tensor<1x1x4xf64>) -> tensor<1x1x4x4xf64> {
  %r = fpa.attention
    ins(%q, %q, %q : tensor<1x1x4x4xf64>, tensor<1x1x4x4xf64>, tensor<1x1x4x4xf64>)
    field(%f : tensor<1x1x4xf64>) outs(%q : tensor<1x1x4x4xf64>)
    {window = 3 : i64} -> tensor<1x1x4x4xf64>
  return %r : tensor<1x1x4x4xf64>
}

// -----

// CHECK-LABEL: func.func @attention_backward
//  CHECK-SAME:   %[[Q:.*]]: tensor<1x1x4x4xf64>, %[[F:.*]]: tensor<1x1x4xf64>,
//  CHECK-SAME:   %[[DO:.*]]: tensor<1x1x4x4xf64>
// Query, key, value, field; no level and no lengths; output, lse, gradients.
//       CHECK:   bufferization.to_buffer %[[Q]]
//       CHECK:   bufferization.to_buffer %[[Q]]
//       CHECK:   bufferization.to_buffer %[[Q]]
//       CHECK:   bufferization.to_buffer %[[F]]
//       CHECK:   memref.alloca() : memref<0xf64>
//       CHECK:   memref.alloca() : memref<0xi64>
//       CHECK:   memref.alloca() : memref<0xi64>
//       CHECK:   bufferization.to_buffer %[[Q]]
//       CHECK:   bufferization.to_buffer %[[F]]
//       CHECK:   bufferization.to_buffer %[[DO]]
//       CHECK:   bufferization.to_buffer %[[F]]
//       CHECK:   memref.alloc() : memref<1x1x4x4xf64>
//       CHECK:   memref.alloc() : memref<1x1x4x4xf64>
//       CHECK:   memref.alloc() : memref<1x1x4x4xf64>
//       CHECK:   %[[DF:.*]] = memref.alloc() : memref<1x1x4xf64>
//       CHECK:   memref.alloca() : memref<0xf64>
// Gradients of lse and field, a field, smooth.
//       CHECK:   arith.constant 3105 : i64
//       CHECK:   arith.constant 5.000000e-01 : f64
//       CHECK:   arith.constant 2.000000e+00 : f64
//       CHECK:   call @fpa_reference_attention_backward
//       CHECK:   %[[R:.*]] = bufferization.to_tensor %[[DF]]
//       CHECK:   return %[[R]]
func.func @attention_backward(%q: tensor<1x1x4x4xf64>, %f: tensor<1x1x4xf64>, %do: tensor<1x1x4x4xf64>) -> tensor<1x1x4xf64> {
  %r:4 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x4x4xf64>, tensor<1x1x4x4xf64>, tensor<1x1x4x4xf64>)
    field(%f : tensor<1x1x4xf64>)
    saved(%q, %f : tensor<1x1x4x4xf64>, tensor<1x1x4xf64>)
    gradient(%do : tensor<1x1x4x4xf64>) lse_gradient(%f : tensor<1x1x4xf64>)
    outs(%q, %q, %q, %f : tensor<1x1x4x4xf64>, tensor<1x1x4x4xf64>, tensor<1x1x4x4xf64>, tensor<1x1x4xf64>)
    {smooth = 2.0 : f64}
    -> tensor<1x1x4x4xf64>, tensor<1x1x4x4xf64>, tensor<1x1x4x4xf64>, tensor<1x1x4xf64>
  return %r#3 : tensor<1x1x4xf64>
}

// -----

func.func @narrow(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected ranked tensors of f64 or i64, got 'tensor<4xf32>'}}
  %m = fpa.prefix_sum axis(0) ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %m : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @prefix_min_backward
//       CHECK:   call @fpa_reference_prefix_min_backward(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (memref<*xi64>, memref<*xf64>, memref<*xf64>, i64) -> ()
func.func @prefix_min_backward(%i: tensor<4x?xi64>, %g: tensor<4x?xf64>) -> tensor<4x?xf64> {
  %x = fpa.prefix_min_backward axis(1) ins(%i, %g : tensor<4x?xi64>, tensor<4x?xf64>)
    outs(%g : tensor<4x?xf64>) -> tensor<4x?xf64>
  return %x : tensor<4x?xf64>
}
