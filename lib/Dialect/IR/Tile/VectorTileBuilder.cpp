//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Blocks as vectors of the size of a whole tile.

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"
#include "fpa/Dialect/IR/Tile/TileBuilder.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

class VectorTileBuilder : public TileBuilder {
public:
  VectorTileBuilder(OpBuilder &builder, Location loc, const TileTraits &traits)
      : TileBuilder(builder, loc), traits(traits) {}

  bool foldsScaleIntoOperand() const override { return !traits.scaleProducts; }
  bool hasNaNMaximum() const override { return traits.nanMaximum; }
  bool hasBranches() const override { return traits.branches; }

  SmallVector<Value> choose(Value condition, MakeFn make,
                            MakeFn otherwise) override {
    auto fill = [&](MakeFn of) {
      return [of, this](OpBuilder &, Location) {
        scf::YieldOp::create(b, loc, of());
      };
    };
    OpBuilder::InsertionGuard guard(b);
    auto choice =
        scf::IfOp::create(b, loc, condition, fill(make), fill(otherwise));
    return SmallVector<Value>(choice.getResults());
  }

  Value load(Value source, Extents extents, TypedAttr padding) override {
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape = getShape(extents);
    Value pad = arith::ConstantOp::create(b, loc, padding);
    return vector::TransferReadOp::create(
        b, loc, VectorType::get(shape, type.getElementType()), source,
        getOrigin(shape.size()), pad,
        ArrayRef<bool>(getInBounds(type.getShape(), shape)));
  }

  Value store(Value block, Value dest) override {
    auto type = cast<RankedTensorType>(dest.getType());
    ArrayRef<int64_t> shape = cast<VectorType>(block.getType()).getShape();
    return vector::TransferWriteOp::create(
               b, loc, block, dest, getOrigin(shape.size()),
               ArrayRef<bool>(getInBounds(type.getShape(), shape)))
        .getResult();
  }

  Value splat(Value scalar, Extents extents) override {
    auto type = VectorType::get(getShape(extents), scalar.getType());
    if (auto constant = scalar.getDefiningOp<arith::ConstantOp>())
      return arith::ConstantOp::create(
          b, loc,
          DenseElementsAttr::get(type,
                                 ArrayRef<Attribute>(constant.getValue())));
    return vector::BroadcastOp::create(b, loc, type, scalar);
  }

  Value extract(Value block, int64_t index) override {
    return vector::ExtractOp::create(b, loc, block, index);
  }

  Value iota(OpFoldResult extent) override {
    SmallVector<int64_t> shape = getShape(extent);
    Value step = vector::StepOp::create(
        b, loc, VectorType::get(shape, b.getIndexType()));
    return arith::IndexCastOp::create(
        b, loc, VectorType::get(shape, b.getI32Type()), step);
  }

  Value map(ValueRange blocks, MapFn fn, Type) override {
    Elementwise elementwise(b, loc, traits.nanMaximum);
    return fn(elementwise, blocks);
  }

  Value broadcast(Value block, Extents extents, int64_t axis) override {
    SmallVector<int64_t> shape = getShape(extents);
    Type element = getElementTypeOrSelf(block.getType());
    if (axis == 1)
      return vector::BroadcastOp::create(
          b, loc, VectorType::get(shape, element), block);
    std::swap(shape[0], shape[1]);
    Value rows = vector::BroadcastOp::create(
        b, loc, VectorType::get(shape, element), block);
    return vector::TransposeOp::create(b, loc, rows, ArrayRef<int64_t>{1, 0});
  }

  Value reduce(Reduction kind, Value block, int64_t axis) override {
    auto type = cast<VectorType>(block.getType());
    auto element = cast<FloatType>(type.getElementType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + axis);
    SmallVector<bool> reduced(type.getRank(), false);
    reduced[axis] = true;
    bool isMax = kind == Reduction::Max;
    const llvm::fltSemantics &semantics = element.getFloatSemantics();
    APFloat neutral = isMax ? APFloat::getInf(semantics, /*Negative=*/true)
                            : APFloat::getZero(semantics);
    Value acc = constant(FloatAttr::get(element, neutral),
                         getAsIndexOpFoldResult(b.getContext(), shape));
    return vector::MultiDimReductionOp::create(
        b, loc, block, acc, reduced,
        isMax ? vector::CombiningKind::MAXNUMF : vector::CombiningKind::ADD);
  }

  Value sum(Value block) override {
    auto type = cast<VectorType>(block.getType());
    Value zero = arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(b.getZeroAttr(type.getElementType())));
    return vector::MultiDimReductionOp::create(
        b, loc, block, zero, ArrayRef<bool>{true}, vector::CombiningKind::ADD);
  }

  Value contract(StringRef spec, Value lhs, Value rhs, Value acc,
                 Value mask) override {
    if (Value products = buildRowProducts(spec, lhs, rhs, acc, mask))
      return products;
    ContractionSpec parsed = parseContraction(spec, b.getContext());
    SmallVector<Attribute> iterators;
    for (utils::IteratorType iterator : parsed.iterators)
      iterators.push_back(vector::IteratorTypeAttr::get(
          b.getContext(), iterator == utils::IteratorType::reduction
                              ? vector::IteratorType::reduction
                              : vector::IteratorType::parallel));
    Value everywhere = mask ? extendMask(mask, lhs, rhs, parsed) : Value();
    Operation *product = vector::ContractionOp::create(
        b, loc, lhs, rhs, acc, b.getAffineMapArrayAttr(parsed.maps),
        b.getArrayAttr(iterators));
    if (!mask)
      return product->getResult(0);
    return vector::maskOperation(b, product, everywhere)->getResult(0);
  }

  std::pair<Value, Value> scanMinimum(Value block, Value init,
                                      int64_t axis) override {
    auto scan =
        VectorScanOp::create(b, loc, ScanKind::Min, block, init, Value(), axis,
                             /*reverse=*/true, /*exclusive=*/true);
    return {scan.getScanned(), scan.getTotal()};
  }

  std::pair<Value, Value> scanSums(Value block, Value init, Value reset,
                                   int64_t axis) override {
    auto scan = VectorScanOp::create(
        b, loc, TypeRange{block.getType(), init.getType()}, ScanKind::Sum,
        block, init, reset, axis, /*reverse=*/false, /*exclusive=*/true);
    return {scan.getScanned(), scan.getTotal()};
  }

private:
  /// Products of few rows with each of many, as sums along the columns: both
  /// operands are read as they lie in memory, where a product of blocks would
  /// have the results along vectors and turn the right operand for that. Null
  /// for anything else.
  Value buildRowProducts(StringRef spec, Value lhs, Value rhs, Value acc,
                         Value mask) {
    int64_t count = cast<VectorType>(lhs.getType()).getDimSize(0);
    auto type = cast<VectorType>(rhs.getType());
    TypedAttr init = getSplat(acc);
    bool isSum = init && matchPattern(Attribute(init), m_AnyZeroFloat());
    if (spec != "id,jd->ij" || count >= kLeastLanes || mask || !isSum ||
        type.getDimSize(0) < kLeastLanes)
      return {};
    auto result =
        VectorType::get({count, type.getDimSize(0)}, type.getElementType());
    Value all;
    for (int64_t index = 0; index < count; ++index) {
      Value row =
          vector::BroadcastOp::create(b, loc, type, takeRow(lhs, index));
      Value products = arith::MulFOp::create(b, loc, rhs, row);
      Value sums = reduce(Reduction::Sum, products, /*axis=*/1);
      Value spread = vector::BroadcastOp::create(b, loc, result, sums);
      all = all ? arith::SelectOp::create(b, loc, isRow(result, index), spread,
                                          all)
                : spread;
    }
    return all;
  }

  /// Where a block's row is that of `index`.
  Value isRow(VectorType type, int64_t index) {
    OpFoldResult rows = b.getIndexAttr(type.getDimSize(0));
    OpFoldResult columns = b.getIndexAttr(type.getDimSize(1));
    Value number = constant(b.getI32IntegerAttr(index), rows);
    Value own = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                      iota(rows), number);
    return broadcast(own, {rows, columns}, /*axis=*/0);
  }

  /// A row of a block, by ops that walk axes.
  Value takeRow(Value block, int64_t index) {
    auto type = cast<VectorType>(block.getType());
    if (type.getDimSize(0) == 1)
      return vector::ShapeCastOp::create(
          b, loc, VectorType::get({type.getDimSize(1)}, type.getElementType()),
          block);
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    Value alone =
        arith::SelectOp::create(b, loc, isRow(type, index), block, zero);
    return reduce(Reduction::Sum, alone, /*axis=*/0);
  }

  static SmallVector<int64_t> getShape(Extents extents) {
    SmallVector<int64_t> shape;
    for (OpFoldResult extent : extents)
      shape.push_back(*getConstantIntValue(extent));
    return shape;
  }

  static SmallVector<bool> getInBounds(ArrayRef<int64_t> tensor,
                                       ArrayRef<int64_t> block) {
    SmallVector<bool> inBounds;
    for (auto [has, wants] : llvm::zip_equal(tensor, block))
      inBounds.push_back(!ShapedType::isDynamic(has) && has >= wants);
    return inBounds;
  }

  SmallVector<Value> getOrigin(int64_t rank) {
    return SmallVector<Value>(rank, arith::ConstantIndexOp::create(b, loc, 0));
  }

  /// `mask` on lhs, spread over the iteration space: leading dimensions are
  /// added by a broadcast and a transpose puts them in their place.
  Value extendMask(Value mask, Value lhs, Value rhs,
                   const ContractionSpec &spec) {
    int64_t rank = spec.iterators.size();
    SmallVector<int64_t> extents(rank);
    for (auto [operand, map] :
         {std::pair(lhs, spec.maps[0]), std::pair(rhs, spec.maps[1])})
      for (auto [i, size] :
           llvm::enumerate(cast<VectorType>(operand.getType()).getShape()))
        extents[map.getDimPosition(i)] = size;

    SmallVector<int64_t> order;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (!spec.maps[0].isFunctionOfDim(dim))
        order.push_back(dim);
    for (AffineExpr expr : spec.maps[0].getResults())
      order.push_back(cast<AffineDimExpr>(expr).getPosition());
    SmallVector<int64_t> shape, permutation(rank);
    for (auto [position, dim] : llvm::enumerate(order)) {
      shape.push_back(extents[dim]);
      permutation[dim] = position;
    }
    Value spread = vector::BroadcastOp::create(
        b, loc, VectorType::get(shape, b.getI1Type()), mask);
    return vector::TransposeOp::create(b, loc, spread, permutation);
  }

  TileTraits traits;
};

} // namespace

std::unique_ptr<TileBuilder>
mlir::fpa::createVectorTileBuilder(OpBuilder &builder, Location loc,
                                   const TileTraits &traits) {
  return std::make_unique<VectorTileBuilder>(builder, loc, traits);
}
