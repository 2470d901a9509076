// RUN: not %emulate %s --kernel=local --block=32 --arg=out:32xf32 2>&1 | FileCheck %s
// RUN: %emulate %s --kernel=local --block=8 --arg=out:8xf32

gpu.module @kernels {
  // CHECK: error: {{.*}}local-memory.mlir:[[#@LINE+5]]:5: kernel 'local', block (0, 0, 0), thread (8, 0, 0): llvm.store of 4 bytes at local memory + 32 outside of its 32 bytes
  gpu.func @local(%out: memref<?xf32>) kernel {
    %thread = gpu.thread_id x
    %x = arith.constant 1.0 : f32
    %own = memref.alloca() : memref<8xf32>
    memref.store %x, %own[%thread] : memref<8xf32>
    %y = memref.load %own[%thread] : memref<8xf32>
    memref.store %y, %out[%thread] : memref<?xf32>
    gpu.return
  }
}
