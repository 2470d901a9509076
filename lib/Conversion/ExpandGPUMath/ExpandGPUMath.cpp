//===- ExpandGPUMath.cpp - Functions without an instruction -----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DoubleMath.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Support/RewriteRegisterOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_EXPANDGPUMATH
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using fpa::DoubleMath;

static Type getElement(Operation *op) {
  return getElementTypeOrSelf(op->getOperand(0).getType());
}

static bool isNarrow(Type element) {
  return element.isF16() || element.isBF16();
}

/// Ops that no table below is about: arithmetic on bits, or instructions of
/// each type.
static bool takesNarrow(Operation *op) {
  return isa<math::AbsFOp, math::CopySignOp, math::FmaOp, math::ClampFOp,
             math::IsFiniteOp, math::IsInfOp, math::IsNaNOp, math::IsNormalOp>(
      op);
}

/// Whether the op is a function in the sense of this pass.
static bool isFunction(Operation *op) {
  return op->getDialect() &&
         (isa<math::MathDialect>(op->getDialect()) || isa<arith::RemFOp>(op));
}

namespace {

/// f16 and bf16 are computed in f32.
struct WidenFunction : public RewritePattern {
  explicit WidenFunction(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 2, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isFunction(op) || takesNarrow(op) || !isNarrow(getElement(op)))
      return failure();
    ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    auto widen = [&](Type type) -> Type {
      if (auto vector = dyn_cast<VectorType>(type))
        return vector.clone(b.getF32Type());
      return b.getF32Type();
    };
    SmallVector<Value> operands, results;
    for (Value operand : op->getOperands())
      operands.push_back(
          isNarrow(getElementTypeOrSelf(operand.getType()))
              ? arith::ExtFOp::create(b, widen(operand.getType()), operand)
              : operand);
    SmallVector<Type> types = llvm::map_to_vector(op->getResultTypes(), widen);
    Operation *wide = b.create(op->getLoc(), op->getName().getIdentifier(),
                               operands, types, op->getAttrs());
    for (auto [result, type] :
         llvm::zip_equal(wide->getResults(), op->getResultTypes()))
      results.push_back(arith::TruncFOp::create(b, type, result));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Types that are computed in double precision.
enum class For { F32, F64, Both };

template <typename Op> struct InDouble : public OpRewritePattern<Op> {
  using Function = Value (*)(DoubleMath &, Op);
  InDouble(MLIRContext *context, For types, Function function)
      : OpRewritePattern<Op>(context), types(types), function(function) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type element = getElement(op);
    if (!(element.isF32() && types != For::F64) &&
        !(element.isF64() && types != For::F32))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    DoubleMath math(b, op.getType());
    rewriter.replaceOp(op, math.truncate(function(math, op), op.getType()));
    return success();
  }

private:
  For types;
  Function function;
};

/// What kind of number one is, by its magnitude.
template <typename Op> struct Classify : public OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = op.getOperand();
    auto compare = [&](arith::CmpFPredicate predicate, const APFloat &limit) {
      TypedAttr attr = b.getFloatAttr(getElement(op), limit);
      if (auto vector = dyn_cast<VectorType>(x.getType()))
        attr = DenseElementsAttr::get(vector, Attribute(attr));
      Value constant = arith::ConstantOp::create(b, attr);
      return arith::CmpFOp::create(b, predicate, math::AbsFOp::create(b, x),
                                   constant);
    };
    const auto &semantics = cast<FloatType>(getElement(op)).getFloatSemantics();
    APFloat infinity = APFloat::getInf(semantics);
    Value is;
    if constexpr (std::is_same_v<Op, math::IsInfOp>)
      is = compare(arith::CmpFPredicate::OEQ, infinity);
    else
      is = compare(arith::CmpFPredicate::OLT, infinity);
    if constexpr (std::is_same_v<Op, math::IsNormalOp>)
      is = arith::AndIOp::create(
          b, is,
          compare(arith::CmpFPredicate::OGE,
                  APFloat::getSmallestNormalized(semantics)));
    rewriter.replaceOp(op, is);
    return success();
  }
};

struct SplitSinCos : public OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    rewriter.replaceOp(
        op, {math::SinOp::create(rewriter, op.getLoc(), x).getResult(),
             math::CosOp::create(rewriter, op.getLoc(), x).getResult()});
    return success();
  }
};

/// 1 / sqrt(x), both of which are rounded to nearest.
struct DivideByRoot : public OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::RsqrtOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TypedAttr one = rewriter.getFloatAttr(getElement(op), 1);
    if (auto vector = dyn_cast<VectorType>(op.getType()))
      one = DenseElementsAttr::get(vector, Attribute(one));
    Value root = math::SqrtOp::create(rewriter, loc, op.getOperand());
    rewriter.replaceOpWithNewOp<arith::DivFOp>(
        op, arith::ConstantOp::create(rewriter, loc, one), root);
    return success();
  }
};
} // namespace

using Unary = Value (DoubleMath::*)(Value);
using Binary = Value (DoubleMath::*)(Value, Value);

template <typename Op, Unary function>
static Value compute(DoubleMath &math, Op op) {
  return (math.*function)(math.extend(op.getOperand()));
}

template <typename Op, Binary function>
static Value compute(DoubleMath &math, Op op) {
  return (math.*function)(math.extend(op.getLhs()), math.extend(op.getRhs()));
}

static Value computePowerOfInteger(DoubleMath &math, math::FPowIOp op) {
  return math.pow(math.extend(op.getLhs()), math.convert(op.getRhs()));
}

template <typename Op, auto function>
static void addInDouble(RewritePatternSet &patterns, For types) {
  patterns.add<InDouble<Op>>(patterns.getContext(), types,
                             compute<Op, function>);
}

static void addFunctions(RewritePatternSet &patterns) {
  addInDouble<math::ExpOp, &DoubleMath::exp>(patterns, For::F64);
  addInDouble<math::Exp2Op, &DoubleMath::exp2>(patterns, For::F64);
  addInDouble<math::LogOp, &DoubleMath::log>(patterns, For::F64);
  addInDouble<math::Log2Op, &DoubleMath::log2>(patterns, For::F64);
  addInDouble<math::Log10Op, &DoubleMath::log10>(patterns, For::Both);
  addInDouble<math::SinOp, &DoubleMath::sin>(patterns, For::F32);
  addInDouble<math::CosOp, &DoubleMath::cos>(patterns, For::F32);
  addInDouble<math::TanOp, &DoubleMath::tan>(patterns, For::F32);
  addInDouble<math::SinhOp, &DoubleMath::sinh>(patterns, For::F32);
  addInDouble<math::CoshOp, &DoubleMath::cosh>(patterns, For::F32);
  addInDouble<math::AsinhOp, &DoubleMath::asinh>(patterns, For::F32);
  addInDouble<math::AcoshOp, &DoubleMath::acosh>(patterns, For::F32);
  addInDouble<math::AtanhOp, &DoubleMath::atanh>(patterns, For::F32);
  addInDouble<math::AsinOp, &DoubleMath::asin>(patterns, For::F32);
  addInDouble<math::AcosOp, &DoubleMath::acos>(patterns, For::F32);
  addInDouble<math::AtanOp, &DoubleMath::atan>(patterns, For::F32);
  addInDouble<math::Atan2Op, &DoubleMath::atan2>(patterns, For::F32);
  addInDouble<math::CbrtOp, &DoubleMath::cbrt>(patterns, For::F32);
  addInDouble<math::PowFOp, &DoubleMath::pow>(patterns, For::F32);
  addInDouble<arith::RemFOp, &DoubleMath::remainder>(patterns, For::F32);
  patterns.add<InDouble<math::FPowIOp>>(patterns.getContext(), For::F32,
                                        computePowerOfInteger);
  patterns.add<Classify<math::IsInfOp>, Classify<math::IsFiniteOp>,
               Classify<math::IsNormalOp>, DivideByRoot, SplitSinCos>(
      patterns.getContext());
  math::populateExpansionPatterns(patterns, {"clampf"});
  // Upstream's approximations, of f32 only.
  populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
    static const StringSet<> names = {
        math::ErfOp::getOperationName(), math::ErfcOp::getOperationName(),
        math::ExpOp::getOperationName(), math::ExpM1Op::getOperationName(),
        math::LogOp::getOperationName(), math::Log1pOp::getOperationName(),
        math::TanhOp::getOperationName()};
    return names.contains(name);
  });
}

/// What the conversion to NVVM knows, behind this pass and the one that makes
/// instructions.
static bool stays(Operation *op) {
  if (isa<math::AbsFOp, math::AbsIOp, math::CopySignOp,
          math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp,
          math::FmaOp, math::IsNaNOp>(op))
    return true;
  Type element = getElement(op);
  if (isa<math::Exp2Op, math::Log2Op>(op))
    return element.isF32();
  return isa<math::CeilOp, math::FloorOp, math::RoundEvenOp, math::RoundOp,
             math::SqrtOp, math::TruncOp>(op) &&
         (element.isF32() || element.isF64());
}

namespace {
struct ExpandGPUMath : public fpa::impl::ExpandGPUMathBase<ExpandGPUMath> {
  void runOnOperation() override {
    if (!findFunction())
      return;
    RewritePatternSet patterns(&getContext());
    patterns.add<WidenFunction>(&getContext());
    addFunctions(patterns);
    if (failed(fpa::rewriteRegisterOps(getOperation(), std::move(patterns))))
      return signalPassFailure();
    Operation *left = findFunction();
    if (!left)
      return;
    if (isa<math::IPowIOp>(left))
      left->emitOpError("expected products, or math.fpowi, on a GPU, got a "
                        "power of integers");
    else
      left->emitOpError("expected elements of f32, f16 or bf16 on a GPU, got ")
          << getElement(left);
    signalPassFailure();
  }

private:
  /// The first that does not stay as it is, outside of tensors.
  Operation *findFunction() {
    Operation *found = nullptr;
    getOperation()->walk([&](Operation *op) {
      if (!isFunction(op) || stays(op) ||
          isa<TensorType>(op->getResult(0).getType()))
        return WalkResult::advance();
      found = op;
      return WalkResult::interrupt();
    });
    return found;
  }
};
} // namespace
