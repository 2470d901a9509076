// What is written atomically or as volatile is written, and what reads so must
// find something written; reads and writes of one op are told apart.

// RUN: fpa-emulate %s --kernel=volatile --block=32 --arg=out:32xf32 | FileCheck %s --check-prefix=ONES
// RUN: fpa-emulate %s --kernel=atomic --block=32 --arg=out:32xf32 | FileCheck %s --check-prefix=ONES
// RUN: fpa-emulate %s --kernel=exchange --block=32 --arg=out:32xf32 | FileCheck %s --check-prefix=ONES
// RUN: not fpa-emulate %s --kernel=exchange --block=32 --arg=out:31xf32 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not fpa-emulate %s --kernel=add --block=32 --arg=out:1xf32 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: fpa-emulate %s --kernel=add --block=32 --arg=inout:1xf32 | FileCheck %s --check-prefix=SUM
// RUN: not fpa-emulate %s --kernel=before --block=32 --arg=out:32xf32 2>&1 | FileCheck %s --check-prefix=BEFORE
// ONES: 32xf32
// ONES-NEXT: {{^}}1 1 {{(1 )+}}1{{$}}

gpu.module @kernels {
  llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<32 x f32>

  llvm.func @volatile(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mlir.addressof @s : !llvm.ptr<3>
    %own = llvm.getelementptr %base[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store volatile %one, %own : f32, !llvm.ptr<3>
    nvvm.barrier0
    %x = llvm.load %own : !llvm.ptr<3> -> f32
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store volatile %x, %to : f32, !llvm.ptr
    llvm.return
  }

  llvm.func @atomic(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mlir.addressof @s : !llvm.ptr<3>
    %own = llvm.getelementptr %base[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %one, %own atomic monotonic {alignment = 4 : i64} : f32, !llvm.ptr<3>
    nvvm.barrier0
    %x = llvm.load %own : !llvm.ptr<3> -> f32
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %x, %to atomic monotonic {alignment = 4 : i64} : f32, !llvm.ptr
    llvm.return
  }

  // PAST: kernel 'exchange', block (0, 0, 0), thread (31, 0, 0): llvm.atomicrmw of 4 bytes at allocation 0 + 124 outside of its 124 bytes
  llvm.func @exchange(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %old = llvm.atomicrmw xchg %to, %one monotonic : !llvm.ptr, f32
    llvm.return
  }

  // UNWRITTEN: kernel 'add', block (0, 0, 0), thread (0, 0, 0): llvm.atomicrmw of 4 bytes at allocation 0 + 0 that nobody has written
  // SUM: 1xf32
  // SUM-NEXT: {{^}}32{{$}}
  llvm.func @add(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %old = llvm.atomicrmw fadd %out, %one monotonic : !llvm.ptr, f32
    llvm.return
  }

  // BEFORE: kernel 'before', block (0, 0, 0), thread (0, 0, 0): llvm.store of 4 bytes at shared memory - 4 outside of the block's 128 bytes
  llvm.func @before(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %base = llvm.mlir.addressof @s : !llvm.ptr<3>
    %to = llvm.getelementptr %base[-1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
    llvm.store volatile %one, %to : f32, !llvm.ptr<3>
    llvm.return
  }
}
