//===- Views.cpp - Sizes, and ops that only move elements -----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::raise;

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// Puts what symbols are known to equal in their place.
AffineExpr Terms::resolve(AffineExpr expr) {
  for (unsigned round = 0; round <= symbols.size(); ++round) {
    SmallVector<AffineExpr> replacements;
    for (auto [number, value] : llvm::enumerate(known))
      replacements.push_back(value ? value
                                   : getAffineSymbolExpr(number, context));
    AffineExpr next = expr.replaceSymbols(replacements);
    if (next == expr)
      break;
    expr = next;
  }
  return expr;
}

static void collectSummands(AffineExpr expr, SmallVectorImpl<AffineExpr> &out) {
  if (expr.getKind() != AffineExprKind::Add)
    return out.push_back(expr);
  auto sum = cast<AffineBinaryOpExpr>(expr);
  collectSummands(sum.getLHS(), out);
  collectSummands(sum.getRHS(), out);
}

/// Quotient or remainder of a multiple of the divisor and a rest that is known
/// to be below it; null where none is.
AffineExpr Terms::divide(AffineExpr dividend, int64_t divisor,
                         bool isRemainder) {
  SmallVector<AffineExpr> summands;
  collectSummands(dividend, summands);
  AffineExpr quotient = getConstant(0), rest = getConstant(0);
  int64_t most = 0;
  for (AffineExpr summand : summands) {
    if (summand.isMultipleOf(divisor)) {
      quotient = quotient + summand.floorDiv(divisor);
      continue;
    }
    auto variable = dyn_cast<AffineDimExpr>(summand);
    auto size = variable ? dyn_cast<AffineConstantExpr>(getSize(variable))
                         : AffineConstantExpr();
    if (!size)
      return {};
    most += size.getValue() - 1;
    rest = rest + summand;
  }
  if (most >= divisor)
    return {};
  return isRemainder ? rest : quotient;
}

AffineExpr Terms::simplify(AffineExpr expr) {
  expr = resolve(expr);
  expr = simplifyAffineExpr(expr, sizes.size(), symbols.size());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr left = simplify(binary.getLHS()), right = binary.getRHS();
  auto divisor = dyn_cast<AffineConstantExpr>(right);
  bool divides = expr.getKind() == AffineExprKind::FloorDiv ||
                 expr.getKind() == AffineExprKind::Mod;
  if (divides && divisor)
    if (AffineExpr simple = divide(left, divisor.getValue(),
                                   expr.getKind() == AffineExprKind::Mod))
      return simple;
  return getAffineBinaryOpExpr(expr.getKind(), left, simplify(right));
}

bool Terms::areEqual(AffineExpr a, AffineExpr b) {
  return simplify(a - b) == getConstant(0);
}

void Terms::unify(AffineExpr a, AffineExpr b) {
  a = simplify(a);
  b = simplify(b);
  if (a == b)
    return;
  if (!isa<AffineSymbolExpr>(a))
    std::swap(a, b);
  auto symbol = dyn_cast<AffineSymbolExpr>(a);
  if (symbol && !b.isFunctionOfSymbol(symbol.getPosition()))
    known[symbol.getPosition()] = b;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

AffineExpr Terms::symbolOf(Value value, int64_t dim) {
  auto entry = std::make_pair(value, dim);
  auto it = llvm::find(symbols, entry);
  if (it == symbols.end()) {
    symbols.push_back(entry);
    known.push_back({});
    it = std::prev(symbols.end());
  }
  return getAffineSymbolExpr(it - symbols.begin(), context);
}

AffineExpr Terms::indexOf(OpFoldResult value) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return getConstant(*number);
  const Term *term = scalar(cast<Value>(value), nullptr, {}, false);
  return term->isIndex() ? term->index : symbolOf(cast<Value>(value), -1);
}

AffineExpr Terms::size(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return getConstant(type.getDimSize(dim));
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return symbolOf(tensor, dim);
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return size(destination.getTiedOpOperand(cast<OpResult>(tensor))->get(),
                dim);
  if (OpTrait::hasElementwiseMappableTraits(op))
    return size(op->getOperand(op->getNumOperands() - 1), dim);
  return TypeSwitch<Operation *, AffineExpr>(op)
      .Case<tensor::CastOp>(
          [&](tensor::CastOp cast) { return size(cast.getSource(), dim); })
      .Case<tensor::EmptyOp, tensor::ExpandShapeOp>([&](auto shaped) {
        if constexpr (std::is_same_v<decltype(shaped), tensor::EmptyOp>)
          return indexOf(shaped.getMixedSizes()[dim]);
        else
          return indexOf(shaped.getMixedOutputShape()[dim]);
      })
      .Case<tensor::CollapseShapeOp>([&](tensor::CollapseShapeOp collapse) {
        AffineExpr product = getConstant(1);
        // Held: a loop over a part of what the call returns outlives it.
        ReassociationIndices group = collapse.getReassociationIndices()[dim];
        for (int64_t source : group)
          product = product * size(collapse.getSrc(), source);
        return simplify(product);
      })
      .Case<tensor::ExtractSliceOp>([&](tensor::ExtractSliceOp slice) {
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        int64_t kept = 0;
        for (auto [source, value] : llvm::enumerate(slice.getMixedSizes()))
          if (!dropped[source] && kept++ == dim)
            return indexOf(value);
        return symbolOf(tensor, dim);
      })
      .Default([&](Operation *) { return symbolOf(tensor, dim); });
}

void Terms::learnSizes(linalg::LinalgOp op) {
  SmallVector<AffineExpr> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      AffineExpr own = size(operand.get(), dim);
      AffineExpr &seen = loops[loop.getPosition()];
      if (seen)
        unify(seen, own);
      else
        seen = own;
    }
  }
}

std::optional<OpFoldResult> Terms::materialize(OpBuilder &b, Location loc,
                                               AffineExpr expr) {
  expr = simplify(expr);
  SmallVector<OpFoldResult> operands;
  for (auto [value, dim] : symbols) {
    bool isUsed = expr.isFunctionOfSymbol(operands.size());
    if (!isUsed)
      operands.push_back(b.getIndexAttr(0));
    else if (dim >= 0)
      operands.push_back(tensor::getMixedSize(b, loc, value, dim));
    else
      operands.push_back(
          getValueOrCreateCastToIndexLike(b, loc, b.getIndexType(), value));
  }
  // Products of sizes are no affine map's.
  AffineMap map = AffineMap::get(0, symbols.size(), expr);
  if (expr.isPureAffine())
    return affine::makeComposedFoldedAffineApply(b, loc, map, operands);
  SmallVector<Value> values;
  for (OpFoldResult operand : operands)
    values.push_back(getValueOrCreateConstantIndexOp(b, loc, operand));
  return affine::expandAffineExpr(b, loc, expr, {}, values);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The index of a merged dimension as those of its parts. False where a size
/// that this takes is dynamic.
static bool expandIndex(Terms &terms, tensor::CollapseShapeOp op,
                        ArrayRef<AffineExpr> at,
                        SmallVectorImpl<AffineExpr> &out) {
  ArrayRef<int64_t> shape = op.getSrcType().getShape();
  out.resize(shape.size());
  for (auto [index, group] : llvm::zip(at, op.getReassociationIndices())) {
    AffineExpr rest = index;
    // The outermost dimension has what the others leave of the index.
    auto isWide = [&](int64_t dim) { return shape[dim] != 1; };
    auto outermost = llvm::find_if(group, isWide);
    int64_t last = outermost == group.end() ? -1 : *outermost;
    for (int64_t dim : llvm::reverse(group)) {
      if (dim == last || shape[dim] == 1) {
        out[dim] = dim == last ? rest : terms.getConstant(0);
        continue;
      }
      if (ShapedType::isDynamic(shape[dim]))
        return false;
      out[dim] = terms.simplify(rest % shape[dim]);
      rest = terms.simplify(rest.floorDiv(shape[dim]));
    }
  }
  return true;
}

/// The indices of parts as that of the whole.
static void collapseIndex(Terms &terms, tensor::ExpandShapeOp op,
                          ArrayRef<AffineExpr> at,
                          SmallVectorImpl<AffineExpr> &out) {
  for (ReassociationIndices group : op.getReassociationIndices()) {
    AffineExpr index = terms.getConstant(0);
    for (int64_t dim : group)
      index = index * terms.size(op.getResult(), dim) + at[dim];
    out.push_back(terms.simplify(index));
  }
}

bool Terms::followView(Place &place) {
  Operation *op = place.tensor.getDefiningOp();
  SmallVector<AffineExpr> at;
  if (auto cast = dyn_cast_if_present<tensor::CastOp>(op)) {
    place.tensor = cast.getSource();
    return isa<RankedTensorType>(place.tensor.getType());
  }
  if (auto collapse = dyn_cast_if_present<tensor::CollapseShapeOp>(op)) {
    if (!expandIndex(*this, collapse, place.at, at))
      return false;
    place = {collapse.getSrc(), at};
  } else if (auto expand = dyn_cast_if_present<tensor::ExpandShapeOp>(op)) {
    collapseIndex(*this, expand, place.at, at);
    place = {expand.getSrc(), at};
  } else if (auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(op)) {
    if (!slice.hasUnitStride())
      return false;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    unsigned kept = 0;
    for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets())) {
      AffineExpr own = dropped[dim] ? getConstant(0) : place.at[kept++];
      at.push_back(indexOf(offset) + own);
    }
    place = {slice.getSource(), at};
  } else if (auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op)) {
    // A body that gives one element of a tensor as it is.
    auto loops = findLoops(
        linalgOp, cast<OpResult>(place.tensor).getResultNumber(), place.at);
    if (!loops || isa<linalg::FillOp>(op))
      return false;
    Value yielded = linalgOp.getBlock()->getTerminator()->getOperand(
        cast<OpResult>(place.tensor).getResultNumber());
    const Term *term = inBody(linalgOp, *loops, yielded, /*isShallow=*/true);
    if (!term->isElement())
      return false;
    place = {term->value, term->at};
  } else {
    return false;
  }
  normalize(place.tensor, place.at);
  return true;
}
