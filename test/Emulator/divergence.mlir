// RUN: not %emulate %s --kernel=half_barrier --block=64 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ENDED
// RUN: not %emulate %s --kernel=two_barriers --block=64 \
// RUN:   --arg=out:64xf32 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not %emulate %s --kernel=half_shuffle --block=32 --arg=out:32xf32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HALF
// RUN: not %emulate %s --kernel=two_shuffles --block=32 --arg=out:32xf32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHUFFLES
// RUN: not %emulate %s --kernel=barrier_and_shuffle --block=32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MIXED
// RUN: %emulate %s --kernel=masked_shuffles --block=32 --arg=out:32xi32 \
// RUN:   | FileCheck %s --check-prefix=MASKED
// RUN: not %emulate %s --kernel=outside --block=32 --arg=out:32xi32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OUTSIDE

gpu.module @kernels {
  // ENDED: error: {{.*}}divergence.mlir:[[#@LINE+6]]:7: kernel 'half_barrier', block (0, 0, 0), thread (0, 0, 0): nvvm.barrier{{0?}} waits for thread (40, 0, 0), which has ended
  gpu.func @half_barrier() kernel {
    %c40 = arith.constant 40 : index
    %thread = gpu.thread_id x
    %some = arith.cmpi ult, %thread, %c40 : index
    scf.if %some {
      gpu.barrier
    }
    gpu.return
  }

  // TWO: kernel 'two_barriers', block (0, 0, 0), thread (16, 0, 0): nvvm.barrier{{0?}} is not where other threads of the block wait, nvvm.barrier{{0?}} at {{.*}}divergence.mlir
  gpu.func @two_barriers(%out: memref<64xf32>) kernel {
    %c16 = arith.constant 16 : index
    %x = arith.constant 1.0 : f32
    %thread = gpu.thread_id x
    %some = arith.cmpi ult, %thread, %c16 : index
    scf.if %some {
      gpu.barrier
      memref.store %x, %out[%thread] : memref<64xf32>
    } else {
      gpu.barrier
    }
    gpu.return
  }

  // HALF: kernel 'half_shuffle', block (0, 0, 0), thread (0, 0, 0): nvvm.shfl.sync waits for lane 16, which has ended
  gpu.func @half_shuffle(%out: memref<32xf32>) kernel {
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %x = arith.constant 1.0 : f32
    %thread = gpu.thread_id x
    %some = arith.cmpi ult, %thread, %c16 : index
    scf.if %some {
      %y, %valid = gpu.shuffle xor %x, %c1, %c32 : f32
      memref.store %y, %out[%thread] : memref<32xf32>
    }
    gpu.return
  }

  // SHUFFLES: kernel 'two_shuffles', block (0, 0, 0), thread (16, 0, 0): nvvm.shfl.sync waits for lane 0, which waits at nvvm.shfl.sync at
  gpu.func @two_shuffles(%out: memref<32xf32>) kernel {
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %x = arith.constant 1.0 : f32
    %thread = gpu.thread_id x
    %some = arith.cmpi ult, %thread, %c16 : index
    %r = scf.if %some -> f32 {
      %y, %valid = gpu.shuffle xor %x, %c1, %c32 : f32
      scf.yield %y : f32
    } else {
      %y, %valid = gpu.shuffle down %x, %c1, %c32 : f32
      scf.yield %y : f32
    }
    memref.store %r, %out[%thread] : memref<32xf32>
    gpu.return
  }

  // MIXED: kernel 'barrier_and_shuffle', block (0, 0, 0), thread (16, 0, 0): nvvm.bar.warp.sync waits for lane 0, which waits at nvvm.barrier
  gpu.func @barrier_and_shuffle() kernel {
    %c16 = arith.constant 16 : index
    %mask = arith.constant -1 : i32
    %thread = gpu.thread_id x
    %some = arith.cmpi ult, %thread, %c16 : index
    scf.if %some {
      gpu.barrier
    } else {
      nvvm.bar.warp.sync %mask : i32
    }
    gpu.return
  }

  // Halves of a warp may go their own ways.
  // MASKED: 32xi32
  // MASKED-NEXT: 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 17 16 19 18
  gpu.func @masked_shuffles(%out: memref<32xi32>) kernel {
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : i32
    %c15 = arith.constant 15 : i32
    %clamp = arith.constant 31 : i32
    %low = arith.constant 0xffff : i32
    %high = arith.constant 0xffff0000 : i32
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %some = arith.cmpi ult, %thread, %c16 : index
    %r = scf.if %some -> i32 {
      %y = nvvm.shfl.sync bfly %low, %i, %c15, %clamp : i32 -> i32
      scf.yield %y : i32
    } else {
      %y = nvvm.shfl.sync bfly %high, %i, %c1, %clamp : i32 -> i32
      scf.yield %y : i32
    }
    memref.store %r, %out[%thread] : memref<32xi32>
    gpu.return
  }

  // OUTSIDE: kernel 'outside', block (0, 0, 0), thread (16, 0, 0): nvvm.shfl.sync names other lanes, but not lane 16, which runs it
  gpu.func @outside(%out: memref<32xi32>) kernel {
    %c1 = arith.constant 1 : i32
    %clamp = arith.constant 31 : i32
    %low = arith.constant 0xffff : i32
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %y = nvvm.shfl.sync bfly %low, %i, %c1, %clamp : i32 -> i32
    memref.store %y, %out[%thread] : memref<32xi32>
    gpu.return
  }
}
