//===- Reductions.cpp - Sums, maxima and minima over one loop -------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::raise;

/// The op that reduces to an element, over one loop into a result that the
/// others span.
static linalg::LinalgOp getReducing(const Term *element) {
  if (!element->isElement())
    return {};
  auto op = element->value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumReductionLoops() != 1 ||
      op.getNumParallelLoops() + 1 != op.getNumLoops())
    return {};
  unsigned result = cast<OpResult>(element->value).getResultNumber();
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  return map.isProjectedPermutation() &&
                 map.getNumResults() == op.getNumParallelLoops()
             ? op
             : linalg::LinalgOp();
}

static unsigned getReducedLoop(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return loops.front();
}

AffineExpr raise::getReducedSize(Terms &terms, const Term *element) {
  linalg::LinalgOp op = getReducing(element);
  if (!op)
    return {};
  terms.learnSizes(op);
  AffineExpr loop = getAffineDimExpr(getReducedLoop(op), op.getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (std::optional<unsigned> dim = map.getResultPosition(loop))
      return terms.size(operand.get(), *dim);
  }
  return {};
}

static std::optional<ReductionKind> getKind(Operation *op) {
  if (isa<arith::AddFOp>(op))
    return ReductionKind::Sum;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
    return ReductionKind::Maximum;
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(op))
    return ReductionKind::Minimum;
  return std::nullopt;
}

/// Fills in what is combined with the element `accumulator` so far.
static bool matchCombiner(Value value, Value accumulator, Reduction &out) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (std::optional<ReductionKind> kind = getKind(op)) {
    out.kind = *kind;
    bool isFirst = op->getOperand(0) == accumulator;
    out.reduced = op->getOperand(isFirst ? 1 : 0);
    return isFirst || op->getOperand(1) == accumulator;
  }
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select)
    return false;
  Value chosen = select.getTrueValue(), other = select.getFalseValue();
  // A comparison and a select are a maximum.
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  if (compare && other == accumulator && compare.getLhs() == chosen &&
      compare.getRhs() == accumulator) {
    using Pred = arith::CmpFPredicate;
    bool isMax = llvm::is_contained(
        {Pred::OGT, Pred::UGT, Pred::OGE, Pred::UGE}, compare.getPredicate());
    out.kind = ReductionKind::Maximum;
    out.reduced = chosen;
    return isMax;
  }
  out.isNegated = chosen == accumulator;
  out.condition = select.getCondition();
  if (out.isNegated)
    std::swap(chosen, other);
  Reduction inner;
  if (other != accumulator || !matchCombiner(chosen, accumulator, inner) ||
      inner.condition)
    return false;
  out.kind = inner.kind;
  out.reduced = inner.reduced;
  return true;
}

/// Whether a reduction may start with the number. A maximum may start with any
/// number that no element is below of.
static bool isNeutral(ReductionKind kind, const Term *init) {
  std::optional<double> number = init->getNumber();
  if (!number)
    return false;
  if (kind == ReductionKind::Sum)
    return *number == 0;
  if (kind == ReductionKind::Minimum)
    return *number == std::numeric_limits<double>::infinity();
  auto value = cast<FloatAttr>(init->constant).getValue();
  return value.isInfinity()
             ? value.isNegative()
             : value == neg(APFloat::getLargest(value.getSemantics()));
}

std::optional<Reduction>
raise::matchReduction(Terms &terms, const Term *element, AffineExpr variable) {
  linalg::LinalgOp op = getReducing(element);
  AffineExpr size = op ? getReducedSize(terms, element) : AffineExpr();
  if (!size || !terms.areEqual(size, terms.getSize(variable)))
    return std::nullopt;
  unsigned result = cast<OpResult>(element->value).getResultNumber();
  OpOperand *init = op.getDpsInitOperand(result);
  Reduction out;
  out.op = op;
  if (!matchCombiner(op.getBlock()->getTerminator()->getOperand(result),
                     op.getMatchingBlockArgument(init), out))
    return std::nullopt;
  if (!isNeutral(out.kind, terms.element(init->get(), element->at)))
    return std::nullopt;
  out.loops.resize(op.getNumLoops());
  AffineMap map = op.getMatchingIndexingMap(init);
  for (auto [position, expr] : llvm::enumerate(element->at))
    out.loops[map.getDimPosition(position)] = expr;
  out.loops[getReducedLoop(op)] = variable;
  return out;
}

std::optional<RunningMinimum> raise::matchRunningMinimum(Terms &terms,
                                                         const Term *element) {
  auto op = element->isElement() ? element->value.getDefiningOp<PrefixMinOp>()
                                 : PrefixMinOp();
  if (!op || element->value != op.getResults()[0] || op.getSegment())
    return std::nullopt;
  uint64_t axis = op.getAxis();
  RunningMinimum out{op.getInput(), element->at, {}, {}};
  out.between = terms.addVariable(terms.size(op.getInput(), axis));
  AffineExpr end = element->at[axis];
  AffineExpr before = op.getReverse() ? out.between - end : end - out.between;
  out.condition.bounds.push_back(op.getExclusive() ? before - 1 : before);
  out.at[axis] = out.between;
  return out;
}
