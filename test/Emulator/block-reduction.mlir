// RUN: %emulate %s --kernel=sum --block=256 --grid=3 --arg=768xf32:ramp \
// RUN:   --arg=out:3xf32 | FileCheck %s
// RUN: %emulate %s --kernel=sum --block=256 --grid=3 --arg=768xf32:ramp \
// RUN:   --arg=out:3xf32 --threads=1 | FileCheck %s

// Each block sums 256 numbers: in warps by shuffles, between warps through
// shared memory.

// CHECK: 3xf32
// CHECK-NEXT: 32640 98176 163712

gpu.module @kernels {
  gpu.func @sum(%in: memref<?xf32>, %out: memref<?xf32>)
      workgroup(%partial: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %block = gpu.block_id x
    %size = gpu.block_dim x
    %thread = gpu.thread_id x
    %start = arith.muli %block, %size : index
    %i = arith.addi %start, %thread : index
    %x = memref.load %in[%i] : memref<?xf32>
    %s = func.call @warp_sum(%x) : (f32) -> f32
    %warp = arith.divui %thread, %c32 : index
    %lane = gpu.lane_id
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %s, %partial[%warp] : memref<8xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %few = arith.cmpi ult, %thread, %c8 : index
    %part = scf.if %few -> f32 {
      %p = memref.load %partial[%thread] : memref<8xf32, #gpu.address_space<workgroup>>
      scf.yield %p : f32
    } else {
      scf.yield %zero : f32
    }
    %all = func.call @warp_sum(%part) : (f32) -> f32
    %one = arith.cmpi eq, %thread, %c0 : index
    scf.if %one {
      memref.store %all, %out[%block] : memref<?xf32>
    }
    gpu.return
  }

  func.func @warp_sum(%x: f32) -> f32 {
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %zero = arith.constant 0 : i32
    %sum, %end = scf.while (%s = %x, %distance = %c16) : (f32, i32) -> (f32, i32) {
      %more = arith.cmpi ne, %distance, %zero : i32
      scf.condition(%more) %s, %distance : f32, i32
    } do {
    ^bb0(%s: f32, %distance: i32):
      %other, %valid = gpu.shuffle xor %s, %distance, %c32 : f32
      %t = arith.addf %s, %other : f32
      %half = arith.shrui %distance, %c1 : i32
      scf.yield %t, %half : f32, i32
    }
    return %sum : f32
  }
}
