//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The ops of the streaming level become arithmetic on vectors as large as their
// tiles.

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/BackwardEquations.h"
#include "fpa/Dialect/IR/Tile/OnlineEquations.h"
#include "fpa/Dialect/IR/Tile/PruneEquations.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

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

/// A size of a block: where it is read, and what it is called.
struct BlockSize {
  Value tensor;
  int64_t axis;
  StringRef name;
};

/// Sizes of the blocks of `op`; null where it has none.
FailureOr<OnlineExtents> getExtents(Operation *op, ArrayRef<BlockSize> sizes) {
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (destination && !destination.hasPureTensorSemantics())
    return op->emitOpError("expected tensors, got operands of type ")
           << op->getOperand(0).getType();
  SmallVector<OpFoldResult, 4> extents;
  for (const BlockSize &size : sizes) {
    extents.emplace_back();
    if (!size.tensor)
      continue;
    FailureOr<OpFoldResult> extent =
        getBlockExtent(op, size.tensor, size.axis, size.name);
    if (failed(extent))
      return failure();
    extents.back() = *extent;
  }
  return OnlineExtents{extents[0], extents[1], extents[2], extents[3]};
}

/// Rows, keys, and columns of query and value.
FailureOr<OnlineExtents> getExtents(Operation *op) {
  return TypeSwitch<Operation *, FailureOr<OnlineExtents>>(op)
      .Case([](OnlineAttentionOp op) {
        return getExtents(op,
                          {{op.getAccumulator(), 0, "accumulator rows"},
                           {op.getKey(), 0, "key rows"},
                           {op.getKey(), 1, "key columns"},
                           {op.getAccumulator(), 1, "accumulator columns"}});
      })
      .Case([](OnlineFinalizeOp op) {
        return getExtents(op,
                          {{op.getAccumulator(), 0, "accumulator rows"},
                           {},
                           {},
                           {op.getAccumulator(), 1, "accumulator columns"}});
      })
      .Case([](OnlineMergeOp op) {
        return getExtents(op,
                          {{op.getAccumulator(), 0, "accumulator rows"},
                           {},
                           {},
                           {op.getAccumulator(), 1, "accumulator columns"}});
      })
      .Case([](PassFieldOp op) {
        return getExtents(op, {{op.getOuts()[0], 0, "minimum rows"},
                               {op.getField(), 0, "field rows"},
                               {},
                               {}});
      })
      .Case([](BackwardTileOp op) {
        // Sums have the size of a whole tile.
        Value rows = op.getSum(BackwardTileOp::Sum::Query);
        Value keys = op.getPart() == GradientPart::Keys
                         ? op.getSum(BackwardTileOp::Sum::Key)
                         : op.getKey();
        return getExtents(op, {{rows ? rows : op.getDelta(), 0, "query rows"},
                               {keys, 0, "key rows"},
                               {op.getKey(), 1, "key columns"},
                               {op.getValue(), 1, "value columns"}});
      })
      .Case([](BackwardDeltaOp op) {
        return getExtents(op, {{op.getOuts()[0], 0, "delta rows"},
                               {},
                               {},
                               {op.getOutput(), 1, "output columns"}});
      })
      .Case([](RowNormsOp op) {
        return getExtents(op, {{op.getOuts()[0], 0, "norm rows"},
                               {},
                               {op.getSource(), 1, "source columns"},
                               {}});
      })
      .Case([](MeanLevelOp op) {
        return getExtents(op, {{op.getOuts()[0], 0, "mean rows"}, {}, {}, {}});
      })
      .Case([](PruneKeysOp op) {
        // Numbers that stand for all rows are those of one.
        if (isa<FloatType>(op.getMinimum().getType()))
          return FailureOr<OnlineExtents>(
              {Builder(op).getIndexAttr(1), {}, {}, {}});
        return getExtents(op,
                          {{op.getMinimum(), 0, "minimum rows"}, {}, {}, {}});
      })
      .Case([](DropKeysOp op) {
        return getExtents(op,
                          {{op.getMinimum(), 0, "minimum rows"}, {}, {}, {}});
      })
      .Case([](DropFinalizeOp op) {
        if (std::optional<int64_t> rows = op.getRows())
          return FailureOr<OnlineExtents>(
              {Builder(op).getIndexAttr(*rows), {}, {}, {}});
        return getExtents(op, {{op.getSum(), 0, "sum rows"}, {}, {}, {}});
      })
      .Case([](PassCarryOp op) {
        return getExtents(op, {{op.getMinimum(), 0, "minimum rows"},
                               {op.getField(), 0, "field rows"},
                               {},
                               {}});
      })
      .Case([](BackwardFinalizeOp op) {
        return getExtents(op, {{op.getAccumulator(), 0, "accumulator rows"},
                               {},
                               {op.getAccumulator(), 1, "accumulator columns"},
                               {}});
      })
      .DefaultUnreachable("not an op of the streaming level");
}

} // namespace

bool mlir::fpa::isStreamingOp(Operation *op) {
  return isa<OnlineAttentionOp, OnlineMergeOp, OnlineFinalizeOp, PassFieldOp,
             BackwardDeltaOp, BackwardTileOp, BackwardFinalizeOp, RowNormsOp,
             MeanLevelOp, PruneKeysOp, DropKeysOp, DropFinalizeOp, PassCarryOp>(
      op);
}

LogicalResult mlir::fpa::vectorizeStreamingOp(RewriterBase &rewriter,
                                              Operation *op, bool productsOnly,
                                              const TileTraits &traits) {
  FailureOr<OnlineExtents> extents = getExtents(op);
  if (failed(extents))
    return failure();
  if (isa<OnlineAttentionOp>(op))
    extents->keys = rewriter.getIndexAttr(
        llvm::alignTo(*getConstantIntValue(extents->keys), traits.keyMultiple));
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto tile = createVectorTileBuilder(rewriter, op->getLoc(), traits);
  OnlineTerms terms =
      productsOnly ? OnlineTerms::ProductsOnly : OnlineTerms::All;
  auto blocks =
      TypeSwitch<Operation *, SmallVector<Value>>(op)
          .Case([&](OnlineAttentionOp op) {
            return buildOnlineStep(*tile, op, *extents, terms);
          })
          .Case([&](OnlineFinalizeOp op) {
            return buildOnlineFinalize(*tile, op, *extents, terms);
          })
          .Case([&](OnlineMergeOp op) {
            return buildOnlineMerge(*tile, op, *extents);
          })
          .Case([&](PassFieldOp op) {
            return buildPassField(*tile, op, *extents);
          })
          .Case([&](BackwardDeltaOp op) {
            return buildBackwardDelta(*tile, op, *extents);
          })
          .Case([&](BackwardTileOp op) {
            return buildBackwardTile(*tile, op, *extents);
          })
          .Case(
              [&](RowNormsOp op) { return buildRowNorms(*tile, op, *extents); })
          .Case([&](MeanLevelOp op) {
            return buildMeanLevel(*tile, op, *extents);
          })
          .Case([&](PruneKeysOp op) {
            return SmallVector<Value>{buildPruneKeys(*tile, op, *extents)};
          })
          .Case(
              [&](DropKeysOp op) { return buildDropKeys(*tile, op, *extents); })
          .Case([&](DropFinalizeOp op) {
            return buildDropFinalize(*tile, op, *extents);
          })
          .Case([&](PassCarryOp op) {
            return buildPassCarry(*tile, op, *extents);
          })
          .Case([&](BackwardFinalizeOp op) {
            return buildBackwardFinalize(*tile, op, *extents);
          })
          .DefaultUnreachable("not an op of the streaming level");
  rewriter.replaceOp(op, blocks);
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

static int64_t countLoopsAround(Operation *op) {
  int64_t count = 0;
  while ((op = op->getParentOfType<scf::ForOp>()))
    ++count;
  return count;
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
    if (keyMultiple < 1) {
      emitError(getOperation()->getLoc(),
                "expected option key-multiple to be at least 1, got ")
          << keyMultiple.getValue();
      return signalPassFailure();
    }
    SmallVector<Operation *> steps;
    llvm::SetVector<linalg::FillOp> fills;
    llvm::SetVector<Operation *> loops;
    getOperation()->walk([&](Operation *op) {
      if (!isStreamingOp(op))
        return;
      steps.push_back(op);
      if (isa<OnlineFinalizeOp, BackwardDeltaOp, BackwardFinalizeOp, RowNormsOp,
              MeanLevelOp, DropFinalizeOp>(op))
        return;
      for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
           loop = loop->getParentOfType<scf::ForOp>())
        loops.insert(loop);
      auto destination = dyn_cast<DestinationStyleOpInterface>(op);
      for (Value out :
           destination ? ValueRange(destination.getDpsInits()) : ValueRange())
        if (linalg::FillOp fill = findInitialFill(out))
          fills.insert(fill);
      if (auto forall = op->getParentOfType<scf::ForallOp>())
        forall.walk([&](linalg::FillOp fill) { fills.insert(fill); });
    });

    IRRewriter rewriter(&getContext());
    TileTraits traits{scaleProducts, nanMaximum, keyMultiple, branches};
    for (Operation *op : steps)
      if (failed(vectorizeStreamingOp(rewriter, op, productsOnly, traits)))
        return signalPassFailure();
    for (linalg::FillOp fill : fills)
      vectorizeFill(rewriter, fill);
    // Inner loops first: what leaves them may leave others.
    std::map<int64_t, SmallVector<Operation *>, std::greater<>> byDepth;
    for (Operation *loop : loops)
      byDepth[countLoopsAround(loop)].push_back(loop);
    for (auto &[depth, inward] : byDepth)
      for (Operation *loop : inward)
        hoistInvariantReads(cast<scf::ForOp>(loop));
    numVectorized += steps.size();
  }
};
} // namespace
