//===- Penalties.cpp - The range-minimum penalty --------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::raise;

bool raise::isNumber(const Term *term, double number) {
  std::optional<double> own = skipCasts(term)->getNumber();
  return own && *own == number;
}

const Term *raise::getPositivePart(const Term *term) {
  term = skipCasts(term);
  if (term->is<arith::MaximumFOp, arith::MaxNumFOp>())
    for (unsigned number : {0, 1})
      if (isNumber(term->operands[number], 0))
        return skipCasts(term->operands[1 - number]);
  return nullptr;
}

/// The same where a select may choose between z and 0 by `condition`.
static const Term *getExcess(const Term *term, const Term *&condition,
                             bool &isNegated) {
  term = skipCasts(term);
  condition = nullptr;
  if (const Term *positive = getPositivePart(term))
    return positive;
  if (!term->is<arith::SelectOp>())
    return nullptr;
  isNegated = isNumber(term->operands[1], 0);
  if (!isNegated && !isNumber(term->operands[2], 0))
    return nullptr;
  condition = term->operands[0];
  return condition->is<arith::CmpFOp>()
             ? skipCasts(term->operands[isNegated ? 2 : 1])
             : nullptr;
}

bool raise::isPenalty(const Term *term) {
  const Term *condition;
  bool isNegated;
  return getExcess(term, condition, isNegated) != nullptr;
}

bool raise::areEqual(const Sum &a, const Sum &b) {
  auto isSame = [](const Summand &a, const Summand &b) {
    return a.coefficient == b.coefficient && a.factors == b.factors;
  };
  return a.size() == b.size() && llvm::all_of(a, [&](const Summand &x) {
           return llvm::any_of(b,
                               [&](const Summand &y) { return isSame(x, y); });
         });
}

/// Whether large - small is the difference.
static bool areEqual(Terms &terms, const Term *small, const Term *large,
                     const Term *difference) {
  Sum own = expandSum(terms, large);
  for (Summand summand : expandSum(terms, small)) {
    summand.coefficient *= -1;
    own.push_back(summand);
  }
  return areEqual(own, expandSum(terms, difference));
}

/// Whether a select takes z where z > 0 and 0 where z <= 0. At 0 both are 0.
static bool choosesPositive(Terms &terms, const Term *condition, bool isNegated,
                            const Term *excess) {
  using Pred = arith::CmpFPredicate;
  Pred predicate = cast<arith::CmpFOp>(condition->op).getPredicate();
  const Term *a = condition->operands[0], *b = condition->operands[1];
  bool isGreater = llvm::is_contained(
      {Pred::OGT, Pred::OGE, Pred::UGT, Pred::UGE}, predicate);
  bool isLess = llvm::is_contained({Pred::OLT, Pred::OLE, Pred::ULT, Pred::ULE},
                                   predicate);
  if (isLess)
    std::swap(a, b);
  // a > b now, or a <= b where the select has 0 first.
  if (isNegated)
    std::swap(a, b);
  return (isGreater || isLess) && areEqual(terms, b, a, excess);
}

/// Infinities of a field or level as the largest finite numbers are what
/// fpa.attention itself puts in their place.
static const Term *skipClamps(const Term *term) {
  for (term = skipCasts(term); term->is<arith::MinimumFOp, arith::MaximumFOp>();
       term = skipCasts(term->operands[0])) {
    auto bound =
        dyn_cast_if_present<FloatAttr>(skipCasts(term->operands[1])->constant);
    if (!bound)
      return term;
    APFloat largest = APFloat::getLargest(bound.getValue().getSemantics());
    if (bound.getValue() !=
        (term->is<arith::MinimumFOp>() ? largest : neg(largest)))
      return term;
  }
  return term;
}

static Sum skipClamps(Terms &terms, Sum sum) {
  if (sum.size() == 1 && sum[0].coefficient == 1 && sum[0].factors.size() == 1)
    return expandSum(terms, skipClamps(sum[0].factors[0]));
  return sum;
}

/// The field under the condition key < t <= last, in an element of which
/// selects may say more of the condition.
static const Term *matchField(Terms &terms, const Term *field,
                              Condition condition, AffineExpr between,
                              AffineExpr key, AffineExpr last) {
  field = skipCasts(field);
  while (field->is<arith::SelectOp>()) {
    double none = std::numeric_limits<double>::infinity();
    bool isNegated = isNumber(field->operands[1], none);
    if ((!isNegated && !isNumber(field->operands[2], none)) ||
        failed(readCondition(terms, field->operands[0], isNegated, condition)))
      return nullptr;
    field = skipCasts(field->operands[isNegated ? 2 : 1]);
  }
  bool isAbove = false, isBelow = false;
  for (AffineExpr bound : condition.bounds) {
    bool above = terms.areEqual(bound, between - key - 1);
    bool below = terms.areEqual(bound, last - between);
    // Keys that the row does not see may have any minimum.
    if (!above && !below && !terms.areEqual(bound, last - key))
      return nullptr;
    isAbove |= above;
    isBelow |= below;
  }
  return isAbove && isBelow ? skipClamps(field) : nullptr;
}

/// The field of a minimum that a reduction or a running minimum makes, and the
/// variable that it is over. Null field: of another condition.
static std::optional<std::pair<const Term *, AffineExpr>>
matchMinimum(Terms &terms, const Term *minimum, AffineExpr key,
             AffineExpr last) {
  if (auto running = matchRunningMinimum(terms, minimum))
    return std::pair(
        matchField(terms, terms.element(running->input, running->at),
                   running->condition, running->between, key, last),
        running->between);
  AffineExpr between = terms.addVariable(getReducedSize(terms, minimum));
  auto reduction = matchReduction(terms, minimum, between);
  if (!reduction || reduction->kind != ReductionKind::Minimum)
    return std::nullopt;
  Condition condition;
  auto body = [&](Value value) {
    return terms.inBody(reduction->op, reduction->loops, value);
  };
  if (reduction->condition &&
      failed(readCondition(terms, body(reduction->condition),
                           reduction->isNegated, condition)))
    return std::pair(nullptr, between);
  return std::pair(matchField(terms, body(reduction->reduced), condition,
                              between, key, last),
                   between);
}

static bool mayBeMinimum(Terms &terms, const Term *term) {
  return matchRunningMinimum(terms, term) || getReducedSize(terms, term);
}

/// Level and field of factor * (level - minimum); the factor, above 0, is that
/// of the minimum.
static std::optional<Penalty> matchExcess(Terms &terms, const Sum &excess,
                                          double &factor, AffineExpr row,
                                          AffineExpr key, AffineExpr last,
                                          std::string &why) {
  Penalty penalty;
  const Term *minimum = nullptr;
  for (const Summand &summand : excess) {
    bool isMinimum = summand.coefficient < 0 && summand.factors.size() == 1 &&
                     mayBeMinimum(terms, summand.factors[0]);
    if (isMinimum && !minimum) {
      minimum = summand.factors[0];
      factor = -summand.coefficient;
    } else {
      penalty.level.push_back(summand);
    }
  }
  why = "the penalty is not a level minus a minimum of a field";
  if (!minimum || llvm::any_of(penalty.level, [&](const Summand &summand) {
        return summand.uses(row);
      }))
    return std::nullopt;
  for (Summand &summand : penalty.level)
    summand.coefficient /= factor;
  auto found = matchMinimum(terms, minimum, key, last);
  if (!found)
    return std::nullopt;
  auto [field, between] = *found;
  why = "the minimum is not that of a field between key and row";
  if (!field || field->uses(row) || field->uses(key))
    return std::nullopt;
  penalty.between = between;
  penalty.level = skipClamps(terms, penalty.level);
  penalty.field = expandSum(terms, field);
  return penalty;
}

std::optional<Penalty> raise::matchPenalty(Terms &terms, const Term *term,
                                           AffineExpr row, AffineExpr key,
                                           AffineExpr last, std::string &why) {
  const Term *condition;
  bool isNegated;
  const Term *excess = getExcess(term, condition, isNegated);
  if (condition && !choosesPositive(terms, condition, isNegated, excess)) {
    why = "the penalty is not that of the excess above 0";
    return std::nullopt;
  }
  double factor = 1;
  auto penalty =
      matchExcess(terms, expandSum(terms, excess), factor, row, key, last, why);
  if (penalty && factor != 1) {
    why = "the penalty is not a level minus a minimum of a field";
    return std::nullopt;
  }
  return penalty;
}

std::optional<Penalty> raise::matchSmoothPenalty(Terms &terms,
                                                 const Softplus &softplus,
                                                 AffineExpr row, AffineExpr key,
                                                 AffineExpr last,
                                                 std::string &why) {
  double beta = 0;
  auto penalty =
      matchExcess(terms, softplus.argument, beta, row, key, last, why);
  if (!penalty)
    return std::nullopt;
  // beta and 1 / beta are rounded apart.
  if (std::abs(beta * softplus.coefficient + 1) > 1e-6) {
    why = "the smooth penalty is not softplus(beta z) / beta";
    return std::nullopt;
  }
  penalty->smooth = beta;
  return penalty;
}
