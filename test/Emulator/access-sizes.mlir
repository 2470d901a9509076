// Accesses touch the bytes of their type's bits and no more; masks may
// have more lanes than a word has bits.

// RUN: fpa-emulate %s --kernel=three --block=32 --arg=inout:127xf32:ones
// RUN: not fpa-emulate %s --kernel=three --block=32 --arg=inout:126xf32 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: fpa-emulate %s --kernel=neighbours --block=32 --arg=out:128xf32 | FileCheck %s --check-prefix=NEIGHBOURS
// RUN: fpa-emulate %s --kernel=bits --arg=inout:2xi1
// RUN: not fpa-emulate %s --kernel=bits --arg=inout:1xi1 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: fpa-emulate %s --kernel=odd --block=10 --arg=out:30xi1
// RUN: fpa-emulate %s --kernel=masked --arg=130xf32:ones --arg=out:130xf32 | FileCheck %s --check-prefix=MASKED
// RUN: not fpa-emulate %s --kernel=masked --arg=129xf32:ones --arg=out:130xf32 2>&1 | FileCheck %s --check-prefix=PAST

gpu.module @kernels {
  // THREE: kernel 'three', block (0, 0, 0), thread (31, 0, 0): llvm.load of 12 bytes at allocation 0 + 496 outside of its 504 bytes
  llvm.func @three(%a0: !llvm.ptr, %a: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %a[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, vector<4xf32>
    %x = llvm.load %p : !llvm.ptr -> vector<3xf32>
    llvm.store %x, %p : vector<3xf32>, !llvm.ptr
    llvm.return
  }

  // NEIGHBOURS: 128xf32
  // NEIGHBOURS-NEXT: {{^}}2 2 2 1 2 2 2 1
  llvm.func @neighbours(%a0: !llvm.ptr, %a: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %twos = llvm.mlir.constant(dense<2.0> : vector<3xf32>) : vector<3xf32>
    %last = llvm.mlir.constant(31 : i32) : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %a[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, vector<4xf32>
    llvm.store %twos, %p : vector<3xf32>, !llvm.ptr
    %other = llvm.sub %last, %thread : i32
    %q = llvm.getelementptr %a[%other] : (!llvm.ptr, i32) -> !llvm.ptr, vector<4xf32>
    %fourth = llvm.getelementptr %q[3] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %one, %fourth : f32, !llvm.ptr
    llvm.return
  }

  // BITS: kernel 'bits', block (0, 0, 0), thread (0, 0, 0): llvm.load of 2 bytes at allocation 0 + 0 outside of its 1 bytes
  llvm.func @bits(%a0: !llvm.ptr, %a: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %x = llvm.load %a {alignment = 1 : i64} : !llvm.ptr -> vector<12xi1>
    llvm.store %x, %a {alignment = 1 : i64} : vector<12xi1>, !llvm.ptr
    llvm.return
  }

  llvm.func @odd(%a0: !llvm.ptr, %a: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %one = llvm.mlir.constant(1 : i24) : i24
    %last = llvm.mlir.constant(9 : i32) : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %other = llvm.sub %last, %thread : i32
    %offset = llvm.mul %other, %c3 : i32
    %p = llvm.getelementptr %a[%offset] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    llvm.store %one, %p {alignment = 1 : i64} : i24, !llvm.ptr
    llvm.return
  }

  // MASKED: 130xf32
  // MASKED-NEXT: {{^}}1 1 {{(1 )+}}1{{$}}
  // PAST: kernel 'masked', block (0, 0, 0), thread (0, 0, 0): llvm.intr.masked.load of 4 bytes at allocation 0 + 516 outside of its 516 bytes
  llvm.func @masked(%a0: !llvm.ptr, %a: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64,
                    %b0: !llvm.ptr, %b: !llvm.ptr, %b2: i64, %b3: i64, %b4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %all = llvm.mlir.constant(dense<true> : vector<130xi1>) : vector<130xi1>
    %x = llvm.intr.masked.load %a, %all {alignment = 512 : i32} : (!llvm.ptr, vector<130xi1>) -> vector<130xf32>
    llvm.intr.masked.store %x, %b, %all {alignment = 4 : i32} : vector<130xf32>, vector<130xi1> into !llvm.ptr
    llvm.return
  }
}
