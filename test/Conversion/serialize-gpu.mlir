// RUN: fpa-opt %s --fpa-serialize-gpu | FileCheck %s
// RUN: fpa-opt %s --fpa-serialize-gpu=chip=sm_90 | FileCheck %s --check-prefix=HOPPER

// CHECK: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_80", features = "+ptx80">, assembly = "
// HOPPER: .target sm_90
gpu.module @kernels {
  // Dynamic shared memory is the launch's, not a byte of the kernel's.
  // CHECK: .extern .shared .align 128 .b8 dynamic[];
  llvm.mlir.global internal @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

  // CHECK: .visible .entry main(
  llvm.func @main(%x: !llvm.ptr, %n: i64) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %start = llvm.mlir.constant(1.0 : f32) : f32
    %shared = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    llvm.br ^loop(%zero, %start : i64, f32)
  ^loop(%i: i64, %sum: f32):
    // Loops are not unrolled.
    // CHECK: {{^|\\0A}}$L__BB0_1:
    // CHECK-COUNT-1: add.rn.f32
    // CHECK-NOT: add.rn.f32
    %at = llvm.getelementptr %shared[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    %value = llvm.load %at : !llvm.ptr<3> -> f32
    %next = llvm.fadd %sum, %value : f32
    %inext = llvm.add %i, %one : i64
    %more = llvm.icmp "slt" %inext, %n : i64
    llvm.cond_br %more, ^loop(%inext, %next : i64, f32), ^done
  ^done:
    // A NaN wins.
    // CHECK: max.NaN.f32
    // CHECK: min.NaN.f32
    %max = llvm.intr.maximum(%next, %value) : (f32, f32) -> f32
    %min = llvm.intr.minimum(%max, %sum) : (f32, f32) -> f32
    // CHECK: ex2.approx.ftz.f32
    %exp = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%min) : (f32) -> f32
    // CHECK: fma.rn.f32
    %fma = llvm.intr.fma(%exp, %max, %min) : (f32, f32, f32) -> f32
    // Two at once.
    // CHECK: cvt.rn.f16x2.f32
    %empty = llvm.mlir.poison : vector<2xf32>
    %i0 = llvm.mlir.constant(0 : i32) : i32
    %i1 = llvm.mlir.constant(1 : i32) : i32
    %v0 = llvm.insertelement %fma, %empty[%i0 : i32] : vector<2xf32>
    %v1 = llvm.insertelement %exp, %v0[%i1 : i32] : vector<2xf32>
    %half = llvm.fptrunc %v1 : vector<2xf32> to vector<2xf16>
    llvm.store %half, %x {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr
    // CHECK: cvt.rn.bf16x2.f32
    %bhalf = llvm.fptrunc %v1 : vector<2xf32> to vector<2xbf16>
    %x1 = llvm.getelementptr %x[1] : (!llvm.ptr) -> !llvm.ptr, i32
    // CHECK: st.global
    llvm.store %bhalf, %x1 {alignment = 4 : i64} : vector<2xbf16>, !llvm.ptr
    llvm.return
  }
}
