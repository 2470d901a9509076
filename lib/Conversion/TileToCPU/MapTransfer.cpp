//===- MapTransfer.cpp - Between the caller's memory and scratch *- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileToCPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::cpu;

/// How many elements of the block lie inside memory along its dimension `dim`:
/// its extent when that is known, else memory's size less the start.
Value TileMapper::getValidSize(VectorTransferOpInterface transfer,
                               int64_t dim) {
  int64_t extent = transfer.getVectorType().getDimSize(dim);
  if (transfer.isDimInBounds(dim))
    return index(extent);
  Value memory = mapping.lookupOrDefault(transfer.getBase());
  int64_t memoryDim = cast<MemRefType>(memory.getType()).getRank() -
                      transfer.getVectorType().getRank() + dim;
  Value size = memref::DimOp::create(builder, loc(), memory, memoryDim);
  Value start = mapping.lookupOrDefault(transfer.getIndices()[memoryDim]);
  Value left = arith::SubIOp::create(builder, loc(), size, start);
  left = arith::MaxSIOp::create(builder, loc(), left, index(0));
  return arith::MinSIOp::create(builder, loc(), left, index(extent));
}

LogicalResult TileMapper::checkTransfer(VectorTransferOpInterface transfer) {
  if (transfer.getMask() || !transfer.getPermutationMap().isMinorIdentity() ||
      !isa<MemRefType>(transfer.getBase().getType()))
    return transfer->emitOpError(
        "cannot be mapped to register tiles: expected an unmasked transfer "
        "along memory's last dimensions");
  return success();
}

/// The indices in memory of the block's element at `at`.
static SmallVector<Value> addToBase(OpBuilder &b, Location loc, ValueRange base,
                                    ValueRange at) {
  SmallVector<Value> indices(base);
  size_t leading = base.size() - at.size();
  for (auto [dim, value] : llvm::enumerate(at))
    indices[leading + dim] =
        arith::AddIOp::create(b, loc, indices[leading + dim], value);
  return indices;
}

/// Transposes a square of registers in log2(width) steps: a step of distance d
/// swaps the off-diagonal blocks of size d of every pair of rows d apart.
static void transposeRegisters(OpBuilder &b, Location loc,
                               SmallVectorImpl<Value> &rows) {
  int64_t width = rows.size();
  for (int64_t distance = width / 2; distance > 0; distance /= 2) {
    SmallVector<int64_t> upper, lower;
    for (int64_t lane = 0; lane < width; ++lane) {
      bool second = lane & distance;
      upper.push_back(second ? width + lane - distance : lane);
      lower.push_back(second ? width + lane : lane + distance);
    }
    for (int64_t row = 0; row < width; ++row) {
      if (row & distance)
        continue;
      Value first = rows[row], other = rows[row + distance];
      rows[row] = vector::ShuffleOp::create(b, loc, first, other, upper);
      rows[row + distance] =
          vector::ShuffleOp::create(b, loc, first, other, lower);
    }
  }
}

/// The side of the square registers in which a block of axes `a` and `b` can
/// be transposed, 1 if it has none worth it.
int64_t TileMapper::getSquare(Axis a, Axis b) const {
  int64_t side = std::min(storage.getDivisor(a), storage.getDivisor(b));
  return side >= 4 ? side : 1;
}

/// Copies a block between two memories of which one has its rows where the
/// other has its columns, square by square. `from[y][x]` goes to `to[x][y]`.
void TileMapper::copyTransposed(Value from, ValueRange fromBase, Value to,
                                ValueRange toBase, int64_t sizeY, int64_t sizeX,
                                int64_t side) {
  Type element = cast<MemRefType>(from.getType()).getElementType();
  auto type = VectorType::get({side}, element);
  auto place = [&](ValueRange base, Value row, Value column, int64_t add) {
    SmallVector<Value> indices(base);
    Value &y = indices[indices.size() - 2], &x = indices.back();
    y = arith::AddIOp::create(builder, loc(), y, row);
    y = arith::AddIOp::create(builder, loc(), y, index(add));
    x = arith::AddIOp::create(builder, loc(), x, column);
    return indices;
  };
  auto forSquares = [&](int64_t size, function_ref<void(Value)> body) {
    auto loop =
        scf::ForOp::create(builder, loc(), index(0), index(size), index(side));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  };
  forSquares(sizeY, [&](Value y) {
    forSquares(sizeX, [&](Value x) {
      SmallVector<Value> rows;
      for (int64_t u = 0; u < side; ++u)
        rows.push_back(vector::LoadOp::create(builder, loc(), type, from,
                                              place(fromBase, y, x, u)));
      transposeRegisters(builder, loc(), rows);
      for (int64_t u = 0; u < side; ++u)
        vector::StoreOp::create(builder, loc(), rows[u], to,
                                place(toBase, x, y, u));
    });
  });
}

/// Copies a block that lies inside memory, in runs along its storage.
void TileMapper::readInside(vector::TransferReadOp read, Value memory,
                            ValueRange base, Value buffer) {
  SmallVector<Axis> own = axes.getAxes(read.getResult());
  SmallVector<Axis> order = storage.getOrder(read.getResult());
  int64_t side = own == order ? 1 : getSquare(own[0], own[1]);
  if (side > 1 && cast<MemRefType>(memory.getType()).isLastDimUnitStride())
    return copyTransposed(memory, base, buffer, {index(0), index(0)},
                          axes.getExtent(own[0]), axes.getExtent(own[1]), side);
  if (storage.isPadded(order.back()))
    return copyRows(order, [&](const Point &point, ValueRange at) {
      Value run = loadAt(memory, base, own, point,
                         read.getVectorType().getElementType());
      vector::StoreOp::create(builder, loc(), run, buffer, at);
    });
  fill(buffer, order, [&](const Point &point) {
    return loadAt(memory, base, own, point,
                  read.getVectorType().getElementType());
  });
}

/// Walks the rows of a block in runs that end where the rows do: whole
/// registers, then halves and so on.
void TileMapper::copyRows(ArrayRef<Axis> order,
                          function_ref<void(const Point &, ValueRange)> copy) {
  int64_t extent = axes.getExtent(order.back()), width = file.lanes;
  auto copyRow = [&](Value row) {
    auto copyRun = [&](Value offset, int64_t size) {
      Run run(order, row, offset, size);
      copy(run.point, run.at);
    };
    int64_t done = extent - extent % width;
    if (done > 0) {
      auto loop = scf::ForOp::create(builder, loc(), index(0), index(done),
                                     index(width));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      copyRun(loop.getInductionVar(), width);
    }
    for (int64_t size = width / 2; size > 0; size /= 2)
      if (extent - done >= size) {
        copyRun(index(done), size);
        done += size;
      }
  };
  if (order.size() == 1)
    return copyRow({});
  forEach(index(axes.getExtent(order.front())), copyRow);
}

/// Copies element by element, with the padding value outside of memory.
void TileMapper::readPadded(vector::TransferReadOp read, Value memory,
                            ValueRange base, ArrayRef<Value> valid,
                            Value buffer) {
  SmallVector<Axis> own = axes.getAxes(read.getResult());
  SmallVector<Axis> order = storage.getOrder(read.getResult());
  Value padding = mapping.lookupOrDefault(read.getPadding());
  SmallVector<Value> at(own.size());
  auto copyElement = [&]() {
    Value inside;
    for (auto [place, size] : llvm::zip(at, valid)) {
      Value below = arith::CmpIOp::create(
          builder, loc(), arith::CmpIPredicate::slt, place, size);
      inside =
          inside ? arith::AndIOp::create(builder, loc(), inside, below) : below;
    }
    auto choice = scf::IfOp::create(
        builder, loc(), inside,
        [&](OpBuilder &b, Location l) {
          Value element =
              memref::LoadOp::create(b, l, memory, addToBase(b, l, base, at));
          scf::YieldOp::create(b, l, element);
        },
        [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, padding); });
    SmallVector<Value> stored;
    for (Axis axis : order)
      stored.push_back(at[llvm::find(own, axis) - own.begin()]);
    memref::StoreOp::create(builder, loc(), choice.getResult(0), buffer,
                            stored);
  };
  forEach(index(axes.getExtent(own[0])), [&](Value first) {
    at[0] = first;
    if (own.size() == 1)
      return copyElement();
    forEach(index(axes.getExtent(own[1])), [&](Value second) {
      at[1] = second;
      copyElement();
    });
  });
}

/// True at run time when all of the block is inside memory; fills the sizes
/// that are.
Value TileMapper::fitsWhole(VectorTransferOpInterface transfer,
                            SmallVectorImpl<Value> &valid) {
  Value whole;
  for (auto [dim, extent] :
       llvm::enumerate(transfer.getVectorType().getShape())) {
    valid.push_back(getValidSize(transfer, dim));
    Value fits = arith::CmpIOp::create(builder, loc(), arith::CmpIPredicate::eq,
                                       valid.back(), index(extent));
    whole = whole ? arith::AndIOp::create(builder, loc(), whole, fits) : fits;
  }
  return whole;
}

LogicalResult TileMapper::mapRead(vector::TransferReadOp read) {
  Value buffer = buffers.lookup(read.getResult());
  if (!buffer)
    return success();
  if (failed(checkTransfer(read)))
    return failure();
  Value memory = mapping.lookupOrDefault(read.getBase());
  SmallVector<Value> base;
  for (Value at : read.getIndices())
    base.push_back(mapping.lookupOrDefault(at));
  if (!read.hasOutOfBoundsDim()) {
    readInside(read, memory, base, buffer);
    return success();
  }
  SmallVector<Value> valid;
  Value whole = fitsWhole(read, valid);
  auto branch = scf::IfOp::create(builder, loc(), whole, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  readInside(read, memory, base, buffer);
  builder.setInsertionPointToStart(branch.elseBlock());
  readPadded(read, memory, base, valid, buffer);
  return success();
}

/// Writes element by element as much of the block as memory holds.
void TileMapper::writeElements(vector::TransferWriteOp write, Value memory,
                               ValueRange base, ArrayRef<Value> valid,
                               bool uniform) {
  SmallVector<Value> at(valid.size());
  auto writeElement = [&]() {
    Point point;
    if (!uniform)
      for (auto [axis, place] : llvm::zip(axes.getAxes(write.getVector()), at))
        point.scalars.push_back({axis, place});
    Value element = evaluateScalar(write.getVector(), point);
    memref::StoreOp::create(builder, loc(), element, memory,
                            addToBase(builder, loc(), base, at));
  };
  forEach(valid[0], [&](Value first) {
    at[0] = first;
    if (valid.size() == 1)
      return writeElement();
    forEach(valid[1], [&](Value second) {
      at[1] = second;
      writeElement();
    });
  });
}

LogicalResult TileMapper::mapWrite(vector::TransferWriteOp write) {
  if (failed(checkTransfer(write)))
    return failure();
  Value memory = mapping.lookupOrDefault(write.getBase());
  SmallVector<Value> base, valid;
  for (Value at : write.getIndices())
    base.push_back(mapping.lookupOrDefault(at));
  Value whole = fitsWhole(write, valid);
  // A value that is the same everywhere has no axes.
  Value root = stripAliases(write.getVector());
  bool uniform = getSplat(root) || !isa<VectorType>(root.getType());
  SmallVector<Axis> own = axes.getAxes(root);
  if (!uniform && own.size() != valid.size())
    return write.emitOpError("cannot be mapped to register tiles: expected a "
                             "block of the rank that is written");
  Value buffer = buffers.lookup(root);
  own = axes.getAxes(write.getVector());
  bool transposed = buffer && own.size() == 2 &&
                    own != storage.getOrder(root) &&
                    cast<MemRefType>(memory.getType()).isLastDimUnitStride();
  int64_t side = transposed ? getSquare(own[0], own[1]) : 1;
  // Rows of memory are rows of the block.
  bool inRows = buffer && own.size() == 2 && !transposed &&
                cast<MemRefType>(memory.getType()).isLastDimUnitStride();
  if (side == 1 && !inRows) {
    writeElements(write, memory, base, valid, uniform);
    return success();
  }
  auto branch = scf::IfOp::create(builder, loc(), whole, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (inRows)
    copyRows(own, [&](const Point &point, ValueRange at) {
      Value run = evaluate(write.getVector(), point, Registers());
      vector::StoreOp::create(builder, loc(), run, memory,
                              addToBase(builder, loc(), base, at));
    });
  else
    copyTransposed(buffer, {index(0), index(0)}, memory, base,
                   axes.getExtent(own[1]), axes.getExtent(own[0]), side);
  builder.setInsertionPointToStart(branch.elseBlock());
  writeElements(write, memory, base, valid, uniform);
  return success();
}
