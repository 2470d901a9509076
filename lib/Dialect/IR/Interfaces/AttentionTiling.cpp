//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

SmallVector<Range> AttentionOp::getIterationDomain(OpBuilder &) { return {}; }
SmallVector<utils::IteratorType> AttentionOp::getLoopIteratorTypes() { return {}; }
LogicalResult AttentionOp::getResultTilePosition(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>, SmallVector<OpFoldResult> &, SmallVector<OpFoldResult> &) { return failure(); }
FailureOr<TilingResult> AttentionOp::getTiledImplementation(OpBuilder &, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>) { return failure(); }
FailureOr<TilingResult> AttentionOp::generateResultTileValue(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>) { return failure(); }
LogicalResult AttentionOp::getIterationDomainTileFromResultTile(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>, SmallVectorImpl<OpFoldResult> &, SmallVectorImpl<OpFoldResult> &) { return failure(); }
