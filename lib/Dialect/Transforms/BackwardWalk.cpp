//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardWalk.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

static constexpr auto parallel = utils::IteratorType::parallel;
static constexpr auto reduction = utils::IteratorType::reduction;

OpFoldResult mlir::fpa::divide(IndexMath &math, OpFoldResult x, OpFoldResult y,
                               bool up) {
  std::optional<int64_t> a = getConstantIntValue(x), c = getConstantIntValue(y);
  if (a && c && *c > 0)
    return math.b.getIndexAttr(up ? llvm::divideCeil(*a, *c) : *a / *c);
  Value p = math.value(x), q = math.value(y);
  return up ? arith::CeilDivUIOp::create(math.b, math.loc, p, q).getResult()
            : arith::DivUIOp::create(math.b, math.loc, p, q).getResult();
}

OpFoldResult mlir::fpa::multiply(IndexMath &math, OpFoldResult x,
                                 OpFoldResult y) {
  if (std::optional<int64_t> c = getConstantIntValue(y))
    return math.apply(math.b.getAffineDimExpr(0) * *c, {x});
  return arith::MulIOp::create(math.b, math.loc, math.value(x), math.value(y))
      .getResult();
}

Value mlir::fpa::takeSlice(OpBuilder &b, Location loc, Value source,
                           ArrayRef<OpFoldResult> offsets,
                           ArrayRef<OpFoldResult> extents,
                           ArrayRef<unsigned> dropped) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (!llvm::is_contained(dropped, dim))
      shape.push_back(
          getConstantIntValue(extent).value_or(ShapedType::kDynamic));
  SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, type.clone(shape), source,
                                        offsets, extents, strides);
}

Value mlir::fpa::putBack(OpBuilder &b, Location loc, Value value, Value slice,
                         Value into) {
  auto extract = slice.getDefiningOp<tensor::ExtractSliceOp>();
  return tensor::InsertSliceOp::create(
      b, loc, value, into, extract.getMixedOffsets(), extract.getMixedSizes(),
      extract.getMixedStrides());
}

void BackwardWalk::createInputs() {
  if (op.getField())
    suffix = createSuffixMinima(/*index=*/hasFieldGradient);
  createIntervals();
}

scf::ForallOp BackwardWalk::createDelta(int64_t whole, int64_t rows) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult tiles =
      math.apply(d0.ceilDiv(whole) * (whole / rows), {queryLength});
  SmallVector<OpFoldResult> bounds = {math.dim(op.getQuery(), 0),
                                      math.dim(op.getQuery(), 1), tiles};
  Value empty = tensor::EmptyOp::create(
      b, loc, {bounds[0], bounds[1], math.apply(d0 * rows, {tiles})},
      accumulator);
  auto forall =
      scf::ForallOp::create(b, loc, bounds, empty, createWorkItems(b, bounds));
  delta = forall.getResult(0);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forall.getBody());
  SmallVector<OpFoldResult> ids =
      getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
  ArrayRef<OpFoldResult> head = ArrayRef(ids).take_front(2);
  OpFoldResult begin = math.apply(d0 * rows, {ids[2]});
  std::optional<int64_t> length = getConstantIntValue(queryLength);
  OpFoldResult count = index(rows), from = begin;
  if (!length || *length % whole != 0) {
    // Blocks may begin behind the last row.
    OpFoldResult rest = math.apply(d1 - d0, {begin, queryLength});
    count = math.min({b.getAffineConstantExpr(rows), d0},
                     {math.max(rest, index(0))});
    from = math.min({d0, d1}, {begin, queryLength});
  }
  Value slice = sliceRows(b, loc, forall.getRegionIterArgs()[0], head, begin,
                          index(rows));
  auto step = BackwardDeltaOp::create(
      b, loc, slice.getType(), sliceOf(op.getOutput(), head, from, count),
      sliceOf(op.getOutputGradient(), head, from, count),
      sliceOf(op.getLseGradient(), head, from, count), slice);
  insertInParallel(b, loc, forall, step.getResults(), slice);
  return forall;
}

Value BackwardWalk::createSums(Value like, OpFoldResult count) {
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, like);
  shape.insert(shape.begin() + 2, count);
  return createZeros(shape);
}

Value BackwardWalk::createZeros(ArrayRef<OpFoldResult> shape) {
  Value empty = tensor::EmptyOp::create(b, loc, shape, accumulator);
  Value scalar = arith::ConstantFloatOp::create(b, loc, accumulator, zero());
  return linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
}

SmallVector<Value> BackwardWalk::putNumbers(ArrayRef<OpFoldResult> head,
                                            OpFoldResult row, OpFoldResult rows,
                                            Value firstKeys, Value passed,
                                            Value end, ValueRange slabs) {
  SmallVector<Value> slices;
  for (Value slab : slabs)
    slices.push_back(sliceRows(b, loc, slab, head, row, rows));
  auto numbers = DropFinalizeOp::create(
      b, loc, ValueRange(slices).getTypes(), /*dropped=*/Value(),
      /*reference=*/Value(), /*maximum=*/Value(), /*sum=*/Value(), firstKeys,
      passed, end, slices, b.getI64IntegerAttr(sizes.query));
  SmallVector<Value> next;
  for (auto [number, slice, slab] :
       llvm::zip_equal(numbers.getResults(), slices, slabs))
    next.push_back(putBack(b, loc, number, slice, slab));
  return next;
}

void BackwardWalk::addUncounted(SmallVectorImpl<Value> &results) {
  for (Value out : op.getOuts().drop_front(results.size()))
    results.push_back(fillWithZero(b, loc, out));
}

/// The sum over dimension 2, first chunk first.
Value BackwardWalk::addChunks(Value sums) {
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, sums);
  shape.erase(shape.begin() + 2);
  Value init = createZeros(shape);
  AffineMap all =
      b.getMultiDimIdentityMap(cast<ShapedType>(sums.getType()).getRank());
  SmallVector<utils::IteratorType> kinds(all.getNumDims(), parallel);
  kinds[2] = reduction;
  return generic({sums}, init, {all, all.dropResult(2)}, kinds,
                 [&](ValueRange x) -> Value {
                   return arith::AddFOp::create(b, loc, x[1], x[0]);
                 });
}

/// scale * sum in the type of `out`.
Value BackwardWalk::scaleInto(Value sum, double scale, Value out) {
  auto element = cast<FloatType>(getElementTypeOrSelf(out.getType()));
  AffineMap all =
      b.getMultiDimIdentityMap(cast<ShapedType>(out.getType()).getRank());
  SmallVector<utils::IteratorType> kinds(all.getNumDims(), parallel);
  return generic({sum}, out, {all, all}, kinds, [&](ValueRange x) -> Value {
    Value factor =
        arith::ConstantOp::create(b, loc, b.getFloatAttr(accumulator, scale));
    Value scaled = arith::MulFOp::create(b, loc, x[0], factor);
    if (element == accumulator)
      return scaled;
    return arith::TruncFOp::create(b, loc, element, scaled);
  });
}

/// Where the minimum lies that each place of the suffix gradient is of: that of
/// the keys to the right inside of the tile, and for the tile's last key that
/// of the whole tile.
Value BackwardWalk::placeSuffixes(const SuffixSums &in) {
  Value at = suffix.getResult(1), minimum = suffix.getResult(0);
  AffineMap all = b.getMultiDimIdentityMap(3);
  return generic(
      {at}, emptyLike(at), {all, all}, {parallel, parallel, parallel},
      [&](ValueRange x) -> Value {
        SmallVector<Value> place;
        for (int64_t dim = 0; dim < 3; ++dim)
          place.push_back(linalg::IndexOp::create(b, loc, dim));
        Value step = math.value(index(in.keys));
        Value lastKey = math.value(index(in.keys - 1));
        Value inTile = arith::RemUIOp::create(b, loc, place[2], step);
        Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             inTile, lastKey);
        // The first key of the tile; of one that is cut off, any.
        place[2] = arith::SubIOp::create(b, loc, place[2], inTile);
        Value field = tensor::ExtractOp::create(b, loc, op.getField(), place);
        Value rest = tensor::ExtractOp::create(b, loc, minimum, place);
        Value restAt = tensor::ExtractOp::create(b, loc, at, place);
        Value own =
            arith::IndexCastOp::create(b, loc, b.getI64Type(), place[2]);
        Value isOwn = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                            field, rest);
        Value none = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
        Value isAlone = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                              restAt, none);
        isOwn = arith::OrIOp::create(b, loc, isOwn, isAlone);
        Value ofTile = arith::SelectOp::create(b, loc, isOwn, own, restAt);
        if (in.areEnds)
          return ofTile;
        return arith::SelectOp::create(b, loc, isLast, ofTile, x[0]);
      });
}

/// The field's gradient from its parts; where level and field are tied, the
/// level's is one of them.
Value BackwardWalk::addFieldParts(Value level, ArrayRef<SuffixSums> inSuffixes,
                                  Value inEdges) {
  SmallVector<Value> parts = {inEdges};
  for (const SuffixSums &in : inSuffixes) {
    Value sum = in.sums.size() == 1 ? in.sums.front()
                                    : add(in.sums, emptyLike(in.sums.front()));
    parts.push_back(PrefixMinBackwardOp::create(b, loc, sum.getType(),
                                                placeSuffixes(in), sum,
                                                emptyLike(sum), /*axis=*/2)
                        .getResult(0));
  }
  if (!op.getLevel())
    parts.push_back(level);
  return add(parts, op.getOuts()[3]);
}

/// The sum of equally shaped tensors, in their order.
Value BackwardWalk::add(ArrayRef<Value> parts, Value out) {
  AffineMap all = b.getMultiDimIdentityMap(3);
  SmallVector<AffineMap> maps(parts.size() + 1, all);
  return generic(parts, out, maps, {parallel, parallel, parallel},
                 [&](ValueRange x) -> Value {
                   Value sum = x[0];
                   for (Value part : x.drop_front().drop_back())
                     sum = arith::AddFOp::create(b, loc, sum, part);
                   return sum;
                 });
}
