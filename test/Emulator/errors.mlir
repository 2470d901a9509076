// RUN: not %emulate %s --kernel=good --block=2048 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not %emulate %s --kernel=good --shared=300000 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not %emulate %s --kernel=good --chip=sm_86 --shared=101377 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: %emulate %s --kernel=good --chip=sm_86 --shared=101376
// RUN: not %emulate %s --kernel=good --chip=sm_1 2>&1 | FileCheck %s --check-prefix=NO-CHIP
// RUN: not %emulate %s --kernel=good --arg=i32 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not %emulate %s --kernel=three --arg=4xf32 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not %emulate %s --kernel=three --arg=4xf32 --arg=4xf32 --arg=i32 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not %emulate %s --kernel=three --arg=2x4xf32 --arg=i32 --arg=2x2xf32 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not fpa-emulate %S/Inputs/lowered.mlir --kernel=two --arg=2x2xf32 2>&1 | FileCheck %s --check-prefix=PARAMETERS
// RUN: not %emulate %s --kernel=bad 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not %emulate %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %emulate %s --kernel=good --block=32 --grid=1,70000 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not %emulate %s --kernel=fixed --block=64 2>&1 | FileCheck %s --check-prefix=FIXED
// RUN: not %emulate %S/Inputs/inline-asm.mlir --kernel=k 2>&1 | FileCheck %s --check-prefix=ASM
// RUN: not %emulate %S/Inputs/unknown-op.mlir --kernel=k 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not %emulate %S/Inputs/unknown-call.mlir --kernel=k 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not fpa-emulate %s --kernel=good 2>&1 | FileCheck %s --check-prefix=LOWERED

// BLOCK: error: kernel 'good': expected a block of 1 to 1024 threads, got 2048x1x1
// SHARED: error: kernel 'good': expected from 0 to 232448 bytes of shared memory, got 300000
// CHIP: error: kernel 'good': expected from 0 to 101376 bytes of shared memory, got 101377
// NO-CHIP: error: option --chip: expected {{.*}}, got 'sm_1'
// ARGUMENTS: error: kernel 'good': expected 0 arguments, got 1
// COUNT: error: kernel 'three': expected 3 arguments, got 1{{$}}
// SCALAR: error: kernel 'three': expected argument 1 to be i32, got memory of 4xf32{{$}}
// RANK: error: kernel 'three': expected argument 0 to be memref<4xf32>, got memory of 2x4xf32{{$}}
// PARAMETERS: error: kernel 'two': expected 5 parameters, got 7, of which a memref takes 3 and 2 more for each dimension{{$}}
// KERNEL: error: expected a kernel among {{.*}}'good'{{.*}}, got 'bad'{{$}}
// NAME: error: option --kernel: expected a kernel among {{.*}}'fixed'{{.*}}, got ''{{$}}
// GRID: error: kernel 'good': expected a grid of 1 to 2147483647 by 65535 by 65535 blocks, got 1x70000x1
// FIXED: error: kernel 'fixed': expected a block of the 32 threads it was made for, got 64x1x1
// ASM: error: {{.*}}inline-asm.mlir:4:5: function 'k': the emulator does not know 'llvm.inline_asm'
// OP: error: {{.*}}unknown-op.mlir:4:5: function 'k': the emulator does not know 'nvvm.cluster.arrive'
// CALL: error: {{.*}}unknown-call.mlir:4:5: function 'k': the emulator does not know 'llvm.call' of 'vprintf'
// LOWERED: error: {{.*}}errors.mlir:[[#@LINE+2]]:3: expected functions and variables of the llvm dialect in a module of kernels, got 'gpu.func'
gpu.module @kernels {
  gpu.func @good() kernel {
    gpu.return
  }
  gpu.func @fixed() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
  gpu.func @three(%a: memref<4xf32>, %n: i32, %b: memref<?x2xf32>)
      workgroup(%s: memref<4xf32, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }
}
