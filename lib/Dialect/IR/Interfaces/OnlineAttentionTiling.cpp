//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

SmallVector<Range> OnlineAttentionOp::getIterationDomain(OpBuilder &) { return {}; }
SmallVector<utils::IteratorType> OnlineAttentionOp::getLoopIteratorTypes() { return {}; }
LogicalResult OnlineAttentionOp::getResultTilePosition(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>, SmallVector<OpFoldResult> &, SmallVector<OpFoldResult> &) { return failure(); }
FailureOr<TilingResult> OnlineAttentionOp::getTiledImplementation(OpBuilder &, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>) { return failure(); }
FailureOr<TilingResult> OnlineAttentionOp::generateResultTileValue(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>) { return failure(); }
LogicalResult OnlineAttentionOp::getIterationDomainTileFromResultTile(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>, SmallVectorImpl<OpFoldResult> &, SmallVectorImpl<OpFoldResult> &) { return failure(); }
