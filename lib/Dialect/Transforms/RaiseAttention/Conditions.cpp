//===- Conditions.cpp - Comparisons of rows and keys ----------------------===//
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

using Pred = arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static Pred negate(Pred predicate) { return arith::invertPredicate(predicate); }

/// Indices are small enough for floats, and for signs not to matter.
static std::optional<Pred> getPredicate(const Term *term) {
  if (term->is<arith::CmpIOp>())
    switch (Pred predicate = cast<arith::CmpIOp>(term->op).getPredicate()) {
    case Pred::ult:
      return Pred::slt;
    case Pred::ule:
      return Pred::sle;
    case Pred::ugt:
      return Pred::sgt;
    case Pred::uge:
      return Pred::sge;
    default:
      return predicate;
    }
  using Float = arith::CmpFPredicate;
  switch (cast<arith::CmpFOp>(term->op).getPredicate()) {
  case Float::OLT:
  case Float::ULT:
    return Pred::slt;
  case Float::OLE:
  case Float::ULE:
    return Pred::sle;
  case Float::OGT:
  case Float::UGT:
    return Pred::sgt;
  case Float::OGE:
  case Float::UGE:
    return Pred::sge;
  default:
    return std::nullopt;
  }
}

static const Term *skipIndexCasts(const Term *term) {
  term = skipCasts(term);
  while (term->is<arith::SIToFPOp, arith::UIToFPOp>())
    term = term->operands[0];
  return term;
}

/// Adds the bounds of small <= large (< where strict).
static LogicalResult addBounds(const Term *small, const Term *large,
                               bool isStrict, Condition &condition) {
  // Both operands of a maximum, or of a minimum on the other side, comply.
  if (small->is<arith::MaxSIOp>() || large->is<arith::MinSIOp>()) {
    bool splitsSmall = small->is<arith::MaxSIOp>();
    for (const Term *part : (splitsSmall ? small : large)->operands)
      if (failed(addBounds(splitsSmall ? part : small,
                           splitsSmall ? large : part, isStrict, condition)))
        return failure();
    return success();
  }
  if (!small->isIndex() || !large->isIndex())
    return failure();
  condition.bounds.push_back(large->index - small->index - (isStrict ? 1 : 0));
  return success();
}

static LogicalResult readComparison(const Term *term, bool isNegated,
                                    Condition &condition) {
  std::optional<Pred> predicate = getPredicate(term);
  if (!predicate)
    return failure();
  if (isNegated)
    predicate = negate(*predicate);
  const Term *a = skipIndexCasts(term->operands[0]);
  const Term *b = skipIndexCasts(term->operands[1]);
  switch (*predicate) {
  case Pred::slt:
  case Pred::sle:
    return addBounds(a, b, *predicate == Pred::slt, condition);
  case Pred::sgt:
  case Pred::sge:
    return addBounds(b, a, *predicate == Pred::sgt, condition);
  default:
    return failure();
  }
}

//===----------------------------------------------------------------------===//
// Constant bands
//===----------------------------------------------------------------------===//

LogicalResult raise::readBand(const Term *term,
                              function_ref<bool(int64_t)> holds,
                              Condition &condition) {
  auto type = cast<RankedTensorType>(term->value.getType());
  int64_t rank = type.getRank();
  if (rank < 2 || type.getNumElements() > kMostMaskElements ||
      ShapedType::getNumElements(type.getShape().drop_back(2)) != 1)
    return failure();
  int64_t rows = type.getDimSize(rank - 2), columns = type.getDimSize(rank - 1);
  int64_t least = columns, most = -rows, count = 0;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      if (holds(row * columns + column)) {
        least = std::min(least, column - row);
        most = std::max(most, column - row);
        ++count;
      }
  // The band is full if it has as many elements as it could.
  int64_t full = 0;
  for (int64_t row = 0; row < rows; ++row)
    full += std::max<int64_t>(0, std::min(columns - 1, row + most) -
                                     std::max<int64_t>(0, row + least) + 1);
  if (count == 0 || count != full)
    return failure();
  AffineExpr distance = term->at[rank - 1] - term->at[rank - 2];
  if (most < columns - 1)
    condition.bounds.push_back(most - distance);
  if (least > 1 - rows)
    condition.bounds.push_back(distance - least);
  return success();
}

/// A constant matrix of truth values.
static LogicalResult readTruthBand(const Term *term, bool isNegated,
                                   Condition &condition) {
  DenseIntElementsAttr elements;
  if (!term->isElement() || !matchPattern(term->value, m_Constant(&elements)) ||
      elements.isSplat())
    return failure();
  auto values = llvm::to_vector(elements.getValues<APInt>());
  return readBand(
      term, [&](int64_t at) { return values[at].isZero() == isNegated; },
      condition);
}

/// The comparison of a constant matrix with a number, for equality.
static LogicalResult readNumberBand(const Term *term, bool isNegated,
                                    Condition &condition) {
  using Float = arith::CmpFPredicate;
  if (!term->is<arith::CmpFOp>())
    return failure();
  Float predicate = cast<arith::CmpFOp>(term->op).getPredicate();
  const Term *matrix = skipCasts(term->operands[0]);
  std::optional<double> number = skipCasts(term->operands[1])->getNumber();
  DenseFPElementsAttr elements;
  bool isEquality = predicate == Float::OEQ || predicate == Float::UEQ;
  bool isDifference = predicate == Float::ONE || predicate == Float::UNE;
  if (!number || (!isEquality && !isDifference) || !matrix->isElement() ||
      !matchPattern(matrix->value, m_Constant(&elements)) || elements.isSplat())
    return failure();
  auto values = llvm::to_vector(elements.getValues<APFloat>());
  return readBand(
      matrix,
      [&](int64_t at) {
        bool isSame = values[at].convertToDouble() == *number;
        return (isSame == isEquality) != isNegated;
      },
      condition);
}

//===----------------------------------------------------------------------===//
// Truth values as numbers
//===----------------------------------------------------------------------===//

namespace {
/// What a comparison of a number that takes two values gives for both.
struct Pair {
  const Term *condition;
  bool whenTrue, whenFalse;
};
} // namespace

static std::optional<double> getAnyNumber(const Term *term) {
  term = skipCasts(term);
  if (term->isIndex())
    if (auto number = dyn_cast<AffineConstantExpr>(term->index))
      return number.getValue();
  return term->getNumber();
}

/// The comparison of a select of two numbers, or of a truth value as a number,
/// with a number, for equality.
static std::optional<Pair> readPair(const Term *term) {
  using Float = arith::CmpFPredicate;
  if (!term->is<arith::CmpIOp, arith::CmpFOp>())
    return std::nullopt;
  bool isEquality, isDifference;
  if (auto compare = dyn_cast<arith::CmpIOp>(term->op)) {
    isEquality = compare.getPredicate() == Pred::eq;
    isDifference = compare.getPredicate() == Pred::ne;
  } else {
    Float predicate = cast<arith::CmpFOp>(term->op).getPredicate();
    isEquality = predicate == Float::OEQ || predicate == Float::UEQ;
    isDifference = predicate == Float::ONE || predicate == Float::UNE;
  }
  const Term *chosen = skipCasts(term->operands[0]);
  std::optional<double> number = getAnyNumber(term->operands[1]);
  std::optional<double> whenTrue = 1, whenFalse = 0;
  if (chosen->is<arith::SelectOp>()) {
    whenTrue = getAnyNumber(chosen->operands[1]);
    whenFalse = getAnyNumber(chosen->operands[2]);
  } else if (chosen->is<arith::ExtSIOp>()) {
    whenTrue = -1;
  } else if (!chosen->is<arith::ExtUIOp, arith::UIToFPOp>()) {
    return std::nullopt;
  }
  const Term *condition = chosen->operands[0];
  if (!number || !whenTrue || !whenFalse || !condition->type.isInteger(1) ||
      (!isEquality && !isDifference))
    return std::nullopt;
  return Pair{condition, (*whenTrue == *number) == isEquality,
              (*whenFalse == *number) == isEquality};
}

LogicalResult raise::readCondition(Terms &terms, const Term *term,
                                   bool isNegated, Condition &condition) {
  if (std::optional<bool> truth = term->getTruth())
    return success(*truth != isNegated);
  auto recurse = [&](unsigned operand, bool flips) {
    return readCondition(terms, term->operands[operand], isNegated != flips,
                         condition);
  };
  if (term->is<arith::AndIOp>() || term->is<arith::OrIOp>()) {
    if (term->is<arith::OrIOp>() != isNegated)
      return failure();
    return success(succeeded(recurse(0, false)) &&
                   succeeded(recurse(1, false)));
  }
  if (term->is<arith::XOrIOp>())
    for (unsigned operand : {0, 1})
      if (auto truth = term->operands[operand]->getTruth())
        return recurse(1 - operand, *truth);
  // A select of truth values, one of them a constant.
  if (term->is<arith::SelectOp>()) {
    auto whenTrue = term->operands[1]->getTruth();
    auto whenFalse = term->operands[2]->getTruth();
    if (whenTrue && whenFalse)
      return *whenTrue == *whenFalse ? success(*whenTrue != isNegated)
                                     : recurse(0, *whenFalse);
    // c and x, or not c and x.
    if (isNegated || whenTrue.value_or(false) || whenFalse.value_or(false))
      return failure();
    return success((whenTrue || whenFalse) &&
                   succeeded(recurse(0, !whenFalse)) &&
                   succeeded(recurse(whenFalse ? 1 : 2, false)));
  }
  if (auto pair = readPair(term))
    return pair->whenTrue == pair->whenFalse
               ? success(pair->whenTrue != isNegated)
               : readCondition(terms, pair->condition,
                               isNegated != pair->whenFalse, condition);
  if (succeeded(readNumberBand(term, isNegated, condition)))
    return success();
  if (term->is<arith::CmpIOp, arith::CmpFOp>())
    return readComparison(term, isNegated, condition);
  return readTruthBand(term, isNegated, condition);
}
