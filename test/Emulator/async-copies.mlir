// RUN: %emulate %s --kernel=double_buffer --block=32 --arg=4x128xf32:ramp \
// RUN:   --arg=out:128xf32 --stats | FileCheck %s
// RUN: %emulate %s --kernel=zero_fill --block=32 --arg=128xf32:ones \
// RUN:   --arg=out:128xf32 | FileCheck %s --check-prefix=FILL
// RUN: not %emulate %s --kernel=too_early --block=32 --arg=128xf32:ramp \
// RUN:   --arg=out:128xf32 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not %emulate %s --kernel=wrong_group --block=32 --arg=128xf32:ramp \
// RUN:   --arg=out:128xf32 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not %emulate %s --kernel=no_barrier --block=32 --arg=128xf32:ramp \
// RUN:   --arg=out:128xf32 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: not %emulate %s --kernel=source_changed --block=32 \
// RUN:   --arg=inout:128xf32:ramp --arg=out:128xf32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SOURCE
// RUN: not %emulate %s --kernel=overwritten --block=64 --arg=128xf32:ramp \
// RUN:   2>&1 | FileCheck %s --check-prefix=OVERWRITTEN

!shared = memref<2x128xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // The sum of four rows, of which the next is on its way while one is added.
  // CHECK: cp.async 4
  // CHECK: cp.async 4 instructions, 16 wavefronts, least 16
  // CHECK: loads 4 instructions, 64 sectors, different in a block 64, in the launch 64
  // CHECK: 128xf32
  // CHECK-NEXT: 768 772 776
  gpu.func @double_buffer(%in: memref<4x128xf32>, %out: memref<128xf32>)
      workgroup(%s: !shared) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %thread = gpu.thread_id x
    %column = arith.muli %thread, %c4 : index
    %t0 = nvgpu.device_async_copy %in[%c0, %column], %s[%c0, %column], 4
      : memref<4x128xf32> to !shared
    %g0 = nvgpu.device_async_create_group %t0
    %sum = scf.for %row = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> vector<4xf32> {
      %after = arith.addi %row, %c1 : index
      %next = arith.minui %after, %c3 : index
      %slot = arith.remui %row, %c2 : index
      %other = arith.remui %after, %c2 : index
      gpu.barrier
      %more = arith.cmpi ult, %row, %c3 : index
      scf.if %more {
        %t = nvgpu.device_async_copy %in[%next, %column], %s[%other, %column], 4
          : memref<4x128xf32> to !shared
      }
      %g = nvgpu.device_async_create_group
      nvgpu.device_async_wait %g {numGroups = 1 : i32}
      gpu.barrier
      // Of a neighbour, which another thread copied.
      %x = vector.load %s[%slot, %column] : !shared, vector<4xf32>
      %add = arith.addf %acc, %x : vector<4xf32>
      scf.yield %add : vector<4xf32>
    }
    vector.store %sum, %out[%column] : memref<128xf32>, vector<4xf32>
    gpu.return
  }

  // FILL: 128xf32
  // FILL-NEXT: 1 1 1 0 1 1 1 0
  gpu.func @zero_fill(%in: memref<128xf32>, %out: memref<128xf32>)
      workgroup(%s: !shared) kernel {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %thread = gpu.thread_id x
    %column = arith.muli %thread, %c4 : index
    %t = nvgpu.device_async_copy %in[%column], %s[%c0, %column], 4, %c3
      : memref<128xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    %x = vector.load %s[%c0, %column] : !shared, vector<4xf32>
    vector.store %x, %out[%column] : memref<128xf32>, vector<4xf32>
    gpu.return
  }

  // EARLY: kernel 'too_early', block (0, 0, 0), thread (0, 0, 0): llvm.load of 4 bytes at shared memory + 0 before it is waited for: the destination of nvvm.cp.async.shared.global at {{.*}}async-copies.mlir:{{[0-9:]+}} of thread (0, 0, 0){{$}}
  gpu.func @too_early(%in: memref<128xf32>, %out: memref<128xf32>)
      workgroup(%s: !shared) kernel {
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %t = nvgpu.device_async_copy %in[%thread], %s[%c0, %thread], 1
      : memref<128xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    gpu.barrier
    %x = memref.load %s[%c0, %thread] : !shared
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    memref.store %x, %out[%thread] : memref<128xf32>
    gpu.return
  }

  // GROUP: kernel 'wrong_group', block (0, 0, 0), thread (0, 0, 0): llvm.load of 4 bytes at shared memory + 0 before it is waited for
  gpu.func @wrong_group(%in: memref<128xf32>, %out: memref<128xf32>)
      workgroup(%s: !shared) kernel {
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %t = nvgpu.device_async_copy %in[%thread], %s[%c0, %thread], 1
      : memref<128xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g {numGroups = 1 : i32}
    gpu.barrier
    %x = memref.load %s[%c0, %thread] : !shared
    memref.store %x, %out[%thread] : memref<128xf32>
    gpu.return
  }

  // A wait is for the thread's own copies: others need a barrier after it.
  // BARRIER: kernel 'no_barrier', block (0, 0, 0), thread ({{.*}}, 0, 0): llvm.load of 4 bytes at shared memory + {{[0-9]+}} in a race with nvvm.cp.async.shared.global
  gpu.func @no_barrier(%in: memref<128xf32>, %out: memref<128xf32>)
      workgroup(%s: !shared) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %other = arith.xori %thread, %c1 : index
    %t = nvgpu.device_async_copy %in[%thread], %s[%c0, %thread], 1
      : memref<128xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    gpu.barrier
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %y, %valid = gpu.shuffle xor %one, %one, %width : i32
    %x = memref.load %s[%c0, %other] : !shared
    %f = arith.sitofp %y : i32 to f32
    %z = arith.addf %x, %f : f32
    memref.store %z, %out[%thread] : memref<128xf32>
    gpu.return
  }

  // SOURCE: kernel 'source_changed', block (0, 0, 0), thread (0, 0, 0): nvvm.cp.async.shared.global of 4 bytes at shared memory + 0 whose source was overwritten before it was waited for
  gpu.func @source_changed(%in: memref<128xf32>, %out: memref<128xf32>)
      workgroup(%s: !shared) kernel {
    %c0 = arith.constant 0 : index
    %x = arith.constant -1.0 : f32
    %thread = gpu.thread_id x
    %t = nvgpu.device_async_copy %in[%thread], %s[%c0, %thread], 1
      : memref<128xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    memref.store %x, %in[%thread] : memref<128xf32>
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    gpu.return
  }

  // A copy begins into what another thread still reads.
  // OVERWRITTEN: kernel 'overwritten', block (0, 0, 0), thread (32, 0, 0): nvvm.cp.async.shared.global of 4 bytes at shared memory + 128 in a race with llvm.load
  gpu.func @overwritten(%in: memref<128xf32>) workgroup(%s: !shared) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c63 = arith.constant 63 : index
    %thread = gpu.thread_id x
    %x = arith.constant 1.0 : f32
    memref.store %x, %s[%c0, %thread] : !shared
    gpu.barrier
    %reads = arith.cmpi ult, %thread, %c32 : index
    scf.if %reads {
      %other = arith.subi %c63, %thread : index
      %y = memref.load %s[%c0, %other] : !shared
      memref.store %y, %s[%c0, %thread] : !shared
    } else {
      %t = nvgpu.device_async_copy %in[%thread], %s[%c0, %thread], 1
        : memref<128xf32> to !shared
      %g = nvgpu.device_async_create_group %t
      nvgpu.device_async_wait %g {numGroups = 0 : i32}
    }
    gpu.return
  }
}
