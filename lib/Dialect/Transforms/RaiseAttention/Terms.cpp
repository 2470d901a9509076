//===- Terms.cpp - Elements of tensors as formulas ------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::raise;

//===----------------------------------------------------------------------===//
// Term
//===----------------------------------------------------------------------===//

bool Term::uses(AffineExpr variable) const {
  unsigned position = cast<AffineDimExpr>(variable).getPosition();
  if (index && index.isFunctionOfDim(position))
    return true;
  return llvm::any_of(
             at,
             [&](AffineExpr expr) { return expr.isFunctionOfDim(position); }) ||
         llvm::any_of(operands,
                      [&](const Term *term) { return term->uses(variable); });
}

std::optional<double> Term::getNumber() const {
  auto number = dyn_cast_if_present<FloatAttr>(constant);
  if (!number)
    return std::nullopt;
  return number.getValueAsDouble();
}

std::optional<bool> Term::getTruth() const {
  auto truth = dyn_cast_if_present<IntegerAttr>(constant);
  if (!truth || !type.isInteger(1))
    return std::nullopt;
  return !truth.getValue().isZero();
}

//===----------------------------------------------------------------------===//
// Making terms
//===----------------------------------------------------------------------===//

static size_t hash(const Term &term) {
  size_t result = llvm::hash_combine(
      term.kind, term.type, term.constant, term.index,
      term.value.getAsOpaquePointer(),
      llvm::hash_combine_range(term.operands.begin(), term.operands.end()));
  for (AffineExpr expr : term.at)
    result = llvm::hash_combine(result, expr);
  if (term.op)
    result = llvm::hash_combine(result, term.op->getName().getAsOpaquePointer(),
                                term.op->getAttrDictionary());
  return result;
}

static bool equal(const Term &a, const Term &b) {
  bool isSameOp = (!a.op && !b.op) ||
                  (a.op && b.op && a.op->getName() == b.op->getName() &&
                   a.op->getAttrDictionary() == b.op->getAttrDictionary());
  return isSameOp && a.kind == b.kind && a.type == b.type &&
         a.constant == b.constant && a.index == b.index && a.value == b.value &&
         a.at == b.at && a.operands == b.operands;
}

const Term *Terms::intern(Term term) {
  SmallVector<const Term *> &bucket = interned[hash(term) >> 2];
  for (const Term *other : bucket)
    if (equal(*other, term))
      return other;
  term.number = all.size();
  all.push_back(std::make_unique<Term>(std::move(term)));
  bucket.push_back(all.back().get());
  return bucket.back();
}

AffineExpr Terms::addVariable(AffineExpr size) {
  sizes.push_back(size);
  return getAffineDimExpr(sizes.size() - 1, context);
}

const Term *Terms::makeIndex(AffineExpr expr, Type type) {
  Term term(Term::Kind::Index, type);
  term.index = simplify(expr);
  return intern(std::move(term));
}

const Term *Terms::ofConstant(TypedAttr value) {
  auto number = dyn_cast<IntegerAttr>(value);
  if (number && !value.getType().isInteger(1))
    return makeIndex(getConstant(number.getValue().getSExtValue()),
                     value.getType());
  Term term(Term::Kind::Constant, value.getType());
  term.constant = value;
  return intern(std::move(term));
}

/// Indices of unit dimensions are 0, whatever walks them.
void Terms::normalize(Value tensor, SmallVectorImpl<AffineExpr> &at) {
  auto type = cast<RankedTensorType>(tensor.getType());
  for (auto [dim, expr] : llvm::enumerate(at))
    expr = type.getDimSize(dim) == 1 ? getConstant(0) : simplify(expr);
}

const Term *Terms::leaf(Value tensor, ArrayRef<AffineExpr> at) {
  Term term(Term::Kind::Element, getElementTypeOrSelf(tensor.getType()));
  term.value = tensor;
  term.at.assign(at.begin(), at.end());
  normalize(tensor, term.at);
  return intern(std::move(term));
}

const Term *Terms::element(Value tensor, ArrayRef<AffineExpr> at) {
  SmallVector<AffineExpr> simple(at);
  normalize(tensor, simple);
  SmallVector<const void *> place;
  for (AffineExpr expr : simple)
    place.push_back(expr.getAsOpaquePointer());
  auto key = std::make_pair(tensor.getAsOpaquePointer(), place);
  if (auto it = built.find(key); it != built.end())
    return it->second;
  const Term *term = build(tensor, simple);
  built[key] = term;
  return term;
}

const Term *Terms::build(Value tensor, ArrayRef<AffineExpr> at,
                         bool isShallow) {
  Attribute constant;
  if (matchPattern(tensor, m_Constant(&constant)))
    if (auto splat = dyn_cast<SplatElementsAttr>(constant))
      return ofConstant(splat.getSplatValue<TypedAttr>());
  Place place{tensor, SmallVector<AffineExpr>(at)};
  if (followView(place))
    return isShallow ? leaf(place.tensor, place.at)
                     : element(place.tensor, place.at);
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return leaf(tensor, at);
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return scalar(fill.value(), nullptr, {}, false);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return scalar(splat.getInput(), nullptr, {}, false);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    unsigned result = cast<OpResult>(tensor).getResultNumber();
    if (auto loops = findLoops(linalgOp, result, at))
      return inBody(linalgOp, *loops,
                    linalgOp.getBlock()->getTerminator()->getOperand(result),
                    isShallow);
    return leaf(tensor, at);
  }
  bool isElementwise = OpTrait::hasElementwiseMappableTraits(op) &&
                       llvm::all_of(op->getOperandTypes(), [](Type type) {
                         return isa<RankedTensorType>(type);
                       });
  if (!isElementwise)
    return leaf(tensor, at);
  SmallVector<const Term *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isShallow ? leaf(operand, at) : element(operand, at));
  return apply(op, std::move(operands), getElementTypeOrSelf(tensor.getType()));
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

std::optional<SmallVector<AffineExpr>>
Terms::findLoops(linalg::LinalgOp op, unsigned result,
                 ArrayRef<AffineExpr> at) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  if (!op.hasPureTensorSemantics() || !map.isPermutation() ||
      op.getNumParallelLoops() != op.getNumLoops())
    return std::nullopt;
  learnSizes(op);
  SmallVector<AffineExpr> loops(op.getNumLoops());
  for (auto [position, expr] : llvm::enumerate(at))
    loops[map.getDimPosition(position)] = expr;
  return loops;
}

SmallVector<AffineExpr> Terms::readAt(linalg::LinalgOp op, OpOperand &operand,
                                      ArrayRef<AffineExpr> loops) {
  SmallVector<AffineExpr> at;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
    at.push_back(simplify(expr.replaceDims(loops)));
  return at;
}

const Term *Terms::inBody(linalg::LinalgOp op, ArrayRef<AffineExpr> loops,
                          Value value, bool isShallow) {
  return scalar(value, op, loops, isShallow);
}

const Term *Terms::scalar(Value value, linalg::LinalgOp body,
                          ArrayRef<AffineExpr> loops, bool isShallow) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    if (auto typed = dyn_cast<TypedAttr>(constant))
      return ofConstant(typed);
  auto recurse = [&](Value operand) {
    return scalar(operand, body, loops, isShallow);
  };
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && body && argument.getOwner() == body.getBlock()) {
    OpOperand *operand = body.getMatchingOpOperand(argument);
    if (!isa<RankedTensorType>(operand->get().getType()))
      return recurse(operand->get());
    SmallVector<AffineExpr> at = readAt(body, *operand, loops);
    return isShallow ? leaf(operand->get(), at) : element(operand->get(), at);
  }
  Operation *op = value.getDefiningOp();
  if (op) {
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      return makeIndex(loops[index.getDim()], value.getType());
    if (auto dim = dyn_cast<tensor::DimOp>(op))
      if (std::optional<int64_t> number = dim.getConstantIndex())
        return makeIndex(size(dim.getSource(), *number), value.getType());
    SmallVector<const Term *> operands;
    bool isFunction = OpTrait::hasElementwiseMappableTraits(op) ||
                      isa<tensor::ExtractOp, affine::AffineApplyOp>(op);
    if (isFunction)
      for (Value operand : op->getOperands())
        if (!isa<RankedTensorType>(operand.getType()))
          operands.push_back(recurse(operand));
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      SmallVector<AffineExpr> at;
      for (const Term *index : operands)
        if (index->isIndex())
          at.push_back(index->index);
      if (at.size() == operands.size())
        return isShallow ? leaf(extract.getTensor(), at)
                         : element(extract.getTensor(), at);
    } else if (isFunction && !isa<ShapedType>(value.getType())) {
      return apply(op, std::move(operands), value.getType());
    }
  }
  Region *region = value.getParentRegion();
  bool isLocal = body && body->getRegion(0).isAncestor(region);
  if (!isLocal && isa<IndexType, IntegerType>(value.getType()) &&
      !value.getType().isInteger(1))
    return makeIndex(symbolOf(value, -1), value.getType());
  Term term(isLocal ? Term::Kind::Opaque : Term::Kind::Scalar, value.getType());
  term.value = value;
  if (isLocal)
    term.at.assign(loops.begin(), loops.end());
  return intern(std::move(term));
}

/// Integer arithmetic on indices, where it stays affine.
AffineExpr Terms::fold(Operation *op, ArrayRef<const Term *> operands) {
  SmallVector<AffineExpr> x;
  for (const Term *operand : operands) {
    if (!operand->isIndex())
      return {};
    x.push_back(operand->index);
  }
  if (auto applyOp = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = applyOp.getAffineMap();
    return map.getResult(0).replaceDimsAndSymbols(
        ArrayRef(x).take_front(map.getNumDims()),
        ArrayRef(x).drop_front(map.getNumDims()));
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op))
    return x[0];
  if (isa<arith::AddIOp>(op))
    return x[0] + x[1];
  if (isa<arith::SubIOp>(op))
    return x[0] - x[1];
  if (isa<arith::MulIOp>(op))
    return x[0] * x[1];
  auto divisor =
      x.size() == 2 ? dyn_cast<AffineConstantExpr>(x[1]) : AffineConstantExpr();
  if (!divisor || divisor.getValue() <= 0)
    return {};
  if (isa<arith::FloorDivSIOp, arith::DivUIOp>(op))
    return x[0].floorDiv(divisor);
  if (isa<arith::RemUIOp>(op))
    return x[0] % divisor;
  return {};
}

const Term *Terms::apply(Operation *op, SmallVector<const Term *> operands,
                         Type type) {
  if (isa<arith::SelectOp>(op))
    if (std::optional<bool> truth = operands[0]->getTruth())
      return operands[*truth ? 1 : 2];
  if (isa<IndexType, IntegerType>(type) && !type.isInteger(1))
    if (AffineExpr folded = fold(op, operands))
      return makeIndex(folded, type);
  Term term(Term::Kind::Apply, type);
  term.op = op;
  term.operands = std::move(operands);
  return intern(std::move(term));
}
