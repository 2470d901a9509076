// RUN: fpa-opt %s --fpa-merge-kernels | FileCheck %s

// A name that is taken gets another number.

// CHECK-LABEL: func.func @main
//       CHECK:   gpu.launch_func @kernels::@work blocks
//       CHECK:   gpu.launch_func @kernels::@[[OTHER:work_[0-9]+]] blocks
//       CHECK:   gpu.launch_func @kernels::@more blocks
//   CHECK-NOT: gpu.module @first
//       CHECK: gpu.module @kernels
//       CHECK:   gpu.func @work(%{{.*}}: f32)
//   CHECK-DAG:   gpu.func @[[OTHER]](%{{.*}}: index)
//   CHECK-DAG:   gpu.func @more
//   CHECK-NOT: gpu.module
module attributes {gpu.container_module} {
  func.func @main(%n: index, %x: f32) {
    gpu.launch_func @kernels::@work blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : f32)
    gpu.launch_func @first::@work blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    gpu.launch_func @second::@more blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
  gpu.module @first {
    gpu.func @work(%n: index) kernel {
      gpu.return
    }
  }
  gpu.module @kernels {
    gpu.func @work(%x: f32) kernel {
      gpu.return
    }
  }
  gpu.module @second {
    gpu.func @more() kernel {
      gpu.return
    }
  }
}
