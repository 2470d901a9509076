// A host function with all that a host program can have.
module attributes {gpu.container_module} {
  func.func @main(%x: memref<?x8xf32>) -> (memref<?x8xf32>, memref<4xf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %f = arith.constant 0.5 : f32
    %shared = arith.constant 65536 : i32
    %n = memref.dim %x, %c0 : memref<?x8xf32>
    %half = arith.floordivsi %n, %c2 : index
    %rest = arith.subi %n, %half : index
    %isSmall = arith.cmpi sge, %half, %n : index
    %blocks = arith.select %isSmall, %c1, %half : index
    %limited = arith.maxsi %blocks, %c1 : index
    %n32 = arith.index_cast %n : index to i32
    %y = memref.alloc(%n) : memref<?x8xf32>
    %t = memref.alloc(%half) : memref<3x?xf32>
    %z = memref.alloc() : memref<4xf16>
    %view = memref.subview %x[%half, 2] [%rest, 1] [1, 1]
      : memref<?x8xf32> to memref<?xf32, strided<[8], offset: ?>>
    %cast = memref.cast %view : memref<?xf32, strided<[8], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %t
      : memref<3x?xf32> -> memref<f32>, index, index, index, index, index
    %flat = memref.reinterpret_cast %base to offset: [%offset], sizes: [%sizes#1], strides: [1]
      : memref<f32> to memref<?xf32, strided<[1], offset: ?>>
    gpu.launch_func @kernels::@use blocks in (%limited, %c1, %c1) threads in (%c64, %c1, %c1)
      dynamic_shared_memory_size %shared
      args(%cast : memref<?xf32, strided<[?], offset: ?>>, %flat : memref<?xf32, strided<[1], offset: ?>>,
           %y : memref<?x8xf32>, %z : memref<4xf16>, %f : f32, %n32 : i32)
    memref.dealloc %t : memref<3x?xf32>
    return %y, %z : memref<?x8xf32>, memref<4xf16>
  }
  gpu.module @kernels {
    gpu.func @use(%a: memref<?xf32, strided<[?], offset: ?>>, %b: memref<?xf32, strided<[1], offset: ?>>,
                  %y: memref<?x8xf32>, %z: memref<4xf16>, %f: f32, %n: i32) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %a[%c0] : memref<?xf32, strided<[?], offset: ?>>
      %w = arith.mulf %v, %f : f32
      memref.store %w, %b[%c0] : memref<?xf32, strided<[1], offset: ?>>
      memref.store %w, %y[%c0, %c0] : memref<?x8xf32>
      gpu.return
    }
  }
}
