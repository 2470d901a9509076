//===- Prefetch.cpp - Asking for memory ahead -------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product with few rows takes each element of a large operand once, so it is
// as fast as memory. A processor that only loads has a page's worth of lines
// under way, and needs no help. With more to do for each line its window of
// instructions holds fewer loads, and its own prefetcher ends at every page:
// lines of the next page are asked for by instructions then.
//
//===----------------------------------------------------------------------===//

#include "NestEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::cpu;

/// Bytes from what is read to what is asked for, and of a line of a cache.
static constexpr int64_t kAhead = 4096, kLine = 64;

/// Multiply-adds for each line with which loads alone keep memory busy: those
/// of one row with f32.
static constexpr int64_t kWorkPerLine = kLine / 4;

/// The read that `value` is, or is widened from.
static vector::TransferReadOp getRead(Value value) {
  Operation *op = stripAliases(value).getDefiningOp();
  if (auto widened = dyn_cast_or_null<arith::ExtFOp>(op))
    op = stripAliases(widened.getIn()).getDefiningOp();
  return dyn_cast_or_null<vector::TransferReadOp>(op);
}

static int64_t getBytes(Operation *read) {
  return llvm::divideCeil(
      getElementTypeOrSelf(read->getResult(0)).getIntOrFloatBitWidth(), 8);
}

/// Finds the operands that the nest reads from memory, each element once, for
/// `rowCount` rows of products.
void NestEmitter::findStreams() {
  auto insert = [&](Value operand, Axis rowAxis, int64_t rowCount) {
    vector::TransferReadOp read = getRead(operand);
    if (!read || !mapper.storage.isView(read) ||
        mapper.axes.getAxes(read.getResult()) !=
            ArrayRef<Axis>{rowAxis, nest.inner} ||
        rowCount * kLine / getBytes(read) <= kWorkPerLine)
      return;
    streams.insert(read);
  };
  if (nest.contraction && rowExtent <= rows)
    insert(laneSide, productAxis, rowExtent);
  if (addsAtOnce)
    for (Operation *op : nest.ops)
      for (Value operand : op->getOperands())
        if (isa<VectorType>(operand.getType()))
          insert(operand, *nest.outer, laneReductions.size());
}

/// Asks for the lines that lie ahead of the register `reg` of a row at `point`.
void NestEmitter::prefetch(Axis rowAxis, const Point &point, int64_t reg) {
  for (Operation *op : streams) {
    auto read = cast<vector::TransferReadOp>(op);
    int64_t bytes = getBytes(read);
    if (reg * width * bytes % kLine != 0)
      continue;
    int64_t row = mapper.storage.getRowSize(nest.inner) * bytes;
    Point place = point;
    for (auto &[axis, at] : place.scalars)
      if (axis == rowAxis)
        at = offset(at, llvm::divideCeil(kAhead, row));
    std::optional<size_t> innerDim;
    SmallVector<Value> indices =
        mapper.locate(mapper.getBase(read),
                      mapper.axes.getAxes(read.getResult()), place, innerDim);
    memref::PrefetchOp::create(
        b, loc, mapper.mapping.lookupOrDefault(read.getBase()), indices,
        /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
  }
}
