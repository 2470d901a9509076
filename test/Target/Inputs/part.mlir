// Kernels that write to the first 16 elements only.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @half(%in: memref<32xf32>, %out: memref<32xf32>) kernel {
      %thread = gpu.thread_id x
      %x = memref.load %in[%thread] : memref<32xf32>
      memref.store %x, %out[%thread] : memref<32xf32>
      gpu.return
    }
    gpu.func @other(%in: memref<32xf32>, %out: memref<32xf32>) kernel {
      %thread = gpu.thread_id x
      %x = memref.load %in[%thread] : memref<32xf32>
      memref.store %x, %out[%thread] : memref<32xf32>
      gpu.return
    }
  }
  func.func @main(%in: memref<32xf32>) -> (memref<16xf32>, memref<32xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %whole = memref.alloc() : memref<16xf32>
    %cast = memref.reinterpret_cast %whole to offset: [0], sizes: [32], strides: [1] : memref<16xf32> to memref<32xf32>
    gpu.launch_func @kernels::@half blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%in : memref<32xf32>, %cast : memref<32xf32>)
    %part = memref.alloc() : memref<32xf32>
    gpu.launch_func @kernels::@half blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%in : memref<32xf32>, %part : memref<32xf32>)
    return %whole, %part : memref<16xf32>, memref<32xf32>
  }
  func.func @twice(%in: memref<32xf32>) -> memref<32xf32> {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %part = memref.alloc() : memref<32xf32>
    gpu.launch_func @kernels::@other blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%in : memref<32xf32>, %part : memref<32xf32>)
    gpu.launch_func @kernels::@half blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%in : memref<32xf32>, %part : memref<32xf32>)
    gpu.launch_func @kernels::@other blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%in : memref<32xf32>, %part : memref<32xf32>)
    return %part : memref<32xf32>
  }
  func.func @never(%in: memref<32xf32>) -> memref<32xf32> {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %none = memref.alloc() : memref<32xf32>
    %part = memref.alloc() : memref<32xf32>
    gpu.launch_func @kernels::@half blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%in : memref<32xf32>, %part : memref<32xf32>)
    return %none : memref<32xf32>
  }
}
