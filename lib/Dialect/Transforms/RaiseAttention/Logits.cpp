//===- Logits.cpp - Products, masks and biases of a candidate -------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::raise;

/// Logits = scale * product + biases, under masks.
LogicalResult Candidate::matchLogits() {
  Sum sum = expandSum(terms, softmax.logits);
  if (failed(peelMasks(terms, sum, softmax.condition)))
    return fail("its mask is not a comparison of row and key");
  SmallVector<Summand> biases;
  for (const Summand &summand : sum) {
    std::optional<Product> found;
    for (const Term *factor : summand.factors)
      if (!found)
        found = matchProduct(terms, factor, key.index);
    if (!found) {
      biases.push_back(summand);
      continue;
    }
    if (logits)
      return fail("its logits are more than one product");
    if (summand.factors.size() != 1)
      return fail("its scale is not one number");
    logits = found;
    scale = summand.coefficient * found->scale;
  }
  if (!logits)
    return fail("its logits are no product of queries and keys");
  if (failed(matchConditions()))
    return failure();
  return matchBias(biases);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Every row sees a key when there are at least as many keys as rows.
bool Candidate::seesAKey() {
  AffineExpr surplus = terms.simplify(key.size - row.size);
  auto number = dyn_cast<AffineConstantExpr>(surplus);
  return number && number.getValue() >= 0 &&
         !terms.areEqual(key.size, terms.getConstant(0));
}

LogicalResult Candidate::matchConditions() {
  bool isCausal = terms.areEqual(row.size, terms.getConstant(1));
  auto isSeen = [&](AffineExpr bound) {
    return llvm::any_of(softmax.condition.bounds, [&](AffineExpr own) {
      return terms.areEqual(own, bound);
    });
  };
  AffineExpr rowPosition = terms.simplify(last);
  for (AffineExpr bound : softmax.condition.bounds) {
    bound = terms.simplify(bound);
    AffineExpr toLast = terms.simplify(bound - (rowPosition - key.index));
    AffineExpr toFirst = terms.simplify(bound - (key.index - rowPosition));
    // 0 <= key, key < Lk.
    if (bound == key.index || terms.areEqual(bound, key.size - 1 - key.index))
      continue;
    if (toLast == terms.getConstant(0)) {
      isCausal = true;
      continue;
    }
    auto width = dyn_cast<AffineConstantExpr>(toFirst);
    if (width && width.getValue() >= 0) {
      int64_t keys = width.getValue() + 1;
      window = window ? std::min(*window, keys) : keys;
      continue;
    }
    if (isa<AffineConstantExpr>(toLast) || width)
      return fail(
          "its mask has another diagonal than key <= row + keys - rows");
    if (!terms.areEqual(key.size, row.size) && toLast.isSymbolicOrConstant())
      return fail("its rows and keys are not known to be of one number");
    return fail("its mask is not causal");
  }
  if (!isCausal)
    return fail("it has no causal mask");
  for (AffineExpr bound : condition.bounds)
    if (!isSeen(bound))
      return fail("its product leaves out keys that its softmax has");
  if (!isGuarded && !seesAKey())
    return fail("its rows may see no key, which gives NaN or a mean of values "
                "there and 0 in fpa.attention");
  return success();
}

//===----------------------------------------------------------------------===//
// Biases
//===----------------------------------------------------------------------===//

/// |i - j| of keys that a row sees is i - j.
static const Term *dropDistance(Terms &terms, const Term *factor,
                                AffineExpr rowPosition, AffineExpr key,
                                double &sign) {
  bool isAbsolute =
      factor->is<math::AbsFOp>() || (factor->is<arith::SIToFPOp>() &&
                                     factor->operands[0]->is<math::AbsIOp>());
  if (!isAbsolute)
    return nullptr;
  const Term *inner = factor->operands[0];
  if (factor->is<arith::SIToFPOp>())
    inner = inner->operands[0];
  while (inner->is<arith::SIToFPOp>())
    inner = inner->operands[0];
  if (!inner->isIndex())
    return nullptr;
  sign = terms.areEqual(inner->index, rowPosition - key)   ? 1
         : terms.areEqual(inner->index, key - rowPosition) ? -1
                                                           : 0;
  return sign != 0 ? inner : nullptr;
}

LogicalResult Candidate::matchBias(ArrayRef<Summand> biases) {
  SmallVector<Summand> work(biases);
  if (auto softplus = takeSoftplus(terms, work, row.index, key.index)) {
    penalty =
        matchSmoothPenalty(terms, *softplus, row.index, key.index, last, why);
    if (!penalty) {
      why = "in its bias, " + why;
      return failure();
    }
  }
  while (!work.empty()) {
    Summand summand = work.pop_back_val();
    if (!summand.uses(key.index)) {
      // The same for all keys of a row: no weight changes.
      dropsShift = true;
      continue;
    }
    if (!summand.uses(row.index)) {
      bias.push_back(summand);
      continue;
    }
    // Distances of row and key are sums of both.
    bool wasSplit = false;
    for (const Term *&factor : summand.factors) {
      double sign = 0;
      const Term *index = dropDistance(terms, factor, last, key.index, sign);
      if (!index)
        continue;
      Summand rest = summand;
      rest.factors.erase(rest.factors.begin() +
                         (&factor - summand.factors.begin()));
      AffineExpr position = terms.simplify(last);
      for (auto [expr, part] : {std::pair(position, 1.), {key.index, -1.}}) {
        Summand next = rest;
        next.coefficient *= part;
        next.factors.push_back(terms.makeIndex(expr, index->type));
        work.push_back(next);
      }
      wasSplit = true;
      break;
    }
    if (wasSplit)
      continue;
    bool isPenaltyHere = summand.factors.size() == 1 && !penalty &&
                         isPenalty(summand.factors[0]);
    if (!isPenaltyHere)
      return fail(
          "it has a bias that is no sum of one of rows and one of keys");
    if (summand.coefficient != -1)
      return fail("its penalty has another factor than -1");
    penalty = matchPenalty(terms, summand.factors[0], row.index, key.index,
                           last, why);
    if (!penalty) {
      why = "in its bias, " + why;
      return failure();
    }
  }
  if (penalty && !bias.empty())
    return fail("it has a bias beside the penalty");
  return success();
}
