//===- Masks.cpp - Masks of logits ----------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::raise;

/// What finite masks are at most.
static constexpr double kFiniteMask = -1e9;

static bool isMaskNumber(const APFloat &value) {
  if (!value.isNegative() || value.isNaN())
    return false;
  if (value.isInfinity() ||
      value == neg(APFloat::getLargest(value.getSemantics())))
    return true;
  return value.convertToDouble() <= kFiniteMask;
}

bool raise::isMaskValue(const Term *term) {
  term = skipCasts(term);
  auto number = dyn_cast_if_present<FloatAttr>(term->constant);
  return number && isMaskNumber(number.getValue());
}

static bool isZero(const Term *term) {
  std::optional<double> number = skipCasts(term)->getNumber();
  return number && *number == 0;
}

/// A select between a mask value and something: the condition of the latter is
/// gathered and it is returned. Null where the term is no such select.
static const Term *peelSelect(Terms &terms, const Term *term,
                              Condition &condition, bool &isReadable) {
  term = skipCasts(term);
  if (!term->is<arith::SelectOp>())
    return nullptr;
  bool isNegated = isMaskValue(term->operands[1]);
  if (!isNegated && !isMaskValue(term->operands[2]))
    return nullptr;
  if (failed(readCondition(terms, term->operands[0], isNegated, condition)))
    isReadable = false;
  return term->operands[isNegated ? 2 : 1];
}

/// A summand that is 0 or a mask value. False if it is another one.
static bool peelAdditive(Terms &terms, const Summand &summand,
                         Condition &condition, bool &isReadable) {
  if (summand.factors.size() == 1 && summand.coefficient > 0) {
    const Term *term = summand.factors[0];
    Condition own;
    while (const Term *inner = peelSelect(terms, term, own, isReadable)) {
      term = inner;
      if (!isZero(term))
        continue;
      condition.bounds.append(own.bounds);
      return true;
    }
    DenseFPElementsAttr elements;
    if (term->isElement() && own.bounds.empty() &&
        matchPattern(term->value, m_Constant(&elements)) &&
        elements.getNumElements() <= kMostMaskElements) {
      auto values = llvm::to_vector(elements.getValues<APFloat>());
      bool isMask = llvm::all_of(values, [](const APFloat &value) {
        return value.isZero() || isMaskNumber(value);
      });
      return isMask &&
             succeeded(readBand(
                 term, [&](int64_t at) { return values[at].isZero(); },
                 condition));
    }
  }
  // A mask value times a truth value.
  if (summand.factors.size() == 1 && summand.coefficient <= kFiniteMask &&
      summand.factors[0]->is<arith::UIToFPOp>() &&
      summand.factors[0]->operands[0]->type.isInteger(1)) {
    isReadable &= succeeded(
        readCondition(terms, summand.factors[0]->operands[0], true, condition));
    return true;
  }
  return false;
}

LogicalResult raise::peelMasks(Terms &terms, Sum &logits,
                               Condition &condition) {
  bool isReadable = true;
  // What a select chooses may be a sum with masks of its own.
  while (logits.size() == 1 && logits[0].factors.size() == 1 &&
         logits[0].coefficient > 0) {
    const Term *inner =
        peelSelect(terms, logits[0].factors[0], condition, isReadable);
    if (!inner)
      break;
    double factor = logits[0].coefficient;
    logits = expandSum(terms, inner);
    for (Summand &summand : logits)
      summand.coefficient *= factor;
  }
  size_t before = logits.size();
  llvm::erase_if(logits, [&](const Summand &summand) {
    return peelAdditive(terms, summand, condition, isReadable);
  });
  if (!isReadable)
    return failure();
  bool mayHoldSelect = logits.size() != before && logits.size() == 1;
  return mayHoldSelect ? peelMasks(terms, logits, condition) : success();
}
