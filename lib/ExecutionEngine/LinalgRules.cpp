//===- LinalgRules.cpp - Sizes that linalg ops need -----------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Twine;
using Kind = ShapeRules::Kind;
using MaybeSize = std::optional<SizeExpression>;
using Operator = SizeExpression::Operator;

namespace {

/// The least and the greatest value of an index.
struct Range {
  MaybeSize least, greatest;
};

class LinalgRules {
public:
  LinalgRules(linalg::LinalgOp op, RuleBuilder &builder)
      : op(op), builder(builder), loops(op.getNumLoops()) {}

  void add();

private:
  static std::string nameOf(OpOperand &operand, int64_t dim) {
    return ("operand " + Twine(operand.getOperandNumber()) + " dimension " +
            Twine(dim))
        .str();
  }
  template <typename Visit> void forEachDim(Visit visit);
  Range findRange(AffineExpr expr);
  Range multiply(Range range, int64_t factor);
  MaybeSize findAnyPoint();

  linalg::LinalgOp op;
  RuleBuilder &builder;
  /// The size of each loop, and the operand's dimension that says so.
  struct Loop {
    MaybeSize size;
    std::string name;
  };
  SmallVector<Loop> loops;
};

template <typename Visit> void LinalgRules::forEachDim(Visit visit) {
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType, MemRefType>(operand.get().getType()))
      for (auto [d, expr] :
           llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        visit(operand, d, expr);
}

Range LinalgRules::multiply(Range range, int64_t factor) {
  auto by = [&](const MaybeSize &size) {
    return combineSizes(Operator::Multiply, size,
                        SizeExpression::ofNumber(factor));
  };
  return factor < 0 ? Range{by(range.greatest), by(range.least)}
                    : Range{by(range.least), by(range.greatest)};
}

/// Of sums and multiples of loop indices; of others, none.
Range LinalgRules::findRange(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    SizeExpression value = SizeExpression::ofNumber(constant.getValue());
    return {value, value};
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {SizeExpression::ofNumber(0),
            combineSizes(Operator::Subtract, loops[dim.getPosition()].size,
                         SizeExpression::ofNumber(1))};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add) {
    Range lhs = findRange(binary.getLHS()), rhs = findRange(binary.getRHS());
    return {combineSizes(Operator::Add, lhs.least, rhs.least),
            combineSizes(Operator::Add, lhs.greatest, rhs.greatest)};
  }
  if (binary && expr.getKind() == AffineExprKind::Mul)
    if (auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return multiply(findRange(binary.getLHS()), factor.getValue());
  return {};
}

/// 1, or 0 where a loop is empty and nothing is touched.
MaybeSize LinalgRules::findAnyPoint() {
  MaybeSize any = SizeExpression::ofNumber(1);
  for (const Loop &loop : loops)
    any = combineSizes(Operator::Minimum, any, loop.size);
  return any;
}

void LinalgRules::add() {
  // Operands that a loop walks together have the same size along it.
  forEachDim([&](OpOperand &operand, int64_t d, AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return;
    MaybeSize size = builder.tracer.traceSize(operand.get(), d);
    Loop &loop = loops[dim.getPosition()];
    if (loop.name.empty())
      loop = {size, nameOf(operand, d)};
    else
      builder.add(Kind::Equal, size, nameOf(operand, d), loop.size, loop.name);
  });
  // Other indices stay inside.
  MaybeSize any = findAnyPoint();
  forEachDim([&](OpOperand &operand, int64_t d, AffineExpr expr) {
    if (isa<AffineDimExpr>(expr))
      return;
    Range range = findRange(expr);
    auto ifAny = [&](const MaybeSize &size) {
      return combineSizes(Operator::Multiply, any, size);
    };
    builder.add(Kind::AtLeast, ifAny(range.least),
                "the least index of " + nameOf(operand, d),
                SizeExpression::ofNumber(0), "the first index");
    builder.add(Kind::AtLeast, builder.tracer.traceSize(operand.get(), d),
                nameOf(operand, d),
                ifAny(combineSizes(Operator::Add, range.greatest,
                                   SizeExpression::ofNumber(1))),
                "the end of its indices");
  });
}

} // namespace

void fpa::addLinalgRules(linalg::LinalgOp op, RuleBuilder &builder) {
  LinalgRules(op, builder).add();
}
