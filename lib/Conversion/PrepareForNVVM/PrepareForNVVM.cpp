//===- PrepareForNVVM.cpp - What NVVM's conversion lacks --------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandExp.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Support/RewriteRegisterOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"

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

/// The conversion to NVVM refuses the intrinsic and knows a library's function
/// of f32 and f64 only.
struct ClearSign : public OpRewritePattern<math::AbsFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::AbsFOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType();
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    Type bits = rewriter.getIntegerType(width);
    TypedAttr mask =
        rewriter.getIntegerAttr(bits, APInt::getSignedMaxValue(width));
    if (auto vector = dyn_cast<VectorType>(type)) {
      bits = vector.clone(bits);
      mask = DenseElementsAttr::get(cast<VectorType>(bits), Attribute(mask));
    }
    Value asBits =
        arith::BitcastOp::create(rewriter, loc, bits, op.getOperand());
    Value magnitude = arith::AndIOp::create(
        rewriter, loc, asBits, arith::ConstantOp::create(rewriter, loc, mask));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, magnitude);
    return success();
  }
};

struct PrepareForNVVM : public fpa::impl::PrepareForNVVMBase<PrepareForNVVM> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<UseInstruction<math::Exp2Op>>(&getContext(),
                                               "llvm.nvvm.ex2.approx.ftz.f32");
    patterns.add<UseInstruction<math::Log2Op>>(&getContext(),
                                               "llvm.nvvm.lg2.approx.ftz.f");
    patterns.add<UseInstruction<math::FloorOp>>(&getContext(),
                                                "llvm.nvvm.floor.f");
    patterns.add<UseInstruction<math::SqrtOp>>(&getContext(),
                                               "llvm.nvvm.sqrt.rn.f");
    patterns.add<UseInstruction<math::SqrtOp>>(&getContext(),
                                               "llvm.nvvm.sqrt.rn.d", 64);
    patterns.add<ClearSign>(&getContext());
    fpa::addExpandExpPattern(patterns);
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
