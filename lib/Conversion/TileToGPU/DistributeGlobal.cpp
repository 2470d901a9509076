//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Blocks that no product uses, between registers and global memory. A thread
// holds neighbours of a row and moves them by one access where they are
// aligned, so that a warp asks for each sector of memory once. Rows that begin
// anywhere go through shared memory instead, one element a thread, from a
// sector's first on.

#include "Distribute.h"
#include "GlobalAlignment.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::simt;

/// Where the element of register `number` is in global memory. `exists` comes
/// to say whether it is there, if that is not certain.
SmallVector<Value> Distributor::locate(VectorTransferOpInterface op,
                                       const GlobalBlock &block,
                                       const Layout &layout,
                                       ArrayRef<Value> offsets, int64_t number,
                                       Value &exists) {
  SmallVector<Value> at(block.indices);
  int64_t columns = layout.getRegisterShape().back();
  size_t rank = layout.dims.size();
  for (size_t dim = 0; dim < rank; ++dim) {
    size_t axis = at.size() - rank + dim;
    int64_t reg = dim + 1 == rank ? number % columns : number / columns;
    at[axis] = addIndices(b, loc, at[axis],
                          addIndices(b, loc, offsets[dim],
                                     layout.dims[dim].getRegisterOffset(reg)));
    if (op.isDimInBounds(dim))
      continue;
    Value extent = b.createOrFold<memref::DimOp>(loc, block.memory, axis);
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                         at[axis], extent);
    exists = exists ? arith::AndIOp::create(b, loc, exists, inside).getResult()
                    : inside;
  }
  return at;
}

/// Neighbours that a thread can move at once: at most 16 bytes.
static int64_t countWide(const GlobalBlock &block, const Layout &layout) {
  auto memory = cast<MemRefType>(block.memory.getType());
  Type element = memory.getElementType();
  // Vectors of less than a byte lie in memory in another way than elements do.
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0 ||
      !memory.isLastDimUnitStride())
    return 1;
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  int64_t width = 1;
  for (const LayoutBit &bit : layout.dims.back().bits) {
    if (bit.holder != Holder::Register || 2 * width * bytes > 16)
      break;
    width *= 2;
  }
  return width;
}

/// Whether rows of a block begin at multiples of `bytes`, for all threads
/// alike.
static Value areAligned(OpBuilder &b, Location loc, const GlobalBlock &block,
                        bool hasRows, int64_t bytes) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value all = getAddress(b, loc, block.memory, block.indices);
  if (hasRows) {
    // Of a row that is alone there is no next one to be anywhere.
    int64_t dim = block.indices.size() - 2;
    Value rows = b.createOrFold<memref::DimOp>(loc, block.memory, dim);
    Value several = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                          rows, constant(1));
    Value stride = arith::SelectOp::create(
        b, loc, several, getByteStride(b, loc, block.memory, dim), constant(0));
    all = arith::OrIOp::create(b, loc, all, stride);
  }
  Value rest = arith::AndIOp::create(b, loc, all, constant(bytes - 1));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest,
                               constant(0));
}

Distributor::Wide Distributor::planWide(VectorType type,
                                        const GlobalBlock &block,
                                        const Layout &layout) {
  // Beside products there are no registers for both ways.
  Wide wide = {hasProducts ? 1 : countWide(block, layout), Value()};
  int64_t bytes = wide.width * type.getElementTypeBitWidth() / 8;
  if (wide.width > 1 && getGlobalAlignment(block.memory, block.indices) < bytes)
    wide.aligned = areAligned(
        b, loc, block, type.getRank() == 2 && type.getDimSize(0) > 1, bytes);
  return wide;
}

Value Distributor::pad(vector::TransferReadOp op, const GlobalBlock &source,
                       const Layout &layout, ArrayRef<Value> offsets,
                       Value held) {
  Value padding = scalars.lookupOrDefault(op.getPadding());
  SmallVector<Value> elements = unpack(b, loc, held);
  for (auto [number, element] : llvm::enumerate(elements)) {
    Value exists;
    locate(op, source, layout, offsets, number, exists);
    if (exists)
      element = arith::SelectOp::create(b, loc, exists, element, padding);
  }
  return pack(b, loc, elements, cast<VectorType>(held.getType()));
}

Value Distributor::readThroughShared(vector::TransferReadOp op,
                                     const GlobalBlock &source,
                                     const Layout &layout) {
  int64_t mark = shared.getMark();
  SharedTile tile(b, loc, shared, op.getVectorType());
  // Others may still read what was there, in an iteration before too.
  mlir::gpu::BarrierOp::create(b, loc);
  tile.copyFrom(b, loc, source, thread, 32 * shape.warps, Start::Sector);
  NVVM::CpAsyncCommitGroupOp::create(b, loc);
  waitForCopies();
  Value held = readFromShared(tile, layout, op.getVectorType());
  shared.release(mark);
  return pad(op, source, layout, getOffsets(layout), held);
}

/// `width` neighbours from register `number` on, each by itself; what is
/// outside of memory is the padding.
void Distributor::readSingly(vector::TransferReadOp op,
                             const GlobalBlock &source, const Layout &layout,
                             ArrayRef<Value> offsets, int64_t number,
                             int64_t width, SmallVectorImpl<Value> &elements) {
  Value padding = scalars.lookupOrDefault(op.getPadding());
  for (int64_t end = number + width; number < end; ++number) {
    Value exists;
    SmallVector<Value> at = locate(op, source, layout, offsets, number, exists);
    auto load = [&](OpBuilder &b) -> Value {
      return memref::LoadOp::create(b, loc, source.memory, at);
    };
    if (!exists) {
      elements.push_back(load(b));
      continue;
    }
    auto choice = scf::IfOp::create(
        b, loc, exists,
        [&](OpBuilder &b, Location loc) {
          scf::YieldOp::create(b, loc, load(b));
        },
        [&](OpBuilder &b, Location loc) {
          scf::YieldOp::create(b, loc, padding);
        });
    elements.push_back(choice.getResult(0));
  }
}

/// `width` neighbours by one access, or singly at the end of memory.
Value Distributor::readDirectly(vector::TransferReadOp op,
                                const GlobalBlock &source, const Layout &layout,
                                int64_t width) {
  VectorType held = getThreadType(op.getVectorType(), layout);
  SmallVector<Value> offsets = getOffsets(layout);
  auto type = VectorType::get({width}, held.getElementType());
  SmallVector<Value> elements;
  for (int64_t number = 0; number < held.getNumElements(); number += width) {
    if (width == 1) {
      readSingly(op, source, layout, offsets, number, width, elements);
      continue;
    }
    Value exists;
    locate(op, source, layout, offsets, number + width - 1, exists);
    auto readAll = [&]() -> Value {
      Value first;
      auto load = vector::LoadOp::create(
          b, loc, type, source.memory,
          locate(op, source, layout, offsets, number, first));
      setAlignment(load, type);
      return load;
    };
    Value neighbours;
    if (exists) {
      auto choice = scf::IfOp::create(b, loc, type, exists,
                                      /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(choice.thenBlock());
      scf::YieldOp::create(b, loc, readAll());
      b.setInsertionPointToStart(choice.elseBlock());
      SmallVector<Value> singles;
      readSingly(op, source, layout, offsets, number, width, singles);
      scf::YieldOp::create(b, loc, pack(b, loc, singles, type));
      neighbours = choice.getResult(0);
    } else {
      neighbours = readAll();
    }
    llvm::append_range(elements, unpack(b, loc, neighbours));
  }
  return pack(b, loc, elements, held);
}

Value Distributor::readFromGlobal(vector::TransferReadOp op,
                                  const Layout &layout) {
  GlobalBlock source = getSource(op, scalars);
  Wide wide = planWide(op.getVectorType(), source, layout);
  if (!wide.aligned)
    return readDirectly(op, source, layout, wide.width);
  auto choice = scf::IfOp::create(
      b, loc, getThreadType(op.getVectorType(), layout), wide.aligned,
      /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, loc, readDirectly(op, source, layout, wide.width));
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, readThroughShared(op, source, layout));
  return choice.getResult(0);
}

void Distributor::writeThroughShared(vector::TransferWriteOp op,
                                     const GlobalBlock &target,
                                     const Layout &layout, Value held,
                                     Filling filling, Start start) {
  int64_t mark = shared.getMark();
  SharedTile tile(b, loc, shared, op.getVectorType(), /*copies=*/1, filling);
  // The memory may hold what other threads still read.
  mlir::gpu::BarrierOp::create(b, loc);
  {
    OpBuilder::InsertionGuard guard(b);
    if (Value first = isFirstCopy(b, loc, layout, thread, shape.warps))
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, first).thenBlock());
    storeToShared(tile, held, layout);
  }
  mlir::gpu::BarrierOp::create(b, loc);
  tile.copyTo(b, loc, target, thread, 32 * shape.warps, start);
  shared.release(mark);
}

/// By one of the threads that hold copies, `width` neighbours by one access, or
/// singly at the end of memory.
void Distributor::writeDirectly(vector::TransferWriteOp op,
                                const GlobalBlock &target, const Layout &layout,
                                Value held, int64_t width) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> offsets = getOffsets(layout);
  if (Value first = isFirstCopy(b, loc, layout, thread, shape.warps))
    b.setInsertionPointToStart(scf::IfOp::create(b, loc, first).thenBlock());
  SmallVector<Value> elements = unpack(b, loc, held);
  auto moved = VectorType::get({width}, op.getVectorType().getElementType());
  auto writeSingly = [&](int64_t number, int64_t width) {
    for (int64_t end = number + width; number < end; ++number) {
      Value exists;
      SmallVector<Value> at =
          locate(op, target, layout, offsets, number, exists);
      OpBuilder::InsertionGuard inner(b);
      if (exists)
        b.setInsertionPointToStart(
            scf::IfOp::create(b, loc, exists).thenBlock());
      memref::StoreOp::create(b, loc, elements[number], target.memory, at);
    }
  };
  for (int64_t number = 0, e = elements.size(); number < e; number += width) {
    if (width == 1) {
      writeSingly(number, width);
      continue;
    }
    OpBuilder::InsertionGuard inner(b);
    Value exists;
    locate(op, target, layout, offsets, number + width - 1, exists);
    if (exists) {
      auto choice = scf::IfOp::create(b, loc, TypeRange(), exists,
                                      /*withElseRegion=*/true);
      b.setInsertionPointToStart(choice.elseBlock());
      writeSingly(number, width);
      b.setInsertionPointToStart(choice.thenBlock());
    }
    Value first;
    SmallVector<Value> at = locate(op, target, layout, offsets, number, first);
    Value neighbours =
        pack(b, loc, ArrayRef(elements).slice(number, width), moved);
    setAlignment(vector::StoreOp::create(b, loc, neighbours, target.memory, at),
                 moved);
  }
}

void Distributor::writeToGlobal(vector::TransferWriteOp op,
                                const GlobalBlock &target, const Layout &layout,
                                Value held) {
  Wide wide = planWide(op.getVectorType(), target, layout);
  if (!wide.aligned)
    return writeDirectly(op, target, layout, held, wide.width);
  auto choice = scf::IfOp::create(b, loc, TypeRange(), wide.aligned,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  writeDirectly(op, target, layout, held, wide.width);
  b.setInsertionPointToStart(choice.elseBlock());
  writeThroughShared(op, target, layout, held, Filling::Chunks, Start::Sector);
}
