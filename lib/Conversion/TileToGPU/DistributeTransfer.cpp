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
#include "fpa/Dialect/IR/MemoryAccess.h"
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

/// How many neighbours along the last dimension, up to 16 bytes, a thread holds
/// at least.
static int64_t countNeighbours(const Layout &layout, VectorType type) {
  int64_t bytes = type.getElementTypeBitWidth() / 8, width = 1;
  for (const LayoutBit &bit : layout.dims.back().bits) {
    if (bit.holder != Holder::Register || 2 * width * bytes > 16)
      break;
    width *= 2;
  }
  return width;
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
  int64_t width = countNeighbours(layout, tile.getType());
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
  int64_t width = countNeighbours(layout, tile.getType());
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

/// Whether the program writes blocks to `memory`, which `op` reads in `layout`,
/// or as one number that is everyone's, and others than the thread that reads
/// an element write it. So it is where several hold copies: one of them writes.
bool Distributor::isWrittenByOthers(Operation *op, Value memory,
                                    const Layout *layout) {
  auto isOwn = [&](vector::TransferWriteOp write) {
    auto read = dyn_cast<vector::TransferReadOp>(op);
    std::optional<Layout> written = getLayout(write.getVector());
    return read && layout && written && written->dims == layout->dims &&
           !hasCopies(*layout, shape.warps) && write.getBase() == memory &&
           write.getIndices() == read.getIndices();
  };
  return op->getParentOfType<scf::ForallOp>()
      ->walk([&](vector::TransferWriteOp write) {
        return mayOverlap(write.getBase(), memory) && !isOwn(write)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void Distributor::readApart(bool writtenByOthers, function_ref<void()> emit) {
  if (writtenByOthers)
    mlir::gpu::BarrierOp::create(b, loc);
  emit();
  if (writtenByOthers)
    mlir::gpu::BarrierOp::create(b, loc);
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
    readApart(isWrittenByOthers(op, op.getBase(), &*layout),
              [&] { set(op, readFromGlobal(op, *layout)); });
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
  const DimLayout &last = layout->dims.back();
  bool isOfProducts = op.getVectorType().getRank() == 2 &&
                      last.uses(Holder::Lane) &&
                      last.bits.front().holder == Holder::Register &&
                      layout->dims[0].uses(Holder::Lane);
  if (isOfProducts)
    writeThroughShared(op, target, *layout, held, Filling::Pairs, Start::Row);
  else
    writeToGlobal(op, target, *layout, held);
  return success();
}
