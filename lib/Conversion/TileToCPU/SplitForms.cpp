//===- SplitForms.cpp - Blocks that are stored in two ways ------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockStorage.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::cpu;

namespace {

class FormSplitter {
public:
  FormSplitter(Operation *root, AxisAnalysis &axes) : root(root), axes(axes) {}

  StorageForms run();

private:
  void splitOperand(OpOperand &operand, Axis inner);
  bool canRepeat(Value value, Axis inner) const;
  Value repeat(Value value, Axis inner);
  /// True when `value` has another form along `inner` than it is stored in.
  bool differs(Value value, Axis inner) const;

  Operation *root;
  AxisAnalysis &axes;
  StorageForms forms;
  DenseMap<std::pair<Value, Axis>, Value> repeated;
  /// In the order in which they depend on each other.
  llvm::SetVector<Operation *> replaced;
};

} // namespace

bool FormSplitter::differs(Value value, Axis inner) const {
  SmallVector<Axis> order = axes.getStorageAxes(value);
  return llvm::is_contained(order, inner) && order.back() != inner;
}

/// True when all of `value` that has another form along `inner` comes from
/// reads, element by element.
bool FormSplitter::canRepeat(Value value, Axis inner) const {
  if (!differs(value, inner))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1)
    return false;
  if (isa<vector::TransferReadOp>(op))
    return true;
  return (isAlias(op) || OpTrait::hasElementwiseMappableTraits(op)) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return canRepeat(operand, inner); });
}

/// A second `value`, stored along `inner`, beside the first.
Value FormSplitter::repeat(Value value, Axis inner) {
  if (!differs(value, inner))
    return value;
  if (Value known = repeated.lookup({value, inner}))
    return known;
  Operation *op = value.getDefiningOp();
  IRMapping mapping;
  if (!isa<vector::TransferReadOp>(op))
    for (Value operand : op->getOperands())
      mapping.map(operand, repeat(operand, inner));
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  Value copy = b.clone(*op, mapping)->getResult(0);
  axes.copyAxes(value, copy);
  replaced.insert(op);
  SmallVector<Axis> own = axes.getAxes(value);
  forms.lastDim[copy] = llvm::find(own, inner) - own.begin();
  return repeated[{value, inner}] = copy;
}

void FormSplitter::splitOperand(OpOperand &operand, Axis inner) {
  Value value = operand.get();
  if (differs(value, inner) && canRepeat(value, inner))
    operand.set(repeat(value, inner));
}

StorageForms FormSplitter::run() {
  root->walk([&](vector::ContractionOp product) {
    Value result = product.getResult();
    if (auto mask = dyn_cast<vector::MaskOp>(product->getParentOp()))
      result = mask->getResult(0);
    SmallVector<Axis> order = axes.getStorageAxes(result);
    if (order.empty() || axes.isLaneAxis(order.back()))
      return;
    splitOperand(product.getLhsMutable(), order.back());
    splitOperand(product.getRhsMutable(), order.back());
  });
  // What has only the other form is not computed along lanes.
  for (Operation *op : llvm::reverse(replaced))
    if (isOpTriviallyDead(op))
      op->erase();
  return std::move(forms);
}

StorageForms cpu::splitForms(Operation *root, AxisAnalysis &axes) {
  return FormSplitter(root, axes).run();
}
