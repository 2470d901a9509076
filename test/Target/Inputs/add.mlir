module attributes {gpu.container_module} {
  func.func @main(%x: memref<?x4xf32>, %y: memref<?x4xf32>) -> memref<?x4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c4 = arith.constant 4 : index
    %n = memref.dim %x, %c0 : memref<?x4xf32>
    %total = arith.muli %n, %c4 : index
    %blocks = arith.ceildivsi %total, %c128 : index
    %z = memref.alloc(%n) {alignment = 64 : i64} : memref<?x4xf32>
    gpu.launch_func @kernels::@add blocks in (%blocks, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%x : memref<?x4xf32>, %y : memref<?x4xf32>, %z : memref<?x4xf32>, %total : index)
    return %z : memref<?x4xf32>
  }
  gpu.module @kernels {
    gpu.func @add(%x: memref<?x4xf32>, %y: memref<?x4xf32>, %z: memref<?x4xf32>, %total: index) kernel
        attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %c128 = arith.constant 128 : index
      %c4 = arith.constant 4 : index
      %start = arith.muli %b, %c128 : index
      %i = arith.addi %start, %t : index
      %in = arith.cmpi slt, %i, %total : index
      scf.if %in {
        %row = arith.divsi %i, %c4 : index
        %col = arith.remsi %i, %c4 : index
        %a = memref.load %x[%row, %col] : memref<?x4xf32>
        %c = memref.load %y[%row, %col] : memref<?x4xf32>
        %s = arith.addf %a, %c : f32
        memref.store %s, %z[%row, %col] : memref<?x4xf32>
      }
      gpu.return
    }
  }
}
