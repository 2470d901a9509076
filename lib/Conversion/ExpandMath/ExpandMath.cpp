//===- ExpandMath.cpp - exp2 and log2 as polynomials ------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/Passes.h"
#include "fpa/Support/RewriteRegisterOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_EXPANDMATH
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;

namespace {

/// Minimax in relative error on [-1/2, 1/2] among polynomials that are 1 at 0,
/// lowest power first.
constexpr float exp2Coefficients[] = {
    1.0f, 0.693147f, 0.24022242f, 0.055507336f, 0.009671513f, 0.0013264727f};

/// Adding it rounds to an integer, which then stands in the low bits of the
/// sum with the exponent's bias already added.
constexpr float roundingShift = 12582912.0f + 127.0f; // 1.5 * 2^23 + bias

/// Set on an exp2 whose operand is never above 0.
constexpr StringLiteral nonpositiveAttr = "fpa.nonpositive";

struct ExpandExp2Pattern : public OpRewritePattern<math::Exp2Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::Exp2Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "expected f32");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type intType = b.getI32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      intType = vector.clone(intType);
    auto real = [&](float value) -> Value {
      TypedAttr attr = b.getF32FloatAttr(value);
      if (auto vector = dyn_cast<VectorType>(type))
        attr = DenseElementsAttr::get(vector, value);
      return arith::ConstantOp::create(b, attr);
    };
    auto integer = [&](int32_t value) -> Value {
      TypedAttr attr = b.getI32IntegerAttr(value);
      if (auto vector = dyn_cast<VectorType>(intType))
        attr = DenseElementsAttr::get(vector, value);
      return arith::ConstantOp::create(b, attr);
    };

    // x = clamp(x, -127, 128): 2^-127 is made 0 and 2^128 +inf below. The
    // compares are false for NaN, which passes.
    Value x = op.getOperand();
    auto clamp = [&](arith::CmpFPredicate predicate, float limit) {
      Value bound = real(limit);
      Value beyond = arith::CmpFOp::create(b, predicate, bound, x);
      x = arith::SelectOp::create(b, beyond, bound, x);
    };
    clamp(arith::CmpFPredicate::OGT, -127.0f);
    if (!op->hasAttr(nonpositiveAttr))
      clamp(arith::CmpFPredicate::OLT, 128.0f);

    // n = round(x), f = x - n.
    Value shift = real(roundingShift);
    Value shifted = arith::AddFOp::create(b, x, shift);
    Value n = arith::SubFOp::create(b, shifted, shift);
    Value f = arith::SubFOp::create(b, x, n);

    // 2^f by Horner's rule.
    Value power = real(exp2Coefficients[std::size(exp2Coefficients) - 1]);
    for (size_t i = std::size(exp2Coefficients) - 1; i-- > 0;)
      power = math::FmaOp::create(b, power, f, real(exp2Coefficients[i]));

    // 2^n: n + 127 as the exponent, which is 0 for n = -127 (the value 0) and
    // 255 for n = 128 (+inf).
    Value bits = arith::BitcastOp::create(b, intType, shifted);
    bits = arith::ShLIOp::create(b, bits, integer(23));
    Value scale = arith::BitcastOp::create(b, type, bits);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, power, scale);
    return success();
  }
};

struct ExpandMath : public fpa::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExp2Pattern>(&getContext());
    // bf16 has no instructions on most CPUs: conversions become integer code.
    arith::populateExpandBFloat16Patterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return name == math::Log2Op::getOperationName();
    });
    if (failed(fpa::rewriteRegisterOps(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
