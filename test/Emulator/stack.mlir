// A thread's own variables, where only the run shows which one is meant, and
// their stack.

// RUN: not fpa-emulate %s --kernel=either --block=32 --arg=out:32xf32 2>&1 | FileCheck %s --check-prefix=EITHER
// RUN: fpa-emulate %s --kernel=either --block=8 --arg=out:8xf32 | FileCheck %s --check-prefix=VALUES
// RUN: not fpa-emulate %s --kernel=given --block=32 --arg=out:32xf32 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: fpa-emulate %s --kernel=given --block=8 --arg=out:8xf32 | FileCheck %s --check-prefix=VALUES
// RUN: not fpa-emulate %s --kernel=masked --arg=out:8xf32 2>&1 | FileCheck %s --check-prefix=MASKED
// RUN: fpa-emulate %s --kernel=largest --block=32 --arg=out:32xf32 | FileCheck %s --check-prefix=LARGEST
// RUN: not fpa-emulate %s --kernel=sized --arg=i64:200000 --arg=out:1xf32 2>&1 | FileCheck %s --check-prefix=SIZED
// RUN: fpa-emulate %s --kernel=sized --arg=i64:100000 --arg=out:1xf32
// RUN: not fpa-emulate %s --kernel=endless 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not fpa-emulate %s --kernel=nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not fpa-emulate %S/Inputs/large-variable.mlir --kernel=k 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: {{.*}}large-variable.mlir:2:3: function 'k': expected at most 524288 bytes of local memory, got 524292{{$}}
// VALUES: 8xf32
// VALUES-NEXT: {{^}}1 1 1 1 1 1 1 1{{$}}

gpu.module @kernels {
  // The variables lie side by side, in whichever order.
  // EITHER: stack.mlir:[[#@LINE+13]]:5: kernel 'either', block (0, 0, 0), thread ({{8|9}}, 0, 0): llvm.store of 4 bytes at local memory + {{32|36}} outside of its 32 bytes
  llvm.func @either(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %count = llvm.mlir.constant(8 : i64) : i64
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.alloca %count x f32 : (i64) -> !llvm.ptr
    %second = llvm.alloca %count x f32 : (i64) -> !llvm.ptr
    %bit = llvm.and %thread, %c1 : i32
    %isFirst = llvm.icmp "eq" %bit, %c1 : i32
    %own = llvm.select %isFirst, %first, %second : i1, !llvm.ptr
    %p = llvm.getelementptr %own[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %one, %p : f32, !llvm.ptr
    %x = llvm.load %p : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %x, %to : f32, !llvm.ptr
    llvm.return
  }

  // GIVEN: kernel 'given', block (0, 0, 0), thread (8, 0, 0): llvm.store of 4 bytes at local memory + 32 outside of its 32 bytes
  llvm.func @fill(%own: !llvm.ptr, %thread: i32) attributes {no_inline} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %p = llvm.getelementptr %own[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %one, %p : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @given(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %count = llvm.mlir.constant(8 : i64) : i64
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %own = llvm.alloca %count x f32 : (i64) -> !llvm.ptr
    llvm.call @fill(%own, %thread) : (!llvm.ptr, i32) -> ()
    %p = llvm.getelementptr %own[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %x = llvm.load %p : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %x, %to : f32, !llvm.ptr
    llvm.return
  }

  // MASKED: kernel 'masked', block (0, 0, 0), thread (0, 0, 0): llvm.intr.masked.store of 4 bytes at local memory + 16 outside of its 16 bytes
  llvm.func @masked(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %count = llvm.mlir.constant(4 : i64) : i64
    %all = llvm.mlir.constant(dense<true> : vector<8xi1>) : vector<8xi1>
    %ones = llvm.mlir.constant(dense<1.0> : vector<8xf32>) : vector<8xf32>
    %own = llvm.alloca %count x f32 : (i64) -> !llvm.ptr
    llvm.intr.masked.store %ones, %own, %all {alignment = 4 : i32} : vector<8xf32>, vector<8xi1> into !llvm.ptr
    llvm.return
  }

  // LARGEST: 32xf32
  // LARGEST-NEXT: {{^}}1 1 {{(1 )+}}1{{$}}
  llvm.func @largest(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %count = llvm.mlir.constant(131072 : i64) : i64
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %own = llvm.alloca %count x f32 : (i64) -> !llvm.ptr
    %p = llvm.getelementptr %own[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store volatile %one, %p : f32, !llvm.ptr
    nvvm.barrier0
    %x = llvm.load volatile %p : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %x, %to : f32, !llvm.ptr
    llvm.return
  }

  // SIZED: kernel 'sized', block (0, 0, 0), thread (0, 0, 0): llvm.alloca needs 800000 bytes of local memory, of which {{[0-9]+}} are left
  llvm.func @sized(%count: i64, %a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %own = llvm.alloca %count x f32 : (i64) -> !llvm.ptr
    llvm.store volatile %one, %own : f32, !llvm.ptr
    %x = llvm.load volatile %own : !llvm.ptr -> f32
    llvm.store %x, %out : f32, !llvm.ptr
    llvm.return
  }

  // ENDLESS: stack.mlir:[[#@LINE+5]]:5: kernel 'endless', block (0, 0, 0), thread (0, 0, 0): llvm.call needs 256 bytes of local memory, of which {{[0-9]+}} are left
  llvm.func @again(%x: i32) {
    %count = llvm.mlir.constant(64 : i64) : i64
    %own = llvm.alloca %count x i32 : (i64) -> !llvm.ptr
    llvm.store volatile %x, %own : i32, !llvm.ptr
    llvm.call @again(%x) : (i32) -> ()
    llvm.store volatile %x, %own : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @endless() attributes {gpu.kernel, nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    llvm.call @again(%thread) : (i32) -> ()
    llvm.return
  }

  // NOWHERE: stack.mlir:[[#@LINE+2]]:5: kernel 'nowhere', block (0, 0, 0), thread (0, 0, 0): llvm.unreachable was reached
  llvm.func @nowhere() attributes {gpu.kernel, nvvm.kernel} {
    llvm.unreachable
  }
}
