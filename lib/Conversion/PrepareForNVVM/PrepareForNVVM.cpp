//===- PrepareForNVVM.cpp - What NVVM's conversion lacks --------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/Passes.h"
#include "fpa/Support/RewriteRegisterOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_PREPAREFORNVVM
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;

namespace {

/// A function as an instruction of the machine, which has it for numbers of
/// `width` bits, element by element.
template <typename Op> struct UseInstruction : public OpRewritePattern<Op> {
  UseInstruction(MLIRContext *context, StringRef intrinsic, unsigned width = 32)
      : OpRewritePattern<Op>(context), intrinsic(intrinsic), width(width) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!(element.isF32() || element.isF64()) ||
        element.getIntOrFloatBitWidth() != width)
      return failure();
    Location loc = op.getLoc();
    auto call = [&](Value x) -> Value {
      return LLVM::CallIntrinsicOp::create(rewriter, loc, element,
                                           rewriter.getStringAttr(intrinsic),
                                           ValueRange{x})
          .getResult(0);
    };
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type) {
      rewriter.replaceOp(op, call(op.getOperand()));
      return success();
    }
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    SmallVector<Value> elements;
    for (int64_t i = 0, e = type.getNumElements(); i < e; ++i)
      elements.push_back(call(vector::ExtractOp::create(
          rewriter, loc, op.getOperand(), delinearize(i, strides))));
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
    return success();
  }

private:
  StringRef intrinsic;
  unsigned width;
};

/// Signs are a bit each. The conversion to NVVM refuses the intrinsics and
/// knows a library's functions of f32 and f64 only.
template <typename Op> struct UseSignBit : public OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = op.getType();
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    Type bits = b.getIntegerType(width);
    if (auto vector = dyn_cast<VectorType>(type))
      bits = vector.clone(bits);
    auto pick = [&](Value value, const APInt &mask) -> Value {
      TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(bits), mask);
      if (auto vector = dyn_cast<VectorType>(bits))
        attr = DenseElementsAttr::get(vector, Attribute(attr));
      return arith::AndIOp::create(b, arith::BitcastOp::create(b, bits, value),
                                   arith::ConstantOp::create(b, attr));
    };
    Value result =
        pick(op->getOperand(0), APInt::getSignedMaxValue(width)); // magnitude
    if constexpr (std::is_same_v<Op, math::CopySignOp>)
      result = arith::OrIOp::create(
          b, result, pick(op.getRhs(), APInt::getSignMask(width)));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, result);
    return success();
  }
};

/// The machine has it for f32 and f64.
template <typename Op>
static void addInstructions(RewritePatternSet &patterns, StringRef single,
                            StringRef twice) {
  patterns.add<UseInstruction<Op>>(patterns.getContext(), single);
  patterns.add<UseInstruction<Op>>(patterns.getContext(), twice, 64);
}

struct PrepareForNVVM : public fpa::impl::PrepareForNVVMBase<PrepareForNVVM> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<UseInstruction<math::Exp2Op>>(&getContext(),
                                               "llvm.nvvm.ex2.approx.ftz.f32");
    patterns.add<UseInstruction<math::Log2Op>>(&getContext(),
                                               "llvm.nvvm.lg2.approx.ftz.f");
    addInstructions<math::FloorOp>(patterns, "llvm.nvvm.floor.f",
                                   "llvm.floor.f64");
    addInstructions<math::CeilOp>(patterns, "llvm.ceil.f32", "llvm.ceil.f64");
    addInstructions<math::SqrtOp>(patterns, "llvm.nvvm.sqrt.rn.f",
                                  "llvm.nvvm.sqrt.rn.d");
    addInstructions<math::RoundEvenOp>(patterns, "llvm.roundeven.f32",
                                       "llvm.roundeven.f64");
    addInstructions<math::RoundOp>(patterns, "llvm.round.f32",
                                   "llvm.round.f64");
    patterns.add<UseSignBit<math::AbsFOp>, UseSignBit<math::CopySignOp>>(
        &getContext());
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorTransposeLoweringPatterns(
        patterns, vector::VectorTransposeLowering::EltWise);
    vector::populateVectorShapeCastLoweringPatterns(patterns);
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    vector::populateVectorFromElementsUnrollPatterns(patterns);
    if (failed(fpa::rewriteRegisterOps(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
