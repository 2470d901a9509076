//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

SmallVector<Range> PrefixMinOp::getIterationDomain(OpBuilder &) { return {}; }
SmallVector<utils::IteratorType> PrefixMinOp::getLoopIteratorTypes() { return {}; }
LogicalResult PrefixMinOp::getResultTilePosition(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>, SmallVector<OpFoldResult> &, SmallVector<OpFoldResult> &) { return failure(); }
FailureOr<TilingResult> PrefixMinOp::getTiledImplementation(OpBuilder &, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>) { return failure(); }
FailureOr<TilingResult> PrefixMinOp::generateResultTileValue(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>) { return failure(); }
LogicalResult PrefixMinOp::getIterationDomainTileFromResultTile(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>, SmallVectorImpl<OpFoldResult> &, SmallVectorImpl<OpFoldResult> &) { return failure(); }
SmallVector<Range> PrefixSumOp::getIterationDomain(OpBuilder &) { return {}; }
SmallVector<utils::IteratorType> PrefixSumOp::getLoopIteratorTypes() { return {}; }
LogicalResult PrefixSumOp::getResultTilePosition(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>, SmallVector<OpFoldResult> &, SmallVector<OpFoldResult> &) { return failure(); }
FailureOr<TilingResult> PrefixSumOp::getTiledImplementation(OpBuilder &, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>) { return failure(); }
FailureOr<TilingResult> PrefixSumOp::generateResultTileValue(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>) { return failure(); }
LogicalResult PrefixSumOp::getIterationDomainTileFromResultTile(OpBuilder &, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>, SmallVectorImpl<OpFoldResult> &, SmallVectorImpl<OpFoldResult> &) { return failure(); }
