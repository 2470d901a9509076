//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Split keys: fpa.online_attention as independent chunks of keys and a merge.
// A chunk needs one thing from the keys to its right, the minimum of the field
// over them, which costs M * N next to the chunk's M * N * D. The merge weighs
// the chunks' states by their maxima, as it does the state given to the op.

#include "TileSlices.h"
#include "fpa/Dialect/IR/CreateGeneric.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// The axes of the iteration domain.
enum Axis : unsigned { Row, Key };

/// Emits the parts of a split op.
struct SplitKeys {
  SplitKeys(OpBuilder &builder, Location loc, OnlineAttentionOp op)
      : b(loc, builder), op(op),
        type(cast<FloatType>(getElementTypeOrSelf(op.getMinimum()))) {}

  Value constant(const APFloat &x) {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, x));
  }
  Value infinity(bool negative) {
    return constant(APFloat::getInf(type.getFloatSemantics(), negative));
  }
  Value clamp(Value x);
  Value generic(ArrayRef<Value> ins, Value out, ArrayRef<AffineMap> maps,
                ArrayRef<utils::IteratorType> kinds,
                function_ref<Value(ValueRange)> body) {
    return createGeneric(b, b.getLoc(), ins, out, maps, kinds, body);
  }
  AffineMap map(unsigned dims, ArrayRef<unsigned> axes);
  Value minimumFrom(OpFoldResult begin, Value init, Value last);
  Value chunkOf(Value partial, unsigned number, OpFoldResult chunk, Span rows);
  Value merge(Value partial, Value maxima, Value safe, Value state);
  Value safeMaximum(Value maximum);
  Value weight(Value maximum, Value safe) {
    return math::Exp2Op::create(b, arith::SubFOp::create(b, maximum, safe));
  }

  ImplicitLocOpBuilder b;
  OnlineAttentionOp op;
  FloatType type;
};

} // namespace

static constexpr utils::IteratorType parallel = utils::IteratorType::parallel;
static constexpr utils::IteratorType reduction = utils::IteratorType::reduction;

/// The equations' own clamp: infinite fields become finite.
Value SplitKeys::clamp(Value x) {
  APFloat largest = APFloat::getLargest(type.getFloatSemantics());
  x = arith::MinimumFOp::create(b, x, constant(largest));
  return arith::MaximumFOp::create(b, x, constant(neg(largest)));
}

AffineMap SplitKeys::map(unsigned dims, ArrayRef<unsigned> axes) {
  SmallVector<AffineExpr> exprs;
  for (unsigned axis : axes)
    exprs.push_back(b.getAffineDimExpr(axis));
  return AffineMap::get(dims, 0, exprs, b.getContext());
}

/// min(init_i, field_t : begin <= t), up to `last` where rows end by
/// themselves.
Value SplitKeys::minimumFrom(OpFoldResult begin, Value init, Value last) {
  if (!op.getField())
    return init;
  OpFoldResult keys = tensor::getMixedSize(b, b.getLoc(), op.getField(), 0);
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  OpFoldResult count = affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), d0 - d1, {keys, begin});
  Value field = tensor::ExtractSliceOp::create(
      b, op.getField(), {begin}, {count}, {OpFoldResult(b.getIndexAttr(1))});
  SmallVector<Value> ins = {field};
  SmallVector<AffineMap> maps = {map(2, {1})};
  Value shift;
  if (last) {
    ins.push_back(last);
    maps.push_back(map(2, {0}));
    Value offset = getValueOrCreateConstantIndexOp(b, b.getLoc(), begin);
    offset = arith::AddIOp::create(b, offset, op.getKeyOffset());
    shift = arith::IndexCastOp::create(b, b.getI64Type(), offset);
  }
  maps.push_back(map(2, {0}));
  return generic(
      ins, init, maps, {parallel, reduction}, [&](ValueRange x) -> Value {
        Value least = arith::MinimumFOp::create(b, clamp(x[0]), x.back());
        if (!last)
          return least;
        Value t = linalg::IndexOp::create(b, 1);
        t = arith::IndexCastOp::create(b, b.getI64Type(), t);
        t = arith::AddIOp::create(b, t, shift);
        Value isSeen =
            arith::CmpIOp::create(b, arith::CmpIPredicate::sle, t, x[1]);
        return arith::SelectOp::create(b, isSeen, least, x.back());
      });
}

/// The state of one chunk: a slice without the leading axis of `partial`.
Value SplitKeys::chunkOf(Value partial, unsigned number, OpFoldResult chunk,
                         Span rows) {
  OpFoldResult one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets = {chunk, rows.offset};
  SmallVector<OpFoldResult> sizes = {one, rows.size};
  if (number == 0) {
    Span columns = wholeAxis(b, b.getLoc(), op.getValue(), 1);
    offsets.push_back(columns.offset);
    sizes.push_back(columns.size);
  }
  SmallVector<OpFoldResult> strides(offsets.size(), one);
  SmallVector<int64_t> shape;
  for (OpFoldResult size : ArrayRef(sizes).drop_front())
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return tensor::ExtractSliceOp::create(b, RankedTensorType::get(shape, type),
                                        partial, offsets, sizes, strides);
}

/// The maximum, or 0 where there was no key: there is nothing to subtract.
Value SplitKeys::safeMaximum(Value maximum) {
  Value none = infinity(/*negative=*/true);
  Value init = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), maximum), type);
  return generic({maximum}, init, {map(1, {0}), map(1, {0})}, {parallel},
                 [&](ValueRange x) -> Value {
                   Value isEmpty = arith::CmpFOp::create(
                       b, arith::CmpFPredicate::OEQ, x[0], none);
                   Value zero =
                       constant(APFloat::getZero(type.getFloatSemantics()));
                   return arith::SelectOp::create(b, isEmpty, zero, x[0]);
                 });
}

/// x_i = exp2(max0_i - max_i) x0_i + sum_c exp2(max_ci - max_i) x_ci, for x an
/// accumulator (S x Dv) or a sum (S).
Value SplitKeys::merge(Value partial, Value maxima, Value safe, Value state) {
  bool isMatrix = cast<RankedTensorType>(state.getType()).getRank() == 2;
  unsigned dims = isMatrix ? 2 : 1;
  SmallVector<unsigned> axes = {0};
  if (isMatrix)
    axes.push_back(1);
  SmallVector<utils::IteratorType> kinds(dims, parallel);
  Value init = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), state), type);
  Value before = generic(
      {state, op.getMaximum(), safe}, init,
      {map(dims, axes), map(dims, {0}), map(dims, {0}), map(dims, axes)}, kinds,
      [&](ValueRange x) -> Value {
        return arith::MulFOp::create(b, weight(x[1], x[2]), x[0]);
      });
  // One more loop, over the chunks, which are the partial's leading axis.
  unsigned chunk = dims;
  SmallVector<unsigned> partialAxes = {chunk};
  llvm::append_range(partialAxes, axes);
  kinds.push_back(reduction);
  return generic({partial, maxima, safe}, before,
                 {map(dims + 1, partialAxes), map(dims + 1, {chunk, 0}),
                  map(dims + 1, {0}), map(dims + 1, axes)},
                 kinds, [&](ValueRange x) -> Value {
                   Value scaled =
                       arith::MulFOp::create(b, weight(x[1], x[2]), x[0]);
                   return arith::AddFOp::create(b, x[3], scaled);
                 });
}

/// True when a tile is known to hold an element: its size is a constant or the
/// least of several, as where the last tile may be short.
static bool isKnownPositive(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return *constant > 0;
  auto isPositive = [](ValueBoundsConstraintSet::Variable variable) {
    FailureOr<int64_t> least = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::LB, variable);
    return succeeded(least) && *least > 0;
  };
  auto min = cast<Value>(size).getDefiningOp<affine::AffineMinOp>();
  if (!min)
    return isPositive(size);
  for (unsigned i = 0, e = min.getAffineMap().getNumResults(); i < e; ++i)
    if (!isPositive({min.getAffineMap().getSubMap({i}), min.getOperands()}))
      return false;
  return true;
}

FailureOr<SmallVector<Value>>
OnlineAttentionOp::generateInitialTensorForPartialReduction(
    OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes,
    const SetVector<unsigned> &) {
  SplitKeys split(builder, loc, *this);
  Value zero = split.constant(APFloat::getZero(split.type.getFloatSemantics()));
  SmallVector<Value> inits;
  auto empty = [&](Value out) -> Value {
    SmallVector<OpFoldResult> shape = {sizes[Key]};
    llvm::append_range(shape, tensor::getMixedSizes(builder, loc, out));
    return tensor::EmptyOp::create(split.b, shape, split.type);
  };
  for (auto [out, identity] : {std::pair(getAccumulator(), zero),
                               std::pair(getMaximum(), split.infinity(true)),
                               std::pair(getSum(), zero)})
    inits.push_back(
        linalg::FillOp::create(split.b, identity, empty(out)).getResult(0));
  // Every chunk starts from the minimum over the keys to the op's right.
  inits.push_back(linalg::BroadcastOp::create(split.b, getMinimum(),
                                              empty(getMinimum()),
                                              ArrayRef<int64_t>{0})
                      ->getResult(0));
  return inits;
}

LogicalResult OnlineAttentionOp::getPartialResultTilePosition(
    OpBuilder &b, unsigned resultNumber, ReductionTilingStrategy strategy,
    ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
    const SetVector<unsigned> &, ArrayRef<OpFoldResult> chunk,
    SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  if (strategy != ReductionTilingStrategy::PartialReductionOuterParallel)
    return failure();
  SmallVector<OpFoldResult> tileOffsets, tileSizes;
  if (failed(getResultTilePosition(b, resultNumber, offsets, sizes, tileOffsets,
                                   tileSizes)))
    return failure();
  resultOffsets = {chunk[0]};
  resultSizes = {b.getIndexAttr(1)};
  llvm::append_range(resultOffsets, tileOffsets);
  llvm::append_range(resultSizes, tileSizes);
  return success();
}

FailureOr<TilingResult> OnlineAttentionOp::tileToPartialReduction(
    OpBuilder &builder, Location loc, ReductionTilingStrategy strategy,
    ValueRange partials, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, const SetVector<unsigned> &reductionDims,
    ArrayRef<OpFoldResult> chunk) {
  // Chunks in sequence would be partial states of interleaved keys, whose
  // minima are not those of an interval.
  if (strategy != ReductionTilingStrategy::PartialReductionOuterParallel ||
      !hasPureTensorSemantics())
    return failure();
  // A chunk's minimum would be one number no longer.
  if (getCommon())
    return failure();
  // The op reads its first key, so that a chunk must not be empty.
  if (!isKnownPositive(sizes[Key]))
    return failure();
  // Surplus rows of the state would want an interval of their own.
  auto sizeOf = [](Value shaped, int64_t axis) {
    return cast<ShapedType>(shaped.getType()).getDimSize(axis);
  };
  if (ShapedType::isDynamic(sizeOf(getQuery(), 0)) ||
      sizeOf(getQuery(), 0) != sizeOf(partials[0], 1))
    return failure();

  SplitKeys split(builder, loc, *this);
  Span rows = {offsets[Row], sizes[Row]}, keys = {offsets[Key], sizes[Key]};
  Span depth = wholeAxis(builder, loc, getQuery(), 1);
  Span columns = wholeAxis(builder, loc, getValue(), 1);
  AffineExpr d0, d1;
  bindDims(builder.getContext(), d0, d1);
  auto add = [&](OpFoldResult x, OpFoldResult y) {
    return affine::makeComposedFoldedAffineApply(builder, loc, d0 + d1, {x, y});
  };

  TiledOpBuilder tile(builder, *this);
  tile.addSlice(getQuery(), {rows, depth});
  tile.addSlice(getKey(), {keys, depth});
  tile.addSlice(getValue(), {keys, columns});
  tile.addSlice(getField(), {keys});
  tile.addSlice(getLevel(), {keys});
  tile.addSlice(getSuffix(), {keys});
  tile.addWhole(getBeta());
  tile.addSlice(getFirst(), {rows});
  Value last = tile.addSlice(getLast(), {rows});
  if (isEdge())
    tile.addWhole(getValueOrCreateConstantIndexOp(
        builder, loc, add(getKeyOffset(), keys.offset)));
  for (unsigned number : {0, 1, 2})
    tile.addWhole(split.chunkOf(partials[number], number, chunk[0], rows));
  Value minimum = split.chunkOf(partials[3], 3, chunk[0], rows);
  tile.addWhole(split.minimumFrom(add(keys.offset, keys.size), minimum, last));
  return tile.build();
}

FailureOr<MergeResult>
OnlineAttentionOp::mergeReductions(OpBuilder &builder, Location loc,
                                   ValueRange partials,
                                   const SetVector<unsigned> &) {
  SplitKeys split(builder, loc, *this);
  // max_i = max(max0_i, max_c max_ci)
  Value maximum = split.generic(
      {partials[1]}, getMaximum(), {split.map(2, {1, 0}), split.map(2, {0})},
      {parallel, reduction}, [&](ValueRange x) -> Value {
        return arith::MaximumFOp::create(split.b, x[0], x[1]);
      });
  Value safe = split.safeMaximum(maximum);
  Value accumulator =
      split.merge(partials[0], partials[1], safe, getAccumulator());
  Value sum = split.merge(partials[2], partials[1], safe, getSum());
  // The chunk that holds the first key has passed every other one.
  Value minimum =
      split.minimumFrom(builder.getIndexAttr(0), getMinimum(), getLast());
  // Upstream's transform has one handle for what merges: the accumulator's.
  return MergeResult{{accumulator.getDefiningOp()},
                     {accumulator, maximum, sum, minimum}};
}
