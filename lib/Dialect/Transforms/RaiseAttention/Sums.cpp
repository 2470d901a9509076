//===- Sums.cpp - Formulas as sums of products ----------------------------===//
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

/// More summands than this are nobody's logits.
static constexpr size_t kMostSummands = 32;

const Term *raise::skipCasts(const Term *term) {
  while (term->is<arith::ExtFOp, arith::TruncFOp>())
    term = term->operands[0];
  return term;
}

static Sum opaque(const Term *term) { return {{1, {term}}}; }

static void addTo(Sum &sum, const Summand &summand) {
  for (Summand &other : sum)
    if (other.factors == summand.factors) {
      other.coefficient += summand.coefficient;
      return;
    }
  sum.push_back(summand);
}

static Sum add(const Sum &a, const Sum &b, double factor) {
  Sum sum = a;
  for (Summand summand : b) {
    summand.coefficient *= factor;
    addTo(sum, summand);
  }
  llvm::erase_if(sum, [](const Summand &s) { return s.coefficient == 0; });
  return sum;
}

static Sum multiply(const Sum &a, const Sum &b) {
  Sum product;
  for (const Summand &x : a)
    for (const Summand &y : b) {
      Summand both = x;
      both.coefficient *= y.coefficient;
      both.factors.append(y.factors);
      llvm::sort(both.factors, [](const Term *a, const Term *b) {
        return a->number < b->number;
      });
      addTo(product, both);
    }
  return product;
}

/// An index as a float: a sum over the summands of the index.
static Sum expandIndex(Terms &terms, const Term *index) {
  Sum sum;
  std::function<void(AffineExpr)> visit = [&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (binary && expr.getKind() == AffineExprKind::Add) {
      visit(binary.getLHS());
      visit(binary.getRHS());
      return;
    }
    if (auto number = dyn_cast<AffineConstantExpr>(expr))
      return addTo(sum, {double(number.getValue()), {}});
    auto factor = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS())
                         : AffineConstantExpr();
    if (factor && expr.getKind() == AffineExprKind::Mul)
      return addTo(sum, {double(factor.getValue()),
                         {terms.makeIndex(binary.getLHS(), index->type)}});
    addTo(sum, {1, {terms.makeIndex(expr, index->type)}});
  };
  visit(index->index);
  llvm::erase_if(sum, [](const Summand &s) { return s.coefficient == 0; });
  return sum;
}

Sum raise::expandSum(Terms &terms, const Term *term) {
  term = skipCasts(term);
  if (std::optional<double> number = term->getNumber()) {
    // An infinity is a factor of its own: it is no multiple of anything.
    if (std::isfinite(*number))
      return *number == 0 ? Sum() : Sum{{*number, {}}};
    return opaque(term);
  }
  auto operand = [&](unsigned number) {
    return expandSum(terms, term->operands[number]);
  };
  Sum result = opaque(term);
  if (term->is<arith::AddFOp>())
    result = add(operand(0), operand(1), 1);
  else if (term->is<arith::SubFOp>())
    result = add(operand(0), operand(1), -1);
  else if (term->is<arith::NegFOp>())
    result = add({}, operand(0), -1);
  else if (term->is<arith::MulFOp>())
    result = multiply(operand(0), operand(1));
  else if (term->is<arith::SIToFPOp, arith::UIToFPOp>() &&
           term->operands[0]->isIndex())
    result = expandIndex(terms, term->operands[0]);
  else if (term->is<arith::DivFOp>())
    if (auto number = skipCasts(term->operands[1])->getNumber())
      if (std::isfinite(*number) && *number != 0)
        result = add({}, operand(0), 1 / *number);
  return result.size() <= kMostSummands ? result : opaque(term);
}
