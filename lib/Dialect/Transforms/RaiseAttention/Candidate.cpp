//===- Candidate.cpp - Is it attention? -----------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::raise;

LogicalResult Candidate::fail(const Twine &reason) {
  why = reason.str();
  return failure();
}

LogicalResult Candidate::match() {
  if (failed(findRoles()) || failed(matchWeights()) || failed(matchLogits()))
    return failure();
  return checkUses();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Loops of heads within a merged batch: n = b * H + h where an operand was
/// collapsed from B x H x ..., or the result is expanded to that.
static int64_t findInnerSize(Terms &terms, Place place, AffineExpr loop) {
  do {
    auto collapse = place.tensor.getDefiningOp<tensor::CollapseShapeOp>();
    auto dim = llvm::find(place.at, loop);
    if (!collapse || dim == place.at.end())
      continue;
    ReassociationIndices group =
        collapse.getReassociationIndices()[dim - place.at.begin()];
    int64_t inner = collapse.getSrcType().getDimSize(group.back());
    if (group.size() == 2 && !ShapedType::isDynamic(inner) && inner > 1)
      return inner;
  } while (terms.followView(place));
  return 0;
}

static int64_t findExpandedSize(Value result, unsigned dim) {
  for (Operation *user : result.getUsers())
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user)) {
      ReassociationIndices group = expand.getReassociationIndices()[dim];
      int64_t inner = expand.getResultType().getDimSize(group.back());
      if (group.size() == 2 && !ShapedType::isDynamic(inner) && inner > 1)
        return inner;
    }
  return 0;
}

void Candidate::splitBatch(unsigned loop) {
  AffineExpr merged = loops[loop];
  int64_t inner = 0;
  for (OpOperand *operand : product.getDpsInputOperands()) {
    Place place{operand->get(), terms.readAt(product, *operand, loops)};
    if (inner == 0)
      inner = findInnerSize(terms, place, merged);
  }
  AffineMap map = product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  auto dim = map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
  if (inner == 0)
    inner = findExpandedSize(product->getResult(0), *dim);
  AffineExpr size = terms.getSize(merged);
  if (inner == 0) {
    batch = {merged, size};
    return;
  }
  batch.size = terms.simplify(size.floorDiv(inner));
  batch.index = terms.addVariable(batch.size);
  heads.size = terms.getConstant(inner);
  heads.index = terms.addVariable(heads.size);
  loops[loop] = batch.index * inner + heads.index;
}

/// Loops in both operands are batch and heads, those of one are rows and the
/// value's head, and the one that is reduced runs over keys.
LogicalResult Candidate::findRoles() {
  Terms &t = terms;
  AffineExpr zero = t.getConstant(0), one = t.getConstant(1);
  batch = heads = {zero, one};
  if (product.getNumReductionLoops() != 1 || product->getNumResults() != 1 ||
      !product.hasPureTensorSemantics())
    return failure();
  t.learnSizes(product);
  loops.resize(product.getNumLoops());
  for (OpOperand &operand : product->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      return failure();
    AffineMap map = product.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        if (!loops[loop.getPosition()])
          loops[loop.getPosition()] = t.addVariable(t.size(operand.get(), dim));
  }
  if (llvm::is_contained(loops, AffineExpr()))
    return failure();
  SmallVector<unsigned> reduced;
  product.getReductionDims(reduced);
  keyLoop = reduced.front();
  key = {loops[keyLoop], t.getSize(loops[keyLoop])};

  // The two factors, read where their loops are.
  AffineMap map = product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  if (!map.isProjectedPermutation())
    return failure();
  for (AffineExpr expr : map.getResults())
    resultAt.push_back(loops[cast<AffineDimExpr>(expr).getPosition()]);
  auto reduction =
      matchReduction(t, t.leaf(product->getResult(0), resultAt), key.index);
  if (!reduction || reduction->kind != ReductionKind::Sum)
    return failure();
  Sum sum = expandSum(t, t.inBody(product, loops, reduction->reduced,
                                  /*isShallow=*/true));
  if (sum.size() != 1 || sum[0].factors.size() != 2 ||
      sum[0].coefficient != 1 || !sum[0].factors[0]->isElement() ||
      !sum[0].factors[1]->isElement())
    return failure();
  if (reduction->condition &&
      failed(readCondition(t, t.inBody(product, loops, reduction->condition),
                           reduction->isNegated, condition)))
    return failure();
  // The weights are those that a softmax is found in.
  for (unsigned first : {0, 1}) {
    const Term *w = sum[0].factors[first], *v = sum[0].factors[1 - first];
    if (!matchSoftmax(t, t.element(w->value, w->at), key.index, why))
      continue;
    weights = {w->value, w->at};
    value = {v->value, v->at};
    break;
  }
  if (!weights.tensor)
    return failure();
  auto readsLoop = [&](Value tensor, unsigned loop) {
    for (OpOperand *operand : product.getDpsInputOperands())
      if (operand->get() == tensor)
        return product.getMatchingIndexingMap(operand).isFunctionOfDim(loop);
    return false;
  };
  SmallVector<unsigned> shared, rows, columns;
  for (AffineExpr expr : map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    bool ofWeights = readsLoop(weights.tensor, loop);
    bool ofValue = readsLoop(value.tensor, loop);
    (ofWeights && ofValue ? shared
     : ofWeights          ? rows
                          : columns)
        .push_back(loop);
  }
  if (rows.size() != 1 || columns.size() != 1 || shared.size() > 2)
    return fail("expected one dimension of rows, one of value's head and at "
                "most two of batch and heads, got " +
                Twine(rows.size()) + ", " + Twine(columns.size()) + " and " +
                Twine(shared.size()));
  rowLoop = rows.front();
  headLoop = columns.front();
  row = {loops[rowLoop], t.getSize(loops[rowLoop])};
  valueHead = {loops[headLoop], t.getSize(loops[headLoop])};
  if (shared.size() == 2) {
    batch = {loops[shared[0]], t.getSize(loops[shared[0]])};
    heads = {loops[shared[1]], t.getSize(loops[shared[1]])};
  } else if (shared.size() == 1) {
    splitBatch(shared.front());
  }
  // Everything is read anew with batch and heads apart, units at 0.
  auto place = [&](Value tensor) {
    for (OpOperand *operand : product.getDpsInputOperands())
      if (operand->get() == tensor) {
        const Term *own = t.leaf(tensor, t.readAt(product, *operand, loops));
        return Place{tensor, own->at};
      }
    return Place();
  };
  weights = place(weights.tensor);
  value = place(value.tensor);
  for (auto [at, expr] : llvm::zip(resultAt, map.getResults()))
    at = loops[cast<AffineDimExpr>(expr).getPosition()];
  last = row.index + key.size - row.size;
  if (t.areEqual(row.size, one))
    last = key.size - 1;
  last = t.simplify(last);
  return success();
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

LogicalResult Candidate::matchWeights() {
  auto matched = matchSoftmax(terms, terms.element(weights.tensor, weights.at),
                              key.index, why);
  if (!matched)
    return failure();
  softmax = *matched;
  root = product;
  if (softmax.isUnnormalized && !matchQuotient()) {
    // Exponentials alone are no softmax.
    why.clear();
    return failure();
  }
  return success();
}

/// The quotient of the product and the sum of the weights, which replaces the
/// product as the op that gives the output. A select that gives 0 where the sum
/// is 0 makes rows without keys 0.
bool Candidate::matchQuotient() {
  Value result = product->getResult(0);
  if (!result.hasOneUse())
    return false;
  Operation *user = *result.user_begin();
  SmallVector<AffineExpr> at = resultAt;
  if (auto op = dyn_cast<linalg::LinalgOp>(user)) {
    OpOperand &use = *result.use_begin();
    AffineMap read = op.getMatchingIndexingMap(&use);
    AffineMap write = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (!op.isDpsInput(&use) || !read.isPermutation() ||
        !write.isPermutation() || user->getNumResults() != 1)
      return false;
    SmallVector<AffineExpr> own(op.getNumLoops());
    for (auto [position, expr] : llvm::enumerate(resultAt))
      own[read.getDimPosition(position)] = expr;
    for (auto [position, expr] : llvm::enumerate(write.getResults()))
      at[position] = own[cast<AffineDimExpr>(expr).getPosition()];
  } else if (!OpTrait::hasElementwiseMappableTraits(user)) {
    return false;
  }
  const Term *quotient = skipCasts(terms.element(user->getResult(0), at));
  if (quotient->is<arith::SelectOp>()) {
    const Term *test = quotient->operands[0];
    auto zero = skipCasts(quotient->operands[1])->getNumber();
    if (!zero || *zero != 0 || !test->is<arith::CmpFOp>() ||
        cast<arith::CmpFOp>(test->op).getPredicate() !=
            arith::CmpFPredicate::OEQ)
      return false;
    isGuarded = true;
    quotient = skipCasts(quotient->operands[2]);
  }
  if (!quotient->is<arith::DivFOp>())
    return false;
  const Term *dividend = skipCasts(quotient->operands[0]);
  softmax.sum = skipCasts(quotient->operands[1]);
  auto reduction = matchReduction(terms, softmax.sum, key.index);
  const Term *weight = skipCasts(terms.element(weights.tensor, weights.at));
  if (dividend->value != result || !reduction ||
      reduction->kind != ReductionKind::Sum || reduction->condition ||
      skipCasts(terms.inBody(reduction->op, reduction->loops,
                             reduction->reduced)) != weight)
    return false;
  root = user;
  resultAt = at;
  return true;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// lse_i = max_i + log(sum_i), if somebody computes it.
void Candidate::findLse() {
  if (!softmax.sum || !softmax.maximum || !softmax.sum->isElement())
    return;
  for (OpOperand &use : softmax.sum->value.getUses()) {
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!op || op->getNumResults() != 1)
      continue;
    AffineMap read = op.getMatchingIndexingMap(&use);
    AffineMap write = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (!read.isPermutation() || read != write || !op.isDpsInput(&use))
      continue;
    const Term *term =
        skipCasts(terms.element(op->getResult(0), softmax.sum->at));
    if (!term->is<arith::AddFOp>())
      continue;
    for (unsigned number : {0, 1}) {
      const Term *log = skipCasts(term->operands[1 - number]);
      if (skipCasts(term->operands[number]) == softmax.maximum &&
          log->is<math::LogOp>() && skipCasts(log->operands[0]) == softmax.sum)
        lse = op;
    }
  }
}

/// Nothing but the output, and the lse, may need what is computed from the
/// products of queries and keys: it would have to be computed once more.
LogicalResult Candidate::checkUses() {
  findLse();
  if (lse && dropsShift)
    lse = nullptr;
  SmallVector<Operation *> work = {logits->op};
  DenseSet<Operation *> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    for (Operation *user : op->getUsers()) {
      if (user == root || user == lse || !seen.insert(user).second)
        continue;
      bool isElsewhere = user->getBlock() != product->getBlock() ||
                         user->hasTrait<OpTrait::IsTerminator>() ||
                         !isMemoryEffectFree(user);
      if (isElsewhere)
        return fail("its logits or weights are used elsewhere");
      work.push_back(user);
    }
  }
  if (lse && !lse->isBeforeInBlock(root))
    return success();
  if (lse)
    for (Operation *user : lse->getUsers())
      if (user->getBlock() == root->getBlock() && user->isBeforeInBlock(root))
        return fail("its lse is used before its output");
  return success();
}
