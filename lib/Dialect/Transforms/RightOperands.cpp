//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RightOperands.h"
#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// What products need a block for, one bit each: a right operand that is summed
/// over its first dimension, one summed over its second, a left operand.
using Roles = unsigned;
constexpr Roles kLeft = 4;

class RightOperandSeparator {
public:
  void separate(vector::ContractionOp op) {
    if (std::optional<int64_t> summed = getSummed(op))
      op.getRhsMutable().assign(getOwn(op.getRhs(), *summed));
  }

private:
  /// The dimension of the right operand that `op` sums over.
  static std::optional<int64_t> getSummed(vector::ContractionOp op) {
    AffineMap map = op.getIndexingMapsArray()[1];
    for (auto [index, type] : llvm::enumerate(op.getIteratorTypesArray())) {
      std::optional<unsigned> dim =
          map.getResultPosition(getAffineDimExpr(index, op.getContext()));
      if (type == vector::IteratorType::reduction && dim && *dim < 2)
        return *dim;
    }
    return std::nullopt;
  }

  Roles getRoles(OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto product = dyn_cast<vector::ContractionOp>(user)) {
      std::optional<int64_t> summed = getSummed(product);
      return summed && use.getOperandNumber() == 1 ? 1u << *summed : kLeft;
    }
    // Other ops, such as reductions, take what they get.
    return OpTrait::hasElementwiseMappableTraits(user)
               ? getRoles(user->getResult(0))
               : 0;
  }

  Roles getRoles(Value value) {
    if (auto known = roles.find(value); known != roles.end())
      return known->second;
    Roles all = 0;
    for (OpOperand &use : value.getUses())
      all |= getRoles(use);
    return roles[value] = all;
  }

  /// What serves as right operand in place of `value`, and as nothing else.
  Value getOwn(Value value, int64_t summed) {
    Operation *op = value.getDefiningOp();
    if (!op || getSplat(value) || !isa<VectorType>(value.getType()) ||
        !(isa<vector::TransferReadOp>(op) ||
          OpTrait::hasElementwiseMappableTraits(op)))
      return value;
    if (auto known = own.find({value, summed}); known != own.end())
      return known->second;
    // Asked before operands change hands. Of several roles the left operand
    // keeps the value, or the right operand that is summed over its first
    // dimension; so do ops that are no products.
    Roles needed = getRoles(value);
    bool keeps = needed == 1u << summed || (!(needed & kLeft) && summed == 0);
    IRMapping mapping;
    if (!isa<vector::TransferReadOp>(op))
      for (Value operand : op->getOperands())
        mapping.map(operand, getOwn(operand, summed));
    Value result = value;
    if (keeps) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
    } else {
      OpBuilder b(op->getContext());
      b.setInsertionPointAfter(op);
      result = b.clone(*op, mapping)->getResult(0);
    }
    return own[{value, summed}] = result;
  }

  DenseMap<Value, Roles> roles;
  DenseMap<std::pair<Value, int64_t>, Value> own;
};

} // namespace

void mlir::fpa::separateRightOperands(scf::ForallOp forall) {
  SmallVector<vector::ContractionOp> products;
  forall.getBody()->walk(
      [&](vector::ContractionOp op) { products.push_back(op); });
  RightOperandSeparator separator;
  for (vector::ContractionOp op : products)
    separator.separate(op);
}
