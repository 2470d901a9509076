//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeyWalk.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fpa;

OpFoldResult IndexMath::apply(AffineExpr expr,
                              ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
}

OpFoldResult IndexMath::min(ArrayRef<AffineExpr> exprs,
                            ArrayRef<OpFoldResult> operands) {
  auto map = AffineMap::get(operands.size(), 0, exprs, b.getContext());
  return affine::makeComposedFoldedAffineMin(b, loc, map, operands);
}

OpFoldResult IndexMath::max(OpFoldResult x, OpFoldResult y) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  auto map = AffineMap::get(2, 0, {d0, d1}, b.getContext());
  return affine::makeComposedFoldedAffineMax(b, loc, map, {x, y});
}

OpFoldResult IndexMath::alignDown(OpFoldResult x, int64_t step) {
  return apply(b.getAffineDimExpr(0).floorDiv(step) * step, {x});
}

OpFoldResult IndexMath::alignUp(OpFoldResult x, int64_t step) {
  return apply(b.getAffineDimExpr(0).ceilDiv(step) * step, {x});
}

Value IndexMath::value(OpFoldResult x) {
  return getValueOrCreateConstantIndexOp(b, loc, x);
}

OpFoldResult IndexMath::dim(Value tensor, int64_t axis) {
  return tensor::getMixedSize(b, loc, tensor, axis);
}

Value mlir::fpa::sliceRows(OpBuilder &b, Location loc, Value source,
                           ArrayRef<OpFoldResult> head, OpFoldResult begin,
                           OpFoldResult count) {
  auto type = cast<RankedTensorType>(source.getType());
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(head), sizes(head.size(), one);
  offsets.push_back(begin);
  sizes.push_back(count);
  for (int64_t axis = head.size() + 1; axis < type.getRank(); ++axis) {
    offsets.push_back(zero);
    sizes.push_back(tensor::getMixedSize(b, loc, source, axis));
  }
  SmallVector<OpFoldResult> strides(offsets.size(), one);
  SmallVector<int64_t> shape;
  for (OpFoldResult size : ArrayRef(sizes).drop_front(head.size()))
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return tensor::ExtractSliceOp::create(b, loc, type.clone(shape), source,
                                        offsets, sizes, strides);
}

SmallVector<Value> mlir::fpa::createLoop(
    OpBuilder &b, Location loc, Value count, ValueRange state,
    function_ref<SmallVector<Value>(OpFoldResult, ValueRange)> body) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  return createLoop(b, loc, zero, count, state, body);
}

SmallVector<Value> mlir::fpa::createLoop(
    OpBuilder &b, Location loc, Value begin, Value end, ValueRange state,
    function_ref<SmallVector<Value>(OpFoldResult, ValueRange)> body) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, begin, end, one, state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!next.empty())
    scf::YieldOp::create(b, loc, next);
  return SmallVector<Value>(loop.getResults());
}

void mlir::fpa::insertInParallel(OpBuilder &b, Location loc,
                                 scf::ForallOp forall, ValueRange values,
                                 ValueRange slices) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forall.getTerminator().getBody());
  for (auto [value, slice, out] :
       llvm::zip_equal(values, slices, forall.getRegionIterArgs())) {
    auto extract = slice.getDefiningOp<tensor::ExtractSliceOp>();
    tensor::ParallelInsertSliceOp::create(
        b, loc, value, out, extract.getMixedOffsets(), extract.getMixedSizes(),
        extract.getMixedStrides());
  }
}

KeyWalk::KeyWalk(RewriterBase &rewriter, AttentionOpInterface op,
                 bool nonIncreasing, const AttentionTileSizes &sizes)
    : b(rewriter), loc(op.getLoc()), attention(op),
      nonIncreasing(nonIncreasing), accumulator(op.getAccumulatorType()),
      sizes(sizes), math{rewriter, op.getLoc()},
      queryLength(math.dim(op.getQuery(), 2)),
      keyLength(math.dim(op.getKey(), 2)) {}

PrefixMinOp KeyWalk::createSuffixMinima(bool index, int64_t keys) {
  SmallVector<Value> outs = {emptyLike(attention.getField())};
  if (index)
    outs.push_back(emptyLike(attention.getField(), b.getI64Type()));
  return PrefixMinOp::create(b, loc, ValueRange(outs).getTypes(),
                             attention.getField(), outs, /*axis=*/2,
                             /*reverse=*/true, /*exclusive=*/true,
                             b.getI64IntegerAttr(keys));
}

void KeyWalk::createIntervals() {
  int64_t rows =
      getConstantIntValue(queryLength).value_or(ShapedType::kDynamic);
  SmallVector<Value> dynamic;
  if (ShapedType::isDynamic(rows))
    dynamic.push_back(math.value(queryLength));
  SmallVector<Value> outs;
  for (int i = 0; i < 2; ++i)
    outs.push_back(tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{rows},
                                           b.getI64Type(), dynamic));
  IntegerAttr window;
  if (std::optional<int64_t> keys = attention.getWindow())
    window = b.getI64IntegerAttr(*keys);
  auto intervals = KeyIntervalsOp::create(
      b, loc, ValueRange(outs).getTypes(), math.value(keyLength),
      attention.getCuSeqlensQ(), attention.getCuSeqlensK(), outs, window);
  first = intervals.getResult(0);
  last = intervals.getResult(1);
}

Value KeyWalk::loadBeta() {
  Value beta = attention.getBeta();
  return beta ? tensor::ExtractOp::create(b, loc, beta, ValueRange()) : Value();
}

Value KeyWalk::emptyLike(Value tensor, Type element) {
  return tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, tensor),
      element ? element : getElementTypeOrSelf(tensor.getType()));
}

Value KeyWalk::fill(ArrayRef<int64_t> shape, const APFloat &x) {
  FloatType type = accumulator;
  Value empty = tensor::EmptyOp::create(b, loc, shape, type);
  Value scalar = arith::ConstantFloatOp::create(b, loc, type, x);
  return linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
}

OpFoldResult KeyWalk::headOf(Value tensor, OpFoldResult h) {
  OpFoldResult all = math.dim(attention.getQuery(), 1),
               own = math.dim(tensor, 1);
  std::optional<int64_t> allSize = getConstantIntValue(all);
  std::optional<int64_t> ownSize = getConstantIntValue(own);
  if (allSize && ownSize && *ownSize > 0)
    return math.apply(b.getAffineDimExpr(0).floorDiv(*allSize / *ownSize), {h});
  Value group =
      arith::DivUIOp::create(b, loc, math.value(all), math.value(own));
  return arith::DivUIOp::create(b, loc, math.value(h), group).getResult();
}

/// One element of an interval array, as index.
OpFoldResult KeyWalk::bound(Value array, OpFoldResult row) {
  Value element = tensor::ExtractOp::create(b, loc, array, math.value(row));
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), element)
      .getResult();
}

OpFoldResult KeyWalk::countTiles() {
  return math.apply(b.getAffineDimExpr(0).ceilDiv(sizes.query), {queryLength});
}

OpFoldResult KeyWalk::countRows(OpFoldResult begin, int64_t rows) {
  std::optional<int64_t> length = getConstantIntValue(queryLength);
  if (length && *length % rows == 0)
    return b.getIndexAttr(rows);
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  return math.min({b.getAffineConstantExpr(rows), d1 - d0},
                  {begin, queryLength});
}

OpFoldResult KeyWalk::countSteps(const KeyRange &range) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  return math.apply((d0 - d1).floorDiv(range.step), {range.end, range.begin});
}

OpFoldResult KeyWalk::countKeys(const KeyRange &range, OpFoldResult offset) {
  std::optional<int64_t> length = getConstantIntValue(keyLength);
  if (!range.isEdge || (length && *length % range.step == 0))
    return b.getIndexAttr(range.step);
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  return math.min({b.getAffineConstantExpr(range.step), d1 - d0},
                  {offset, keyLength});
}

KeyRanges KeyWalk::splitKeys(OpFoldResult begin, OpFoldResult count,
                             int64_t align) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult final = math.apply(d0 + d1 - 1, {begin, count});
  OpFoldResult lastMin = bound(last, begin), lastMax = bound(last, final);
  // Keys below innerEnd are seen by every row. In a field that never rises
  // the inner form takes the running minimum for the field at the row's own
  // key, so that key has to be in the edge.
  OpFoldResult innerEnd =
      nonIncreasing
          ? math.max(math.alignDown(lastMin, align), b.getIndexAttr(0))
          : math.alignDown(math.apply(d0 + 1, {lastMin}), align);
  OpFoldResult end = math.alignUp(math.apply(d0 + 1, {lastMax}), sizes.edge);
  if (!attention.getWindow() && !attention.isPacked())
    return {{innerEnd, end, sizes.edge, /*isEdge=*/true},
            {b.getIndexAttr(0), innerEnd, sizes.key, /*isEdge=*/false},
            std::nullopt};

  OpFoldResult firstMin = bound(first, begin), firstMax = bound(first, final);
  OpFoldResult start = math.alignDown(firstMin, sizes.edge);
  OpFoldResult innerBegin =
      math.min({d0, d1}, {innerEnd, math.alignUp(firstMax, align)});
  return {{math.max(innerEnd, start), end, sizes.edge, /*isEdge=*/true},
          {innerBegin, innerEnd, sizes.key, /*isEdge=*/false},
          KeyRange{start, innerBegin, sizes.edge, /*isEdge=*/true}};
}

std::optional<ArrayAttr>
mlir::fpa::createWorkItems(OpBuilder &b, ArrayRef<OpFoldResult> bounds) {
  // A bound that is not known may turn out to be 1.
  if (!llvm::all_of(bounds, [](OpFoldResult bound) {
        return getConstantIntValue(bound).value_or(1) == 1;
      }))
    return std::nullopt;
  SmallVector<Attribute> items;
  for (int64_t dim = 0, e = bounds.size(); dim < e; ++dim)
    items.push_back(WorkItemAttr::get(b.getContext(), dim));
  return b.getArrayAttr(items);
}

/// What the blocks of one iteration may take: they live on a thread's stack.
static constexpr uint64_t kMaxBlockBytes = uint64_t(4) << 20;

/// Bytes of the blocks of query, key, value, accumulator and logits, or
/// UINT64_MAX where that is beyond counting.
static uint64_t getBlockBytes(AttentionOpInterface op,
                              const AttentionTileSizes &sizes) {
  auto add = [](uint64_t x, uint64_t y) { return llvm::SaturatingAdd(x, y); };
  auto multiply = [](uint64_t x, uint64_t y) {
    return llvm::SaturatingMultiply(x, y);
  };
  uint64_t width =
      add(op.getQueryType().getDimSize(3), op.getValueType().getDimSize(3));
  uint64_t elements = add(multiply(add(sizes.query, sizes.key), width),
                          multiply(sizes.query, sizes.key));
  return multiply(elements, op.getAccumulatorType().getWidth() / 8);
}

LogicalResult mlir::fpa::checkTileable(AttentionOpInterface op,
                                       const AttentionTileSizes &sizes) {
  std::pair<StringRef, int64_t> options[] = {{"query-tile", sizes.query},
                                             {"key-tile", sizes.key},
                                             {"edge-tile", sizes.edge}};
  for (auto [name, size] : options)
    if (size < 1)
      return op->emitOpError("expected ")
             << name << " to be at least 1, got " << size;
  if (sizes.key % sizes.edge != 0)
    return op->emitOpError("expected key-tile to be a multiple of edge-tile ")
           << sizes.edge << ", got " << sizes.key;
  if (!isa<RankedTensorType>(op.getQuery().getType()))
    return op->emitOpError("expected tensors, got query of type ")
           << op.getQuery().getType();
  if (op.getQueryType().isDynamicDim(3))
    return op->emitOpError(
        "expected a static head size of query, got ? (strategy=decompose "
        "takes it)");
  if (op.getValueType().isDynamicDim(3))
    return op->emitOpError(
        "expected a static head size of value, got ? (strategy=decompose "
        "takes it)");
  uint64_t bytes = getBlockBytes(op, sizes);
  if (bytes > kMaxBlockBytes)
    return op->emitOpError("expected tiles and head sizes whose blocks take at "
                           "most ")
           << kMaxBlockBytes << " bytes, got " << bytes
           << " bytes for head sizes " << op.getQueryType().getDimSize(3)
           << " of query and " << op.getValueType().getDimSize(3)
           << " of value";
  return success();
}
