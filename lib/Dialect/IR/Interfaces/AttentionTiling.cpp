//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A tile of fpa.attention is an fpa.attention: its keys end with the last key
// that its last row sees, so that the bottom-right alignment stays right.

#include "TileSlices.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {
/// The axes of the iteration domain.
enum Axis : unsigned { Batch, Head, Row, Column };
} // namespace

/// The heads of `operand` (key, value, field or level) behind a tile of query
/// heads. Where several query heads share one, the tile must be a single head
/// or whole groups.
static FailureOr<Span> sharedHeads(OpBuilder &b, AttentionOp op, Value operand,
                                   Span tile) {
  Location loc = op.getLoc();
  int64_t queryHeads = op.getQueryType().getDimSize(Head);
  int64_t heads = cast<ShapedType>(operand.getType()).getDimSize(Head);
  bool isStatic =
      !ShapedType::isDynamic(queryHeads) && !ShapedType::isDynamic(heads);
  if (isStatic && queryHeads == heads)
    return tile;
  if (coversAxis(tile.size, op.getQuery(), Head))
    return wholeAxis(b, loc, operand, Head);

  AffineExpr d0 = b.getAffineDimExpr(0);
  auto divide = [&](OpFoldResult value, int64_t group) {
    return affine::makeComposedFoldedAffineApply(b, loc, d0.floorDiv(group),
                                                 {value});
  };
  if (isStatic && heads > 0 && queryHeads > 0) {
    int64_t group = queryHeads / heads;
    if (isConstantIntValue(tile.size, 1))
      return Span{divide(tile.offset, group), tile.size};
    if (isKnownMultiple(tile.offset, group) &&
        isKnownMultiple(tile.size, group))
      return Span{divide(tile.offset, group), divide(tile.size, group)};
    return failure();
  }
  if (!isConstantIntValue(tile.size, 1))
    return failure();
  auto size = [&](Value shaped) {
    return getValueOrCreateConstantIndexOp(
        b, loc, linalg::createFoldedDimOp(b, loc, shaped, Head));
  };
  Value group =
      arith::DivUIOp::create(b, loc, size(op.getQuery()), size(operand));
  Value offset = getValueOrCreateConstantIndexOp(b, loc, tile.offset);
  Value head = arith::DivUIOp::create(b, loc, offset, group);
  return Span{OpFoldResult(head), tile.size};
}

/// The keys that the rows [offset, offset + size) may see: they end at
/// offset + size + Lk - Lq, and a window cuts them off at the start.
static Span visibleKeys(OpBuilder &b, AttentionOp op, Span rows) {
  Location loc = op.getLoc();
  OpFoldResult lq = linalg::createFoldedDimOp(b, loc, op.getOutput(), 2);
  OpFoldResult lk = linalg::createFoldedDimOp(b, loc, op.getKey(), 2);
  AffineExpr offset, size, queries, keys;
  bindDims(b.getContext(), offset, size);
  bindSymbols(b.getContext(), queries, keys);
  AffineExpr firstRow = offset + keys - queries;
  SmallVector<OpFoldResult> operands = {rows.offset, rows.size, lq, lk};
  auto atLeastZero = [&](AffineExpr expr) {
    AffineExpr zero = b.getAffineConstantExpr(0);
    return affine::makeComposedFoldedAffineMax(
        b, loc, AffineMap::get(2, 2, {zero, expr}, b.getContext()), operands);
  };
  OpFoldResult end = atLeastZero(firstRow + size);
  if (!op.getWindow())
    return {b.getIndexAttr(0), end};
  OpFoldResult start = atLeastZero(firstRow - (int64_t(*op.getWindow()) - 1));
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  return {start,
          affine::makeComposedFoldedAffineApply(b, loc, d0 - d1, {end, start})};
}

SmallVector<utils::IteratorType> AttentionOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(4, utils::IteratorType::parallel);
}

SmallVector<Range> AttentionOp::getIterationDomain(OpBuilder &b) {
  SmallVector<Range> domain;
  for (unsigned axis : {Batch, Head, Row, Column})
    domain.push_back({b.getIndexAttr(0),
                      linalg::createFoldedDimOp(b, getLoc(), getOutput(), axis),
                      b.getIndexAttr(1)});
  return domain;
}

FailureOr<TilingResult>
AttentionOp::getTiledImplementation(OpBuilder &b,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  Span batch = {offsets[Batch], sizes[Batch]};
  Span heads = {offsets[Head], sizes[Head]};
  Span rows = {offsets[Row], sizes[Row]};
  Span columns = {offsets[Column], sizes[Column]};
  // Tiles along the columns of value would each write the same lse and what
  // follows it.
  if (getLse() && !coversAxis(columns.size, getOutput(), Column))
    return failure();
  bool isAllRows = coversAxis(rows.size, getOutput(), Row);
  // A tile of packed rows would need cumulative lengths of its own.
  if (isPacked() && !isAllRows)
    return failure();
  FailureOr<Span> keyHeads = sharedHeads(b, *this, getKey(), heads);
  FailureOr<Span> fieldHeads =
      getField() ? sharedHeads(b, *this, getField(), heads) : keyHeads;
  if (failed(keyHeads) || failed(fieldHeads))
    return failure();

  Location loc = getLoc();
  Span keys =
      isAllRows ? wholeAxis(b, loc, getKey(), 2) : visibleKeys(b, *this, rows);
  Span depth = wholeAxis(b, loc, getQuery(), 3);
  TiledOpBuilder tile(b, *this);
  tile.addSlice(getQuery(), {batch, heads, rows, depth});
  tile.addSlice(getKey(), {batch, *keyHeads, keys, depth});
  tile.addSlice(getValue(), {batch, *keyHeads, keys, columns});
  tile.addSlice(getField(), {batch, *fieldHeads, keys});
  tile.addSlice(getLevel(), {batch, *fieldHeads, keys});
  tile.addWhole(getCuSeqlensQ());
  tile.addWhole(getCuSeqlensK());
  tile.addWhole(getBeta());
  tile.addSlice(getOutput(), {batch, heads, rows, columns});
  for (Value out : getOuts().drop_front())
    tile.addSlice(out, {batch, heads, rows});
  return tile.build();
}

LogicalResult AttentionOp::getResultTilePosition(
    OpBuilder &, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  size_t rank = resultNumber == 0 ? 4 : 3;
  resultOffsets.assign(offsets.begin(), offsets.begin() + rank);
  resultSizes.assign(sizes.begin(), sizes.begin() + rank);
  return success();
}

LogicalResult AttentionOp::getIterationDomainTileFromResultTile(
    OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes,
    SmallVectorImpl<OpFoldResult> &iterDomainOffsets,
    SmallVectorImpl<OpFoldResult> &iterDomainSizes) {
  iterDomainOffsets.assign(offsets.begin(), offsets.end());
  iterDomainSizes.assign(sizes.begin(), sizes.end());
  if (resultNumber == 0)
    return success();
  Span columns = wholeAxis(b, getLoc(), getOutput(), Column);
  iterDomainOffsets.push_back(columns.offset);
  iterDomainSizes.push_back(columns.size);
  return success();
}

FailureOr<TilingResult>
AttentionOp::generateResultTileValue(OpBuilder &b, unsigned resultNumber,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes) {
  return tileForResult(b, *this, resultNumber, offsets, sizes);
}
