//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The ops of the streaming level as plain linalg on tensors.

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/BackwardEquations.h"
#include "fpa/Dialect/IR/Tile/OnlineEquations.h"
#include "fpa/Dialect/IR/Tile/PruneEquations.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

/// Builds `op`, on tensors, with `equations` for blocks of `extents`.
template <typename Op, typename Equations>
static FailureOr<SmallVector<Value>> decompose(OpBuilder &builder, Op op,
                                               const OnlineExtents &extents,
                                               Equations equations) {
  if (!op.hasPureTensorSemantics())
    return failure();
  return equations(*createLinalgTileBuilder(builder, op.getLoc()), op, extents);
}

static OpFoldResult sizeOf(OpBuilder &b, Value tensor, int64_t axis) {
  return isa<RankedTensorType>(tensor.getType())
             ? tensor::getMixedSize(b, tensor.getLoc(), tensor, axis)
             : OpFoldResult();
}

FailureOr<SmallVector<Value>>
OnlineAttentionOp::decomposeOperation(OpBuilder &b) {
  return decompose(b, *this,
                   {sizeOf(b, getAccumulator(), 0), sizeOf(b, getKey(), 0),
                    sizeOf(b, getKey(), 1), sizeOf(b, getAccumulator(), 1)},
                   [](TileBuilder &tile, OnlineAttentionOp op,
                      const OnlineExtents &extents) {
                     return buildOnlineStep(tile, op, extents);
                   });
}

FailureOr<SmallVector<Value>>
OnlineFinalizeOp::decomposeOperation(OpBuilder &b) {
  return decompose(
      b, *this,
      {sizeOf(b, getAccumulator(), 0), {}, {}, sizeOf(b, getAccumulator(), 1)},
      [](TileBuilder &tile, OnlineFinalizeOp op, const OnlineExtents &extents) {
        return buildOnlineFinalize(tile, op, extents);
      });
}

FailureOr<SmallVector<Value>> OnlineMergeOp::decomposeOperation(OpBuilder &b) {
  return decompose(
      b, *this,
      {sizeOf(b, getAccumulator(), 0), {}, {}, sizeOf(b, getAccumulator(), 1)},
      buildOnlineMerge);
}

FailureOr<SmallVector<Value>> PassFieldOp::decomposeOperation(OpBuilder &b) {
  return decompose(
      b, *this, {sizeOf(b, getOuts()[0], 0), sizeOf(b, getField(), 0), {}, {}},
      buildPassField);
}

FailureOr<SmallVector<Value>> BackwardTileOp::decomposeOperation(OpBuilder &b) {
  Value rows = getSum(Sum::Query), keys = getSum(Sum::Key);
  return decompose(b, *this,
                   {sizeOf(b, rows ? rows : getDelta(), 0),
                    sizeOf(b, keys ? keys : getKey(), 0),
                    sizeOf(b, getKey(), 1), sizeOf(b, getValue(), 1)},
                   buildBackwardTile);
}

FailureOr<SmallVector<Value>>
BackwardDeltaOp::decomposeOperation(OpBuilder &b) {
  return decompose(
      b, *this, {sizeOf(b, getOuts()[0], 0), {}, {}, sizeOf(b, getOutput(), 1)},
      buildBackwardDelta);
}

FailureOr<SmallVector<Value>> RowNormsOp::decomposeOperation(OpBuilder &b) {
  return decompose(
      b, *this, {sizeOf(b, getOuts()[0], 0), {}, sizeOf(b, getSource(), 1), {}},
      buildRowNorms);
}

FailureOr<SmallVector<Value>> MeanLevelOp::decomposeOperation(OpBuilder &b) {
  return decompose(b, *this, {sizeOf(b, getOuts()[0], 0), {}, {}, {}},
                   buildMeanLevel);
}

FailureOr<SmallVector<Value>> PruneKeysOp::decomposeOperation(OpBuilder &b) {
  auto tile = createLinalgTileBuilder(b, getLoc());
  bool isNumber = isa<FloatType>(getMinimum().getType());
  OpFoldResult rows =
      isNumber ? OpFoldResult(b.getIndexAttr(1)) : sizeOf(b, getMinimum(), 0);
  return SmallVector<Value>{buildPruneKeys(*tile, *this, {rows, {}, {}, {}})};
}

FailureOr<SmallVector<Value>> DropKeysOp::decomposeOperation(OpBuilder &b) {
  return decompose(b, *this, {sizeOf(b, getOuts()[0], 0), {}, {}, {}},
                   buildDropKeys);
}

FailureOr<SmallVector<Value>> DropFinalizeOp::decomposeOperation(OpBuilder &b) {
  OpFoldResult rows = getRows() ? OpFoldResult(b.getIndexAttr(*getRows()))
                                : sizeOf(b, getSum(), 0);
  return decompose(b, *this, {rows, {}, {}, {}}, buildDropFinalize);
}

FailureOr<SmallVector<Value>> PassCarryOp::decomposeOperation(OpBuilder &b) {
  return decompose(
      b, *this, {sizeOf(b, getOuts()[0], 0), sizeOf(b, getField(), 0), {}, {}},
      buildPassCarry);
}

FailureOr<SmallVector<Value>>
BackwardFinalizeOp::decomposeOperation(OpBuilder &b) {
  return decompose(
      b, *this,
      {sizeOf(b, getAccumulator(), 0), {}, sizeOf(b, getAccumulator(), 1), {}},
      buildBackwardFinalize);
}
