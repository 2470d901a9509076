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
static llvm::Expected<GPUAttention> describe(Value query, Value value) {
  GPUAttention attention;
  Type element = getElementTypeOrSelf(query.getType());
  std::string name;
  llvm::raw_string_ostream(name) << element;
  llvm::Expected<GPUElement> known = parseGPUElement(name);
  if (!known)
    return known.takeError();
  attention.element = *known;
  attention.headSize = cast<ShapedType>(query.getType()).getDimSize(3);
  attention.valueHeadSize = cast<ShapedType>(value.getType()).getDimSize(3);
  if (ShapedType::isDynamic(attention.headSize) ||
      ShapedType::isDynamic(attention.valueHeadSize))
    return llvm::createStringError(
        "expected static head sizes on a GPU, got a dynamic one");
  return attention;
}

/// The rows of new tokens that share a key head; 0 if that is not known.
static int64_t countRows(CachedAttentionOp op) {
  ArrayRef<int64_t> query =
      cast<ShapedType>(op.getQuery().getType()).getShape();
  int64_t keyHeads = cast<ShapedType>(op.getKey().getType()).getDimSize(1);
  if (ShapedType::isDynamic(query[1]) || ShapedType::isDynamic(query[2]) ||
      ShapedType::isDynamic(keyHeads))
    return 0;
  return query[1] / keyHeads * query[2];
}

namespace {
struct ChooseGPUTiles : public fpa::impl::ChooseGPUTilesBase<ChooseGPUTiles> {
  using ChooseGPUTilesBase::ChooseGPUTilesBase;

  void runOnOperation() override {
    llvm::Expected<GPUTarget> target = getGPUTarget(chip);
    if (!target) {
      emitError(getOperation()->getLoc(), llvm::toString(target.takeError()));
      return signalPassFailure();
    }
    WalkResult result = getOperation()->walk([&](Operation *op) {
      auto attention = dyn_cast<AttentionOpInterface>(op);
      auto cached = dyn_cast<CachedAttentionOp>(op);
      bool fails = (attention && failed(chooseFor(attention, *target))) ||
                   (cached && failed(chooseFor(cached, *target)));
      return fails ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  GPUTileRequest getRequest() {
    return {queryTile, keyTile, edgeTile, warps, stages};
  }

  /// Sizes for an op that has none yet.
  template <typename Op>
  LogicalResult chooseFor(Op op, const GPUTarget &target) {
    if (op->hasAttr(tilesAttrName))
      return success();
    llvm::Expected<GPUAttention> attention =
        describe(op.getQuery(), op.getValue());
    if (!attention)
      return op->emitOpError(llvm::toString(attention.takeError()));
    return choose(op, target, *attention);
  }

  LogicalResult choose(CachedAttentionOp op, const GPUTarget &target,
                       const GPUAttention &attention) {
    llvm::Expected<GPUCacheTiles> chosen =
        chooseGPUCacheTiles(target, attention, countRows(op), getRequest());
    if (!chosen)
      return op->emitOpError(llvm::toString(chosen.takeError()));
    Builder b(&getContext());
    NamedAttrList attribute(toAttr(chosen->tiles));
    attribute.set("chunk", b.getI64IntegerAttr(chosen->chunk));
    op->setAttr(tilesAttrName, attribute.getDictionary(&getContext()));
    return success();
  }

  LogicalResult choose(AttentionOpInterface op, const GPUTarget &target,
                       const GPUAttention &attention) {
    GPUTileRequest request = getRequest();
    DictionaryAttr attribute;
    if (isa<AttentionOp>(op)) {
      llvm::Expected<GPUTiles> tiles =
          chooseGPUTiles(target, attention, request);
      if (!tiles)
        return op->emitOpError(llvm::toString(tiles.takeError()));
      attribute = toAttr(*tiles);
    } else {
      llvm::Expected<GPUBackwardTiles> tiles =
          chooseGPUBackwardTiles(target, attention, request,
                                 /*oneKeyTile=*/op.getSmooth() || op.getBeta());
      if (!tiles)
        return op->emitOpError(llvm::toString(tiles.takeError()));
      Builder b(&getContext());
      attribute = b.getDictionaryAttr(
          {b.getNamedAttr("queries", toAttr(tiles->ofQueries)),
           b.getNamedAttr("keys", toAttr(tiles->ofKeys))});
    }
    op->setAttr(tilesAttrName, attribute);
    return success();
  }

  DictionaryAttr toAttr(const GPUTiles &tiles) {
    Builder b(&getContext());
    SmallVector<NamedAttribute> sizes;
    for (auto [name, size] :
         {std::pair("query", tiles.query), std::pair("key", tiles.key),
          std::pair("edge", tiles.edge), std::pair("warps", tiles.warps),
          std::pair("stages", tiles.stages)})
      sizes.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(size)));
    return b.getDictionaryAttr(sizes);
  }
};
} // namespace
