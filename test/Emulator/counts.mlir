// RUN: %emulate %s --kernel=conflicts --block=32 --arg=out:32xf32 --stats \
// RUN:   | FileCheck %s --check-prefix=CONFLICTS
// RUN: %emulate %s --kernel=copies --block=32 --arg=f32:1 --stats \
// RUN:   | FileCheck %s --check-prefix=COPIES
// RUN: %emulate %s --kernel=wide --block=32 --arg=128xf32 --stats \
// RUN:   | FileCheck %s --check-prefix=WIDE
// RUN: %emulate %s --kernel=rows --block=32 --arg=32x8xf16 --stats \
// RUN:   | FileCheck %s --check-prefix=ROWS
// RUN: %emulate %s --kernel=strided --block=64 --grid=2 --arg=4x1024xf32 \
// RUN:   --arg=out:128xf32 --stats | FileCheck %s --check-prefix=STRIDED
// RUN: %emulate %s --kernel=loop --block=64 --grid=3 --arg=f32:1 \
// RUN:   --arg=index:10 --arg=out:192xf32 --stats --blocks \
// RUN:   | FileCheck %s --check-prefix=LOOP
// RUN: %emulate %s --kernel=diverged --block=64 --arg=out:64xf32 --stats \
// RUN:   | FileCheck %s --check-prefix=DIVERGED

!s2d = memref<32x32xf32, #gpu.address_space<workgroup>>
!padded = memref<32x33xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // A column of 32 rows of 32 words lies in one bank, of 33 words in all of
  // them. One word for all lanes is one pass.
  // CONFLICTS: shared load 2
  // CONFLICTS: shared store 2
  // CONFLICTS: global store 1
  // CONFLICTS: shared memory:
  // CONFLICTS-NEXT: loads 2 instructions, 2 wavefronts, least 2
  // CONFLICTS-NEXT: stores 2 instructions, 33 wavefronts, least 2
  // CONFLICTS-NEXT: {{.*}}counts.mlir:[[#@LINE+8]]:5: llvm.store has conflicts: 32 wavefronts, least 1
  // CONFLICTS-NEXT: global memory
  gpu.func @conflicts(%out: memref<32xf32>)
      workgroup(%a: !s2d, %b: !padded) kernel {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %x = arith.constant 1.0 : f32
    %thread = gpu.thread_id x
    memref.store %x, %a[%thread, %c5] : !s2d
    memref.store %x, %b[%thread, %c5] : !padded
    gpu.barrier
    %y = memref.load %b[%c5, %c5] : !padded
    %z = memref.load %b[%thread, %c5] : !padded
    %sum = arith.addf %y, %z : f32
    memref.store %sum, %out[%thread] : memref<32xf32>
    gpu.return
  }

  // What one op of the source became is told in one line.
  // COPIES:      stores 3 instructions, 96 wavefronts, least 3
  // COPIES-NEXT: source:1:2: llvm.store has conflicts in 2 places: 64 wavefronts, least 2
  // COPIES-NEXT: source:3:4: llvm.store has conflicts: 32 wavefronts, least 1
  // COPIES-NEXT: global memory
  gpu.func @copies(%x: f32) workgroup(%a: !s2d) kernel {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %thread = gpu.thread_id x
    memref.store %x, %a[%thread, %c1] : !s2d loc("source":1:2)
    memref.store %x, %a[%thread, %c1] : !s2d loc("source":3:4)
    memref.store %x, %a[%thread, %c2] : !s2d loc("source":1:2)
    gpu.return
  }

  // 16 bytes a lane take four passes.
  // WIDE: global load 1
  // WIDE: stores 1 instructions, 4 wavefronts, least 4
  // WIDE: loads 1 instructions, 16 sectors, different in a block 16, in the launch 16
  gpu.func @wide(%in: memref<128xf32>) workgroup(%a: !s2d) kernel {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %thread = gpu.thread_id x
    %i = arith.muli %thread, %c4 : index
    %x = vector.load %in[%i] {alignment = 16} : memref<128xf32>, vector<4xf32>
    %row = arith.divui %thread, %c8 : index
    %rest = arith.remui %thread, %c8 : index
    %column = arith.muli %rest, %c4 : index
    vector.store %x, %a[%row, %column] {alignment = 16} : !s2d, vector<4xf32>
    gpu.return
  }

  // Rows of 128 bytes: those of a matrix all begin in the same bank.
  // ROWS: ldmatrix 1 instructions, 32 wavefronts, least 4
  gpu.func @rows(%in: memref<32x8xf16>)
      workgroup(%s: memref<32x64xf16, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %x = vector.load %in[%thread, %c0] : memref<32x8xf16>, vector<8xf16>
    vector.store %x, %s[%thread, %c0]
      : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    gpu.barrier
    %m = nvgpu.ldmatrix %s[%thread, %c0] {numTiles = 4 : i32, transpose = false}
      : memref<32x64xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    gpu.return
  }

  // Every fourth word of a row, and both blocks the same ones: 4 warps ask for
  // 16 sectors each, of which there are 32.
  // STRIDED: loads 4 instructions, 64 sectors, different in a block 64, in the launch 32
  // STRIDED: stores 4 instructions, 16 sectors, different in a block 16, in the launch 16
  gpu.func @strided(%in: memref<4x1024xf32>, %out: memref<128xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %column = arith.muli %thread, %c4 : index
    %x = memref.load %in[%c0, %column] : memref<4x1024xf32>
    %start = arith.muli %block, %c64 : index
    %i = arith.addi %start, %thread : index
    memref.store %x, %out[%i] : memref<128xf32>
    gpu.return
  }

  // 6 warps, 10 times round.
  // LOOP: float fma 60
  // LOOP: loop at block 1 of 'loop', 60 rounds of warps, each:
  // LOOP-NEXT: float fma 1,
  // LOOP: run 60 times: float fma 1;
  gpu.func @loop(%x: f32, %n: index, %out: memref<192xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %size = gpu.block_dim x
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> f32 {
      %p = arith.mulf %acc, %x fastmath<contract> : f32
      %s = arith.addf %p, %x fastmath<contract> : f32
      scf.yield %s : f32
    }
    %start = arith.muli %block, %size : index
    %at = arith.addi %start, %thread : index
    memref.store %sum, %out[%at] : memref<192xf32>
    gpu.return
  }

  // Both ways of one warp count, and only one of the other.
  // DIVERGED: float add 1
  // DIVERGED: float mul 2
  // DIVERGED: stores 2 instructions
  gpu.func @diverged(%out: memref<64xf32>) kernel {
    %c7 = arith.constant 7 : index
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %x = arith.uitofp %i : i32 to f32
    %few = arith.cmpi ult, %thread, %c7 : index
    %y = scf.if %few -> f32 {
      %a = arith.addf %x, %x : f32
      scf.yield %a : f32
    } else {
      %m = arith.mulf %x, %x : f32
      scf.yield %m : f32
    }
    memref.store %y, %out[%thread] : memref<64xf32>
    gpu.return
  }
}
