// RUN: fpa-opt %s --fpa-pad-heads=multiple=16 --split-input-file | FileCheck %s
// RUN: not fpa-opt %s --fpa-pad-heads=multiple=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: expected option multiple to be at least 1, got 0
// RUN: not fpa-opt %s --fpa-pad-heads=most=-1 --split-input-file 2>&1 | FileCheck %s --check-prefix=MOST
// MOST: error: expected option most to be at least 0, got -1
// RUN: fpa-opt %s --fpa-pad-heads=most=20 --split-input-file | FileCheck %s --check-prefix=LARGE
// LARGE-LABEL: func @both(
// LARGE:         fpa.attention {{.*}} : tensor<1x2x?x32xf16>, tensor<1x2x?x32xf16>, tensor<1x2x?x33xf16>)

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

// -----

// Of the backward all that has a head size: output and its gradient as values are,
// and the gradients, which are cut.

// CHECK-LABEL: func @backward(
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<1x2x?x20xf16>, %[[K:[a-z0-9]+]]: tensor<1x2x?x20xf16>, %[[V:[a-z0-9]+]]: tensor<1x2x?x33xf16>, %[[F:[a-z0-9]+]]: tensor<1x2x?xf32>, %[[O:[a-z0-9]+]]: tensor<1x2x?x33xf16>, %[[LSE:[a-z0-9]+]]: tensor<1x2x?xf32>, %[[DO:[a-z0-9]+]]: tensor<1x2x?x33xf16>, {{.*}}, %[[DF0:[a-z0-9]+]]: tensor<1x2x?xf32>) ->
// CHECK:         %[[QP:.*]] = tensor.pad %[[Q]] low[0, 0, 0, 0] high[0, 0, 0, 12]
// CHECK:         %[[KP:.*]] = tensor.pad %[[K]] low[0, 0, 0, 0] high[0, 0, 0, 12]
// CHECK:         %[[VP:.*]] = tensor.pad %[[V]] low[0, 0, 0, 0] high[0, 0, 0, 15]
// CHECK:         %[[OP:.*]] = tensor.pad %[[O]] low[0, 0, 0, 0] high[0, 0, 0, 15]
// CHECK:         %[[DOP:.*]] = tensor.pad %[[DO]] low[0, 0, 0, 0] high[0, 0, 0, 15]
// CHECK-DAG:     %[[DQ0:.*]] = tensor.empty(%{{.*}}) : tensor<1x2x?x32xf16>
// CHECK-DAG:     %[[DV0:.*]] = tensor.empty(%{{.*}}) : tensor<1x2x?x48xf16>
// CHECK:         %[[D:.*]]:4 = fpa.attention_backward ins(%[[QP]], %[[KP]], %[[VP]] :
// CHECK-SAME:      field(%[[F]] : {{.*}}) saved(%[[OP]], %[[LSE]] : {{.*}}) gradient(%[[DOP]] :
// CHECK-SAME:      outs(%[[DQ0]], %{{.*}}, %[[DV0]], %[[DF0]] :
// CHECK-SAME:      {scale = 0.22360679774997896 : f64}
// CHECK:         %[[DQ:.*]] = tensor.extract_slice %[[D]]#0[0, 0, 0, 0] [1, 2, %{{.*}}, 20] [1, 1, 1, 1]
// CHECK:         %[[DK:.*]] = tensor.extract_slice %[[D]]#1[0, 0, 0, 0] [1, 2, %{{.*}}, 20] [1, 1, 1, 1]
// CHECK:         %[[DV:.*]] = tensor.extract_slice %[[D]]#2[0, 0, 0, 0] [1, 2, %{{.*}}, 33] [1, 1, 1, 1]
// CHECK:         return %[[DQ]], %[[DK]], %[[DV]], %[[D]]#3
func.func @backward(%q: tensor<1x2x?x20xf16>, %k: tensor<1x2x?x20xf16>, %v: tensor<1x2x?x33xf16>,
                    %f: tensor<1x2x?xf32>, %o: tensor<1x2x?x33xf16>, %lse: tensor<1x2x?xf32>,
                    %do: tensor<1x2x?x33xf16>, %dq0: tensor<1x2x?x20xf16>,
                    %dk0: tensor<1x2x?x20xf16>, %dv0: tensor<1x2x?x33xf16>, %df0: tensor<1x2x?xf32>)
    -> (tensor<1x2x?x20xf16>, tensor<1x2x?x20xf16>, tensor<1x2x?x33xf16>, tensor<1x2x?xf32>) {
  %d:4 = fpa.attention_backward
    ins(%q, %k, %v : tensor<1x2x?x20xf16>, tensor<1x2x?x20xf16>, tensor<1x2x?x33xf16>)
    field(%f : tensor<1x2x?xf32>)
    saved(%o, %lse : tensor<1x2x?x33xf16>, tensor<1x2x?xf32>) gradient(%do : tensor<1x2x?x33xf16>)
    outs(%dq0, %dk0, %dv0, %df0 : tensor<1x2x?x20xf16>, tensor<1x2x?x20xf16>,
      tensor<1x2x?x33xf16>, tensor<1x2x?xf32>)
    -> tensor<1x2x?x20xf16>, tensor<1x2x?x20xf16>, tensor<1x2x?x33xf16>, tensor<1x2x?xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<1x2x?x20xf16>, tensor<1x2x?x20xf16>, tensor<1x2x?x33xf16>, tensor<1x2x?xf32>
}

// -----

// Of the two sizes one may be right; the scale that is given stays.

// CHECK-LABEL: func @backward_value(
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<1x1x8x32xf32>, %[[V:[a-z0-9]+]]: tensor<1x1x8x17xf32>
// CHECK-COUNT-3: tensor.pad %[[V]] low[0, 0, 0, 0] high[0, 0, 0, 15]
// CHECK-NOT:     tensor.pad
// CHECK:         %[[DV0:.*]] = tensor.empty() : tensor<1x1x8x32xf32>
// CHECK:         %[[D:.*]]:3 = fpa.attention_backward ins(%[[Q]], %[[Q]], %{{.*}} outs(%[[Q]], %[[Q]], %[[DV0]] : {{.*}}) {scale = 2.000000e+00 : f64}
// CHECK:         %[[DV:.*]] = tensor.extract_slice %[[D]]#2
// CHECK:         return %[[D]]#0, %[[D]]#1, %[[DV]]
func.func @backward_value(%q: tensor<1x1x8x32xf32>, %v: tensor<1x1x8x17xf32>,
                          %lse: tensor<1x1x8xf32>)
    -> (tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x8x17xf32>) {
  %d:3 = fpa.attention_backward
    ins(%q, %q, %v : tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x8x17xf32>)
    saved(%v, %lse : tensor<1x1x8x17xf32>, tensor<1x1x8xf32>) gradient(%v : tensor<1x1x8x17xf32>)
    outs(%q, %q, %v : tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x8x17xf32>)
    {scale = 2.0 : f64} -> tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x8x17xf32>
  return %d#0, %d#1, %d#2 : tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x8x17xf32>
}

// -----

// On what is not there nothing depends: gradients are 0.

// CHECK-LABEL: func @backward_no_rows(
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<1x1x0x1xf16>, %[[K:[a-z0-9]+]]: tensor<1x1x8x1xf16>, %[[F:[a-z0-9]+]]: tensor<1x1x8xf32>
// CHECK-NOT:     fpa.attention_backward
// CHECK:         %[[DQ:.*]] = linalg.fill ins(%{{.*}} : f16) outs(%[[Q]] :
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f16
// CHECK:         %[[DK:.*]] = linalg.fill ins(%[[ZERO]] : f16) outs(%[[K]] :
// CHECK:         %[[DV:.*]] = linalg.fill ins(%{{.*}} : f16) outs(%[[K]] :
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[DF:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[F]] :
// CHECK:         return %[[DQ]], %[[DK]], %[[DV]], %[[DF]]
func.func @backward_no_rows(%q: tensor<1x1x0x1xf16>, %k: tensor<1x1x8x1xf16>,
                            %f: tensor<1x1x8xf32>, %lse: tensor<1x1x0xf32>)
    -> (tensor<1x1x0x1xf16>, tensor<1x1x8x1xf16>, tensor<1x1x8x1xf16>, tensor<1x1x8xf32>) {
  %d:4 = fpa.attention_backward
    ins(%q, %k, %k : tensor<1x1x0x1xf16>, tensor<1x1x8x1xf16>, tensor<1x1x8x1xf16>)
    field(%f : tensor<1x1x8xf32>)
    saved(%q, %lse : tensor<1x1x0x1xf16>, tensor<1x1x0xf32>) gradient(%q : tensor<1x1x0x1xf16>)
    outs(%q, %k, %k, %f : tensor<1x1x0x1xf16>, tensor<1x1x8x1xf16>, tensor<1x1x8x1xf16>,
      tensor<1x1x8xf32>)
    -> tensor<1x1x0x1xf16>, tensor<1x1x8x1xf16>, tensor<1x1x8x1xf16>, tensor<1x1x8xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<1x1x0x1xf16>, tensor<1x1x8x1xf16>, tensor<1x1x8x1xf16>, tensor<1x1x8xf32>
}

// -----

// A cache may hold no key: new tokens see each other.
// CHECK-LABEL: func @cache(
// CHECK:         tensor.pad
// CHECK:         } : tensor<1x2x0x20xf16> to tensor<1x2x0x32xf16>
// CHECK:         fpa.cached_attention ins({{.*}} : tensor<1x2x1x32xf16>, tensor<1x2x1x32xf16>, tensor<1x2x1x32xf16>)
// CHECK:         tensor.extract_slice {{.*}} tensor<1x2x1x32xf16> to tensor<1x2x1x20xf16>
func.func @cache(%q: tensor<1x2x1x20xf16>, %f: tensor<1x2x1xf32>, %ck: tensor<1x2x0x20xf16>,
                 %cl: tensor<1x2x0xf32>, %n: tensor<1x2xi64>) -> tensor<1x2x1x20xf16> {
  %o = fpa.cached_attention ins(%q, %q, %q : tensor<1x2x1x20xf16>, tensor<1x2x1x20xf16>, tensor<1x2x1x20xf16>)
    field(%f : tensor<1x2x1xf32>)
    cache(%ck, %ck, %cl, %cl, %n : tensor<1x2x0x20xf16>, tensor<1x2x0x20xf16>, tensor<1x2x0xf32>, tensor<1x2x0xf32>, tensor<1x2xi64>)
    outs(%q : tensor<1x2x1x20xf16>) {scale = 0.5 : f64} -> tensor<1x2x1x20xf16>
  return %o : tensor<1x2x1x20xf16>
}
