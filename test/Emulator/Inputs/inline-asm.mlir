// A kernel with assembly.
gpu.module @kernels {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
    llvm.return
  }
}
