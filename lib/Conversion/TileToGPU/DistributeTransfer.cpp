//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Reads and writes of blocks in global memory. Matrices, and what a loop reads,
// go through shared memory: whole rows are moved by all threads, each byte
// once, whatever the layout in registers.

#include "Distribute.h"
#include "GlobalAlignment.h"
#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::simt;

/// The reads and writes there are: along memory's last dimensions, unmasked.
template <typename Op> static LogicalResult checkTransfer(Op op) {
  auto memory = dyn_cast<MemRefType>(op.getBase().getType());
  if (!memory || op.getMask() || !op.getPermutationMap().isMinorIdentity() ||
      op.getVectorType().getRank() > 2 || op.getVectorType().getRank() < 1)
    return op.emitOpError("expected an unmasked transfer of one or two "
                          "dimensions along memory's last ones");
  return success();
}

template <typename Op> static bool isInBounds(Op op) {
  return llvm::all_of(op.getInBoundsValues(), [](bool in) { return in; });
}

/// Whether a layout is that of left operands of products: rows along the high
/// bits of the lane, columns along the low ones.
static bool isLeftLayout(const Layout &layout) {
  auto beginsWith = [](const DimLayout &dim, LayoutBit bit) {
    return !dim.bits.empty() && dim.bits.front() == bit;
  };
  return layout.dims.size() == 2 &&
         beginsWith(layout.dims[0], {Holder::Lane, 2}) &&
         beginsWith(layout.dims[1], {Holder::Register});
}

/// How many neighbours along the last dimension a thread holds at least.
static int64_t countNeighbours(const Layout &layout) {
  const DimLayout &last = layout.dims.back();
  bool pairs =
      !last.bits.empty() && last.bits.front().holder == Holder::Register;
  return pairs ? 2 : 1;
}

/// Whether neighbours of a line are none in memory. So it is where it has one
/// element, of which a view may say any stride.
static bool isScattered(vector::TransferReadOp op) {
  auto memory = dyn_cast<MemRefType>(op.getBase().getType());
  return op.getVectorType().getRank() == 1 && memory &&
         !memory.isLastDimUnitStride();
}

/// Numbers for products, and what goes with them, come through shared memory.
bool Distributor::isStaged(vector::TransferReadOp op) {
  return hasProducts && getLayout(op.getVector()) &&
         isa<FloatType>(op.getVectorType().getElementType()) &&
         !isScattered(op);
}

/// Registers of left operands that loops share. Where several take more, they
/// are read from shared memory again in each iteration; where one does, in
/// loops over smaller tiles than others, which are few and need registers for
/// more.
static constexpr int64_t kMostLasting = 16;

/// Registers of a thread for a left operand of 16 bits, else 0.
static int64_t countLeftRegisters(vector::TransferReadOp op) {
  std::optional<Layout> layout = getLayout(op.getVector());
  VectorType type = op.getVectorType();
  return layout && type.getElementTypeBitWidth() == 16 && isLeftLayout(*layout)
             ? getThreadType(type, *layout).getNumElements() / 2
             : 0;
}

bool Distributor::isReadAgain(vector::TransferReadOp op) {
  return readsAgain && countLeftRegisters(op) > 0;
}

/// The most columns that a product in `region` with `left` on the left has.
static int64_t countColumns(Region &region, vector::TransferReadOp left) {
  int64_t columns = 0;
  region.walk([&](vector::ContractionOp op) {
    Value lhs = op.getLhs();
    if (auto wide = lhs.getDefiningOp<arith::ExtFOp>())
      lhs = wide.getIn();
    if (lhs == left.getVector())
      columns = std::max(
          columns, cast<VectorType>(op.getResultType()).getShape().back());
  });
  return columns;
}

void Distributor::planLeftOperands(Region &body) {
  int64_t lasting = 0;
  SmallVector<vector::TransferReadOp> operands;
  body.walk([&](vector::TransferReadOp op) {
    int64_t registers = countLeftRegisters(op);
    if (registers == 0 || op->getBlock()->getOps<scf::ForOp>().empty())
      return;
    lasting += registers;
    operands.push_back(op);
  });
  readsAgain = lasting > kMostLasting;
  if (readsAgain && operands.size() == 1) {
    held = operands.front();
    heldColumns = countColumns(body, held);
  }
}

bool Distributor::isHeldIn(scf::ForOp loop) {
  return held && countColumns(loop.getRegion(), held) == heldColumns;
}

GlobalBlock Distributor::getSource(vector::TransferReadOp op,
                                   const IRMapping &mapping) {
  GlobalBlock block;
  block.memory = mapping.lookupOrDefault(op.getBase());
  for (Value at : op.getIndices())
    block.indices.push_back(mapping.lookupOrDefault(at));
  block.inBounds = isInBounds(op);
  return block;
}

/// The same by matrix loads, 16x16 at a time, for a left operand of 16 bits.
Value Distributor::readLeftFromShared(const SharedTile &tile,
                                      const Layout &layout, VectorType type) {
  VectorType held = getThreadType(type, layout);
  SmallVector<Value> elements(held.getNumElements());
  int64_t columns = held.getDimSize(1);
  Value warpRow = arith::MulIOp::create(b, loc, thread.warp, index(16));
  for (int64_t m = 0; m < held.getDimSize(0) / 2; ++m)
    for (int64_t k = 0; k < type.getDimSize(1) / 16; ++k) {
      Value four = tile.loadMatrices(
          b, loc, layout.dims[0].getRegisterOffset(2 * m), 16 * k,
          /*columnFirst=*/false, /*transposed=*/false, thread, warpRow);
      for (int64_t matrix = 0; matrix < 4; ++matrix)
        for (int64_t i = 0; i < 2; ++i) {
          int64_t row = 2 * m + matrix % 2;
          int64_t column = 4 * k + 2 * (matrix / 2) + i;
          elements[row * columns + column] = vector::ExtractOp::create(
              b, loc, four, ArrayRef<int64_t>{matrix, i});
        }
    }
  return pack(b, loc, elements, held);
}

Value Distributor::readFromShared(const SharedTile &tile, const Layout &layout,
                                  VectorType type) {
  if (isLeftLayout(layout) && type.getElementTypeBitWidth() == 16)
    return readLeftFromShared(tile, layout, type);
  SmallVector<int64_t> shape = layout.getRegisterShape();
  SmallVector<Value> offsets = getOffsets(layout);
  const DimLayout &last = layout.dims.back();
  int64_t rows = shape.size() == 2 ? shape[0] : 1;
  int64_t width = countNeighbours(layout);
  SmallVector<Value> elements;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < shape.back(); column += width) {
      SmallVector<Value> position;
      if (shape.size() == 2)
        position.push_back(addIndices(b, loc, offsets[0],
                                      layout.dims[0].getRegisterOffset(row)));
      position.push_back(
          addIndices(b, loc, offsets.back(), last.getRegisterOffset(column)));
      Value loaded = tile.load(b, loc, position, width);
      for (int64_t i = 0; i < width; ++i)
        elements.push_back(vector::ExtractOp::create(b, loc, loaded, i));
    }
  return pack(b, loc, elements, getThreadType(type, layout));
}

void Distributor::storeToShared(const SharedTile &tile, Value held,
                                const Layout &layout) {
  SmallVector<int64_t> shape = layout.getRegisterShape();
  SmallVector<Value> offsets = getOffsets(layout);
  const DimLayout &last = layout.dims.back();
  int64_t rows = shape.size() == 2 ? shape[0] : 1;
  int64_t width = countNeighbours(layout);
  for (int64_t row = 0; row < rows; ++row) {
    Value line = held;
    SmallVector<Value> position;
    if (shape.size() == 2) {
      line = vector::ExtractOp::create(b, loc, held, row);
      position.push_back(addIndices(b, loc, offsets[0],
                                    layout.dims[0].getRegisterOffset(row)));
    }
    position.push_back({});
    for (int64_t column = 0; column < shape.back(); column += width) {
      position.back() =
          addIndices(b, loc, offsets.back(), last.getRegisterOffset(column));
      Value neighbours = vector::ExtractStridedSliceOp::create(
          b, loc, line, ArrayRef<int64_t>{column}, ArrayRef<int64_t>{width},
          ArrayRef<int64_t>{1});
      tile.store(b, loc, neighbours, position);
    }
  }
}

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

/// Whether the accesses of `width` neighbours from `at` on are aligned, and
/// those of rows below it.
static Value areAligned(OpBuilder &b, Location loc, Value memory, ValueRange at,
                        int64_t width, bool hasRows) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, memory);
  Value place = metadata.getOffset();
  for (auto [index, stride] : llvm::zip_equal(at, metadata.getStrides()))
    place = arith::AddIOp::create(b, loc, place,
                                  arith::MulIOp::create(b, loc, index, stride));
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  int64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memory);
  Value all = arith::AddIOp::create(
      b, loc, start, arith::MulIOp::create(b, loc, place, constant(bytes)));
  if (hasRows)
    all = arith::OrIOp::create(
        b, loc, all,
        arith::MulIOp::create(b, loc, metadata.getStrides()[at.size() - 2],
                              constant(bytes)));
  Value rest = arith::AndIOp::create(b, loc, all, constant(width * bytes - 1));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest,
                               constant(0));
}

Distributor::Wide Distributor::planWide(VectorTransferOpInterface op,
                                        const GlobalBlock &block,
                                        const Layout &layout,
                                        ArrayRef<Value> offsets) {
  // Beside products there are no registers for both ways.
  Wide wide = {hasProducts ? 1 : countWide(block, layout), Value()};
  if (wide.width == 1)
    return wide;
  SmallVector<int64_t> shape = layout.getRegisterShape();
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  // The last element is inside of memory only if all are.
  locate(op, block, layout, offsets, count - 1, wide.allowed);
  int64_t bytes = llvm::divideCeil(
      op.getVectorType().getElementType().getIntOrFloatBitWidth(), 8);
  if (getGlobalAlignment(block.memory, block.indices) >= wide.width * bytes)
    return wide;
  Value exists;
  SmallVector<Value> first = locate(op, block, layout, offsets, 0, exists);
  Value aligned = areAligned(b, loc, block.memory, first, wide.width,
                             shape.size() == 2 && shape[0] > 1);
  wide.allowed =
      wide.allowed
          ? arith::AndIOp::create(b, loc, wide.allowed, aligned).getResult()
          : aligned;
  return wide;
}

/// Several neighbours at once where they are in memory and lie as that needs,
/// else element by element; what is outside of memory is the padding.
Value Distributor::readFromGlobal(vector::TransferReadOp op,
                                  const Layout &layout) {
  GlobalBlock source = getSource(op, scalars);
  Value padding = scalars.lookupOrDefault(op.getPadding());
  VectorType held = getThreadType(op.getVectorType(), layout);
  SmallVector<Value> offsets = getOffsets(layout);
  Wide wide = planWide(op, source, layout, offsets);
  auto readWide = [&]() -> Value {
    SmallVector<Value> elements;
    auto type = VectorType::get({wide.width}, held.getElementType());
    for (int64_t number = 0; number < held.getNumElements();
         number += wide.width) {
      Value exists;
      SmallVector<Value> at =
          locate(op, source, layout, offsets, number, exists);
      auto load = vector::LoadOp::create(b, loc, type, source.memory, at);
      setAlignment(load, type);
      llvm::append_range(elements, unpack(b, loc, load));
    }
    return pack(b, loc, elements, held);
  };
  auto readSingle = [&]() -> Value {
    SmallVector<Value> elements;
    for (int64_t number = 0; number < held.getNumElements(); ++number) {
      Value exists;
      SmallVector<Value> at =
          locate(op, source, layout, offsets, number, exists);
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
    return pack(b, loc, elements, held);
  };
  if (wide.width == 1)
    return readSingle();
  if (!wide.allowed)
    return readWide();
  auto choice = scf::IfOp::create(b, loc, held, wide.allowed,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, loc, readWide());
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, readSingle());
  return choice.getResult(0);
}

LogicalResult Distributor::distributeRead(vector::TransferReadOp op) {
  if (tiles.count(op.getVector()))
    return success(); // a loop copies it
  std::optional<Layout> layout = getLayout(op.getVector());
  if (failed(checkTransfer(op)))
    return failure();
  if (!layout)
    return op.emitOpError("expected a layout, got none");
  if (!isStaged(op)) {
    set(op, readFromGlobal(op, *layout));
    return success();
  }
  if (shared.needsBarrier())
    mlir::gpu::BarrierOp::create(b, loc);
  SharedTile tile(b, loc, shared, op.getVectorType());
  tile.copyFrom(b, loc, getSource(op, scalars), thread, 32 * shape.warps);
  NVVM::CpAsyncCommitGroupOp::create(b, loc);
  waitForCopies();
  tiles[op.getVector()] = tile;
  if (!isReadAgain(op))
    get(op.getVector());
  return success();
}

/// Neighbours of the last dimension in neighbouring threads: for a block that
/// nobody holds, since all of it is one number.
static Layout spreadOverThreads(ArrayRef<int64_t> shape, int64_t warps) {
  Layout layout;
  for (int64_t size : shape)
    layout.dims.emplace_back().outer = size;
  DimLayout &last = layout.dims.back();
  auto add = [&](Holder holder, unsigned bit) {
    if (last.outer % 2 != 0)
      return;
    last.bits.push_back({holder, bit});
    last.outer /= 2;
  };
  for (unsigned bit = 0; bit < 5; ++bit)
    add(Holder::Lane, bit);
  for (unsigned bit = 0; (int64_t(1) << bit) < warps; ++bit)
    add(Holder::Warp, bit);
  return layout;
}

LogicalResult Distributor::distributeWrite(vector::TransferWriteOp op) {
  if (failed(checkTransfer(op)))
    return failure();
  std::optional<Layout> layout = getLayout(op.getVector());
  if (!layout && getSplat(op.getVector()) && op.getVectorType().getRank() > 0)
    layout = spreadOverThreads(op.getVectorType().getShape(), shape.warps);
  if (!layout)
    return op.emitOpError("expected a vector with a layout");
  Value held = get(op.getVector(), layout->getRegisterShape());
  GlobalBlock target;
  target.memory = scalars.lookupOrDefault(op.getBase());
  for (Value at : op.getIndices())
    target.indices.push_back(scalars.lookupOrDefault(at));
  target.inBounds = isInBounds(op);
  VectorType type = op.getVectorType();
  SmallVector<Value> offsets = getOffsets(*layout);
  const DimLayout &last = layout->dims.back();

  if (type.getRank() == 2 && last.uses(Holder::Lane) &&
      last.bits.front().holder == Holder::Register &&
      layout->dims[0].uses(Holder::Lane)) {
    int64_t mark = shared.getMark();
    SharedTile tile(b, loc, shared, type, /*copies=*/1, Filling::Pairs);
    // The memory may hold what other threads still read.
    mlir::gpu::BarrierOp::create(b, loc);
    {
      OpBuilder::InsertionGuard guard(b);
      if (Value first = isFirstCopy(b, loc, *layout, thread, shape.warps))
        b.setInsertionPointToStart(
            scf::IfOp::create(b, loc, first).thenBlock());
      storeToShared(tile, held, *layout);
    }
    mlir::gpu::BarrierOp::create(b, loc);
    tile.copyTo(b, loc, target, thread, 32 * shape.warps);
    shared.release(mark);
    return success();
  }

  // By one of the threads that hold copies.
  OpBuilder::InsertionGuard guard(b);
  if (Value first = isFirstCopy(b, loc, *layout, thread, shape.warps))
    b.setInsertionPointToStart(scf::IfOp::create(b, loc, first).thenBlock());
  SmallVector<Value> elements = unpack(b, loc, held);
  Wide wide = planWide(op, target, *layout, offsets);
  if (wide.width > 1) {
    scf::IfOp choice;
    if (wide.allowed) {
      choice = scf::IfOp::create(b, loc, TypeRange(), wide.allowed,
                                 /*withElseRegion=*/true);
      b.setInsertionPointToStart(choice.thenBlock());
    }
    auto moved = VectorType::get({wide.width}, type.getElementType());
    for (size_t number = 0; number < elements.size(); number += wide.width) {
      Value exists;
      SmallVector<Value> at =
          locate(op, target, *layout, offsets, number, exists);
      Value neighbours =
          pack(b, loc, ArrayRef(elements).slice(number, wide.width), moved);
      setAlignment(
          vector::StoreOp::create(b, loc, neighbours, target.memory, at),
          moved);
    }
    if (!choice)
      return success();
    b.setInsertionPointToStart(choice.elseBlock());
  }
  for (auto [number, element] : llvm::enumerate(elements)) {
    Value writes;
    SmallVector<Value> at =
        locate(op, target, *layout, offsets, number, writes);
    OpBuilder::InsertionGuard inner(b);
    if (writes)
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, writes).thenBlock());
    memref::StoreOp::create(b, loc, element, target.memory, at);
  }
  return success();
}
