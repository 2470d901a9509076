//===- AnalyzeTileProgram.cpp - Values that mean two blocks -----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Equal values are one value, also where a program means blocks along different
// axes by it. Before axes can be told apart, such values have to be.

#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fpa;

/// Clones `op` for each use of it.
static void separateUses(Operation *op) {
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses()))
    use.set(OpBuilder(op).clone(*op)->getResult(0));
  op->erase();
}

/// Gives each use of a vector.step, or of one that was cast, its own: one step
/// may stand for unrelated axes of the same size.
static void separateSteps(Operation *root) {
  llvm::SetVector<Operation *> steps;
  root->walk([&](Operation *op) {
    bool isOfSteps = isa<arith::IndexCastOp, arith::CmpIOp>(op) || isAlias(op);
    if (isa<vector::StepOp>(op) ||
        (isOfSteps && llvm::all_of(op->getOperands(), [&](Value operand) {
           return getSplat(operand) || steps.contains(operand.getDefiningOp());
         })))
      steps.insert(op);
  });
  // The last one first: each copy of it is another use of those before it.
  for (Operation *op : llvm::reverse(steps))
    separateUses(op);
}

/// Whether the rows and the columns of a product have become one axis.
static bool mixesAxes(Operation *root, const AxisAnalysis &axes) {
  return root
      ->walk([&](vector::ContractionOp product) {
        SmallVector<Axis> own = axes.getAxes(product.getResult());
        return own.size() == 2 && own[0] == own[1] ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A second `value`, beside the first, where it is computed element by element
/// from blocks that are read; else itself.
static Value repeat(Value value) {
  Operation *op = value.getDefiningOp();
  bool isRead = isa_and_nonnull<vector::TransferReadOp>(op);
  if (!op || op->getNumResults() != 1 || getSplat(value) ||
      !(isRead || isAlias(op) || OpTrait::hasElementwiseMappableTraits(op)))
    return value;
  IRMapping mapping;
  if (!isRead)
    for (Value operand : op->getOperands())
      mapping.map(operand, repeat(operand));
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  return b.clone(*op, mapping)->getResult(0);
}

/// Gives each operand of each product blocks of its own: the query's tokens may
/// be the keys', too.
static void separateProducts(Operation *root) {
  SmallVector<vector::ContractionOp> products;
  root->walk([&](vector::ContractionOp op) { products.push_back(op); });
  for (vector::ContractionOp op : products)
    for (OpOperand *operand : {&op.getLhsMutable(), &op.getRhsMutable()})
      operand->set(repeat(operand->get()));
}

FailureOr<AxisAnalysis> fpa::analyzeTileProgram(scf::ForallOp forall) {
  separateSteps(forall);
  FailureOr<AxisAnalysis> axes = AxisAnalysis::compute(forall);
  if (failed(axes) || !mixesAxes(forall, *axes))
    return axes;
  separateProducts(forall);
  return AxisAnalysis::compute(forall);
}
