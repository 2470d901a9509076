//===- ChooseGPUTiles.cpp - Sizes of attention on a GPU ---------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "fpa/Target/GPUTiles.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_CHOOSEGPUTILES
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

/// What the choice depends on, or an error.
static llvm::Expected<GPUAttention> describe(AttentionOp op) {
  GPUAttention attention;
  Type element = getElementTypeOrSelf(op.getQuery().getType());
  std::string name;
  llvm::raw_string_ostream(name) << element;
  llvm::Expected<GPUElement> known = parseGPUElement(name);
  if (!known)
    return known.takeError();
  attention.element = *known;
  attention.headSize = cast<ShapedType>(op.getQuery().getType()).getDimSize(3);
  attention.valueHeadSize =
      cast<ShapedType>(op.getValue().getType()).getDimSize(3);
  if (ShapedType::isDynamic(attention.headSize) ||
      ShapedType::isDynamic(attention.valueHeadSize))
    return llvm::createStringError(
        "expected static head sizes on a GPU, got a dynamic one");
  return attention;
}

namespace {
struct ChooseGPUTiles : public fpa::impl::ChooseGPUTilesBase<ChooseGPUTiles> {
  using ChooseGPUTilesBase::ChooseGPUTilesBase;

  void runOnOperation() override {
    llvm::Expected<GPUTarget> target = getGPUTarget(chip);
    if (!target) {
      getOperation()->emitError(llvm::toString(target.takeError()));
      return signalPassFailure();
    }
    WalkResult result = getOperation()->walk([&](AttentionOpInterface op) {
      auto forward = dyn_cast<AttentionOp>(op.getOperation());
      if (!forward) {
        op->emitOpError("expected a CPU as target, got ")
            << chip << ": gradients have no kernels yet";
        return WalkResult::interrupt();
      }
      return failed(choose(forward, *target)) ? WalkResult::interrupt()
                                              : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult choose(AttentionOp op, const GPUTarget &target) {
    llvm::Expected<GPUAttention> attention = describe(op);
    if (!attention)
      return op.emitOpError(llvm::toString(attention.takeError()));
    llvm::Expected<GPUTiles> tiles = chooseGPUTiles(
        target, *attention, {queryTile, keyTile, edgeTile, warps, stages});
    if (!tiles)
      return op.emitOpError(llvm::toString(tiles.takeError()));
    Builder b(&getContext());
    op->setAttr(
        tilesAttrName,
        b.getDictionaryAttr(
            {b.getNamedAttr("query", b.getI64IntegerAttr(tiles->query)),
             b.getNamedAttr("key", b.getI64IntegerAttr(tiles->key)),
             b.getNamedAttr("edge", b.getI64IntegerAttr(tiles->edge)),
             b.getNamedAttr("warps", b.getI64IntegerAttr(tiles->warps)),
             b.getNamedAttr("stages", b.getI64IntegerAttr(tiles->stages))}));
    return success();
  }
};
} // namespace
