// RUN: fpa-opt %s --fpa-pad-heads=multiple=16 --split-input-file | FileCheck %s
// RUN: not fpa-opt %s --fpa-pad-heads=multiple=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: expected option multiple to be at least 1, got 0

// CHECK-LABEL: func @both(
// CHECK:         %[[Q:.*]] = tensor.pad %arg0 low[0, 0, 0, 0] high[0, 0, 0, 12]
// CHECK:           tensor.yield %{{.*}} : f16
// CHECK:         %[[K:.*]] = tensor.pad %arg1 low[0, 0, 0, 0] high[0, 0, 0, 12]
// CHECK:         %[[V:.*]] = tensor.pad %arg2 low[0, 0, 0, 0] high[0, 0, 0, 15]
// CHECK:         %[[INIT:.*]] = tensor.empty(%{{.*}}) : tensor<1x2x?x48xf16>
// CHECK:         %[[O:.*]]:2 = fpa.attention ins(%[[Q]], %[[K]], %[[V]] : tensor<1x2x?x32xf16>, tensor<1x2x?x32xf16>, tensor<1x2x?x48xf16>)
// CHECK-SAME:      outs(%[[INIT]], %arg4 : tensor<1x2x?x48xf16>, tensor<1x2x?xf32>)
// CHECK-SAME:      scale = 0.2236067977
// CHECK:         %[[CUT:.*]] = tensor.extract_slice %[[O]]#0[0, 0, 0, 0] [1, 2, %{{.*}}, 33] [1, 1, 1, 1]
// CHECK:         return %[[CUT]], %[[O]]#1
func.func @both(%q: tensor<1x2x?x20xf16>, %k: tensor<1x2x?x20xf16>,
                %v: tensor<1x2x?x33xf16>, %o: tensor<1x2x?x33xf16>,
                %l: tensor<1x2x?xf32>) -> (tensor<1x2x?x33xf16>, tensor<1x2x?xf32>) {
  %r:2 = fpa.attention ins(%q, %k, %v : tensor<1x2x?x20xf16>, tensor<1x2x?x20xf16>, tensor<1x2x?x33xf16>)
    outs(%o, %l : tensor<1x2x?x33xf16>, tensor<1x2x?xf32>) -> tensor<1x2x?x33xf16>, tensor<1x2x?xf32>
  return %r#0, %r#1 : tensor<1x2x?x33xf16>, tensor<1x2x?xf32>
}

// -----

// CHECK-LABEL: func @neither(
// CHECK-NOT:     tensor.pad
// CHECK:         fpa.attention
// CHECK-NOT:     scale
// CHECK:         return
func.func @neither(%q: tensor<1x2x8x32xf16>, %o: tensor<1x2x8x32xf16>) -> tensor<1x2x8x32xf16> {
  %r = fpa.attention ins(%q, %q, %q : tensor<1x2x8x32xf16>, tensor<1x2x8x32xf16>, tensor<1x2x8x32xf16>)
    outs(%o : tensor<1x2x8x32xf16>) -> tensor<1x2x8x32xf16>
  return %r : tensor<1x2x8x32xf16>
}

// -----

// CHECK-LABEL: func @no_rows(
// CHECK-NOT:     fpa.attention
// CHECK:         return %arg2
func.func @no_rows(%q: tensor<1x2x0x1xf16>, %k: tensor<1x2x8x1xf16>,
                   %o: tensor<1x2x0x1xf16>) -> tensor<1x2x0x1xf16> {
  %r = fpa.attention ins(%q, %k, %k : tensor<1x2x0x1xf16>, tensor<1x2x8x1xf16>, tensor<1x2x8x1xf16>)
    outs(%o : tensor<1x2x0x1xf16>) -> tensor<1x2x0x1xf16>
  return %r : tensor<1x2x0x1xf16>
}

// -----

// The output may be a tensor that is read as well; what is read is filled up
// with zeros all the same.

// CHECK-LABEL: func @in_place(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x1x8x17xf32>
// CHECK:         %[[Q:.*]] = tensor.pad %[[X]]
// CHECK:         %[[K:.*]] = tensor.pad %[[X]]
// CHECK:         %[[V:.*]] = tensor.pad %[[X]]
// CHECK:         %[[O:.*]] = tensor.empty() : tensor<1x1x8x32xf32>
// CHECK:         fpa.attention ins(%[[Q]], %[[K]], %[[V]] : {{.*}}) outs(%[[O]] : tensor<1x1x8x32xf32>)
func.func @in_place(%x: tensor<1x1x8x17xf32>) -> tensor<1x1x8x17xf32> {
  %r = fpa.attention ins(%x, %x, %x : tensor<1x1x8x17xf32>, tensor<1x1x8x17xf32>, tensor<1x1x8x17xf32>) outs(%x : tensor<1x1x8x17xf32>) -> tensor<1x1x8x17xf32>
  return %r : tensor<1x1x8x17xf32>
}
