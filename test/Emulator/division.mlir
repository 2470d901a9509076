// RUN: not %emulate %s --kernel=quotient --block=32 --arg=1xi32:3 --arg=out:32xi32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ZERO
// RUN: %emulate %s --kernel=quotient --block=32 --arg=1xi32:77 --arg=out:32xi32
// RUN: not %emulate %s --kernel=least --block=32 --arg=1xi32:-1 --arg=out:32xi32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEAST
// RUN: %emulate %s --kernel=least --block=32 --arg=1xi32:-2 --arg=out:32xi32
// RUN: not %emulate %s --kernel=lanes --block=32 --arg=1xi32:0 --arg=out:32xi32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LANES
// RUN: not %emulate %s --kernel=compared --block=32 --arg=1xi32:0 --arg=out:32xi32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COMPARED

gpu.module @kernels {
  // A rounding up that asks for zeros beforehand.
  // COMPARED: thread (0, 0, 0): llvm.udiv by zero
  gpu.func @compared(%in: memref<1xi32>, %out: memref<32xi32>) kernel {
    %thread = gpu.thread_id x
    %first = arith.constant 0 : index
    %n = memref.load %in[%first] : memref<1xi32>
    %x = arith.ceildivui %n, %n : i32
    memref.store %x, %out[%thread] : memref<32xi32>
    gpu.return
  }

  // ZERO: error: {{.*}}division.mlir:[[#@LINE+7]]:10: kernel 'quotient', block (0, 0, 0), thread (3, 0, 0): llvm.sdiv by zero
  gpu.func @quotient(%in: memref<1xi32>, %out: memref<32xi32>) kernel {
    %thread = gpu.thread_id x
    %first = arith.constant 0 : index
    %n = memref.load %in[%first] : memref<1xi32>
    %t = arith.index_cast %thread : index to i32
    %d = arith.subi %t, %n : i32
    %x = arith.divsi %t, %d : i32
    memref.store %x, %out[%thread] : memref<32xi32>
    gpu.return
  }

  // LEAST: error: {{.*}}division.mlir:[[#@LINE+6]]:10: kernel 'least', block (0, 0, 0), thread (0, 0, 0): llvm.srem of the least number by -1
  gpu.func @least(%in: memref<1xi32>, %out: memref<32xi32>) kernel {
    %thread = gpu.thread_id x
    %first = arith.constant 0 : index
    %n = memref.load %in[%first] : memref<1xi32>
    %c = arith.constant -2147483648 : i32
    %x = arith.remsi %c, %n : i32
    memref.store %x, %out[%thread] : memref<32xi32>
    gpu.return
  }

  // LANES: thread (0, 0, 0): llvm.udiv by zero
  gpu.func @lanes(%in: memref<1xi32>, %out: memref<32xi32>) kernel {
    %thread = gpu.thread_id x
    %first = arith.constant 0 : index
    %n = memref.load %in[%first] : memref<1xi32>
    %v = vector.broadcast %n : i32 to vector<2xi32>
    %w = arith.divui %v, %v : vector<2xi32>
    %x = vector.extract %w[1] : i32 from vector<2xi32>
    memref.store %x, %out[%thread] : memref<32xi32>
    gpu.return
  }
}
