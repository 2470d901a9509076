//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandExp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace {
/// exp(x) = 2^n exp(r), n the integer next to x / ln(2), r = x - n ln(2).
struct ExpandExp : public OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF64())
      return rewriter.notifyMatchFailure(op, "expected f64");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto real = [&](double value) -> Value {
      return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
    };
    auto integer = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
    };
    auto toBits = [&](Value value) -> Value {
      return arith::BitcastOp::create(b, b.getI64Type(), value);
    };

    // Beyond this the result is 0 or +inf. NaN passes, compares being false.
    constexpr double limit = 1000;
    Value x = op.getOperand();
    for (auto [predicate, bound] :
         {std::pair(arith::CmpFPredicate::OGT, limit),
          std::pair(arith::CmpFPredicate::OLT, -limit)}) {
      Value most = real(bound);
      x = arith::SelectOp::create(
          b, arith::CmpFOp::create(b, predicate, x, most), most, x);
    }

    // Adding it rounds to an integer, which then stands in the low bits.
    Value shift = real(0x1.8p52);
    Value shifted = math::FmaOp::create(b, x, real(0x1.71547652b82fep0), shift);
    Value n = arith::SubFOp::create(b, shifted, shift);
    // ln(2) in two parts; a product with the first one is exact.
    Value r = math::FmaOp::create(b, n, real(-0x1.62e42fefa38p-1), x);
    r = math::FmaOp::create(b, n, real(-0x1.ef35793c7673p-45), r);

    // Taylor's series at most ln(2) / 2 away from 0.
    constexpr int degree = 13;
    double factor = 1;
    for (int i = 2; i <= degree; ++i)
      factor /= i;
    Value power = real(factor);
    for (int i = degree; i-- > 0;) {
      factor *= i + 1;
      power = math::FmaOp::create(b, power, r, real(factor));
    }

    // 2^n in two factors, so that neither overflows before the result does.
    Value exponent = arith::SubIOp::create(b, toBits(shifted), toBits(shift));
    Value half = arith::ShRSIOp::create(b, exponent, integer(1));
    for (Value part :
         {half, arith::SubIOp::create(b, exponent, half).getResult()}) {
      Value biased = arith::AddIOp::create(b, part, integer(1023));
      Value bits = arith::ShLIOp::create(b, biased, integer(52));
      power = arith::MulFOp::create(
          b, power, arith::BitcastOp::create(b, b.getF64Type(), bits));
    }
    rewriter.replaceOp(op, power);
    return success();
  }
};
} // namespace

void mlir::fpa::addExpandExpPattern(RewritePatternSet &patterns) {
  patterns.add<ExpandExp>(patterns.getContext());
}
