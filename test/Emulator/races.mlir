// RUN: not %emulate %s --kernel=store_store --block=64 --arg=out:64xf32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STORES
// RUN: not %emulate %s --kernel=store_load --block=64 --arg=out:64xf32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOAD
// RUN: not %emulate %s --kernel=load_store --block=64 --arg=out:64xf32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OVERWRITE
// RUN: not %emulate %s --kernel=lanes --block=32 --arg=out:32xf32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LANES
// RUN: %emulate %s --kernel=ordered_lanes --block=32 --arg=out:32xf32 \
// RUN:   | FileCheck %s --check-prefix=ORDERED
// RUN: not %emulate %s --kernel=global --block=64 --arg=out:64xf32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GLOBAL
// RUN: not %emulate %s --kernel=blocks --block=32 --grid=2 --arg=out:32xf32 \
// RUN:   --threads=1 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not %emulate %s --kernel=blocks_read --block=32 --grid=2 \
// RUN:   --arg=inout:64xf32 --threads=1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BLOCKS-READ
// RUN: not %emulate %s --kernel=matrix --block=32 --arg=32x8xf16 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MATRIX
// RUN: not %emulate %s --kernel=readers --block=8,8 --arg=out:64xf32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=READERS
// RUN: not %emulate %s --kernel=places --block=4,4 --grid=2,2 --arg=out:1xf32 \
// RUN:   --threads=1 2>&1 | FileCheck %s --check-prefix=PLACES
// RUN: %emulate %s --kernel=atomics --block=64 --grid=4 \
// RUN:   --arg=inout:1xi32:0 | FileCheck %s --check-prefix=ATOMICS

!shared = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // Two threads store the same place.
  // STORES: fpa-emulate: error: {{.*}}races.mlir:[[#@LINE+8]]:5: kernel 'store_store', block (0, 0, 0), thread (1, 0, 0): llvm.store of 4 bytes at shared memory + 4 in a race with llvm.store at {{.*}}races.mlir:[[#@LINE+8]]:5 of thread (0, 0, 0), with no barrier between them
  gpu.func @store_store(%out: memref<64xf32>) workgroup(%s: !shared) kernel {
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %half = arith.shrui %thread, %c1 : index
    %wrong = arith.maxui %half, %c1 : index
    %x = arith.constant 1.0 : f32
    gpu.barrier
    memref.store %x, %s[%wrong] : !shared
    gpu.return
  }

  // A thread loads what its neighbour stored.
  // LOAD: races.mlir:[[#@LINE+11]]:10: kernel 'store_load', block (0, 0, 0), thread (1, 0, 0): llvm.load of 4 bytes at shared memory + 0 in a race with llvm.store at {{.*}}races.mlir:[[#@LINE+10]]:5 of thread (0, 0, 0), with no barrier between them{{$}}
  gpu.func @store_load(%out: memref<64xf32>) workgroup(%s: !shared) kernel {
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %thread = gpu.thread_id x
    %before = arith.subi %thread, %c1 : index
    %neighbour = arith.andi %before, %c63 : index
    %x = arith.constant 1.0 : f32
    memref.store %x, %s[%thread] : !shared
    gpu.barrier
    memref.store %x, %s[%thread] : !shared
    %y = memref.load %s[%neighbour] : !shared
    memref.store %y, %out[%thread] : memref<64xf32>
    gpu.return
  }

  // A thread stores where others loaded.
  // OVERWRITE: races.mlir:[[#@LINE+11]]:5: kernel 'load_store', block (0, 0, 0), thread (1, 0, 0): llvm.store of 4 bytes at shared memory + 4 in a race with llvm.load at {{.*}}races.mlir:[[#@LINE+10]]:10 of thread (0, 0, 0), with no barrier between them{{$}}
  gpu.func @load_store(%out: memref<64xf32>) workgroup(%s: !shared) kernel {
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %thread = gpu.thread_id x
    %after = arith.addi %thread, %c1 : index
    %neighbour = arith.andi %after, %c63 : index
    %x = arith.constant 1.0 : f32
    memref.store %x, %s[%thread] : !shared
    gpu.barrier
    %y = memref.load %s[%neighbour] : !shared
    memref.store %y, %s[%thread] : !shared
    gpu.return
  }

  // Lanes of one warp are not ordered by a shuffle.
  // LANES: kernel 'lanes', block (0, 0, 0), thread ({{[0-9]+}}, 0, 0): llvm.load of 4 bytes at shared memory + {{[0-9]+}} in a race with llvm.store at {{.*}} of thread ({{[0-9]+}}, 0, 0)
  gpu.func @lanes(%out: memref<32xf32>) workgroup(%s: !shared) kernel {
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %one = arith.constant 1 : index
    %thread = gpu.thread_id x
    %x = arith.constant 1.0 : f32
    memref.store %x, %s[%thread] : !shared
    %y, %valid = gpu.shuffle xor %x, %c1, %c32 : f32
    %other = arith.xori %thread, %one : index
    %z = memref.load %s[%other] : !shared
    %sum = arith.addf %y, %z : f32
    memref.store %sum, %out[%thread] : memref<32xf32>
    gpu.return
  }

  // They are by bar.warp.sync.
  // ORDERED: 32xf32
  // ORDERED-NEXT: 1 0 3 2 5 4
  gpu.func @ordered_lanes(%out: memref<32xf32>) workgroup(%s: !shared) kernel {
    %one = arith.constant 1 : index
    %mask = arith.constant -1 : i32
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %x = arith.sitofp %i : i32 to f32
    memref.store %x, %s[%thread] : !shared
    nvvm.bar.warp.sync %mask : i32
    %other = arith.xori %thread, %one : index
    %z = memref.load %s[%other] : !shared
    memref.store %z, %out[%thread] : memref<32xf32>
    gpu.return
  }

  // GLOBAL: kernel 'global', block (0, 0, 0), thread (32, 0, 0): llvm.store of 4 bytes at allocation 0 + 128 in a race with llvm.load at {{.*}} of thread (31, 0, 0), with no barrier between them{{$}}
  gpu.func @global(%out: memref<64xf32>) kernel {
    %c63 = arith.constant 63 : index
    %thread = gpu.thread_id x
    %x = arith.constant 1.0 : f32
    memref.store %x, %out[%thread] : memref<64xf32>
    gpu.barrier
    memref.store %x, %out[%thread] : memref<64xf32>
    %other = arith.subi %c63, %thread : index
    %y = memref.load %out[%other] : memref<64xf32>
    memref.store %y, %out[%thread] : memref<64xf32>
    gpu.return
  }

  // BLOCKS: kernel 'blocks', block (1, 0, 0), thread (0, 0, 0): llvm.store of 4 bytes at allocation 0 + 0 in a race with llvm.store at {{.*}} of block (0, 0, 0), thread (0, 0, 0){{$}}
  gpu.func @blocks(%out: memref<32xf32>) kernel {
    %thread = gpu.thread_id x
    %x = arith.constant 1.0 : f32
    memref.store %x, %out[%thread] : memref<32xf32>
    gpu.return
  }

  // BLOCKS-READ: kernel 'blocks_read', block (1, 0, 0), thread (0, 0, 0): llvm.store of 4 bytes at allocation 0 + 128 in a race with llvm.load at {{.*}} of block (0, 0, 0), thread (0, 0, 0){{$}}
  gpu.func @blocks_read(%out: memref<64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %other = arith.addi %thread, %c32 : index
    %first = arith.cmpi eq, %block, %c0 : index
    scf.if %first {
      %x = memref.load %out[%other] : memref<64xf32>
      memref.store %x, %out[%thread] : memref<64xf32>
    } else {
      %one = arith.constant 1.0 : f32
      memref.store %one, %out[%other] : memref<64xf32>
    }
    gpu.return
  }

  // Rows that other lanes have just stored.
  // MATRIX: kernel 'matrix', block (0, 0, 0), thread (0, 0, 0): nvvm.ldmatrix of 16 bytes at shared memory + 16 in a race with llvm.store at {{.*}} of thread (1, 0, 0), with no barrier between them{{$}}
  gpu.func @matrix(%in: memref<32x8xf16>)
      workgroup(%s: memref<32x8xf16, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %other = arith.xori %thread, %c1 : index
    %x = vector.load %in[%thread, %c0] : memref<32x8xf16>, vector<8xf16>
    vector.store %x, %s[%thread, %c0]
      : memref<32x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %m = nvgpu.ldmatrix %s[%other, %c0] {numTiles = 4 : i32, transpose = false}
      : memref<32x8xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    gpu.return
  }

  // What a whole warp has read.
  // READERS: kernel 'readers', block (0, 0, 0), thread (0, 4, 0): llvm.store of 4 bytes at shared memory + 0 in a race with llvm.load at {{.*}}races.mlir:[[#@LINE+14]]:12 of several threads of warp 0, with no barrier between them{{$}}
  gpu.func @readers(%out: memref<64xf32>) workgroup(%s: !shared) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %one = arith.constant 1.0 : f32
    %low = arith.cmpi slt, %y, %c4 : index
    %row = arith.muli %y, %c8 : index
    %i = arith.addi %row, %x : index
    memref.store %one, %s[%i] : !shared
    gpu.barrier
    scf.if %low {
      %r = memref.load %s[%c0] : !shared
      memref.store %r, %out[%i] : memref<64xf32>
    } else {
      memref.store %one, %s[%c0] : !shared
    }
    gpu.return
  }

  // Places in more than one dimension.
  // PLACES: kernel 'places', block (1, 0, 0), thread (2, 3, 0): llvm.store of 4 bytes at allocation 0 + 0 in a race with llvm.store at {{.*}} of block (0, 0, 0), thread (2, 3, 0){{$}}
  gpu.func @places(%out: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %one = arith.constant 1.0 : f32
    %right = arith.cmpi eq, %x, %c2 : index
    %below = arith.cmpi eq, %y, %c3 : index
    %both = arith.andi %right, %below : i1
    scf.if %both {
      memref.store %one, %out[%c0] : memref<1xf32>
    }
    gpu.return
  }

  // ATOMICS: 1xi32
  // ATOMICS-NEXT: 256
  gpu.func @atomics(%count: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
    gpu.return
  }
}
