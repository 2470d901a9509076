// RUN: fpa-opt %s --fpa-merge-kernels -verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @first {
    // expected-error @below {{expected a module of kernels only}}
    func.func @helper() {
      return
    }
  }
}
