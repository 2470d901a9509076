// A host function that gives a kernel other shapes of one buffer.
module attributes {gpu.container_module} {
  func.func @main(%x: memref<?x1x6xf32>) -> memref<1x2xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = memref.dim %x, %c0 : memref<?x1x6xf32>
    %y = memref.alloc() : memref<1x2xf32>
    %half = arith.floordivsi %n, %c2 : index
    %columns = memref.subview %x[0, 0, 1] [%n, 1, 1] [1, 1, 1]
      : memref<?x1x6xf32> to memref<?x1xf32, strided<[6, 6], offset: 1>>
    %apart = memref.expand_shape %columns [[0, 1], [2, 3]] output_shape [%half, 2, 1, 1]
      : memref<?x1xf32, strided<[6, 6], offset: 1>> into memref<?x2x1x1xf32, strided<[12, 6, 6, 6], offset: 1>>
    %rows = memref.collapse_shape %x [[0, 1], [2]] : memref<?x1x6xf32> into memref<?x6xf32>
    gpu.launch_func @kernels::@use blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%apart : memref<?x2x1x1xf32, strided<[12, 6, 6, 6], offset: 1>>, %rows : memref<?x6xf32>, %y : memref<1x2xf32>)
    return %y : memref<1x2xf32>
  }
  gpu.module @kernels {
    gpu.func @use(%a: memref<?x2x1x1xf32, strided<[12, 6, 6, 6], offset: 1>>, %b: memref<?x6xf32>, %y: memref<1x2xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %v = memref.load %a[%c1, %c1, %c0, %c0] : memref<?x2x1x1xf32, strided<[12, 6, 6, 6], offset: 1>>
      %w = memref.load %b[%c1, %c1] : memref<?x6xf32>
      %d = arith.subf %v, %w : f32
      memref.store %d, %y[%c0, %c0] : memref<1x2xf32>
      memref.store %v, %y[%c0, %c1] : memref<1x2xf32>
      gpu.return
    }
  }
}
