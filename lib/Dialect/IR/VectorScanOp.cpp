//===- VectorScanOp.cpp - Scan of a vector --------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandChecks.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fpa;

LogicalResult VectorScanOp::verify() {
  auto source = cast<VectorType>(getSource().getType());
  auto init = cast<VectorType>(getInit().getType());
  // [V1]
  if (source.getRank() == 0)
    return emitOpError("expected source of rank at least 1, got ") << source;
  int64_t axis = getAxis();
  if (axis < 0 || axis >= source.getRank())
    return emitOpError("expected axis from 0 to ")
           << source.getRank() - 1 << ", got " << axis;
  // [V2]
  if (failed(verifyElementType(*this, "source", source,
                               getFloatTypes(getContext()))))
    return failure();
  // [V3]
  VectorType expected = VectorType::Builder(source).dropDim(axis);
  if (init != expected)
    return emitOpError("expected init of the source's type without the axis, ")
           << expected << ", got " << init;
  // [V4] That reset has the source's shape is checked by its type constraint.
  return success();
}

namespace {
/// A scan along an axis of one element is one combination. The axis is put back
/// by a shape cast.
struct FoldUnitAxis : public OpRewritePattern<VectorScanOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(VectorScanOp op,
                                PatternRewriter &rewriter) const override {
    auto source = cast<VectorType>(op.getSource().getType());
    if (source.getDimSize(op.getAxis()) != 1 ||
        source.getScalableDims()[op.getAxis()])
      return failure();
    Location loc = op.getLoc();
    Value init = op.getInit();
    Value element = vector::ShapeCastOp::create(rewriter, loc, init.getType(),
                                                op.getSource());
    Value total =
        op.getKind() == ScanKind::Min
            ? arith::MinimumFOp::create(rewriter, loc, init, element)
                  .getResult()
            : arith::AddFOp::create(rewriter, loc, init, element).getResult();
    Value scanned = vector::ShapeCastOp::create(
        rewriter, loc, source, op.getExclusive() ? init : total);
    if (Value reset = op.getReset()) {
      auto type = cast<VectorType>(init.getType());
      Value left = element;
      if (!op.getExclusive())
        left = arith::ConstantOp::create(
            rewriter, loc, DenseElementsAttr::get(type, op.getNeutral()));
      Value taken = vector::ShapeCastOp::create(
          rewriter, loc, type.clone(rewriter.getI1Type()), reset);
      total = arith::SelectOp::create(rewriter, loc, taken, left, total);
    }
    rewriter.replaceOp(op, {scanned, total});
    return success();
  }
};

/// A reset that holds nowhere.
struct DropReset : public OpRewritePattern<VectorScanOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(VectorScanOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getReset() || !matchPattern(op.getReset(), m_Zero()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getResetMutable().clear(); });
    return success();
  }
};
} // namespace

TypedAttr VectorScanOp::getNeutral() {
  auto type = cast<FloatType>(getElementTypeOrSelf(getSource().getType()));
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  return FloatAttr::get(type, getKind() == ScanKind::Min
                                  ? APFloat::getInf(semantics)
                                  : APFloat::getZero(semantics));
}

void VectorScanOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add<FoldUnitAxis, DropReset>(context);
}
