// An unmodified mlir-opt learns the dialect and the passes from one plugin and
// runs them between its own.

// RUN: mlir-opt %s --load-dialect-plugin=%fpa_lib_dir/FpaPlugin.so \
// RUN:   --load-pass-plugin=%fpa_lib_dir/FpaPlugin.so \
// RUN:   --pass-pipeline='builtin.module(inline,func.func(canonicalize),fpa-decompose,cse)' \
// RUN:   | FileCheck %s
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not mlir-opt %s --load-dialect-plugin=%fpa_lib_dir/FpaPlugin.so \
// RUN:   --pass-pipeline='builtin.module(fpa-decompose)' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-PASSES

// WITHOUT: Dialect `fpa' not found
// NO-PASSES: 'fpa-decompose' does not refer to a registered pass

func.func private @minima(%x: tensor<4x?xf32>, %init: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %m = fpa.prefix_min axis(1) reverse ins(%x : tensor<4x?xf32>)
    outs(%init : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %m : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @twice
// CHECK-NOT: call
// CHECK: fpa.prefix_min axis(1) reverse ins
// CHECK-NOT: fpa.prefix_min
// CHECK: return
func.func @twice(%x: tensor<4x?xf32>, %init: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
  %a = call @minima(%x, %init) : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %b = call @minima(%x, %init) : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return %a, %b : tensor<4x?xf32>, tensor<4x?xf32>
}

// CHECK-LABEL: func.func @attend
// CHECK-NOT: fpa.
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: return
func.func @attend(%q: tensor<1x2x?x8xf32>, %f: tensor<1x2x?xf32>, %init: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
  %o = fpa.attention
    ins(%q, %q, %q : tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>)
    field(%f : tensor<1x2x?xf32>) outs(%init : tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32>
  return %o : tensor<1x2x?x8xf32>
}
