// RUN: %emulate %s --kernel=load4 --block=32 --arg=32x8xf16:ramp \
// RUN:   --arg=out:32x8xf16 | FileCheck %s --check-prefix=PLAIN
// RUN: %emulate %s --kernel=load2_transposed --block=32 --arg=16x8xf16:ramp \
// RUN:   --arg=out:32x4xf16 | FileCheck %s --check-prefix=TRANSPOSED
// RUN: %emulate %s --kernel=load1 --block=32 --arg=8x8xf16:ramp \
// RUN:   --arg=out:32x2xf16 | FileCheck %s --check-prefix=ONE
// RUN: %emulate %s --kernel=load4 --block=32 --arg=32x8xf16:ramp \
// RUN:   --arg=out:32x8xf16 --stats | FileCheck %s --check-prefix=STATS

// Each lane prints what it got. Matrix i is rows 8 i to 8 i + 7.

// PLAIN: 32x8xf16
// PLAIN-NEXT: 0 1 64 65 128 129 192 193
// PLAIN-NEXT: 2 3 66 67 130 131 194 195
// PLAIN-NEXT: 4 5 68 69 132 133 196 197
// PLAIN-NEXT: 6 7 70 71 134 135 198 199
// PLAIN-NEXT: 8 9 72 73 136 137 200 201

// TRANSPOSED: 32x4xf16
// TRANSPOSED-NEXT: 0 8 64 72
// TRANSPOSED-NEXT: 16 24 80 88
// TRANSPOSED-NEXT: 32 40 96 104
// TRANSPOSED-NEXT: 48 56 112 120
// TRANSPOSED-NEXT: 1 9 65 73

// ONE: 32x2xf16
// ONE-NEXT: 0 1
// ONE-NEXT: 2 3

// STATS: ldmatrix 1
// STATS: shared memory:
// STATS: ldmatrix 1 instructions, 4 wavefronts, least 4

!shared = memref<32x8xf16, #gpu.address_space<workgroup>>

gpu.module @kernels {
  gpu.func @load4(%in: memref<32x8xf16>, %out: memref<32x8xf16>)
      workgroup(%s: !shared) kernel {
    %c0 = arith.constant 0 : index
    %lane = gpu.thread_id x
    %row = vector.load %in[%lane, %c0] : memref<32x8xf16>, vector<8xf16>
    vector.store %row, %s[%lane, %c0] : !shared, vector<8xf16>
    gpu.barrier
    %m = nvgpu.ldmatrix %s[%lane, %c0] {numTiles = 4 : i32, transpose = false}
      : !shared -> vector<4x2xf16>
    %flat = vector.shape_cast %m : vector<4x2xf16> to vector<8xf16>
    vector.store %flat, %out[%lane, %c0] : memref<32x8xf16>, vector<8xf16>
    gpu.return
  }

  gpu.func @load2_transposed(%in: memref<16x8xf16>, %out: memref<32x4xf16>)
      workgroup(%s: !shared) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %lane = gpu.thread_id x
    %source = arith.remui %lane, %c16 : index
    %first = arith.cmpi ult, %lane, %c16 : index
    scf.if %first {
      %row = vector.load %in[%source, %c0] : memref<16x8xf16>, vector<8xf16>
      vector.store %row, %s[%lane, %c0] : !shared, vector<8xf16>
    }
    gpu.barrier
    // The addresses of lanes 16 to 31 are not looked at.
    %m = nvgpu.ldmatrix %s[%lane, %c0] {numTiles = 2 : i32, transpose = true}
      : !shared -> vector<2x2xf16>
    %flat = vector.shape_cast %m : vector<2x2xf16> to vector<4xf16>
    vector.store %flat, %out[%lane, %c0] : memref<32x4xf16>, vector<4xf16>
    gpu.return
  }

  gpu.func @load1(%in: memref<8x8xf16>, %out: memref<32x2xf16>)
      workgroup(%s: !shared) kernel {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %lane = gpu.thread_id x
    %first = arith.cmpi ult, %lane, %c8 : index
    scf.if %first {
      %row = vector.load %in[%lane, %c0] : memref<8x8xf16>, vector<8xf16>
      vector.store %row, %s[%lane, %c0] : !shared, vector<8xf16>
    }
    gpu.barrier
    %m = nvgpu.ldmatrix %s[%lane, %c0] {numTiles = 1 : i32, transpose = false}
      : !shared -> vector<1x2xf16>
    %flat = vector.shape_cast %m : vector<1x2xf16> to vector<2xf16>
    vector.store %flat, %out[%lane, %c0] : memref<32x2xf16>, vector<2xf16>
    gpu.return
  }
}
