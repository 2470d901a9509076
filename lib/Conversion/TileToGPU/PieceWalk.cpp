//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PieceWalk.h"
#include "GlobalAlignment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::simt;

/// What global memory is read and written in.
static constexpr int64_t sectorBytes = 32;

std::pair<Value, Value> simt::getPieceAt(OpBuilder &b, Location loc,
                                         Value number, int64_t perRow,
                                         int64_t width) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value columns = index(perRow);
  Value row = arith::DivUIOp::create(b, loc, number, columns);
  Value piece = arith::RemUIOp::create(b, loc, number, columns);
  return {row, arith::MulIOp::create(b, loc, piece, index(width))};
}

Value PieceWalk::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

void PieceWalk::run(const Thread &thread, int64_t threads,
                    function_ref<void(const BlockPiece &)> fn) {
  if (start == Start::Row || failed(runByWarps(thread, threads, fn)))
    runByBlock(thread, threads, fn);
}

/// Consecutive threads on consecutive pieces.
void PieceWalk::runByBlock(const Thread &thread, int64_t threads,
                           function_ref<void(const BlockPiece &)> fn) {
  int64_t rows = getRows();
  int64_t perRow = type.getShape().back() / width, total = rows * perRow;
  // After so many pieces a thread is in the same columns again, a constant
  // number of rows further on.
  int64_t period = perRow / std::gcd(perRow, threads);
  int64_t further = period * threads / perRow;
  SmallVector<std::pair<Value, Value>> places;
  for (int64_t step = 0, first = 0; first < total; ++step, first += threads) {
    Value number = addIndices(b, loc, thread.id, first);
    if (step < period)
      places.push_back(getPieceAt(b, loc, number, perRow, width));
    OpBuilder::InsertionGuard insertion(b);
    if (first + threads > total) {
      Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                           number, index(total));
      auto guard = scf::IfOp::create(b, loc, exists);
      b.setInsertionPointToStart(guard.thenBlock());
    }
    auto [row, column] = places[step % period];
    row = addIndices(b, loc, row, step / period * further);
    fn({row, column, getValid(row, column)});
  }
}

SmallVector<Value> PieceWalk::place(const BlockPiece &piece) {
  SmallVector<Value> indices(block.indices);
  size_t last = indices.size() - 1;
  indices[last] = addIndices(b, loc, indices[last], piece.column);
  if (type.getRank() == 2)
    indices[last - 1] = addIndices(b, loc, indices[last - 1], piece.row);
  return indices;
}

/// Each warp its rows, lanes from the first sector of a row on. So all pieces of
/// a row but the first are a constant apart. Fails where rows are not as many and
/// as long as that needs.
LogicalResult PieceWalk::runByWarps(const Thread &thread, int64_t threads,
                                    function_ref<void(const BlockPiece &)> fn) {
  int64_t columns = type.getShape().back(), together = 32 * width;
  int64_t rows = getRows(), warps = threads / 32;
  if (!llvm::isPowerOf2_64(columns) || columns % together != 0 ||
      rows % warps != 0)
    return failure();
  Value own = arith::MulIOp::create(b, loc, thread.lane, index(width));
  for (int64_t number = 0; number < rows; number += warps) {
    Value row = addIndices(b, loc, thread.warp, number);
    Value begin = arith::SubIOp::create(b, loc, own, getElementsOfSector(row));
    for (int64_t at = 0; at < columns; at += together) {
      Value column = addIndices(b, loc, begin, at);
      if (at == 0) // what stands before the first sector comes last
        column = arith::AndIOp::create(b, loc, column, index(columns - 1));
      fn({row, column, getValid(row, column)});
    }
  }
  return success();
}

/// Elements between the begin of a sector and that of row `row`.
Value PieceWalk::getElementsOfSector(Value row) {
  SmallVector<Value> first = place({row, index(0), Value()});
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  Value number = arith::DivUIOp::create(
      b, loc, getAddress(b, loc, block.memory, first), index(bytes));
  return arith::AndIOp::create(b, loc, number, index(sectorBytes / bytes - 1));
}

/// How far dimension `dim` of the block reaches into memory from `at`; null
/// where the whole block is known to.
Value PieceWalk::getRest(int64_t fromLast, Value at) {
  auto memory = cast<MemRefType>(block.memory.getType());
  int64_t dim = memory.getRank() - 1 - fromLast;
  int64_t size = type.getDimSize(type.getRank() - 1 - fromLast);
  bool start = matchPattern(block.indices[dim], m_Zero());
  if (block.inBounds || (start && memory.getDimSize(dim) == size))
    return {};
  Value extent = b.createOrFold<memref::DimOp>(loc, block.memory, dim);
  Value where = addIndices(b, loc, block.indices[dim], at);
  return arith::SubIOp::create(b, loc, extent, where);
}

Value PieceWalk::getValid(Value row, Value column) {
  Value zero = index(0), all = index(width);
  Value valid;
  if (Value rest = getRest(0, column))
    valid = arith::MinSIOp::create(
        b, loc, arith::MaxSIOp::create(b, loc, rest, zero), all);
  if (type.getRank() < 2)
    return valid;
  if (Value rest = getRest(1, row)) {
    Value exists =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, rest, zero);
    valid = arith::SelectOp::create(b, loc, exists, valid ? valid : all, zero);
  }
  return valid;
}
