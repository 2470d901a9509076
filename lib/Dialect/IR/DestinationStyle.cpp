//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Effects, speculation and shape reification shared by every op in destination
// style.

#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

using EffectList =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Memref inputs are read, memref inits are written; inits that carry state
/// (`readsInits`) are read as well. Tensors have no effects.
void getDestinationStyleEffects(DestinationStyleOpInterface op,
                                EffectList &effects, bool readsInits) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isInit = op.isDpsInit(&operand);
    if (!isInit || readsInits)
      effects.emplace_back(MemoryEffects::Read::get(), &operand, /*stage=*/0,
                           /*effectOnFullRegion=*/true,
                           SideEffects::DefaultResource::get());
    if (isInit)
      effects.emplace_back(MemoryEffects::Write::get(), &operand, /*stage=*/1,
                           /*effectOnFullRegion=*/true,
                           SideEffects::DefaultResource::get());
  }
}

Speculation::Speculatability
getDestinationStyleSpeculatability(DestinationStyleOpInterface op) {
  return op.hasPureTensorSemantics() ? Speculation::Speculatable
                                     : Speculation::NotSpeculatable;
}

/// A result has the sizes of the init it is tied to.
LogicalResult reifyFromInits(OpBuilder &builder, DestinationStyleOpInterface op,
                             ReifiedRankedShapedTypeDims &shapes) {
  for (OpResult result : op->getResults())
    shapes.push_back(tensor::getMixedSizes(builder, op.getLoc(),
                                           op.getTiedOpOperand(result)->get()));
  return success();
}

} // namespace

#define FPA_DESTINATION_STYLE(Op, ReadsInits)                                  \
  void Op::getEffects(EffectList &effects) {                                   \
    getDestinationStyleEffects(*this, effects, ReadsInits);                    \
  }                                                                            \
  Speculation::Speculatability Op::getSpeculatability() {                      \
    return getDestinationStyleSpeculatability(*this);                          \
  }                                                                            \
  LogicalResult Op::reifyResultShapes(OpBuilder &builder,                      \
                                      ReifiedRankedShapedTypeDims &shapes) {   \
    return reifyFromInits(builder, *this, shapes);                             \
  }

FPA_DESTINATION_STYLE(AttentionOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(AttentionBackwardOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(PrefixMinOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(PrefixSumOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(PrefixMinBackwardOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(KeyIntervalsOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(LiveKeysOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(CachedAttentionOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(UpdateCacheOp, /*ReadsInits=*/true)
FPA_DESTINATION_STYLE(OnlineAttentionOp, /*ReadsInits=*/true)
FPA_DESTINATION_STYLE(OnlineMergeOp, /*ReadsInits=*/true)
FPA_DESTINATION_STYLE(OnlineFinalizeOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(PassFieldOp, /*ReadsInits=*/true)
FPA_DESTINATION_STYLE(BackwardDeltaOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(BackwardTileOp, /*ReadsInits=*/true)
FPA_DESTINATION_STYLE(BackwardFinalizeOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(RowNormsOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(MeanLevelOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(DropKeysOp, /*ReadsInits=*/true)
FPA_DESTINATION_STYLE(DropFinalizeOp, /*ReadsInits=*/false)
FPA_DESTINATION_STYLE(PassCarryOp, /*ReadsInits=*/true)

#undef FPA_DESTINATION_STYLE
