// RUN: %emulate %s --kernel=functions --block=4 --arg=4xf32:0.5,1,3,-2 \
// RUN:   --arg=out:8x4xf32 | FileCheck %s --check-prefix=FUNCTIONS
// RUN: %emulate %s --kernel=intrinsics --block=4 --arg=4xf32:0.5,1,3,-2 \
// RUN:   --arg=out:8x4xf32 | FileCheck %s --check-prefix=INTRINSICS
// RUN: %emulate %s --kernel=bf16 --block=8 --arg=out:8xbf16 \
// RUN:   --arg=8xf32:1.00390625,1.01171875,3.4e38,1e-40,-0.0,nan,inf,-1e-45 \
// RUN:   | FileCheck %s --check-prefix=BF16
// RUN: %emulate %s --kernel=pairs --block=1 --arg=out:2xf16 --arg=out:2xbf16 \
// RUN:   | FileCheck %s --check-prefix=PAIRS

gpu.module @kernels {
  // FUNCTIONS: 8x4xf32
  // FUNCTIONS-NEXT: {{^}}1.41421 2 8 0.25
  // FUNCTIONS-NEXT: {{^}}1.64872 2.71828 20.0855 0.135335
  // FUNCTIONS-NEXT: {{^}}-1 0 1.58496 {{-?}}nan
  // FUNCTIONS-NEXT: {{^}}0.5 1 3 2
  // FUNCTIONS-NEXT: {{^}}0.5 1 1 -2
  // FUNCTIONS-NEXT: {{^}}1 1 3 1
  // FUNCTIONS-NEXT: {{^}}0.75 2 12 2
  // FUNCTIONS-NEXT: {{^}}0 1 3 -2
  gpu.func @functions(%in: memref<4xf32>, %out: memref<8x4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %one = arith.constant 1.0 : f32
    %thread = gpu.thread_id x
    %x = memref.load %in[%thread] : memref<4xf32>
    %0 = math.exp2 %x : f32
    %1 = math.exp %x : f32
    %2 = math.log2 %x : f32
    %3 = math.absf %x : f32
    %4 = arith.minimumf %x, %one : f32
    %5 = arith.maxnumf %x, %one : f32
    %6 = math.fma %x, %x, %x : f32
    %7 = math.floor %x : f32
    memref.store %0, %out[%c0, %thread] : memref<8x4xf32>
    memref.store %1, %out[%c1, %thread] : memref<8x4xf32>
    memref.store %2, %out[%c2, %thread] : memref<8x4xf32>
    memref.store %3, %out[%c3, %thread] : memref<8x4xf32>
    memref.store %4, %out[%c4, %thread] : memref<8x4xf32>
    memref.store %5, %out[%c5, %thread] : memref<8x4xf32>
    memref.store %6, %out[%c6, %thread] : memref<8x4xf32>
    memref.store %7, %out[%c7, %thread] : memref<8x4xf32>
    gpu.return
  }

  // INTRINSICS: 8x4xf32
  // INTRINSICS-NEXT: {{^}}1.41421 2 8 0.25
  // INTRINSICS-NEXT: {{^}}-1 0 1.58496 {{-?}}nan
  // INTRINSICS-NEXT: {{^}}2 1 0.333333 -0.5
  // INTRINSICS-NEXT: {{^}}0.707107 1 1.73205 {{-?}}nan
  // INTRINSICS-NEXT: {{^}}1.41421 1 0.57735 {{-?}}nan
  // INTRINSICS-NEXT: {{^}}0.5 1 1 -2
  // INTRINSICS-NEXT: {{^}}1 1 3 1
  // INTRINSICS-NEXT: {{^}}2 1 0.333333 -0.5
  gpu.func @intrinsics(%in: memref<4xf32>, %out: memref<8x4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %one = arith.constant 1.0 : f32
    %thread = gpu.thread_id x
    %x = memref.load %in[%thread] : memref<4xf32>
    %0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%x) : (f32) -> f32
    %1 = llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"(%x) : (f32) -> f32
    %2 = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%x) : (f32) -> f32
    %3 = llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"(%x) : (f32) -> f32
    %4 = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"(%x) : (f32) -> f32
    %5 = llvm.call_intrinsic "llvm.nvvm.fmin.nan.f"(%x, %one) : (f32, f32) -> f32
    %6 = llvm.call_intrinsic "llvm.nvvm.fmax.ftz.f"(%x, %one) : (f32, f32) -> f32
    %7 = nvvm.rcp.approx.ftz.f %x : f32
    memref.store %0, %out[%c0, %thread] : memref<8x4xf32>
    memref.store %1, %out[%c1, %thread] : memref<8x4xf32>
    memref.store %2, %out[%c2, %thread] : memref<8x4xf32>
    memref.store %3, %out[%c3, %thread] : memref<8x4xf32>
    memref.store %4, %out[%c4, %thread] : memref<8x4xf32>
    memref.store %5, %out[%c5, %thread] : memref<8x4xf32>
    memref.store %6, %out[%c6, %thread] : memref<8x4xf32>
    memref.store %7, %out[%c7, %thread] : memref<8x4xf32>
    gpu.return
  }

  // Halves go to even, subnormal numbers stay.
  // BF16: 8xbf16
  // BF16-NEXT: {{^}}1 1.01562 inf 9.18355e-41 -0 {{-?}}nan inf -0
  gpu.func @bf16(%out: memref<8xbf16>, %in: memref<8xf32>) kernel {
    %thread = gpu.thread_id x
    %x = memref.load %in[%thread] : memref<8xf32>
    %y = arith.truncf %x : f32 to bf16
    memref.store %y, %out[%thread] : memref<8xbf16>
    gpu.return
  }

  // PAIRS: 2xf16
  // PAIRS-NEXT: {{^}}1.5 -3{{$}}
  // PAIRS: 2xbf16
  // PAIRS-NEXT: {{^}}1.5 -3{{$}}
  gpu.func @pairs(%half: memref<2xf16>, %bfloat: memref<2xbf16>) kernel {
    %c0 = arith.constant 0 : index
    %low = arith.constant 1.5 : f32
    %high = arith.constant -3.0 : f32
    %a = nvvm.convert.f32x2.to.f16x2 %high, %low {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
    %b = llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"(%high, %low) : (f32, f32) -> vector<2xbf16>
    vector.store %a, %half[%c0] : memref<2xf16>, vector<2xf16>
    vector.store %b, %bfloat[%c0] : memref<2xbf16>, vector<2xbf16>
    gpu.return
  }
}
