//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Masked products for machines whose matrix units cannot mask: what is masked
// is multiplied by zero, and what is not finite takes a way of its own.

#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_UNMASKCONTRACTIONS
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// Codes of +inf and -inf; that of a NaN is their sum, since +inf and -inf make
/// one. All three are exact in every float type of 8 significant bits, and as
/// long as fewer than kNegative elements are summed, so is what a sum says.
constexpr double kPositive = 1, kNegative = 254;

/// A value of the shape of an operand, in the operand's own narrow type and
/// as the operand itself, which is that or a wider float.
class Unmasking {
public:
  Unmasking(OpBuilder &b, vector::ContractionOp op, Value mask)
      : b(b), loc(op.getLoc()), op(op), mask(mask) {}

  Value emit(bool branch);

private:
  Value splat(Value like, double value) {
    auto type = cast<VectorType>(like.getType());
    Attribute element = b.getFloatAttr(type.getElementType(), value);
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, element));
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, predicate, x, y);
  }
  /// `narrow` in the type of `operand`.
  Value widen(Value narrow, Value operand) {
    if (narrow.getType() == operand.getType())
      return narrow;
    return arith::ExtFOp::create(b, loc, operand.getType(), narrow);
  }
  Value contract(Value lhs, Value rhs, Value acc) {
    return vector::ContractionOp::create(
        b, loc, lhs, rhs, acc, op.getIndexingMaps(), op.getIteratorTypes());
  }
  Value emitPatched(Value weights, Value narrow, Value finite);
  Value codesOf(Value narrow, Value finite);
  Value decode(Value sums);

  OpBuilder &b;
  Location loc;
  vector::ContractionOp op;
  Value mask;
};

} // namespace

/// What `value` was before it was made wider.
static Value getNarrow(Value value) {
  auto wide = value.getDefiningOp<arith::ExtFOp>();
  return wide ? wide.getIn() : value;
}

/// True for weights, of which none is below zero.
static bool isNonNegative(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return isNonNegative(op->getOperand(0));
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return isNonNegative(choice.getTrueValue()) &&
           isNonNegative(choice.getFalseValue());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto dense = dyn_cast<DenseFPElementsAttr>(constant.getValue());
    return dense && dense.isSplat() &&
           !dense.getSplatValue<APFloat>().isNegative();
  }
  return isa<math::Exp2Op, math::ExpOp, math::AbsFOp>(op);
}

/// The mask over lhs that `mask`, over the iteration space, is spread from by
/// broadcasts and transposes; null if there is none.
static Value getMaskOfLhs(Value mask, vector::ContractionOp op) {
  // Position in the value looked at of each dimension of the iteration space.
  AffineMap place = AffineMap::getMultiDimIdentityMap(
      op.getIteratorTypes().size(), op.getContext());
  AffineMap lhs = op.getIndexingMapsArray()[0];
  Type wanted = VectorType::get(op.getLhsType().getShape(),
                                IntegerType::get(op.getContext(), 1));
  while (mask.getType() != wanted || place != lhs) {
    Operation *def = mask.getDefiningOp();
    if (auto transpose = dyn_cast_or_null<vector::TransposeOp>(def)) {
      // Dimension i of the result is dimension p(i) of the source.
      SmallVector<AffineExpr> exprs(place.getNumResults());
      for (auto [i, from] : llvm::enumerate(transpose.getPermutation()))
        exprs[from] = place.getResult(i);
      place = AffineMap::get(place.getNumDims(), 0, exprs, op.getContext());
      mask = transpose.getVector();
      continue;
    }
    auto broadcast = dyn_cast_or_null<vector::BroadcastOp>(def);
    auto source = broadcast ? dyn_cast<VectorType>(broadcast.getSourceType())
                            : VectorType();
    if (!source)
      return {};
    ArrayRef<int64_t> spread =
        broadcast.getResultVectorType().getShape().take_back(source.getRank());
    if (source.getShape() != spread)
      return {};
    place = place.getMinorSubMap(source.getRank());
    mask = broadcast.getSource();
  }
  return mask;
}

/// 1, 254 and 255 for +inf, -inf and NaN, 0 for numbers.
Value Unmasking::codesOf(Value narrow, Value finite) {
  Value infinite = splat(narrow, std::numeric_limits<double>::infinity());
  Value nan = splat(narrow, kPositive + kNegative);
  Value code = select(compare(arith::CmpFPredicate::OEQ, narrow, infinite),
                      splat(narrow, kPositive), nan);
  Value negative = arith::NegFOp::create(b, loc, infinite);
  code = select(compare(arith::CmpFPredicate::OEQ, narrow, negative),
                splat(narrow, kNegative), code);
  return select(finite, splat(narrow, 0), code);
}

/// What a sum of codes stands for: +inf, -inf, NaN, or 0.
///   negative = floor(sum / 254), positive = sum - 254 negative
Value Unmasking::decode(Value sums) {
  double infinity = std::numeric_limits<double>::infinity();
  Value zero = splat(sums, 0);
  // Half a code keeps the rounding of 1 / 254 away from whole numbers.
  Value quotient = math::FmaOp::create(b, loc, sums, splat(sums, 1 / kNegative),
                                       splat(sums, 0.5 / kNegative));
  Value negatives = math::FloorOp::create(b, loc, quotient);
  Value positives =
      math::FmaOp::create(b, loc, negatives, splat(sums, -kNegative), sums);
  Value positive = select(compare(arith::CmpFPredicate::OGT, positives, zero),
                          splat(sums, infinity), zero);
  Value negative = select(compare(arith::CmpFPredicate::OGT, negatives, zero),
                          splat(sums, -infinity), zero);
  Value both = arith::AddFOp::create(b, loc, positive, negative);
  if (isNonNegative(op.getLhs()))
    return both;
  // The sign of what an infinity is multiplied by is not known.
  Value any = compare(arith::CmpFPredicate::OGT, sums, zero);
  return select(any, splat(sums, std::numeric_limits<double>::quiet_NaN()),
                zero);
}

/// Whether `op` sums over dimension `dim` of its left operand.
static bool isSummed(vector::ContractionOp op, int64_t dim) {
  auto expr = cast<AffineDimExpr>(op.getIndexingMapsArray()[0].getResult(dim));
  return op.getIteratorTypesArray()[expr.getPosition()] ==
         vector::IteratorType::reduction;
}

/// The only dimension of a matrix along which `value` varies, as it was made by
/// a broadcast of a line; none for any other value.
static std::optional<int64_t> getVaryingDim(Value value) {
  bool isTransposed = false;
  if (auto transpose = value.getDefiningOp<vector::TransposeOp>()) {
    isTransposed = true;
    value = transpose.getVector();
  }
  auto broadcast = value.getDefiningOp<vector::BroadcastOp>();
  auto source = broadcast ? dyn_cast<VectorType>(broadcast.getSourceType())
                          : VectorType();
  if (!source || source.getRank() != 1 ||
      broadcast.getResultVectorType().getRank() != 2)
    return std::nullopt;
  return isTransposed ? 0 : 1;
}

/// True where `weights` is exp2(x - y) with x = -inf where it is masked: 0, as
/// it is without the mask. Where y is NaN it is not, which does no harm if that
/// is so for all that is summed, or for nothing of it.
static bool isZeroWhereMasked(Value weights, Value mask,
                              vector::ContractionOp op) {
  auto power = weights.getDefiningOp<math::Exp2Op>();
  auto difference =
      power ? power.getOperand().getDefiningOp<arith::SubFOp>() : nullptr;
  std::optional<int64_t> dim =
      difference ? getVaryingDim(difference.getRhs()) : std::nullopt;
  if (!dim || isSummed(op, *dim))
    return false;
  auto choice = difference
                    ? difference.getLhs().getDefiningOp<arith::SelectOp>()
                    : nullptr;
  if (!choice || choice.getCondition() != mask)
    return false;
  auto constant = choice.getFalseValue().getDefiningOp<arith::ConstantOp>();
  auto dense =
      constant ? dyn_cast<DenseFPElementsAttr>(constant.getValue()) : nullptr;
  return dense && dense.isSplat() &&
         dense.getSplatValue<APFloat>().isInfinity() &&
         dense.getSplatValue<APFloat>().isNegative();
}

/// acc + (mask ? p : 0) * v where all of v is finite, else the patched form.
Value Unmasking::emit(bool branch) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  Value weights =
      isZeroWhereMasked(lhs, mask, op) ? lhs : select(mask, lhs, splat(lhs, 0));
  Value narrow = getNarrow(rhs);
  Value size = math::AbsFOp::create(b, loc, narrow);
  Value finite =
      compare(arith::CmpFPredicate::OLT, size,
              splat(narrow, std::numeric_limits<double>::infinity()));
  if (!branch)
    return emitPatched(weights, narrow, finite);
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  SmallVector<bool> all(op.getRhsType().getRank(), true);
  Value allFinite = vector::MultiDimReductionOp::create(
      b, loc, finite, yes, all, vector::CombiningKind::AND);
  auto choice = scf::IfOp::create(
      b, loc, allFinite,
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, loc, contract(weights, rhs, op.getAcc()));
      },
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, loc, emitPatched(weights, narrow, finite));
      });
  return choice.getResult(0);
}

/// acc + (mask ? p : 0) * (finite(v) ? v : 0)
///     + decode((mask ? 1 : 0) * code(v))
Value Unmasking::emitPatched(Value weights, Value narrow, Value finite) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  Value numbers = select(finite, narrow, splat(narrow, 0));
  Value sum = contract(weights, widen(numbers, rhs), op.getAcc());

  Type element = cast<VectorType>(narrow.getType()).getElementType();
  auto countType = cast<VectorType>(lhs.getType()).clone(element);
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(countType));
  Value ones = select(mask, splat(none, 1), none);
  Value codes = widen(codesOf(narrow, finite), rhs);
  Value sums = contract(widen(ones, lhs), codes, splat(op.getAcc(), 0));
  return arith::AddFOp::create(b, loc, sum, decode(sums));
}

/// The number of products that each element of the result sums.
static int64_t getSummedCount(vector::ContractionOp op) {
  SmallVector<int64_t> extents;
  op.getIterationBounds(extents);
  int64_t count = 1;
  for (auto [extent, iterator] :
       llvm::zip_equal(extents, op.getIteratorTypesArray()))
    if (iterator == vector::IteratorType::reduction)
      count *= extent;
  return count;
}

LogicalResult mlir::fpa::unmaskContraction(RewriterBase &rewriter,
                                           vector::MaskOp op, bool branch) {
  auto contraction =
      dyn_cast_or_null<vector::ContractionOp>(op.getMaskableOp());
  if (!contraction || op.getPassthru() ||
      contraction.getKind() != vector::CombiningKind::ADD)
    return rewriter.notifyMatchFailure(op, "not a masked sum of products");
  if (!isa<VectorType>(contraction.getAccType()) ||
      contraction.getLhsType().getElementType() !=
          contraction.getRhsType().getElementType() ||
      !isa<FloatType>(contraction.getRhsType().getElementType()))
    return rewriter.notifyMatchFailure(op, "not a product of floats");
  Value mask = getMaskOfLhs(op.getMask(), contraction);
  if (!mask)
    return rewriter.notifyMatchFailure(op, "the mask is not one of lhs");
  if (getSummedCount(contraction) >= kNegative)
    return rewriter.notifyMatchFailure(op, "too many products in a sum");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, Unmasking(rewriter, contraction, mask).emit(branch));
  return success();
}

namespace {
struct UnmaskContractions
    : public fpa::impl::UnmaskContractionsBase<UnmaskContractions> {
  using UnmaskContractionsBase::UnmaskContractionsBase;

  void runOnOperation() override {
    SmallVector<vector::MaskOp> ops;
    getOperation()->walk([&](vector::MaskOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (vector::MaskOp op : ops)
      if (succeeded(unmaskContraction(rewriter, op, branch)))
        ++numUnmasked;
  }
};
} // namespace
