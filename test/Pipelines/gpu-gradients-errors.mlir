// What GPUs have no gradients of is refused in one line, by the tools too.
// RUN: fpa-opt %s --fpa-gpu-pipeline -verify-diagnostics
// RUN: not fpa-run %s --target=emulator 2>&1 | FileCheck %s
// CHECK: {{^}}fpa-run: error: {{.*}} 'fpa.attention_backward' op expected an element type f16, bf16 or f32 on a GPU, got f64{{$}}
// CHECK-NOT: {{.}}

func.func @main(%q: tensor<1x1x8x16xf64>, %lse: tensor<1x1x8xf64>) -> tensor<1x1x8x16xf64> {
  // expected-error@+1 {{expected an element type f16, bf16 or f32 on a GPU, got f64}}
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>)
    saved(%q, %lse : tensor<1x1x8x16xf64>, tensor<1x1x8xf64>) gradient(%q : tensor<1x1x8x16xf64>)
    outs(%q, %q, %q : tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>)
    -> tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>, tensor<1x1x8x16xf64>
  return %d#0 : tensor<1x1x8x16xf64>
}
