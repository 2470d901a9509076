//===- Products.cpp - Products of queries and keys ------------------------===//
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

std::optional<Product> raise::matchProduct(Terms &terms, const Term *element,
                                           AffineExpr key) {
  AffineExpr size = getReducedSize(terms, element);
  if (!size)
    return std::nullopt;
  AffineExpr head = terms.addVariable(size);
  auto reduction = matchReduction(terms, element, head);
  if (!reduction || reduction->kind != ReductionKind::Sum ||
      reduction->condition)
    return std::nullopt;
  Sum sum = expandSum(terms, terms.inBody(reduction->op, reduction->loops,
                                          reduction->reduced,
                                          /*isShallow=*/true));
  if (sum.size() != 1 || sum[0].factors.size() != 2)
    return std::nullopt;
  const Term *a = sum[0].factors[0], *b = sum[0].factors[1];
  if (!a->isElement() || !b->isElement())
    return std::nullopt;
  if (a->uses(key))
    std::swap(a, b);
  // With one key alone neither uses it; the sides are then those of the op.
  if (a->uses(key) || !a->uses(head) || !b->uses(head))
    return std::nullopt;
  return Product{sum[0].coefficient,
                 {a->value, a->at},
                 {b->value, b->at},
                 head,
                 reduction->op};
}
