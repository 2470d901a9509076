//===- Softplus.cpp - log(1 + exp(z)) as programs write it ----------------===//
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

/// z of log1p(exp(z)) or log(1 + exp(z)), or null.
static const Term *getLogOfExp(const Term *term) {
  term = skipCasts(term);
  const Term *inner = nullptr;
  if (term->is<math::Log1pOp>()) {
    inner = skipCasts(term->operands[0]);
  } else if (term->is<math::LogOp>()) {
    const Term *sum = skipCasts(term->operands[0]);
    for (unsigned number : {0, 1})
      if (sum->is<arith::AddFOp>() && isNumber(sum->operands[number], 1))
        inner = skipCasts(sum->operands[1 - number]);
  }
  return inner && inner->is<math::ExpOp>() ? skipCasts(inner->operands[0])
                                           : nullptr;
}

/// z of -|z|, or null.
static const Term *getNegatedAbsolute(Terms &terms, const Term *term) {
  Sum sum = expandSum(terms, term);
  if (sum.size() != 1 || sum[0].coefficient != -1 ||
      sum[0].factors.size() != 1 || !sum[0].factors[0]->is<math::AbsFOp>())
    return nullptr;
  return sum[0].factors[0]->operands[0];
}

/// A softplus that PyTorch's threshold cuts off: z > threshold ? x :
/// log1p(exp(z)) / beta, where x is z / beta.
static std::optional<Softplus> matchThreshold(Terms &terms, const Term *term) {
  if (!term->is<arith::SelectOp>() || !term->operands[0]->is<arith::CmpFOp>())
    return std::nullopt;
  const Term *condition = term->operands[0];
  auto predicate = cast<arith::CmpFOp>(condition->op).getPredicate();
  std::optional<double> threshold =
      skipCasts(condition->operands[1])->getNumber();
  // Above this log1p(exp(z)) - z is below a rounding of f32.
  constexpr double enough = 16;
  if ((predicate != arith::CmpFPredicate::OGT &&
       predicate != arith::CmpFPredicate::UGT) ||
      !threshold || *threshold < enough)
    return std::nullopt;
  Sum below = expandSum(terms, term->operands[2]);
  if (below.size() != 1 || below[0].factors.size() != 1)
    return std::nullopt;
  const Term *z = getLogOfExp(below[0].factors[0]);
  if (!z)
    return std::nullopt;
  Softplus softplus = {below[0].coefficient, expandSum(terms, z)};
  if (!areEqual(expandSum(terms, condition->operands[0]), softplus.argument))
    return std::nullopt;
  Sum above = expandSum(terms, term->operands[1]);
  if (above.size() != softplus.argument.size())
    return std::nullopt;
  // beta and 1 / beta are rounded apart.
  for (Summand &own : above) {
    const Summand *same =
        llvm::find_if(softplus.argument, [&](const Summand &other) {
          return other.factors == own.factors;
        });
    if (same == softplus.argument.end() ||
        std::abs(own.coefficient - softplus.coefficient * same->coefficient) >
            1e-6 * std::abs(own.coefficient))
      return std::nullopt;
  }
  return softplus;
}

/// A softplus that begins at a summand; `rest` is the other summand of it, if
/// it has one.
static std::optional<Softplus> matchSoftplus(Terms &terms,
                                             ArrayRef<Summand> sum,
                                             const Summand &summand,
                                             const Summand *&rest) {
  rest = nullptr;
  if (summand.factors.size() != 1)
    return std::nullopt;
  const Term *term = skipCasts(summand.factors[0]);
  if (auto softplus = matchThreshold(terms, term)) {
    softplus->coefficient *= summand.coefficient;
    return softplus;
  }
  const Term *z = getLogOfExp(term);
  if (!z)
    return std::nullopt;
  const Term *absolute = getNegatedAbsolute(terms, z);
  if (!absolute)
    return Softplus{summand.coefficient, expandSum(terms, z)};
  Sum argument = expandSum(terms, absolute);
  for (const Summand &other : sum) {
    const Term *positive =
        other.factors.size() == 1 ? getPositivePart(other.factors[0]) : nullptr;
    if (!positive || other.coefficient != summand.coefficient ||
        !areEqual(expandSum(terms, positive), argument))
      continue;
    rest = &other;
    return Softplus{summand.coefficient, argument};
  }
  return std::nullopt;
}

std::optional<Softplus> raise::takeSoftplus(Terms &terms,
                                            SmallVectorImpl<Summand> &sum,
                                            AffineExpr row, AffineExpr key) {
  for (const Summand &summand : sum) {
    if (!summand.uses(row) || !summand.uses(key))
      continue;
    const Summand *rest;
    auto softplus = matchSoftplus(terms, sum, summand, rest);
    if (!softplus)
      continue;
    SmallVector<Summand> left;
    for (const Summand &other : sum)
      if (&other != &summand && &other != rest)
        left.push_back(other);
    sum.assign(left.begin(), left.end());
    return softplus;
  }
  return std::nullopt;
}
