// RUN: %emulate %s --kernel=first --block=32 --arg=out:32xf32
// RUN: %emulate %s --kernel=second --block=32 --arg=out:32xf32

// Two kernels that name one variable have one each, and as many bytes.

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x f32>

  llvm.func @first(%out: !llvm.ptr<1>, %o: !llvm.ptr<1>, %f: i64, %n: i64, %s: i64) attributes {gpu.kernel, nvvm.kernel} {
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %x = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store %x, %p : f32, !llvm.ptr<3>
    %y = llvm.load %p : !llvm.ptr<3> -> f32
    %q = llvm.getelementptr %o[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %y, %q : f32, !llvm.ptr<1>
    llvm.return
  }

  llvm.func @second(%out: !llvm.ptr<1>, %o: !llvm.ptr<1>, %f: i64, %n: i64, %s: i64) attributes {gpu.kernel, nvvm.kernel} {
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %x = llvm.mlir.constant(2.0 : f32) : f32
    llvm.store %x, %p : f32, !llvm.ptr<3>
    %y = llvm.load %p : !llvm.ptr<3> -> f32
    %q = llvm.getelementptr %o[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %y, %q : f32, !llvm.ptr<1>
    llvm.return
  }
}
