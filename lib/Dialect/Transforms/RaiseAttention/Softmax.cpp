//===- Softmax.cpp - The softmax, and its parts ---------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::raise;

/// The maximum itself under guards for rows without keys: a select that puts a
/// number in the place of -inf.
static const Term *skipGuards(const Term *term) {
  term = skipCasts(term);
  if (!term->is<arith::SelectOp>())
    return term;
  for (unsigned number : {1, 2})
    if (skipCasts(term->operands[3 - number])->getNumber())
      return skipCasts(term->operands[number]);
  return term;
}

static bool isReductionOf(Terms &terms, const Term *element, AffineExpr key,
                          ReductionKind kind, const Term *reduced) {
  std::optional<Reduction> reduction = matchReduction(terms, element, key);
  if (!reduction || reduction->kind != kind || reduction->condition)
    return false;
  const Term *own =
      terms.inBody(reduction->op, reduction->loops, reduction->reduced);
  return skipCasts(own) == skipCasts(reduced);
}

/// exp(s - max) or exp(s), 0 outside of a condition.
static std::optional<Softmax> matchExponential(Terms &terms, const Term *weight,
                                               AffineExpr key) {
  Softmax softmax;
  weight = skipCasts(weight);
  if (weight->is<arith::SelectOp>()) {
    auto isZero = [](const Term *term) {
      std::optional<double> number = skipCasts(term)->getNumber();
      return number && *number == 0;
    };
    bool isNegated = isZero(weight->operands[1]);
    if (!isNegated && !isZero(weight->operands[2]))
      return std::nullopt;
    if (failed(readCondition(terms, weight->operands[0], isNegated,
                             softmax.condition)))
      return std::nullopt;
    weight = skipCasts(weight->operands[isNegated ? 2 : 1]);
  }
  if (!weight->is<math::ExpOp>())
    return std::nullopt;
  softmax.logits = skipCasts(weight->operands[0]);
  if (!softmax.logits->is<arith::SubFOp>())
    return softmax;
  const Term *difference = softmax.logits;
  const Term *maximum = skipGuards(difference->operands[1]);
  if (isReductionOf(terms, maximum, key, ReductionKind::Maximum,
                    difference->operands[0])) {
    softmax.maximum = maximum;
    softmax.logits = skipCasts(difference->operands[0]);
  }
  return softmax;
}

/// A sum under a guard for rows without keys, the greater of it and a number of
/// at most 1: where there is a key, its greatest adds 1 to the sum.
static const Term *skipLeastSum(const Term *sum) {
  if (!sum->is<arith::MaximumFOp>())
    return sum;
  for (unsigned number : {0, 1}) {
    std::optional<double> least = skipCasts(sum->operands[number])->getNumber();
    if (least && *least <= 1)
      return skipCasts(sum->operands[1 - number]);
  }
  return sum;
}

/// linalg.softmax.
static std::optional<Softmax> matchWhole(Terms &terms, const Term *weight,
                                         AffineExpr key, std::string &why) {
  if (!weight->isElement())
    return std::nullopt;
  auto op = weight->value.getDefiningOp<linalg::SoftmaxOp>();
  if (!op)
    return std::nullopt;
  for (auto [dim, expr] : llvm::enumerate(weight->at))
    if ((dim == op.getDimension()) != (expr == key)) {
      why = "the softmax does not run along the keys";
      return std::nullopt;
    }
  Softmax softmax;
  softmax.logits = skipCasts(terms.element(op.getInput(), weight->at));
  return softmax;
}

/// A factor as the number that it divides by: 1 / sum, or null.
static const Term *getDivisor(const Term *factor) {
  factor = skipCasts(factor);
  if (!factor->is<arith::DivFOp>())
    return nullptr;
  std::optional<double> one = skipCasts(factor->operands[0])->getNumber();
  return one && *one == 1 ? skipCasts(factor->operands[1]) : nullptr;
}

std::optional<Softmax> raise::matchSoftmax(Terms &terms, const Term *weight,
                                           AffineExpr key, std::string &why) {
  weight = skipCasts(weight);
  if (auto whole = matchWhole(terms, weight, key, why))
    return whole;
  const Term *exponential = weight, *sum = nullptr;
  if (weight->is<arith::DivFOp>()) {
    exponential = skipCasts(weight->operands[0]);
    sum = skipCasts(weight->operands[1]);
  } else if (weight->is<arith::MulFOp>()) {
    for (unsigned number : {0, 1})
      if (const Term *divisor = getDivisor(weight->operands[number])) {
        sum = divisor;
        exponential = skipCasts(weight->operands[1 - number]);
      }
  }
  auto softmax = matchExponential(terms, exponential, key);
  if (!softmax) {
    // Dropout multiplies or selects.
    if (weight->is<arith::MulFOp, arith::SelectOp>())
      for (const Term *operand : weight->operands)
        if (why.empty() && isa<FloatType>(operand->type) &&
            matchSoftmax(terms, operand, key, why))
          why = "its weights are changed between softmax and product";
    return std::nullopt;
  }
  if (sum && softmax->maximum)
    sum = skipLeastSum(sum);
  softmax->sum = sum;
  softmax->isUnnormalized = !sum;
  if (sum && !isReductionOf(terms, sum, key, ReductionKind::Sum, exponential)) {
    why = "the softmax does not run along the keys";
    return std::nullopt;
  }
  return softmax;
}
