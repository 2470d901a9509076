// Constants are read within their bounds, and nobody writes them, whether the
// op or only the run shows which one is meant.

// RUN: fpa-emulate %s --kernel=shown --block=8 --arg=out:8xf32 | FileCheck %s --check-prefix=VALUES
// RUN: not fpa-emulate %s --kernel=shown --block=32 --arg=out:32xf32 2>&1 | FileCheck %s --check-prefix=SHOWN
// RUN: fpa-emulate %s --kernel=chosen --block=8 --arg=out:8xf32 | FileCheck %s --check-prefix=CHOSEN
// RUN: not fpa-emulate %s --kernel=written --arg=out:1xf32 2>&1 | FileCheck %s --check-prefix=WRITTEN
// RUN: not fpa-emulate %s --kernel=chosen_written --block=2 2>&1 | FileCheck %s --check-prefix=CHOSEN-WRITTEN
// RUN: not fpa-emulate %s --kernel=wide --block=2 --arg=out:1xf32 2>&1 | FileCheck %s --check-prefix=WIDE

gpu.module @kernels {
  llvm.mlir.global internal constant @twos(dense<2.0> : tensor<8xf32>) {addr_space = 4 : i32} : !llvm.array<8 x f32>
  llvm.mlir.global internal constant @threes(dense<3.0> : tensor<8xf32>) {addr_space = 4 : i32} : !llvm.array<8 x f32>

  // VALUES: 8xf32
  // VALUES-NEXT: {{^}}2 2 2 2 2 2 2 2{{$}}
  // SHOWN: kernel 'shown', block (0, 0, 0), thread (8, 0, 0): llvm.load of 4 bytes at constant 'twos' + 32 outside of its 32 bytes
  llvm.func @shown(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mlir.addressof @twos : !llvm.ptr<4>
    %p = llvm.getelementptr %base[%thread] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, f32
    %x = llvm.load %p : !llvm.ptr<4> -> f32
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %x, %to : f32, !llvm.ptr
    llvm.return
  }

  // CHOSEN: 8xf32
  // CHOSEN-NEXT: {{^}}2 3 3 3 3 3 3 3{{$}}
  llvm.func @chosen(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %twos = llvm.mlir.addressof @twos : !llvm.ptr<4>
    %threes = llvm.mlir.addressof @threes : !llvm.ptr<4>
    %isFirst = llvm.icmp "eq" %thread, %c0 : i32
    %base = llvm.select %isFirst, %twos, %threes : i1, !llvm.ptr<4>
    %p = llvm.getelementptr %base[%thread] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, f32
    %x = llvm.load %p : !llvm.ptr<4> -> f32
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %x, %to : f32, !llvm.ptr
    llvm.return
  }

  // WRITTEN: kernel 'written', block (0, 0, 0), thread (0, 0, 0): llvm.store of 4 bytes at constant 'twos' + 0 that no kernel may write
  llvm.func @written(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %p = llvm.mlir.addressof @twos : !llvm.ptr<4>
    llvm.store %one, %p : f32, !llvm.ptr<4>
    llvm.return
  }

  // CHOSEN-WRITTEN: kernel 'chosen_written', block (0, 0, 0), thread (0, 0, 0): llvm.store of 4 bytes at constant 'twos' + 0 that no kernel may write
  llvm.func @chosen_written() attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %twos = llvm.mlir.addressof @twos : !llvm.ptr<4>
    %threes = llvm.mlir.addressof @threes : !llvm.ptr<4>
    %isFirst = llvm.icmp "eq" %thread, %c0 : i32
    %p = llvm.select %isFirst, %twos, %threes : i1, !llvm.ptr<4>
    llvm.store %one, %p : f32, !llvm.ptr<4>
    llvm.return
  }

  // WIDE: kernel 'wide', block (0, 0, 0), thread (0, 0, 0): llvm.load of 64 bytes at constant 'twos' + 0 outside of its 32 bytes
  llvm.func @wide(%a0: !llvm.ptr, %out: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %p = llvm.mlir.addressof @twos : !llvm.ptr<4>
    %x = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<4> -> vector<16xf32>
    %y = llvm.extractelement %x[%c0 : i32] : vector<16xf32>
    llvm.store %y, %out : f32, !llvm.ptr
    llvm.return
  }
}
