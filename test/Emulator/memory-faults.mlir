// RUN: not %emulate %s --kernel=past_end --block=32 --arg=31xf32 \
// RUN:   --arg=out:32xf32 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: not %emulate %s --kernel=before_begin --block=32 --arg=out:32xf32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BEFORE
// RUN: not %emulate %s --kernel=shared --block=32 --shared=124 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHARED
// RUN: %emulate %s --kernel=shared --block=32 --shared=128
// RUN: not %emulate %s --kernel=unwritten_shared --block=32 \
// RUN:   --arg=out:32xf32 2>&1 | FileCheck %s --check-prefix=UNWRITTEN-SHARED
// RUN: not %emulate %s --kernel=past_end --block=32 --arg=32xf32:undefined \
// RUN:   --arg=out:32xf32 2>&1 | FileCheck %s --check-prefix=UNWRITTEN-GLOBAL
// RUN: not %emulate %s --kernel=past_end --block=16 --arg=32xf32 \
// RUN:   --arg=out:32xf32 2>&1 | FileCheck %s --check-prefix=UNWRITTEN-OUTPUT
// RUN: not %emulate %s --kernel=misaligned --block=32 --arg=40xf32 \
// RUN:   --arg=out:32xf32 2>&1 | FileCheck %s --check-prefix=MISALIGNED
// RUN: not %emulate %s --kernel=wild --block=1 --arg=4xf32 --arg=i64:3735928560 \
// RUN:   2>&1 | FileCheck %s --check-prefix=WILD
// RUN: not %emulate %s --kernel=wild --block=1 --arg=4xf32 --arg=i64:-16 \
// RUN:   2>&1 | FileCheck %s --check-prefix=HIGH
// RUN: not %emulate %s --kernel=wild --block=1 --arg=4xf32 --arg=i64:0 \
// RUN:   2>&1 | FileCheck %s --check-prefix=NULL
// RUN: not %emulate %s --kernel=wild --block=1 --arg=4xf32 --arg=i64:2749 \
// RUN:   2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not %emulate %s --kernel=many_blocks --block=32 --grid=64 --threads=4 \
// RUN:   --arg=out:2048xf32 2>&1 | FileCheck %s --check-prefix=FIRST

gpu.module @kernels {
  // GLOBAL: error: {{.*}}memory-faults.mlir:[[#@LINE+5]]:10: kernel 'past_end', block (0, 0, 0), thread (31, 0, 0): llvm.load of 4 bytes at allocation 0 + 124 outside of its 124 bytes
  // UNWRITTEN-GLOBAL: kernel 'past_end', block (0, 0, 0), thread (0, 0, 0): llvm.load of 4 bytes at allocation 0 + 0 that nobody has written
  // UNWRITTEN-OUTPUT: error: argument 1 of kernel 'past_end': copy from the device: expected 128 bytes that were written, got none at byte 64
  gpu.func @past_end(%in: memref<?xf32>, %out: memref<32xf32>) kernel {
    %thread = gpu.thread_id x
    %x = memref.load %in[%thread] : memref<?xf32>
    memref.store %x, %out[%thread] : memref<32xf32>
    gpu.return
  }

  // BEFORE: kernel 'before_begin', block (0, 0, 0), thread (0, 0, 0): llvm.store of 4 bytes at allocation 0 - 4 outside of its 128 bytes{{$}}
  gpu.func @before_begin(%out: memref<32xf32>) kernel {
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %before = arith.subi %thread, %c1 : index
    %x = arith.constant 1.0 : f32
    memref.store %x, %out[%before] : memref<32xf32>
    gpu.return
  }

  // SHARED: kernel 'shared', block (0, 0, 0), thread (31, 0, 0): llvm.store of 4 bytes at shared memory + 124 outside of the block's 124 bytes
  gpu.func @shared() kernel {
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %s = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>>
      to memref<32xf32, #gpu.address_space<workgroup>>
    %x = arith.constant 1.0 : f32
    memref.store %x, %s[%thread] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // UNWRITTEN-SHARED: kernel 'unwritten_shared', block (0, 0, 0), thread (7, 0, 0): llvm.load of 4 bytes at shared memory + 28 that nobody has written
  gpu.func @unwritten_shared(%out: memref<32xf32>)
      workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %c7 = arith.constant 7 : index
    %thread = gpu.thread_id x
    %x = arith.constant 1.0 : f32
    %write = arith.cmpi ne, %thread, %c7 : index
    scf.if %write {
      memref.store %x, %s[%thread] : memref<32xf32, #gpu.address_space<workgroup>>
    }
    %y = memref.load %s[%thread] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %y, %out[%thread] : memref<32xf32>
    gpu.return
  }

  // MISALIGNED: kernel 'misaligned', block (0, 0, 0), thread (1, 0, 0): llvm.load of 16 bytes at allocation 0 + 4 whose address is no multiple of 16
  gpu.func @misaligned(%in: memref<40xf32>, %out: memref<32xf32>) kernel {
    %thread = gpu.thread_id x
    %x = vector.load %in[%thread] {alignment = 16} : memref<40xf32>, vector<4xf32>
    %y = vector.reduction <add>, %x : vector<4xf32> into f32
    memref.store %y, %out[%thread] : memref<32xf32>
    gpu.return
  }

  // Addresses that are near no memory.
  // WILD: kernel 'wild', block (0, 0, 0), thread (0, 0, 0): llvm.store of 8 bytes at address 0xdeadbef0 outside of every allocation{{$}}
  // HIGH: llvm.store of 8 bytes at address 0xfffffffffffffff0 outside of every allocation{{$}}
  // NULL: llvm.store of 8 bytes at address 0x0 outside of every allocation{{$}}
  // ODD: llvm.store of 8 bytes at address 0xabd whose address is no multiple of {{[48]}}{{$}}
  gpu.func @wild(%in: memref<4xf32>, %place: i64) kernel {
    %p = llvm.inttoptr %place : i64 to !llvm.ptr<1>
    llvm.store %place, %p : i64, !llvm.ptr<1>
    gpu.return
  }

  // Blocks 5 and on fail, on any host thread; the first of them is reported.
  // FIRST: kernel 'many_blocks', block (5, 0, 0), thread (0, 0, 0): llvm.store of 4 bytes at allocation 0 + 8192 outside of its 8192 bytes
  gpu.func @many_blocks(%out: memref<2048xf32>) kernel {
    %c5 = arith.constant 5 : index
    %c32 = arith.constant 32 : index
    %c2048 = arith.constant 2048 : index
    %x = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %start = arith.muli %block, %c32 : index
    %good = arith.addi %start, %thread : index
    %bad = arith.addi %thread, %c2048 : index
    %fine = arith.cmpi ult, %block, %c5 : index
    %i = arith.select %fine, %good, %bad : index
    memref.store %x, %out[%i] : memref<2048xf32>
    gpu.return
  }
}
