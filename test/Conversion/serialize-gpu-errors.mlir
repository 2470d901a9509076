// RUN: fpa-opt %s --fpa-serialize-gpu -verify-diagnostics -split-input-file
// RUN: not fpa-opt %s --fpa-serialize-gpu=chip=sm_75 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: expected a chip among sm_80, sm_86, sm_89, sm_90, sm_100, sm_120, got 'sm_75'
// CHIP-NOT: current operation
// RUN: not fpa-opt %s --fpa-serialize-gpu=format=fatbin 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: expected format isa (PTX) or cubin, got 'fatbin'
// FORMAT-NOT: current operation
// RUN: echo "gpu.module @k { llvm.func @f() attributes {nvvm.kernel} { llvm.return } }" > %t.mlir
// RUN: not fpa-opt %t.mlir --fpa-serialize-gpu="format=cubin toolkit=%t.none" 2>&1 | FileCheck %s --check-prefix=TOOLKIT
// TOOLKIT: error: machine code for sm_80 needs ptxas of a CUDA toolkit of version 12.0 or later, found none in '{{.*}}.none/bin'
// TOOLKIT-NOT: current operation

// expected-error @below {{expected functions that the GPU has instructions for, got a call of '__nv_tanf'}}
gpu.module @library {
  llvm.func @__nv_tanf(f32) -> f32
  llvm.func @main(%x: !llvm.ptr) attributes {nvvm.kernel} {
    %value = llvm.load %x : !llvm.ptr -> f32
    %y = llvm.call @__nv_tanf(%value) : (f32) -> f32
    llvm.store %y, %x : f32, !llvm.ptr
    llvm.return
  }
}

// -----

// expected-error-re @below {{{{.*}}'arith.addf' was not lowered by the GPU pipeline}}
gpu.module @unlowered {
  llvm.func @main(%x: f32) attributes {nvvm.kernel} {
    %y = arith.addf %x, %x : f32
    llvm.return
  }
}
