//===- ValueBounds.cpp - Intervals that hold a value's elements -----------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FieldAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Bounds that were computed are widened to these numbers, which every float
/// type has: rounding, being monotone, cannot carry a value past them.
constexpr double kLandmarks[] = {-kInfinity, -1, 0, 1, kInfinity};

Bounds widen(double lower, double upper) {
  Bounds bounds;
  for (double landmark : kLandmarks)
    if (landmark <= lower)
      bounds.lower = landmark;
  for (double landmark : llvm::reverse(kLandmarks))
    if (landmark >= upper)
      bounds.upper = landmark;
  return bounds;
}

/// The hull of products (or quotients) of the ends. What is undefined there
/// (0 * inf, inf / inf) is NaN at run time or lies between other ends.
template <typename Combine> Bounds hullOfEnds(Bounds a, Bounds b, Combine f) {
  double lower = kInfinity, upper = -kInfinity;
  for (double x : {a.lower, a.upper})
    for (double y : {b.lower, b.upper}) {
      double end = f(x, y);
      end = std::isnan(end) ? 0 : end;
      lower = std::min(lower, end);
      upper = std::max(upper, end);
    }
  return widen(lower, upper);
}

class BoundsAnalysis {
public:
  Bounds get(Value value);

private:
  Bounds ofConstant(Attribute attribute);
  Bounds ofOperation(Operation *op);
  Bounds ofArithmetic(Operation *op);
  Bounds ofFunction(Operation *op);
  Bounds ofLinalg(linalg::LinalgOp op, unsigned result);
  Bounds operand(Operation *op, unsigned number) {
    return get(op->getOperand(number));
  }

  /// Values looked at before giving up: expressions may share subexpressions.
  unsigned budget = 512;
};

Bounds BoundsAnalysis::get(Value value) {
  if (budget == 0)
    return {};
  --budget;
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return ofConstant(constant);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // An argument of a linalg body is an element of its operand.
    auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(
        argument.getOwner()->getParentOp());
    if (!linalgOp)
      return {};
    return get(linalgOp.getMatchingOpOperand(argument)->get());
  }
  if (auto linalgOp = value.getDefiningOp<linalg::LinalgOp>())
    return ofLinalg(linalgOp, cast<OpResult>(value).getResultNumber());
  return ofOperation(value.getDefiningOp());
}

Bounds BoundsAnalysis::ofConstant(Attribute attribute) {
  Bounds bounds{kInfinity, -kInfinity, /*mayBeNaN=*/false};
  auto include = [&](double element) {
    bounds.mayBeNaN |= std::isnan(element);
    bounds.lower = std::min(bounds.lower, element);
    bounds.upper = std::max(bounds.upper, element);
  };
  auto toDouble = [](APFloat element) {
    bool losesInfo;
    element.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    return element.convertToDouble();
  };
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    include(toDouble(number.getValue()));
  } else if (auto number = dyn_cast<IntegerAttr>(attribute)) {
    include(number.getValue().signedRoundToDouble());
  } else if (auto elements = dyn_cast<DenseFPElementsAttr>(attribute)) {
    if (elements.isSplat())
      include(toDouble(elements.getSplatValue<APFloat>()));
    else if (elements.getNumElements() <= kMaxAnalyzedConstant)
      for (APFloat element : elements.getValues<APFloat>())
        include(toDouble(element));
  }
  // Nothing was looked at, or only NaN: nothing is known.
  return bounds.lower <= bounds.upper ? bounds : Bounds();
}

Bounds BoundsAnalysis::ofLinalg(linalg::LinalgOp op, unsigned result) {
  // Without reductions and with every element written, an element of the
  // result is one the body yields.
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  if (!op.hasPureTensorSemantics() || !map.isPermutation() ||
      op.getNumParallelLoops() != op.getNumLoops())
    return {};
  return get(op.getBlock()->getTerminator()->getOperand(result));
}

Bounds BoundsAnalysis::ofOperation(Operation *op) {
  return TypeSwitch<Operation *, Bounds>(op)
      .Case<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, tensor::ExtractOp, tensor::SplatOp>(
          [&](auto) { return operand(op, 0); })
      .Case<linalg::IndexOp>(
          [](auto) { return Bounds{0, kInfinity, /*mayBeNaN=*/false}; })
      .Case<arith::IndexCastOp>([&](arith::IndexCastOp cast) {
        // A narrower integer may wrap.
        Type type = getElementTypeOrSelf(cast.getType());
        bool isWide = type.isIndex() || type.getIntOrFloatBitWidth() >= 64;
        return isWide ? operand(op, 0) : Bounds();
      })
      .Case<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp>([&](auto) {
        Bounds in = operand(op, 0);
        Bounds out = widen(in.lower, in.upper);
        out.mayBeNaN = in.mayBeNaN;
        return out;
      })
      .Case<arith::UIToFPOp>(
          [](auto) { return Bounds{0, kInfinity, /*mayBeNaN=*/false}; })
      .Case<arith::SelectOp>([&](auto) {
        Bounds a = operand(op, 1), b = operand(op, 2);
        return Bounds{std::min(a.lower, b.lower), std::max(a.upper, b.upper),
                      a.mayBeNaN || b.mayBeNaN};
      })
      .Default([&](Operation *) {
        if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
          return ofFunction(op);
        return ofArithmetic(op);
      });
}

Bounds BoundsAnalysis::ofArithmetic(Operation *op) {
  auto minimum = [](Bounds a, Bounds b) {
    return widen(std::min(a.lower, b.lower), std::min(a.upper, b.upper));
  };
  auto negate = [](Bounds a) { return Bounds{-a.upper, -a.lower, a.mayBeNaN}; };
  // minnum returns the other operand for a NaN, so that only an operand that
  // is never NaN bounds it from above.
  auto minimumNumber = [](Bounds a, Bounds b) {
    double upper = std::max(a.upper, b.upper);
    if (!a.mayBeNaN)
      upper = std::min(upper, a.upper);
    if (!b.mayBeNaN)
      upper = std::min(upper, b.upper);
    return widen(std::min(a.lower, b.lower), upper);
  };
  auto add = [](Bounds a, Bounds b) {
    double lower = a.lower + b.lower, upper = a.upper + b.upper;
    return widen(std::isnan(lower) ? -kInfinity : lower,
                 std::isnan(upper) ? kInfinity : upper);
  };
  return TypeSwitch<Operation *, Bounds>(op)
      .Case<arith::NegFOp>([&](auto) { return negate(operand(op, 0)); })
      .Case<arith::AddFOp>(
          [&](auto) { return add(operand(op, 0), operand(op, 1)); })
      .Case<arith::SubFOp>(
          [&](auto) { return add(operand(op, 0), negate(operand(op, 1))); })
      .Case<arith::MulFOp>([&](auto) {
        return hullOfEnds(operand(op, 0), operand(op, 1), std::multiplies<>());
      })
      .Case<arith::DivFOp>([&](auto) {
        // Near zero the sign of a quotient is that of the zero: no bound.
        Bounds divisor = operand(op, 1);
        return divisor.lower > 0
                   ? hullOfEnds(operand(op, 0), divisor, std::divides<>())
                   : Bounds();
      })
      .Case<arith::MinimumFOp>(
          [&](auto) { return minimum(operand(op, 0), operand(op, 1)); })
      .Case<arith::MaximumFOp>([&](auto) {
        return negate(minimum(negate(operand(op, 0)), negate(operand(op, 1))));
      })
      .Case<arith::MinNumFOp>(
          [&](auto) { return minimumNumber(operand(op, 0), operand(op, 1)); })
      .Case<arith::MaxNumFOp>([&](auto) {
        return negate(
            minimumNumber(negate(operand(op, 0)), negate(operand(op, 1))));
      })
      .Default([](Operation *) { return Bounds(); });
}

Bounds BoundsAnalysis::ofFunction(Operation *op) {
  Bounds in = operand(op, 0);
  return TypeSwitch<Operation *, Bounds>(op)
      .Case<math::AbsFOp>([&](auto) {
        return widen(0, std::max(std::abs(in.lower), std::abs(in.upper)));
      })
      .Case<math::ExpOp, math::Exp2Op>([&](auto) {
        return Bounds{in.lower >= 0 ? 1. : 0., in.upper <= 0 ? 1. : kInfinity};
      })
      .Case<math::LogOp, math::Log2Op, math::Log10Op>([&](auto) {
        return Bounds{in.lower >= 1 ? 0. : -kInfinity,
                      in.upper <= 1 ? 0. : kInfinity};
      })
      .Case<math::Log1pOp>([&](auto) {
        return Bounds{in.lower >= 0 ? 0. : -kInfinity,
                      in.upper <= 0 ? 0. : kInfinity};
      })
      .Case<math::SqrtOp>(
          [&](auto) { return Bounds{0, in.upper <= 1 ? 1. : kInfinity}; })
      .Case<math::TanhOp>([&](auto) {
        return Bounds{in.lower >= 0 ? 0. : -1., in.upper <= 0 ? 0. : 1.};
      })
      .Case<math::PowFOp>(
          [&](auto) { return in.lower > 0 ? Bounds{0, kInfinity} : Bounds(); })
      .Default([](Operation *) { return Bounds(); });
}

} // namespace

Bounds fpa::getBounds(Value value) { return BoundsAnalysis().get(value); }
