//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tiling of fpa.online_attention along its rows. Part of the keys would need
// the state of the keys to its right, so that axis is refused unless whole. The
// columns of value are no axis: each tile of them would compute the same
// maximum, sum and minimum.

#include "TileSlices.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {
/// The axes of the iteration domain.
enum Axis : unsigned { Row, Key };
} // namespace

/// The rows of query behind a tile of the state's rows, which may be more.
static Span queryRows(OpBuilder &b, OnlineAttentionOp op, Span tile) {
  auto rowsOf = [](Value shaped) {
    return cast<ShapedType>(shaped.getType()).getDimSize(0);
  };
  int64_t rows = rowsOf(op.getQuery());
  if (!ShapedType::isDynamic(rows) && rows == rowsOf(op.getAccumulator()))
    return tile;
  Location loc = op.getLoc();
  OpFoldResult all = linalg::createFoldedDimOp(b, loc, op.getQuery(), 0);
  AffineExpr d0, d1, s0;
  bindDims(b.getContext(), d0, d1);
  bindSymbols(b.getContext(), s0);
  MLIRContext *context = b.getContext();
  OpFoldResult offset = affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(1, 1, {d0, s0}, context), {tile.offset, all});
  OpFoldResult size = affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(2, 1, {d1, s0 - d0}, context),
      {offset, tile.size, all});
  return {offset, size};
}

SmallVector<utils::IteratorType> OnlineAttentionOp::getLoopIteratorTypes() {
  return {utils::IteratorType::parallel, utils::IteratorType::reduction};
}

SmallVector<Range> OnlineAttentionOp::getIterationDomain(OpBuilder &b) {
  Span rows = wholeAxis(b, getLoc(), getAccumulator(), 0);
  Span keys = wholeAxis(b, getLoc(), getKey(), 0);
  OpFoldResult one = b.getIndexAttr(1);
  return {{rows.offset, rows.size, one}, {keys.offset, keys.size, one}};
}

FailureOr<TilingResult>
OnlineAttentionOp::getTiledImplementation(OpBuilder &b,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  if (!coversAxis(sizes[Key], getKey(), 0))
    return failure();
  Span stateRows = {offsets[Row], sizes[Row]};
  Span rows = queryRows(b, *this, stateRows);
  Span depth = wholeAxis(b, getLoc(), getQuery(), 1);
  Span columns = wholeAxis(b, getLoc(), getAccumulator(), 1);
  TiledOpBuilder tile(b, *this);
  tile.addSlice(getQuery(), {rows, depth});
  tile.addWhole(getKey());
  tile.addWhole(getValue());
  tile.addWhole(getField());
  tile.addWhole(getLevel());
  tile.addWhole(getSuffix());
  tile.addWhole(getCommon());
  tile.addWhole(getBeta());
  tile.addSlice(getFirst(), {rows});
  tile.addSlice(getLast(), {rows});
  tile.addWhole(getKeyOffset());
  tile.addSlice(getAccumulator(), {stateRows, columns});
  for (Value state : getOuts().drop_front())
    tile.addSlice(state, {stateRows});
  return tile.build();
}

LogicalResult OnlineAttentionOp::getResultTilePosition(
    OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets = {offsets[Row]};
  resultSizes = {sizes[Row]};
  if (resultNumber == 0) {
    Span columns = wholeAxis(b, getLoc(), getValue(), 1);
    resultOffsets.push_back(columns.offset);
    resultSizes.push_back(columns.size);
  }
  return success();
}

LogicalResult OnlineAttentionOp::getIterationDomainTileFromResultTile(
    OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes,
    SmallVectorImpl<OpFoldResult> &iterDomainOffsets,
    SmallVectorImpl<OpFoldResult> &iterDomainSizes) {
  if (resultNumber == 0 && !coversAxis(sizes[1], getAccumulator(), 1))
    return failure();
  Span keys = wholeAxis(b, getLoc(), getKey(), 0);
  iterDomainOffsets.assign({offsets[0], keys.offset});
  iterDomainSizes.assign({sizes[0], keys.size});
  return success();
}

FailureOr<TilingResult>
OnlineAttentionOp::generateResultTileValue(OpBuilder &b, unsigned resultNumber,
                                           ArrayRef<OpFoldResult> offsets,
                                           ArrayRef<OpFoldResult> sizes) {
  return tileForResult(b, *this, resultNumber, offsets, sizes);
}
