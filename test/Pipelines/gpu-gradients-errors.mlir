// There are no kernels for gradients yet: refused in one line, by the tools too.
// RUN: fpa-opt %s --fpa-gpu-pipeline -verify-diagnostics
// RUN: not fpa-run %s --target=emulator 2>&1 | FileCheck %s
// CHECK: {{^}}fpa-run: error: {{.*}} 'fpa.attention_backward' op expected a CPU as target, got sm_80: gradients have no kernels yet{{$}}
// CHECK-NOT: {{.}}

func.func @main(%q: tensor<1x1x8x16xf16>, %lse: tensor<1x1x8xf32>) -> tensor<1x1x8x16xf16> {
  // expected-error@+1 {{expected a CPU as target, got sm_80: gradients have no kernels yet}}
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>)
    saved(%q, %lse : tensor<1x1x8x16xf16>, tensor<1x1x8xf32>) gradient(%q : tensor<1x1x8x16xf16>)
    outs(%q, %q, %q : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>)
    -> tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>
  return %d#0 : tensor<1x1x8x16xf16>
}
