// RUN: fpa-opt %s --fpa-merge-kernels -split-input-file | FileCheck %s

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

// -----

// So does the module's own, which a function may have.

// CHECK-LABEL: func.func @kernels
//       CHECK:   gpu.launch_func @kernels_1::@work blocks
//       CHECK: gpu.module @kernels_1
//       CHECK:   gpu.func @work
module attributes {gpu.container_module} {
  func.func @kernels(%n: index) {
    gpu.launch_func @first::@work blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
  func.func private @kernels_0()
  gpu.module @first {
    gpu.func @work() kernel {
      gpu.return
    }
  }
}
