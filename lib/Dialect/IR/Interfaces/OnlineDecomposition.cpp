//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The online ops as plain linalg on tensors.

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/OnlineEquations.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

FailureOr<SmallVector<Value>>
OnlineAttentionOp::decomposeOperation(OpBuilder &builder) {
  if (!hasPureTensorSemantics())
    return failure();
  auto size = [&](Value tensor, int64_t axis) {
    return tensor::getMixedSize(builder, getLoc(), tensor, axis);
  };
  OnlineExtents extents{size(getAccumulator(), 0), size(getKey(), 0),
                        size(getKey(), 1), size(getAccumulator(), 1)};
  return buildOnlineStep(*createLinalgTileBuilder(builder, getLoc()), *this,
                         extents);
}

FailureOr<SmallVector<Value>>
OnlineFinalizeOp::decomposeOperation(OpBuilder &builder) {
  if (!hasPureTensorSemantics())
    return failure();
  auto size = [&](Value tensor, int64_t axis) {
    return tensor::getMixedSize(builder, getLoc(), tensor, axis);
  };
  OnlineExtents extents{size(getAccumulator(), 0), OpFoldResult(),
                        OpFoldResult(), size(getAccumulator(), 1)};
  return buildOnlineFinalize(*createLinalgTileBuilder(builder, getLoc()), *this,
                             extents);
}
