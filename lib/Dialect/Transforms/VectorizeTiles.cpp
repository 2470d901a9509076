//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Online attention on tensors becomes arithmetic on vectors as large as its
// tiles.

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/OnlineEquations.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_VECTORIZETILES
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// The constant that bounds dimension `axis` of `tensor`, itself if static.
FailureOr<OpFoldResult> getBlockExtent(Operation *op, Value tensor,
                                       int64_t axis, StringRef what) {
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, {tensor, axis}, /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  if (failed(bound))
    return op->emitOpError("expected ")
           << what << " bounded by a constant, got " << tensor.getType();
  return OpFoldResult(
      IntegerAttr::get(IndexType::get(op->getContext()), *bound));
}

/// Block sizes of the accumulator.
struct StateExtents {
  OpFoldResult rows, columns;
};

/// What both online ops need: tensors, and an accumulator of bounded sizes.
FailureOr<StateExtents> getStateExtents(DestinationStyleOpInterface op,
                                        Value accumulator) {
  if (!op.hasPureTensorSemantics())
    return op->emitOpError("expected tensors, got operands of type ")
           << op->getOperand(0).getType();
  FailureOr<OpFoldResult> rows = getBlockExtent(op, accumulator, 0,
                                                "accumulator rows"),
                          columns = getBlockExtent(op, accumulator, 1,
                                                   "accumulator columns");
  if (failed(rows) || failed(columns))
    return failure();
  return StateExtents{*rows, *columns};
}

OnlineTerms getTerms(bool productsOnly) {
  return productsOnly ? OnlineTerms::ProductsOnly : OnlineTerms::All;
}

} // namespace

LogicalResult mlir::fpa::vectorizeOnlineAttention(RewriterBase &rewriter,
                                                  OnlineAttentionOp op,
                                                  bool productsOnly,
                                                  const TileTraits &traits) {
  FailureOr<StateExtents> state = getStateExtents(op, op.getAccumulator());
  if (failed(state))
    return failure();
  FailureOr<OpFoldResult> keys = getBlockExtent(op, op.getKey(), 0, "key rows"),
                          head =
                              getBlockExtent(op, op.getKey(), 1, "key columns");
  if (failed(keys) || failed(head))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto tile = createVectorTileBuilder(rewriter, op.getLoc(), traits);
  rewriter.replaceOp(
      op,
      buildOnlineStep(*tile, op, {state->rows, *keys, *head, state->columns},
                      getTerms(productsOnly)));
  return success();
}

LogicalResult mlir::fpa::vectorizeOnlineFinalize(RewriterBase &rewriter,
                                                 OnlineFinalizeOp op,
                                                 bool productsOnly) {
  FailureOr<StateExtents> state = getStateExtents(op, op.getAccumulator());
  if (failed(state))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto tile = createVectorTileBuilder(rewriter, op.getLoc());
  rewriter.replaceOp(
      op, buildOnlineFinalize(*tile, op, {state->rows, {}, {}, state->columns},
                              getTerms(productsOnly)));
  return success();
}

/// The fill that `value` starts from, seen through the loops that carry it.
static linalg::FillOp findInitialFill(Value value) {
  while (value) {
    if (auto fill = value.getDefiningOp<linalg::FillOp>())
      return fill;
    if (auto loop = value.getDefiningOp<scf::ForOp>())
      value = loop.getInitArgs()[cast<OpResult>(value).getResultNumber()];
    else if (auto loop = dyn_cast_or_null<scf::ForOp>(
                 value.getParentBlock()->getParentOp());
             loop && isa<BlockArgument>(value) &&
             value != loop.getInductionVar())
      value = loop.getTiedLoopInit(cast<BlockArgument>(value))->get();
    else
      return {};
  }
  return {};
}

/// A filled tensor as the write of a vector, which later reads fold with.
static void vectorizeFill(RewriterBase &rewriter, linalg::FillOp fill) {
  auto type = dyn_cast<RankedTensorType>(fill.getOutputs()[0].getType());
  if (!type || !type.hasStaticShape())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(fill);
  auto tile = createVectorTileBuilder(rewriter, fill.getLoc());
  SmallVector<OpFoldResult> extents =
      getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
  Value block = tile->splat(fill.getInputs()[0], extents);
  rewriter.replaceOp(fill, tile->store(block, fill.getOutputs()[0]));
}

/// Moves reads that do not depend on the key tile, and the arithmetic on them,
/// out of the loops over key tiles: query rows are read and scaled once. The
/// rest stays: a value that costs nothing is not worth carrying.
static void hoistInvariantReads(scf::ForOp loop) {
  llvm::SmallPtrSet<Operation *, 8> hoisted;
  moveLoopInvariantCode(
      {&loop.getRegion()},
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [&](Operation *op, Region *) {
        if (!isMemoryEffectFree(op) || !isSpeculatable(op))
          return false;
        return op->hasTrait<OpTrait::ConstantLike>() ||
               isa<vector::TransferReadOp>(op) ||
               llvm::any_of(op->getOperands(), [&](Value operand) {
                 return hoisted.contains(operand.getDefiningOp());
               });
      },
      [&](Operation *op, Region *) {
        loop.moveOutOfLoop(op);
        if (!op->hasTrait<OpTrait::ConstantLike>())
          hoisted.insert(op);
      });
}

namespace {
struct VectorizeTiles : public fpa::impl::VectorizeTilesBase<VectorizeTiles> {
  using VectorizeTilesBase::VectorizeTilesBase;

  void runOnOperation() override {
    SmallVector<OnlineAttentionOp> steps;
    SmallVector<OnlineFinalizeOp> ends;
    llvm::SetVector<linalg::FillOp> fills;
    llvm::SetVector<scf::ForOp> loops;
    getOperation()->walk([&](OnlineAttentionOp op) {
      steps.push_back(op);
      if (auto loop = op->getParentOfType<scf::ForOp>())
        loops.insert(loop);
      for (Value out : op.getOuts())
        if (linalg::FillOp fill = findInitialFill(out))
          fills.insert(fill);
    });
    getOperation()->walk([&](OnlineFinalizeOp op) { ends.push_back(op); });

    IRRewriter rewriter(&getContext());
    TileTraits traits{scaleProducts, nanMaximum};
    for (OnlineAttentionOp op : steps)
      if (failed(vectorizeOnlineAttention(rewriter, op, productsOnly, traits)))
        return signalPassFailure();
    for (OnlineFinalizeOp op : ends)
      if (failed(vectorizeOnlineFinalize(rewriter, op, productsOnly)))
        return signalPassFailure();
    for (linalg::FillOp fill : fills)
      vectorizeFill(rewriter, fill);
    for (scf::ForOp loop : loops)
      hoistInvariantReads(loop);
    numVectorized += steps.size() + ends.size();
  }
};
} // namespace
