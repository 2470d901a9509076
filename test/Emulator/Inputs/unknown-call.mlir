gpu.module @kernels {
  llvm.func @vprintf()
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.call @vprintf() : () -> ()
    llvm.return
  }
}
