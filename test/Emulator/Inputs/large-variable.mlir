gpu.module @kernels {
  llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
    %count = llvm.mlir.constant(131073 : i64) : i64
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %own = llvm.alloca %count x f32 : (i64) -> !llvm.ptr
    llvm.store volatile %one, %own : f32, !llvm.ptr
    llvm.return
  }
}
