gpu.module @kernels {
  llvm.func @two(%a: !llvm.ptr, %b: !llvm.ptr, %offset: i64, %size: i64, %stride: i64) attributes {nvvm.kernel} {
    llvm.return
  }
}
