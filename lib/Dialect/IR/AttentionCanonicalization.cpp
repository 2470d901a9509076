//===- AttentionCanonicalization.cpp - Simpler forms of attention ---------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Casts to less static types are folded into the op by the tensor dialect's own
// pattern for ops in destination style.
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FieldAnalysis.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// A level that is the field itself says what its absence says.
struct DropTiedLevel : public OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getLevel() || op.getLevel() != op.getField())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getLevelMutable().clear(); });
    return success();
  }
};

/// True when no level can be above any minimum of the field.
bool isNeverPenalized(AttentionOp op) {
  // The smooth penalty is above 0 wherever level and minimum are close.
  if (op.isSmooth())
    return false;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Bounds field = getBounds(op.getField());
  if (field.isExactly(infinity))
    return true;
  if (op.getLevel())
    return getBounds(op.getLevel()).isExactly(-infinity);
  return field.isExactly(field.lower);
}

/// Plain causal softmax: a field of +inf, a level of -inf, or a tied field that
/// is one constant. A NaN in the operand that is no longer read is lost.
struct DropPenalty : public OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getField() || !isNeverPenalized(op))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getFieldMutable().clear();
      op.getLevelMutable().clear();
      op.setNonIncreasing(false);
    });
    return success();
  }
};

/// Without a field there is no penalty to smooth.
struct DropSmooth : public OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getField() || !op.isSmooth())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.removeSmoothAttr();
      op.getBetaMutable().clear();
    });
    return success();
  }
};

/// A beta that is known is an attribute, unless the attribute refuses it.
template <typename Op> struct FoldSmooth : public OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    DenseFPElementsAttr beta;
    if (!op.getBeta() || !matchPattern(op.getBeta(), m_Constant(&beta)))
      return failure();
    double value = beta.getSplatValue<APFloat>().convertToDouble();
    if (!findBrokenSmooth(value, beta.getElementType().isF64()).empty())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getBetaMutable().clear();
      op.setSmoothAttr(rewriter.getF64FloatAttr(value));
    });
    return success();
  }
};

/// The last row sees keys from Lk - window on: a window of Lk keys hides none.
struct DropWindow : public OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> window = op.getWindow();
    if (!window)
      return failure();
    auto hidesNone = [&](ShapedType type) {
      return !type.isDynamicDim(2) && *window >= type.getDimSize(2);
    };
    if (!hidesNone(op.getKeyType()) && !hidesNone(op.getValueType()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.removeWindowAttr(); });
    return success();
  }
};

/// Outs behind the last one that somebody reads are not asked for.
struct DropUnreadOuts : public OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    size_t count = op->getNumResults(), wanted = count;
    while (wanted > 1 && op->getResult(wanted - 1).use_empty())
      --wanted;
    // The numbers of keys come together.
    if (wanted == 4)
      wanted = 5;
    if (wanted == count || count == 0)
      return failure();
    auto outs = op.getOuts().take_front(wanted);
    auto smaller = AttentionOp::create(
        rewriter, op.getLoc(), outs.getTypes(), op.getQuery(), op.getKey(),
        op.getValue(), op.getField(), op.getLevel(), op.getCuSeqlensQ(),
        op.getCuSeqlensK(), op.getBeta(), outs, op.getScaleAttr(),
        op.getWindowAttr(), op.getSmoothAttr(), op.getNonIncreasingAttr(),
        op.getPruneEpsAttr());
    smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceAllUsesWith(op->getResults().take_front(wanted),
                                smaller->getResults());
    rewriter.eraseOp(op);
    return success();
  }
};

/// No share to leave out, or no penalty that makes one small.
template <typename Op> struct DropPruning : public OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    std::optional<APFloat> eps = op.getPruneEps();
    if (!eps || (!eps->isZero() && op.getField()) || needsPruning(op))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.removePruneEpsAttr(); });
    return success();
  }

private:
  static bool needsPruning(AttentionOp op) { return bool(op.getDropped()); }
  static bool needsPruning(AttentionBackwardOp op) { return op.getCounts(); }
};

/// FoX and ALiBi: the minimum of a field that never rises is its last value.
struct SetNonIncreasing : public OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    bool isTied =
        op.getField() && (!op.getLevel() || op.getLevel() == op.getField());
    if (!isTied || op.getNonIncreasing() ||
        !neverRises(op.getField(), /*axis=*/2))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setNonIncreasing(true); });
    return success();
  }
};

} // namespace

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<DropTiedLevel, DropPenalty, DropSmooth, FoldSmooth<AttentionOp>,
               DropWindow, DropUnreadOuts, DropPruning<AttentionOp>,
               SetNonIncreasing>(context);
}

void AttentionBackwardOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns
      .add<DropPruning<AttentionBackwardOp>, FoldSmooth<AttentionBackwardOp>>(
          context);
}
