// RUN: %emulate %s --kernel=shuffles --block=32 --arg=out:4x32xi32 \
// RUN:   --arg=out:4x32xi32 | FileCheck %s --check-prefix=SHUFFLE
// RUN: %emulate %s --kernel=votes --block=32 --arg=out:7x32xi32 \
// RUN:   | FileCheck %s --check-prefix=VOTE
// RUN: %emulate %s --kernel=reductions --block=32 --arg=out:8x32xi32 \
// RUN:   | FileCheck %s --check-prefix=REDUX
// RUN: %emulate %s --kernel=registers --block=3,5,3 --grid=2,1,2 \
// RUN:   --arg=out:180x8xi32 | FileCheck %s --check-prefix=REGISTER
// RUN: %emulate %s --kernel=counting_barrier --block=64 --arg=out:64xi32 \
// RUN:   | FileCheck %s --check-prefix=BARRIER

gpu.module @kernels {
  // Within halves of a warp for up and down; what has no source keeps its own.
  // SHUFFLE: 4x32xi32
  // SHUFFLE-NEXT: {{^}}3 2 1 0 7 6 5 4 11
  // SHUFFLE-NEXT: {{^}}0 1 0 1 2 3 4 5 6 7 8 9 10 11 12 13 16 17 16 17 18
  // SHUFFLE-NEXT: {{^}}2 3 4 5 6 7 8 9 10 11 12 13 14 15 14 15 18 19
  // SHUFFLE-NEXT: {{^}}5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5
  // SHUFFLE: 4x32xi32
  // SHUFFLE-NEXT: {{^}}1 1 1
  // SHUFFLE-NEXT: {{^}}0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 1
  // SHUFFLE-NEXT: {{^}}1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 1 1
  // SHUFFLE-NEXT: {{^}}1 1 1
  gpu.func @shuffles(%out: memref<4x32xi32>, %valid: memref<4x32xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %five = arith.constant 5 : i32
    %mask = arith.constant -1 : i32
    // Segments of 16 lanes: mask 16 above clamp, 0 for up and 31 for down.
    %up = arith.constant 0x1000 : i32
    %down = arith.constant 0x101f : i32
    %all = arith.constant 31 : i32
    %lane = gpu.lane_id
    %i = arith.index_cast %lane : index to i32
    %a = nvvm.shfl.sync bfly %mask, %i, %three, %all {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    %b = nvvm.shfl.sync up %mask, %i, %two, %up {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    %c = nvvm.shfl.sync down %mask, %i, %two, %down {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    %d = nvvm.shfl.sync idx %mask, %i, %five, %all {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    func.call @store(%a, %c0, %lane, %out, %valid) : (!llvm.struct<(i32, i1)>, index, index, memref<4x32xi32>, memref<4x32xi32>) -> ()
    func.call @store(%b, %c1, %lane, %out, %valid) : (!llvm.struct<(i32, i1)>, index, index, memref<4x32xi32>, memref<4x32xi32>) -> ()
    func.call @store(%c, %c2, %lane, %out, %valid) : (!llvm.struct<(i32, i1)>, index, index, memref<4x32xi32>, memref<4x32xi32>) -> ()
    func.call @store(%d, %c3, %lane, %out, %valid) : (!llvm.struct<(i32, i1)>, index, index, memref<4x32xi32>, memref<4x32xi32>) -> ()
    gpu.return
  }
  func.func @store(%r: !llvm.struct<(i32, i1)>, %row: index, %lane: index,
                   %out: memref<4x32xi32>, %valid: memref<4x32xi32>) {
    %x = llvm.extractvalue %r[0] : !llvm.struct<(i32, i1)>
    %v = llvm.extractvalue %r[1] : !llvm.struct<(i32, i1)>
    %w = arith.extui %v : i1 to i32
    memref.store %x, %out[%row, %lane] : memref<4x32xi32>
    memref.store %w, %valid[%row, %lane] : memref<4x32xi32>
    return
  }

  // Of lanes below 5: any, all, ballot, uniform; lanes with the same remainder
  // by 4; whether all have the same.
  // VOTE: 7x32xi32
  // VOTE-NEXT: {{^}}1 1
  // VOTE-NEXT: {{^}}0 0
  // VOTE-NEXT: {{^}}31 31
  // VOTE-NEXT: {{^}}0 0
  // VOTE-NEXT: {{^}}286331153 572662306 1145324612 -2004318072 286331153
  // VOTE-NEXT: {{^}}0 0
  // VOTE-NEXT: {{^}}-1 -1
  gpu.func @votes(%out: memref<7x32xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %three = arith.constant 3 : i32
    %mask = arith.constant -1 : i32
    %lane = gpu.lane_id
    %few = arith.cmpi ult, %lane, %c5 : index
    %any = nvvm.vote.sync any %mask, %few -> i1
    %all = nvvm.vote.sync all %mask, %few -> i1
    %ballot = nvvm.vote.sync ballot %mask, %few -> i32
    %uniform = nvvm.vote.sync uni %mask, %few -> i1
    %i = arith.index_cast %lane : index to i32
    %rest = arith.andi %i, %three : i32
    %same = nvvm.match.sync any %mask, %rest : i32 -> i32
    %equal = nvvm.match.sync all %mask, %rest : i32 -> !llvm.struct<(i32, i1)>
    %equals = nvvm.match.sync all %mask, %three : i32 -> !llvm.struct<(i32, i1)>
    %e0 = llvm.extractvalue %equal[0] : !llvm.struct<(i32, i1)>
    %e1 = llvm.extractvalue %equals[0] : !llvm.struct<(i32, i1)>
    %a = arith.extui %any : i1 to i32
    %b = arith.extui %all : i1 to i32
    %c = arith.extui %uniform : i1 to i32
    memref.store %a, %out[%c0, %lane] : memref<7x32xi32>
    memref.store %b, %out[%c1, %lane] : memref<7x32xi32>
    memref.store %ballot, %out[%c2, %lane] : memref<7x32xi32>
    memref.store %c, %out[%c3, %lane] : memref<7x32xi32>
    memref.store %same, %out[%c4, %lane] : memref<7x32xi32>
    memref.store %e0, %out[%c5, %lane] : memref<7x32xi32>
    memref.store %e1, %out[%c6, %lane] : memref<7x32xi32>
    gpu.return
  }

  // Of lane - 7: add, and, or, xor, min, max, umin, umax.
  // REDUX: 8x32xi32
  // REDUX-NEXT: {{^}}272 272
  // REDUX-NEXT: {{^}}0 0
  // REDUX-NEXT: {{^}}-1 -1
  // REDUX-NEXT: {{^}}-32 -32
  // REDUX-NEXT: {{^}}-7 -7
  // REDUX-NEXT: {{^}}24 24
  // REDUX-NEXT: {{^}}0 0
  // REDUX-NEXT: {{^}}-1 -1
  gpu.func @reductions(%out: memref<8x32xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %seven = arith.constant 7 : i32
    %mask = arith.constant -1 : i32
    %lane = gpu.lane_id
    %i = arith.index_cast %lane : index to i32
    %x = arith.subi %i, %seven : i32
    %0 = nvvm.redux.sync add %x, %mask : i32 -> i32
    %1 = nvvm.redux.sync and %x, %mask : i32 -> i32
    %2 = nvvm.redux.sync or %x, %mask : i32 -> i32
    %3 = nvvm.redux.sync xor %x, %mask : i32 -> i32
    %4 = nvvm.redux.sync min %x, %mask : i32 -> i32
    %5 = nvvm.redux.sync max %x, %mask : i32 -> i32
    %6 = nvvm.redux.sync umin %x, %mask : i32 -> i32
    %7 = nvvm.redux.sync umax %x, %mask : i32 -> i32
    memref.store %0, %out[%c0, %lane] : memref<8x32xi32>
    memref.store %1, %out[%c1, %lane] : memref<8x32xi32>
    memref.store %2, %out[%c2, %lane] : memref<8x32xi32>
    memref.store %3, %out[%c3, %lane] : memref<8x32xi32>
    memref.store %4, %out[%c4, %lane] : memref<8x32xi32>
    memref.store %5, %out[%c5, %lane] : memref<8x32xi32>
    memref.store %6, %out[%c6, %lane] : memref<8x32xi32>
    memref.store %7, %out[%c7, %lane] : memref<8x32xi32>
    gpu.return
  }

  // Thread, block and lane of each thread in turn, the last of them in block
  // (1, 0, 1).
  // REGISTER: 180x8xi32
  // REGISTER-NEXT: {{^}}0 0 0 0 0 0 45 4
  // REGISTER-NEXT: {{^}}1 0 0 0 0 1 45 4
  // REGISTER: 2 4 2 1 1 12 45 4
  // REGISTER-NOT: {{.}}
  gpu.func @registers(%out: memref<180x8xi32>) kernel {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %bx = gpu.block_id x
    %bz = gpu.block_id z
    %dx = gpu.block_dim x
    %dy = gpu.block_dim y
    %dz = gpu.block_dim z
    %gx = gpu.grid_dim x
    %gz = gpu.grid_dim z
    %lane = gpu.lane_id
    %plane = arith.muli %dx, %dy : index
    %size = arith.muli %plane, %dz : index
    %blocks = arith.muli %gx, %gz : index
    %z = arith.muli %tz, %plane : index
    %y = arith.muli %ty, %dx : index
    %zy = arith.addi %z, %y : index
    %thread = arith.addi %zy, %tx : index
    %b = arith.muli %bz, %gx : index
    %block = arith.addi %b, %bx : index
    %start = arith.muli %block, %size : index
    %row = arith.addi %start, %thread : index
    %all = vector.from_elements %tx, %ty, %tz, %bx, %bz, %lane, %size, %blocks : vector<8xindex>
    %ints = arith.index_cast %all : vector<8xindex> to vector<8xi32>
    %c0 = arith.constant 0 : index
    vector.store %ints, %out[%row, %c0] : memref<180x8xi32>, vector<8xi32>
    gpu.return
  }

  // BARRIER: 64xi32
  // BARRIER-NEXT: {{^}}40 40 40
  gpu.func @counting_barrier(%out: memref<64xi32>) kernel {
    %c40 = arith.constant 40 : index
    %thread = gpu.thread_id x
    %some = arith.cmpi ult, %thread, %c40 : index
    %p = arith.extui %some : i1 to i32
    %n = nvvm.barrier #nvvm.reduction<popc> %p -> i32
    memref.store %n, %out[%thread] : memref<64xi32>
    gpu.return
  }
}
