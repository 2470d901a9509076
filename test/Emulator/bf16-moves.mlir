// Subnormal numbers of bf16 stay what they are from one basic block to the
// next, and where a function gives them back.

// RUN: fpa-emulate %s --kernel=move --block=4 --arg=4xbf16:3e-40,-2e-40,1e-39,5e-40 --arg=out:4xbf16 | FileCheck %s
// RUN: fpa-emulate %s --kernel=call --block=4 --arg=4xbf16:3e-40,-2e-40,1e-39,5e-40 --arg=out:4xbf16 | FileCheck %s
// CHECK: 4xbf16
// CHECK-NEXT: {{^}}2.75506e-40 -1.83671e-40 1.01019e-39 inf{{$}}

gpu.module @kernels {
  llvm.func @move(%a0: !llvm.ptr, %in: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64,
                  %b0: !llvm.ptr, %out: !llvm.ptr, %b2: i64, %b3: i64, %b4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %inf = llvm.mlir.constant(0x7F80 : bf16) : bf16
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %from = llvm.getelementptr %in[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, bf16
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, bf16
    %isIn = llvm.icmp "ult" %thread, %c3 : i32
    llvm.cond_br %isIn, ^read, ^write(%inf : bf16)
  ^read:
    %x = llvm.load %from : !llvm.ptr -> bf16
    llvm.br ^write(%x : bf16)
  ^write(%y: bf16):
    llvm.store %y, %to : bf16, !llvm.ptr
    llvm.return
  }

  llvm.func @read(%in: !llvm.ptr, %thread: i32) -> bf16 attributes {no_inline} {
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %inf = llvm.mlir.constant(0x7F80 : bf16) : bf16
    %from = llvm.getelementptr %in[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, bf16
    %isIn = llvm.icmp "ult" %thread, %c3 : i32
    llvm.cond_br %isIn, ^read, ^end(%inf : bf16)
  ^read:
    %x = llvm.load %from : !llvm.ptr -> bf16
    llvm.br ^end(%x : bf16)
  ^end(%y: bf16):
    llvm.return %y : bf16
  }

  llvm.func @call(%a0: !llvm.ptr, %in: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64,
                  %b0: !llvm.ptr, %out: !llvm.ptr, %b2: i64, %b3: i64, %b4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, bf16
    %x = llvm.call @read(%in, %thread) : (!llvm.ptr, i32) -> bf16
    llvm.store %x, %to : bf16, !llvm.ptr
    llvm.return
  }
}
