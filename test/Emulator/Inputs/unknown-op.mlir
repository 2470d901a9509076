// A kernel with an op of newer chips.
gpu.module @kernels {
  llvm.func @k() attributes {nvvm.kernel} {
    nvvm.cluster.arrive
    llvm.return
  }
}
