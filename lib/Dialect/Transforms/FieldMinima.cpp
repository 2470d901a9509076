//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldMinima.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fpa;

/// Runs of up to 2^31 tiles: no memory holds a field of more.
static constexpr int64_t kRunSizes = 32;

using Place = SmallVector<Value>;

/// The minimum of `get(t)` over `[begin, end)`, or the maximum, as `Extremum`
/// says; inside of an op's body.
template <typename Extremum>
static Value createExtremum(OpBuilder &b, Location loc, FloatType type,
                            Value begin, Value end,
                            function_ref<Value(Value)> get) {
  bool isMaximum = std::is_same_v<Extremum, arith::MaximumFOp>;
  Value none = arith::ConstantOp::create(
      b, loc,
      FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(),
                                           /*Negative=*/isMaximum)));
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, begin, end, one, none);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value extremum = Extremum::create(b, loc, loop.getRegionIterArgs()[0],
                                    get(loop.getInductionVar()));
  scf::YieldOp::create(b, loc, extremum);
  return loop.getResult(0);
}

/// A tensor of `shape` whose elements `body` computes from their place.
static Value createByPlace(OpBuilder &b, Location loc,
                           ArrayRef<OpFoldResult> shape, FloatType type,
                           function_ref<Value(Place)> body) {
  Value empty = tensor::EmptyOp::create(b, loc, shape, type);
  int64_t rank = shape.size();
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  return createGeneric(b, loc, {}, empty, b.getMultiDimIdentityMap(rank), kinds,
                       [&](ValueRange) {
                         Place place;
                         for (int64_t dim = 0; dim < rank; ++dim)
                           place.push_back(
                               linalg::IndexOp::create(b, loc, dim));
                         return body(place);
                       });
}

template <typename Extremum>
static Value createTileExtrema(OpBuilder &b, Location loc, Value source,
                               int64_t keys) {
  IndexMath math{b, loc};
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  auto type = cast<FloatType>(getElementTypeOrSelf(source.getType()));
  OpFoldResult length = math.dim(source, 2);
  SmallVector<OpFoldResult> shape = {math.dim(source, 0), math.dim(source, 1),
                                     math.apply(d0.ceilDiv(keys), {length})};
  Value lengthValue = math.value(length);
  // Infinities are made finite as where a tile's field is loaded.
  APFloat most = APFloat::getLargest(type.getFloatSemantics());
  Value largest = arith::ConstantFloatOp::create(b, loc, type, most);
  most.changeSign();
  Value least = arith::ConstantFloatOp::create(b, loc, type, most);
  return createByPlace(b, loc, shape, type, [&](Place place) {
    OpFoldResult begin = math.apply(d0 * keys, {place[2]});
    OpFoldResult end =
        math.min({d0 + keys, d1}, {begin, OpFoldResult(lengthValue)});
    return createExtremum<Extremum>(
        b, loc, type, math.value(begin), math.value(end), [&](Value t) {
          Value x = tensor::ExtractOp::create(b, loc, source,
                                              Place{place[0], place[1], t});
          x = arith::MinimumFOp::create(b, loc, x, largest);
          return arith::MaximumFOp::create(b, loc, x, least).getResult();
        });
  });
}

Value mlir::fpa::createTileMinima(OpBuilder &b, Location loc, Value source,
                                  int64_t keys) {
  return createTileExtrema<arith::MinimumFOp>(b, loc, source, keys);
}

Value mlir::fpa::createTileMaxima(OpBuilder &b, Location loc, Value source,
                                  int64_t keys) {
  return createTileExtrema<arith::MaximumFOp>(b, loc, source, keys);
}

FieldRuns::FieldRuns(OpBuilder &b, Location loc, Value field, int64_t keys) {
  IndexMath math{b, loc};
  auto type = cast<FloatType>(getElementTypeOrSelf(field.getType()));
  Value ofTile = createTileMinima(b, loc, field, keys);
  OpFoldResult tiles = math.dim(ofTile, 2);
  Value tilesValue = math.value(tiles);
  SmallVector<OpFoldResult> shape = {math.dim(field, 0), math.dim(field, 1),
                                     b.getIndexAttr(kRunSizes), tiles};
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  table = createByPlace(b, loc, shape, type, [&](Place place) {
    Value run = arith::ShLIOp::create(b, loc, one, place[2]);
    Value end = arith::AddIOp::create(b, loc, place[3], run);
    // Runs beyond the end are not asked for.
    Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, end,
                                       tilesValue);
    end = arith::SelectOp::create(b, loc, fits, end, place[3]);
    return createExtremum<arith::MinimumFOp>(
        b, loc, type, place[3], end, [&](Value t) {
          return tensor::ExtractOp::create(b, loc, ofTile,
                                           Place{place[0], place[1], t})
              .getResult();
        });
  });
}

Value FieldRuns::find(IndexMath &math, OpFoldResult batch, OpFoldResult head,
                      OpFoldResult begin, OpFoldResult end) const {
  OpBuilder &b = math.b;
  Location loc = math.loc;
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  Type i64 = b.getI64Type();
  auto type = cast<FloatType>(getElementTypeOrSelf(table.getType()));
  Value count = math.value(math.apply(d1 - d0, {begin, end}));
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value isAny =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, count, one);
  Value least = arith::MaxSIOp::create(b, loc, count, one);
  // The largest power of two that is not above the count.
  Value zeros = math::CountLeadingZerosOp::create(
      b, loc, arith::IndexCastOp::create(b, loc, i64, least));
  Value top = arith::ConstantIntOp::create(b, loc, 63, 64);
  Value power = arith::IndexCastOp::create(
      b, loc, b.getIndexType(), arith::SubIOp::create(b, loc, top, zeros));
  Value run = arith::ShLIOp::create(b, loc, one, power);
  // Without a tile both runs are some run that exists.
  Value first =
      arith::SelectOp::create(b, loc, isAny, math.value(begin),
                              arith::ConstantIndexOp::create(b, loc, 0));
  Value second = arith::SubIOp::create(
      b, loc, arith::AddIOp::create(b, loc, first, least), run);
  auto get = [&](Value tile) -> Value {
    return tensor::ExtractOp::create(
        b, loc, table, Place{math.value(batch), math.value(head), power, tile});
  };
  Value minimum = arith::MinimumFOp::create(b, loc, get(first), get(second));
  Value none = arith::ConstantOp::create(
      b, loc, FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics())));
  return arith::SelectOp::create(b, loc, isAny, minimum, none);
}

Value FieldRuns::get(IndexMath &math, OpFoldResult batch, OpFoldResult head,
                     OpFoldResult begin, int64_t count) const {
  Value power = math.value(math.b.getIndexAttr(llvm::Log2_64(count)));
  return tensor::ExtractOp::create(
      math.b, math.loc, table,
      Place{math.value(batch), math.value(head), power, math.value(begin)});
}
