//===- FieldTrend.cpp - How a field runs along its axis -------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FieldAnalysis.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// How values run along one axis. `Falls` and `Rises` include standing still.
enum class Trend { Unknown, Uniform, Falls, Rises };

Trend flip(Trend trend) {
  if (trend == Trend::Falls)
    return Trend::Rises;
  return trend == Trend::Rises ? Trend::Falls : trend;
}

/// The trend of a sum, a minimum or a maximum.
Trend join(Trend a, Trend b) {
  if (a == Trend::Uniform || a == b)
    return b;
  return b == Trend::Uniform ? a : Trend::Unknown;
}

/// Where a value stands: a tensor and one of its axes or, inside the body of a
/// linalg op, a scalar and one of the op's loops.
struct Place {
  linalg::LinalgOp body;
  int64_t dim;
};

class TrendAnalysis {
public:
  Trend get(Value value, Place place);

private:
  Trend ofTensor(Value tensor, int64_t axis);
  Trend ofBodyArgument(BlockArgument argument, Place place);
  Trend ofLinalg(linalg::LinalgOp op, unsigned result, int64_t axis);
  Trend ofReshape(Value source, ArrayRef<ReassociationIndices> groups,
                  RankedTensorType wide, int64_t axis, bool expands);
  Trend ofElementwise(Operation *op, Place place);
  Trend ofProduct(Operation *op, ArrayRef<Trend> trends);

  /// Values looked at before giving up.
  unsigned budget = 512;
};

/// The trend of a constant along an axis.
Trend getConstantTrend(DenseFPElementsAttr elements, int64_t axis) {
  if (elements.isSplat())
    return elements.getSplatValue<APFloat>().isNaN() ? Trend::Unknown
                                                     : Trend::Uniform;
  if (elements.getNumElements() > kMaxAnalyzedConstant)
    return Trend::Unknown;
  ArrayRef<int64_t> shape = elements.getType().getShape();
  int64_t stride = ShapedType::getNumElements(shape.drop_front(axis + 1));
  auto values = llvm::to_vector(elements.getValues<APFloat>());
  bool falls = true, rises = true;
  for (int64_t at = 0, size = values.size(); at < size; ++at) {
    if (values[at].isNaN())
      return Trend::Unknown;
    if (at / stride % shape[axis] == 0)
      continue;
    falls &= values[at] <= values[at - stride];
    rises &= values[at] >= values[at - stride];
  }
  if (falls)
    return rises ? Trend::Uniform : Trend::Falls;
  return rises ? Trend::Rises : Trend::Unknown;
}

Trend TrendAnalysis::get(Value value, Place place) {
  if (budget == 0)
    return Trend::Unknown;
  --budget;
  if (!place.body)
    return ofTensor(value, place.dim);
  // What the body takes from outside is the same in every iteration.
  if (!place.body->getRegion(0).isAncestor(value.getParentRegion()))
    return Trend::Uniform;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == place.body.getBlock()
               ? ofBodyArgument(argument, place)
               : Trend::Unknown;
  Operation *op = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return static_cast<int64_t>(index.getDim()) == place.dim ? Trend::Rises
                                                             : Trend::Uniform;
  return ofElementwise(op, place);
}

Trend TrendAnalysis::ofTensor(Value tensor, int64_t axis) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type)
    return Trend::Unknown;
  if (type.getDimSize(axis) == 0 || type.getDimSize(axis) == 1)
    return Trend::Uniform;
  DenseFPElementsAttr elements;
  if (matchPattern(tensor, m_Constant(&elements)))
    return getConstantTrend(elements, axis);
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return Trend::Unknown;
  return TypeSwitch<Operation *, Trend>(op)
      .Case<PrefixSumOp>([&](PrefixSumOp sum) {
        bool isPlain = static_cast<int64_t>(sum.getAxis()) == axis &&
                       !sum.getReverse() && !sum.getSegment();
        return isPlain && getBounds(sum.getInput()).upper <= 0 ? Trend::Falls
                                                               : Trend::Unknown;
      })
      .Case<PrefixMinOp>([&](PrefixMinOp min) {
        bool isPlain = static_cast<int64_t>(min.getAxis()) == axis &&
                       !min.getReverse() && !min.getSegment();
        return isPlain && tensor == min->getResult(0) ? Trend::Falls
                                                      : Trend::Unknown;
      })
      .Case<linalg::LinalgOp>([&](linalg::LinalgOp linalgOp) {
        return ofLinalg(linalgOp, cast<OpResult>(tensor).getResultNumber(),
                        axis);
      })
      .Case<tensor::SplatOp>([](auto) { return Trend::Uniform; })
      .Case<tensor::CastOp>(
          [&](tensor::CastOp cast) { return ofTensor(cast.getSource(), axis); })
      .Case<tensor::ExpandShapeOp>([&](tensor::ExpandShapeOp reshape) {
        return ofReshape(reshape.getSrc(), reshape.getReassociationIndices(),
                         reshape.getResultType(), axis, /*expands=*/true);
      })
      .Case<tensor::CollapseShapeOp>([&](tensor::CollapseShapeOp reshape) {
        return ofReshape(reshape.getSrc(), reshape.getReassociationIndices(),
                         reshape.getSrcType(), axis, /*expands=*/false);
      })
      .Default([&](Operation *) { return ofElementwise(op, {nullptr, axis}); });
}

/// An axis that a reshape splits from, or merges with, nothing but unit
/// dimensions keeps its trend. `wide` is the type that has them.
Trend TrendAnalysis::ofReshape(Value source,
                               ArrayRef<ReassociationIndices> groups,
                               RankedTensorType wide, int64_t axis,
                               bool expands) {
  for (auto [collapsed, group] : llvm::enumerate(groups)) {
    for (int64_t own : group) {
      bool isAlone = llvm::all_of(group, [&](int64_t dim) {
        return dim == own || wide.getDimSize(dim) == 1;
      });
      int64_t from = expands ? own : static_cast<int64_t>(collapsed);
      int64_t to = expands ? static_cast<int64_t>(collapsed) : own;
      if (isAlone && from == axis)
        return get(source, {nullptr, to});
    }
  }
  return Trend::Unknown;
}

Trend TrendAnalysis::ofLinalg(linalg::LinalgOp op, unsigned result,
                              int64_t axis) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  if (!op.hasPureTensorSemantics() || !map.isPermutation() ||
      op.getNumParallelLoops() != op.getNumLoops())
    return Trend::Unknown;
  Value yielded = op.getBlock()->getTerminator()->getOperand(result);
  return get(yielded, {op, map.getDimPosition(axis)});
}

/// An element of an operand runs as the operand does along the axis that the
/// loop walks, and stands still when the loop walks none.
Trend TrendAnalysis::ofBodyArgument(BlockArgument argument, Place place) {
  OpOperand *operand = place.body.getMatchingOpOperand(argument);
  AffineMap map = place.body.getMatchingIndexingMap(operand);
  if (!map.isFunctionOfDim(place.dim))
    return Trend::Uniform;
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return Trend::Unknown;
  auto dim = getAffineDimExpr(place.dim, map.getContext());
  return get(operand->get(), {nullptr, *map.getResultPosition(dim)});
}

/// x times a factor that stands still: the sign of the factor decides.
Trend TrendAnalysis::ofProduct(Operation *op, ArrayRef<Trend> trends) {
  // A quotient keeps the trend of its dividend only; near zero its sign is that
  // of the zero.
  bool divides = isa<arith::DivFOp>(op);
  for (unsigned factor : {1, 0}) {
    if (trends[factor] != Trend::Uniform || (divides && factor == 0))
      continue;
    Bounds bounds = getBounds(op->getOperand(factor));
    if (divides ? bounds.lower > 0 : bounds.lower >= 0)
      return trends[1 - factor];
    if (divides ? bounds.upper < 0 : bounds.upper <= 0)
      return flip(trends[1 - factor]);
  }
  return Trend::Unknown;
}

/// True when the cast cannot wrap for the indices of this loop.
static bool keepsOrder(arith::IndexCastOp cast, Place place) {
  if (cast.getType().isIndex())
    return false;
  unsigned width = cast.getType().getIntOrFloatBitWidth();
  if (width >= 64)
    return true;
  int64_t size = place.body.getStaticLoopRanges()[place.dim];
  return !ShapedType::isDynamic(size) && size <= int64_t(1) << (width - 1);
}

Trend TrendAnalysis::ofElementwise(Operation *op, Place place) {
  if (auto cast = dyn_cast<arith::IndexCastOp>(op)) {
    bool isIndex = place.body && cast.getIn().getType().isIndex();
    return isIndex && keepsOrder(cast, place) ? get(cast.getIn(), place)
                                              : Trend::Unknown;
  }
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return Trend::Unknown;
  SmallVector<Trend> trends = llvm::map_to_vector(
      op->getOperands(), [&](Value value) { return get(value, place); });
  bool isUniform =
      llvm::all_of(trends, [](Trend trend) { return trend == Trend::Uniform; });
  if (isUniform)
    return Trend::Uniform;
  return TypeSwitch<Operation *, Trend>(op)
      .Case<arith::NegFOp>([&](auto) { return flip(trends[0]); })
      .Case<arith::AddFOp, arith::MinimumFOp, arith::MaximumFOp>(
          [&](auto) { return join(trends[0], trends[1]); })
      .Case<arith::SubFOp>(
          [&](auto) { return join(trends[0], flip(trends[1])); })
      .Case<arith::MulFOp, arith::DivFOp>(
          [&](auto) { return ofProduct(op, trends); })
      .Case<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, math::ExpOp,
            math::Exp2Op, math::LogOp, math::Log2Op, math::Log1pOp,
            math::SqrtOp, math::TanhOp>([&](auto) { return trends[0]; })
      .Default([](Operation *) { return Trend::Unknown; });
}

} // namespace

bool fpa::neverRises(Value tensor, int64_t axis) {
  Trend trend = TrendAnalysis().get(tensor, {nullptr, axis});
  return trend == Trend::Falls || trend == Trend::Uniform;
}
