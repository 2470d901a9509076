//===- Operands.cpp - Operands in the order of fpa.attention --------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "fpa/Dialect/IR/CreateGeneric.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::raise;

//===----------------------------------------------------------------------===//
// Finding them
//===----------------------------------------------------------------------===//

/// One step through an elementwise product with a constant.
static bool followScale(Terms &terms, Place &place, double &scale) {
  if (!place.tensor.getDefiningOp())
    return false;
  const Term *value = terms.unfold(place.tensor, place.at);
  double factor = 1;
  auto getFactor = [&](const Term *term) {
    if (term->isElement())
      term = terms.element(term->value, term->at);
    return skipCasts(term)->getNumber();
  };
  if (value->is<arith::MulFOp>()) {
    auto left = getFactor(value->operands[0]);
    auto right = getFactor(value->operands[1]);
    if (left.has_value() == right.has_value())
      return false;
    factor = left ? *left : *right;
    value = value->operands[left ? 1 : 0];
  } else if (value->is<arith::DivFOp>()) {
    auto divisor = getFactor(value->operands[1]);
    if (!divisor || *divisor == 0)
      return false;
    factor = 1 / *divisor;
    value = value->operands[0];
  } else {
    return false;
  }
  if (!value->isElement() || !std::isfinite(factor) ||
      value->type != getElementTypeOrSelf(place.tensor.getType()))
    return false;
  scale *= factor;
  place = {value->value, value->at};
  return true;
}

/// The n of `index floordiv n`, or 0.
static int64_t getDivisor(AffineExpr expr, AffineExpr index) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || expr.getKind() != AffineExprKind::FloorDiv ||
      binary.getLHS() != index)
    return 0;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return divisor ? divisor.getValue() : 0;
}

int64_t raise::getShare(ArrayRef<AffineExpr> at, const Axis &axis) {
  for (AffineExpr expr : at) {
    if (expr == axis.index)
      return 1;
    if (int64_t divisor = getDivisor(expr, axis.index))
      return divisor;
  }
  return isa<AffineConstantExpr>(axis.index) ? 1 : 0;
}

/// The axes of the dimensions, -1 for a unit dimension of none. Nothing where
/// another index walks a dimension, or walks a part of it only.
static std::optional<SmallVector<int64_t>>
getAxes(Terms &terms, const Place &place, ArrayRef<Axis> axes) {
  SmallVector<int64_t> order;
  for (size_t dim = 0; dim < place.at.size(); ++dim) {
    AffineExpr expr = place.at[dim], size = terms.size(place.tensor, dim);
    if (expr == terms.getConstant(0) && size == terms.getConstant(1)) {
      order.push_back(-1);
      continue;
    }
    const Axis *axis = llvm::find_if(axes, [&](const Axis &axis) {
      if (expr == axis.index)
        return terms.areEqual(size, axis.size);
      int64_t divisor = getDivisor(expr, axis.index);
      return divisor != 0 && axis.allowsShare(divisor) &&
             terms.areEqual(size * divisor, axis.size);
    });
    if (axis == axes.end() || llvm::is_contained(order, axis - axes.begin()))
      return std::nullopt;
    order.push_back(axis - axes.begin());
  }
  return order;
}

static bool isInOrder(ArrayRef<int64_t> order) {
  SmallVector<int64_t> present;
  llvm::copy_if(order, std::back_inserter(present),
                [](int64_t axis) { return axis >= 0; });
  return llvm::is_sorted(present);
}

Place raise::peelOperand(Terms &terms, Place place, ArrayRef<Axis> axes,
                         double *scale) {
  Place best;
  double factor = 1, bestFactor = 1;
  bool isBestInOrder = false;
  do {
    auto order = getAxes(terms, place, axes);
    bool isOrdered = order && isInOrder(*order);
    if (!order || (isBestInOrder && !isOrdered))
      continue;
    best = place;
    bestFactor = factor;
    isBestInOrder = isOrdered;
  } while (terms.followView(place) ||
           (scale && followScale(terms, place, factor)));
  if (scale && best.tensor)
    *scale *= bestFactor;
  return best;
}

//===----------------------------------------------------------------------===//
// Laying them out
//===----------------------------------------------------------------------===//

/// A tensor without its unit dimensions that are no axes, and with those that
/// axes lack.
static Value reshape(OpBuilder &b, Location loc, Value tensor,
                     ArrayRef<int64_t> order, int64_t rank) {
  // Groups of dimensions of the tensor, one per axis that it has.
  SmallVector<ReassociationIndices> merged;
  SmallVector<int64_t> present;
  ReassociationIndices group;
  for (auto [dim, axis] : llvm::enumerate(order)) {
    group.push_back(dim);
    if (axis < 0)
      continue;
    merged.push_back(group);
    present.push_back(axis);
    group.clear();
  }
  merged.back().append(group);
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, axis] : llvm::enumerate(order))
    if (axis >= 0)
      sizes.push_back(tensor::getMixedSize(b, loc, tensor, dim));
  if (merged.size() != order.size())
    tensor = tensor::CollapseShapeOp::create(b, loc, tensor, merged);
  if (static_cast<int64_t>(present.size()) == rank)
    return tensor;
  SmallVector<OpFoldResult> full(rank, b.getIndexAttr(1));
  SmallVector<ReassociationIndices> split(present.size());
  for (int64_t axis = 0, at = 0; axis < rank; ++axis) {
    split[at].push_back(axis);
    auto found = llvm::find(present, axis);
    if (found == present.end())
      continue;
    full[axis] = sizes[found - present.begin()];
    at = std::min<int64_t>(found - present.begin() + 1, present.size() - 1);
  }
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(full, dynamic, shape);
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(tensor));
  return tensor::ExpandShapeOp::create(b, loc, type, tensor, split, full);
}

Value raise::layOut(OpBuilder &b, Location loc, Terms &terms,
                    const Place &place, ArrayRef<Axis> axes) {
  SmallVector<int64_t> order = *getAxes(terms, place, axes);
  int64_t rank = axes.size();
  bool isComplete = true;
  for (auto [axis, wanted] : llvm::enumerate(axes))
    isComplete &= llvm::is_contained(order, axis) || wanted.allowsShare(0) ||
                  terms.areEqual(wanted.size, terms.getConstant(1));
  bool hasAny = llvm::any_of(order, [](int64_t axis) { return axis >= 0; });
  if (isComplete && hasAny && isInOrder(order))
    return reshape(b, loc, place.tensor, order, rank);
  // A copy in the order of the axes.
  SmallVector<OpFoldResult> sizes;
  for (auto [axis, wanted] : llvm::enumerate(axes)) {
    auto found = llvm::find(order, axis);
    if (found != order.end())
      sizes.push_back(
          tensor::getMixedSize(b, loc, place.tensor, found - order.begin()));
    else if (wanted.allowsShare(0))
      sizes.push_back(b.getIndexAttr(1));
    else
      sizes.push_back(*terms.materialize(b, loc, wanted.size));
  }
  SmallVector<AffineExpr> read;
  for (int64_t axis : order)
    read.push_back(axis < 0 ? b.getAffineConstantExpr(0)
                            : b.getAffineDimExpr(axis));
  Value out = tensor::EmptyOp::create(b, loc, sizes,
                                      getElementTypeOrSelf(place.tensor));
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  return createGeneric(b, loc, place.tensor, out,
                       {AffineMap::get(rank, 0, read, b.getContext()),
                        b.getMultiDimIdentityMap(rank)},
                       kinds, [](ValueRange x) { return x[0]; });
}
