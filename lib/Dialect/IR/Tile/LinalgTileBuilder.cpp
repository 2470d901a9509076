//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Blocks as tensors, computed by linalg.

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/TileBuilder.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

constexpr auto parallel = utils::IteratorType::parallel;

class LinalgTileBuilder : public TileBuilder {
public:
  using TileBuilder::TileBuilder;

  bool foldsScaleIntoOperand() const override { return true; }

  Value load(Value source, Extents extents, TypedAttr padding) override {
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape;
    for (OpFoldResult extent : extents)
      shape.push_back(
          getConstantIntValue(extent).value_or(ShapedType::kDynamic));
    if (type.getShape() == ArrayRef(shape))
      return source;
    SmallVector<OpFoldResult> low(extents.size(), b.getIndexAttr(0)), high;
    AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
    for (auto [axis, extent] : llvm::enumerate(extents)) {
      OpFoldResult size = tensor::getMixedSize(b, loc, source, axis);
      high.push_back(affine::makeComposedFoldedAffineApply(b, loc, d0 - d1,
                                                           {extent, size}));
    }
    Value pad = arith::ConstantOp::create(b, loc, padding);
    return tensor::PadOp::create(b, loc, type.clone(shape), source, low, high,
                                 pad);
  }

  Value store(Value block, Value dest) override {
    auto type = cast<RankedTensorType>(dest.getType());
    if (type != block.getType()) {
      SmallVector<OpFoldResult> zeros(type.getRank(), b.getIndexAttr(0));
      SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
      block = tensor::ExtractSliceOp::create(
          b, loc, type, block, zeros, tensor::getMixedSizes(b, loc, dest),
          ones);
    }
    // The copy ties the result to `dest`: a loop that carries it stays in
    // place.
    return linalg::CopyOp::create(b, loc, block, dest)->getResult(0);
  }

  Value splat(Value scalar, Extents extents) override {
    Value empty = tensor::EmptyOp::create(b, loc, extents, scalar.getType());
    return linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
  }

  Value extract(Value block, int64_t index) override {
    Value position = arith::ConstantIndexOp::create(b, loc, index);
    return tensor::ExtractOp::create(b, loc, block, position);
  }

  Value iota(OpFoldResult extent) override {
    Value empty = tensor::EmptyOp::create(b, loc, extent, b.getI32Type());
    return createGeneric({}, empty, b.getMultiDimIdentityMap(1), parallel,
                         [](OpBuilder &b, Location loc, ValueRange) -> Value {
                           Value index = linalg::IndexOp::create(b, loc, 0);
                           return arith::IndexCastOp::create(
                               b, loc, b.getI32Type(), index);
                         });
  }

  Value map(ValueRange blocks, MapFn fn, Type element) override {
    auto type = cast<RankedTensorType>(blocks[0].getType());
    int64_t rank = type.getRank();
    Value empty = tensor::EmptyOp::create(
        b, loc, tensor::getMixedSizes(b, loc, blocks[0]),
        element ? element : type.getElementType());
    SmallVector<AffineMap> maps(blocks.size() + 1,
                                b.getMultiDimIdentityMap(rank));
    return createGeneric(blocks, empty, maps,
                         SmallVector<utils::IteratorType>(rank, parallel),
                         [&](OpBuilder &b, Location loc, ValueRange args) {
                           Elementwise elementwise(b, loc);
                           return fn(elementwise, args.drop_back());
                         });
  }

  Value broadcast(Value block, Extents extents, int64_t axis) override {
    return broadcastAlong(block, extents, /*added=*/1 - axis);
  }

  Value reduce(Reduction kind, Value block, int64_t axis) override {
    auto element = cast<FloatType>(getElementTypeOrSelf(block.getType()));
    const llvm::fltSemantics &semantics = element.getFloatSemantics();
    bool isMax = kind == Reduction::Max;
    APFloat neutral = isMax ? APFloat::getInf(semantics, /*Negative=*/true)
                            : APFloat::getZero(semantics);
    return reduceWith(block, axis, neutral,
                      [&](Elementwise &e, ValueRange args) {
                        return isMax ? e.maxOrSecond(args[0], args[1])
                                     : e.add(args[1], args[0]);
                      });
  }

  Value sum(Value block) override {
    return tensor::ExtractOp::create(
        b, loc, reduce(Reduction::Sum, block, /*axis=*/0), ValueRange());
  }

  Value contract(StringRef spec, Value lhs, Value rhs, Value acc,
                 Value mask) override {
    ContractionSpec parsed = parseContraction(spec, b.getContext());
    SmallVector<Value> operands = {lhs, rhs};
    if (mask) {
      operands.push_back(mask);
      parsed.maps.insert(parsed.maps.begin() + 2, parsed.maps[0]);
    }
    return createGeneric(operands, acc, parsed.maps, parsed.iterators,
                         [&](OpBuilder &b, Location loc, ValueRange args) {
                           Elementwise e(b, loc);
                           Value acc = args.back();
                           Value sum = e.add(acc, e.mul(args[0], args[1]));
                           return mask ? e.select(args[2], sum, acc) : sum;
                         });
  }

  std::pair<Value, Value> scanMinimum(Value block, Value init,
                                      int64_t axis) override {
    auto minimum = [](Elementwise &e, ValueRange args) {
      return e.min(args[0], args[1]);
    };
    auto type = cast<RankedTensorType>(block.getType());
    SmallVector<OpFoldResult> extents = tensor::getMixedSizes(b, loc, block);
    Value empty =
        tensor::EmptyOp::create(b, loc, extents, type.getElementType());
    Value scanned = PrefixMinOp::create(b, loc, empty.getType(), block, empty,
                                        axis, /*reverse=*/true,
                                        /*exclusive=*/true,
                                        /*segment=*/IntegerAttr())
                        .getResult(0);
    APFloat infinity = APFloat::getInf(
        cast<FloatType>(type.getElementType()).getFloatSemantics());
    Value total = reduceWith(block, axis, infinity, minimum);
    return {map({scanned, broadcastAlong(init, extents, axis)}, minimum, {}),
            map({total, init}, minimum, {})};
  }

  /// An element counts at another one to its right, or at the end, if as many
  /// resets lie up to it as before that one.
  std::pair<Value, Value> scanSums(Value block, Value init, Value reset,
                                   int64_t axis) override {
    auto type = cast<RankedTensorType>(block.getType());
    SmallVector<OpFoldResult> extents = tensor::getMixedSizes(b, loc, block);
    Value one = constant(FloatAttr::get(type.getElementType(), 1.0), extents);
    Value flags = map({one, reset},
                      [](Elementwise &e, ValueRange x) {
                        return e.select(x[1], x[0], e.constant(0.0, x[0]));
                      },
                      {});
    auto count = [&](bool exclusive) -> Value {
      Value empty =
          tensor::EmptyOp::create(b, loc, extents, type.getElementType());
      return PrefixSumOp::create(b, loc, empty.getType(), flags, empty, axis,
                                 /*reverse=*/false, exclusive,
                                 /*segment=*/IntegerAttr())
          .getResult(0);
    };
    Value upTo = count(/*exclusive=*/false), before = count(/*exclusive=*/true);
    Value all = reduce(Reduction::Sum, flags, axis);
    return {sumSince(block, init, upTo, before, axis, /*everywhere=*/false),
            sumSince(block, init, upTo, all, axis, /*everywhere=*/true)};
  }

private:
  /// init, where no reset lies before `at`, and the elements of `block` with as
  /// many resets up to them as lie before `at`: those to the left of a place
  /// along the axis or, `everywhere`, all of them.
  Value sumSince(Value block, Value init, Value upTo, Value at, int64_t axis,
                 bool everywhere) {
    SmallVector<OpFoldResult> extents = tensor::getMixedSizes(b, loc, block);
    Value start = everywhere ? init : broadcastAlong(init, extents, axis);
    start =
        map({start, at},
            [](Elementwise &e, ValueRange x) {
              Value zero = e.constant(0.0, x[0]);
              return e.select(e.compare(arith::CmpFPredicate::OEQ, x[1], zero),
                              x[0], zero);
            },
            {});
    // The loops: those of the result, then the elements that are summed.
    int64_t rank = extents.size(), loops = everywhere ? rank : rank + 1;
    SmallVector<AffineExpr> element, place;
    for (int64_t dim = 0; dim < rank; ++dim) {
      bool isAxis = dim == axis;
      int64_t loop = everywhere && dim > axis ? dim - 1 : dim;
      element.push_back(b.getAffineDimExpr(isAxis ? loops - 1 : loop));
      if (!everywhere || !isAxis)
        place.push_back(b.getAffineDimExpr(loop));
    }
    AffineMap elements = AffineMap::get(loops, 0, element, b.getContext());
    AffineMap places = AffineMap::get(loops, 0, place, b.getContext());
    SmallVector<utils::IteratorType> iterators(loops, parallel);
    iterators.back() = utils::IteratorType::reduction;
    return createGeneric(
        {block, upTo, at}, start, {elements, elements, places, places},
        iterators, [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
          Elementwise e(b, loc);
          Value counts = e.compare(arith::CmpFPredicate::OEQ, x[1], x[2]);
          if (!everywhere) {
            Value from = linalg::IndexOp::create(b, loc, loops - 1);
            Value to = linalg::IndexOp::create(b, loc, axis);
            counts = e.bitAnd(counts,
                              e.compare(arith::CmpIPredicate::slt, from, to));
          }
          return e.select(counts, e.add(x[3], x[0]), x[3]);
        });
  }

  using Body = function_ref<Value(OpBuilder &, Location, ValueRange)>;

  Value createGeneric(ValueRange inputs, Value init, ArrayRef<AffineMap> maps,
                      ArrayRef<utils::IteratorType> iterators, Body body) {
    return linalg::GenericOp::create(
               b, loc, init.getType(), inputs, init, maps, iterators,
               [&](OpBuilder &b, Location loc, ValueRange args) {
                 linalg::YieldOp::create(b, loc, body(b, loc, args));
               })
        .getResult(0);
  }

  Value broadcastAlong(Value block, Extents extents, int64_t added) {
    Value empty = tensor::EmptyOp::create(
        b, loc, extents, getElementTypeOrSelf(block.getType()));
    return linalg::BroadcastOp::create(b, loc, block, empty,
                                       ArrayRef<int64_t>{added})
        ->getResult(0);
  }

  Value reduceWith(Value block, int64_t axis, const APFloat &neutral,
                   MapFn combine) {
    auto type = cast<RankedTensorType>(block.getType());
    SmallVector<OpFoldResult> extents = tensor::getMixedSizes(b, loc, block);
    extents.erase(extents.begin() + axis);
    Value init =
        constant(FloatAttr::get(type.getElementType(), neutral), extents);
    AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> iterators(type.getRank(), parallel);
    iterators[axis] = utils::IteratorType::reduction;
    return createGeneric(block, init, {identity, identity.dropResult(axis)},
                         iterators,
                         [&](OpBuilder &b, Location loc, ValueRange args) {
                           Elementwise e(b, loc);
                           return combine(e, args);
                         });
  }
};

} // namespace

std::unique_ptr<TileBuilder>
mlir::fpa::createLinalgTileBuilder(OpBuilder &builder, Location loc) {
  return std::make_unique<LinalgTileBuilder>(builder, loc);
}
