//===- Build.cpp - fpa.attention in the place of a candidate --------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"
#include "fpa/Dialect/IR/CreateGeneric.h"
#include "fpa/Dialect/IR/FieldAnalysis.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::raise;

/// A bias w_j, up to what is the same for a row, is a tied field -w_t that
/// never rises: s - (phi_j - phi_i) = s + w_j - w_i.
LogicalResult Candidate::buildField(OpBuilder &b, FloatType type,
                                    int64_t share) {
  Location loc = root->getLoc();
  // Heads of the field are those of the query, or those of the key.
  Axis own = heads;
  own.mayBeShared = share != 1;
  own.share = share;
  SmallVector<Axis> axes = {batch, own, key};
  if (penalty) {
    SmallVector<Axis> fieldAxes = {
        batch, own, {penalty->between, terms.getSize(penalty->between)}};
    field = emitSum(b, loc, terms, penalty->field, 1, fieldAxes, type);
    level = emitSum(b, loc, terms, penalty->level, 1, axes, type);
    if (!field || !level)
      return fail("its field or level is no tensor of batch, heads and keys");
    return success();
  }
  if (bias.empty())
    return success();
  field = emitSum(b, loc, terms, bias, -1, axes, type);
  if (!field)
    return fail("its bias is no tensor of batch, heads and keys");
  if (!neverRises(field, /*axis=*/2))
    return fail("its bias is not known to grow with the key, as a slope times "
                "the key or a negated sum of log gates does");
  nonIncreasing = true;
  return success();
}

/// The output in the order of the dimensions that the product has.
Value Candidate::restore(OpBuilder &b, Value output) {
  Location loc = root->getLoc();
  auto type = cast<RankedTensorType>(root->getResult(0).getType());
  SmallVector<Axis> axes = {batch, heads, row, valueHead};
  // Dimensions of the output that make each of the result's. Batch or heads
  // that do not exist are of size 1, and go where they keep the order.
  SmallVector<SmallVector<int64_t>> merged;
  llvm::SmallBitVector isMissing(axes.size(), true);
  for (AffineExpr expr : resultAt) {
    merged.emplace_back();
    for (auto [dim, axis] : llvm::enumerate(axes)) {
      auto variable = dyn_cast<AffineDimExpr>(axis.index);
      if (!variable || !expr.isFunctionOfDim(variable.getPosition()))
        continue;
      merged.back().push_back(dim);
      isMissing.reset(dim);
    }
  }
  for (int64_t dim : isMissing.set_bits()) {
    auto isLater = [&](ArrayRef<int64_t> group) { return group.back() > dim; };
    SmallVector<int64_t> &group = *llvm::find_if(merged, isLater);
    auto place = llvm::find_if(group, [&](int64_t own) { return own > dim; });
    group.insert(place, dim);
  }
  SmallVector<int64_t> order;
  SmallVector<ReassociationIndices> groups;
  for (ArrayRef<int64_t> group : merged) {
    groups.emplace_back();
    for (int64_t dim : group) {
      groups.back().push_back(order.size());
      order.push_back(dim);
    }
  }
  if (!llvm::is_sorted(order)) {
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim : order)
      sizes.push_back(tensor::getMixedSize(b, loc, output, dim));
    Value init =
        tensor::EmptyOp::create(b, loc, sizes, getElementTypeOrSelf(output));
    output =
        linalg::TransposeOp::create(b, loc, output, init, order).getResult()[0];
  }
  if (groups.size() != 4)
    output = tensor::CollapseShapeOp::create(b, loc, output, groups);
  if (getElementTypeOrSelf(output) != type.getElementType()) {
    auto wide =
        cast<RankedTensorType>(output.getType()).clone(type.getElementType());
    output = arith::ExtFOp::create(b, loc, wide, output);
  }
  if (output.getType() != type)
    output = tensor::CastOp::create(b, loc, type, output);
  return output;
}

LogicalResult Candidate::rewrite(RewriterBase &rewriter) {
  Location loc = root->getLoc();
  rewriter.setInsertionPoint(root);
  Operation *before = root->getPrevNode();
  auto undo = [&] {
    Operation *op = root->getPrevNode();
    while (op != before) {
      Operation *previous = op->getPrevNode();
      rewriter.eraseOp(op);
      op = previous;
    }
    return failure();
  };
  Axis shared = heads;
  shared.mayBeShared = true;
  Axis head{logits->head, terms.getSize(logits->head)};
  Place query =
      peelOperand(terms, logits->query, {batch, heads, row, head}, &scale);
  Place keys =
      peelOperand(terms, logits->key, {batch, shared, key, head}, &scale);
  Place values = peelOperand(terms, value, {batch, shared, key, valueHead});
  if (query.tensor && keys.tensor && values.tensor &&
      getShare(keys.at, heads) != getShare(values.at, heads)) {
    shared = heads;
    keys = peelOperand(terms, logits->key, {batch, heads, key, head});
    values = peelOperand(terms, value, {batch, heads, key, valueHead});
  }
  if (!query.tensor || !keys.tensor || !values.tensor)
    return fail(
        "its query, key or value has no dimension of its own for each of "
        "batch, heads, length and head size");
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(query.tensor));
  Type resultType = getElementTypeOrSelf(root->getResult(0));
  if (!type || getElementTypeOrSelf(keys.tensor) != type ||
      getElementTypeOrSelf(values.tensor) != type ||
      resultType.getIntOrFloatBitWidth() < type.getWidth() ||
      type.getWidth() < 16)
    return fail("its query, key and value are not of one element type");
  FloatType wide = type.isF64() ? type : rewriter.getF32Type();
  Value q = layOut(rewriter, loc, terms, query, {batch, heads, row, head});
  Value k = layOut(rewriter, loc, terms, keys, {batch, shared, key, head});
  Value v =
      layOut(rewriter, loc, terms, values, {batch, shared, key, valueHead});
  if (failed(buildField(rewriter, wide, getShare(keys.at, heads))))
    return undo();

  SmallVector<OpFoldResult> sizes = {tensor::getMixedSize(rewriter, loc, q, 0),
                                     tensor::getMixedSize(rewriter, loc, q, 1),
                                     tensor::getMixedSize(rewriter, loc, q, 2)};
  SmallVector<Value> outs;
  SmallVector<Type> types;
  if (lse) {
    outs.push_back(tensor::EmptyOp::create(rewriter, loc, sizes, wide));
  }
  sizes.push_back(tensor::getMixedSize(rewriter, loc, v, 3));
  outs.insert(outs.begin(),
              tensor::EmptyOp::create(rewriter, loc, sizes, type).getResult());
  for (Value out : outs)
    types.push_back(out.getType());
  auto attention = AttentionOp::create(
      rewriter, loc, types, q, k, v, field, level == field ? Value() : level,
      Value(), Value(), /*beta=*/Value(), outs, rewriter.getF64FloatAttr(scale),
      window ? rewriter.getI64IntegerAttr(*window) : IntegerAttr(),
      penalty && penalty->smooth ? rewriter.getF64FloatAttr(*penalty->smooth)
                                 : FloatAttr(),
      nonIncreasing ? rewriter.getUnitAttr() : UnitAttr(),
      /*prune_eps=*/FloatAttr());
  Value output = restore(rewriter, attention->getResult(0));
  if (lse) {
    Value own = attention->getResult(1);
    if (own.getType() != lse->getResult(0).getType()) {
      why = "its lse has another shape than batch, heads and rows";
      return undo();
    }
    rewriter.replaceAllUsesWith(lse->getResult(0), own);
  }
  rewriter.replaceAllUsesWith(root->getResult(0), output);
  return success();
}
