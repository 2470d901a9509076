//===- CachedRows.cpp - The rows of attention over a cache
//-----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The query heads that share a key head, with all their new tokens, as the rows
// of a block: their order, what each of them sees, and where they came from.

#include "CachedAttentionTiler.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

void CachedAttentionTiler::measure() {
  batches = math.dim(op.getKey(), 0);
  heads = math.dim(op.getKey(), 1);
  tokens = math.dim(op.getKey(), 2);
  room = math.dim(op.getCachedKey(), 2);
  OpFoldResult all = math.dim(op.getQuery(), 1);
  std::optional<int64_t> own = getConstantIntValue(heads);
  std::optional<int64_t> total = getConstantIntValue(all);
  if (own && total)
    group = b.getIndexAttr(*total / *own);
  else
    group = arith::DivUIOp::create(b, loc, math.value(all), math.value(heads))
                .getResult();
  std::optional<int64_t> few = getConstantIntValue(group);
  std::optional<int64_t> length = getConstantIntValue(tokens);
  block = sizes.query;
  if (few && length) {
    rows = b.getIndexAttr(*few * *length);
    // A row and a column of one element could not be told apart.
    auto isNarrow = [](Value operand) {
      return cast<ShapedType>(operand.getType()).getDimSize(3) == 1;
    };
    int64_t least = isNarrow(op.getQuery()) || isNarrow(op.getValue()) ? 2 : 1;
    if (!sizes.fillRows)
      block = std::min(block, std::max(*few * *length, least));
  } else {
    rows = arith::MulIOp::create(b, loc, math.value(group), math.value(tokens))
               .getResult();
  }
  allRows = math.alignUp(rows, block);
  chunkCount = math.apply(d0.ceilDiv(sizes.chunk), {room});
}

/// Splits the query heads or rows of `tensor` and joins them the other way.
/// `like` is of its element type and last size.
Value CachedAttentionTiler::regroup(Value tensor, Value like, bool toRows) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<OpFoldResult> shape = {batches, heads, group, tokens};
  SmallVector<ReassociationIndices> ofHeads = {{0}, {1, 2}, {3}};
  SmallVector<ReassociationIndices> ofRows = {{0}, {1}, {2, 3}};
  if (type.getRank() == 4) {
    shape.push_back(math.dim(like, 3));
    ofHeads.push_back({4});
    ofRows.push_back({4});
  }
  SmallVector<int64_t> sizes;
  for (OpFoldResult size : shape)
    sizes.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  Value expanded = tensor::ExpandShapeOp::create(
      b, loc, type.clone(sizes), tensor, toRows ? ofHeads : ofRows, shape);
  return tensor::CollapseShapeOp::create(b, loc, expanded,
                                         toRows ? ofRows : ofHeads);
}

/// B x HQ x T x ... as B x HK x rows x ...
Value CachedAttentionTiler::groupRows(Value tensor) {
  if (getConstantIntValue(group) == 1)
    return tensor;
  return regroup(tensor, tensor, /*toRows=*/true);
}

/// The reverse of `groupRows`, in the type of `like`.
Value CachedAttentionTiler::ungroupRows(Value grouped, Value like) {
  if (getConstantIntValue(group) == 1)
    return grouped;
  Value collapsed = regroup(grouped, like, /*toRows=*/false);
  if (collapsed.getType() == like.getType())
    return collapsed;
  return tensor::CastOp::create(b, loc, like.getType(), collapsed);
}

/// A tensor whose last axis are rows; `body` gets the indices and the row's
/// token.
Value CachedAttentionTiler::perRow(
    ArrayRef<OpFoldResult> shape, Type element,
    function_ref<Value(OpBuilder &, ValueRange, Value)> body) {
  Value empty = tensor::EmptyOp::create(b, loc, shape, element);
  int64_t rank = shape.size();
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  Value count = math.value(tokens);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), ValueRange(), empty, maps, kinds,
             [&](OpBuilder &nested, Location, ValueRange) {
               SmallVector<Value> at;
               for (int64_t d = 0; d < rank; ++d)
                 at.push_back(linalg::IndexOp::create(nested, loc, d));
               Value token =
                   arith::RemUIOp::create(nested, loc, at.back(), count);
               linalg::YieldOp::create(nested, loc, body(nested, at, token));
             })
      .getResult(0);
}

/// R_i = min { new field_t : t <= token of i }, and the new keys that row i
/// sees: 0 to its own, none for a token that its sequence does not have.
void CachedAttentionTiler::createRowData() {
  auto type = cast<RankedTensorType>(op.getField().getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, op.getField()), accumulator);
  Value least =
      PrefixMinOp::create(b, loc, TypeRange(type), op.getField(), empty,
                          /*axis=*/2, /*reverse=*/false, /*exclusive=*/false,
                          /*segment=*/IntegerAttr())
          .getResult(0);
  minimum =
      perRow({batches, heads, allRows}, accumulator,
             [&](OpBuilder &nested, ValueRange at, Value token) -> Value {
               // As where a step passes a tile: no infinity is subtracted.
               Value own = tensor::ExtractOp::create(
                   nested, loc, least, ValueRange{at[0], at[1], token});
               Value smallest = arith::ConstantFloatOp::create(
                   nested, loc, accumulator,
                   APFloat::getLargest(accumulator.getFloatSemantics(),
                                       /*Negative=*/true));
               return arith::MaximumFOp::create(nested, loc, own, smallest);
             });
  Type i64 = b.getI64Type();
  auto toI64 = [&](OpBuilder &nested, Value index) -> Value {
    return arith::IndexCastOp::create(nested, loc, i64, index);
  };
  last =
      perRow({batches, allRows}, i64,
             [&](OpBuilder &nested, ValueRange at, Value token) -> Value {
               Value own = toI64(nested, token);
               if (!op.getLengths())
                 return own;
               Value length = tensor::ExtractOp::create(nested, loc,
                                                        op.getLengths(), at[0]);
               Value none = arith::ConstantOp::create(
                   nested, loc, nested.getI64IntegerAttr(-1));
               Value isThere = arith::CmpIOp::create(
                   nested, loc, arith::CmpIPredicate::slt, own, length);
               return arith::SelectOp::create(nested, loc, isThere, own, none);
             });
  Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  Value zeros = tensor::EmptyOp::create(b, loc, {allRows}, i64);
  first = linalg::FillOp::create(b, loc, zero, zeros).getResult(0);
}

/// The number of keys that a head holds. Counts are data: they are clamped to
/// what the cache has room for.
Value CachedAttentionTiler::countHeld(OpFoldResult batch, OpFoldResult head) {
  Value count = tensor::ExtractOp::create(
      b, loc, op.getCount(), ValueRange{math.value(batch), math.value(head)});
  count = arith::IndexCastOp::create(b, loc, b.getIndexType(), count);
  count = arith::MinSIOp::create(b, loc, count, math.value(room));
  return arith::MaxSIOp::create(b, loc, count, math.value(b.getIndexAttr(0)));
}

CachedAttentionTiler::RowTile
CachedAttentionTiler::createRowTile(ArrayRef<OpFoldResult> ids) {
  RowTile tile;
  tile.batch = ids[0];
  tile.head = ids[1];
  tile.begin = math.apply(d0 * block, {ids.back()});
  std::optional<int64_t> count = getConstantIntValue(rows);
  tile.count = count && *count % block == 0
                   ? OpFoldResult(b.getIndexAttr(block))
                   : math.min({b.getAffineConstantExpr(block), d1 - d0},
                              {tile.begin, rows});
  SmallVector<OpFoldResult> head = {tile.batch, tile.head};
  tile.query = sliceRows(b, loc, query, head, tile.begin, tile.count);
  tile.minimum =
      sliceRows(b, loc, minimum, head, tile.begin, b.getIndexAttr(block));
  if (getConstantIntValue(tokens) == 1)
    tile.common = tensor::ExtractOp::create(
        b, loc, minimum,
        ValueRange{math.value(tile.batch), math.value(tile.head),
                   math.value(b.getIndexAttr(0))});
  return tile;
}

/// x for the tokens that a sequence does not have.
Value CachedAttentionTiler::clearAbsent(Value tensor, const APFloat &x) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto element = cast<FloatType>(type.getElementType());
  APFloat rounded = x;
  bool losesInfo;
  rounded.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  Value replacement = arith::ConstantFloatOp::create(b, loc, element, rounded);
  int64_t rank = type.getRank();
  SmallVector<AffineMap> maps = {AffineMap::get(rank, 0, b.getAffineDimExpr(0)),
                                 b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, op.getLengths(), tensor, maps, kinds,
             [&](OpBuilder &nested, Location, ValueRange x) {
               Value token = arith::IndexCastOp::create(
                   nested, loc, nested.getI64Type(),
                   linalg::IndexOp::create(nested, loc, 2));
               Value isThere = arith::CmpIOp::create(
                   nested, loc, arith::CmpIPredicate::slt, token, x[0]);
               Value kept = arith::SelectOp::create(nested, loc, isThere, x[1],
                                                    replacement);
               linalg::YieldOp::create(nested, loc, kept);
             })
      .getResult(0);
}
