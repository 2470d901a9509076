//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopMemory.h"
#include "fpa/Dialect/IR/MemoryAccess.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::fpa;

/// By how much `offset` grows from an iteration to the next; 0 if unknown.
static int64_t getGrowth(scf::ForOp loop, OpFoldResult offset) {
  auto value = dyn_cast<Value>(offset);
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!value || !step)
    return 0;
  if (value == loop.getInductionVar())
    return *step;
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return 0;
  AffineMap map = apply.getAffineMap();
  // The same expression one step further, less itself.
  SmallVector<AffineExpr> dims, symbols;
  bool isSeen = false;
  for (auto [place, operand] : llvm::enumerate(apply.getMapOperands())) {
    bool isDim = place < map.getNumDims();
    unsigned number = isDim ? place : place - map.getNumDims();
    AffineExpr expr = isDim ? getAffineDimExpr(number, map.getContext())
                            : getAffineSymbolExpr(number, map.getContext());
    if (operand == loop.getInductionVar()) {
      expr = expr + *step;
      isSeen = true;
    } else if (!loop.isDefinedOutsideOfLoop(operand)) {
      return 0;
    }
    (isDim ? dims : symbols).push_back(expr);
  }
  if (!isSeen)
    return 0;
  AffineExpr now = map.getResult(0);
  AffineExpr growth =
      simplifyAffineExpr(now.replaceDimsAndSymbols(dims, symbols) - now,
                         map.getNumDims(), map.getNumSymbols());
  auto constant = dyn_cast<AffineConstantExpr>(growth);
  return constant ? constant.getValue() : 0;
}

/// Whether the parts of memory that `memory` is in two iterations have nothing
/// in common.
static bool movesAlong(scf::ForOp loop, Value memory) {
  auto view = memory.getDefiningOp<memref::SubViewOp>();
  if (!view || !loop.isDefinedOutsideOfLoop(view.getSource()))
    return false;
  for (auto [offset, size] :
       llvm::zip_equal(view.getMixedOffsets(), view.getMixedSizes())) {
    int64_t growth = std::abs(getGrowth(loop, offset));
    FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::UB, size, /*stopCondition=*/nullptr,
        /*closedUB=*/true);
    if (growth > 0 && succeeded(bound) && *bound <= growth)
      return true;
  }
  return false;
}

bool mlir::fpa::simt::maySeeEarlierWrites(scf::ForOp loop,
                                          vector::TransferReadOp read) {
  WalkResult result = loop.getBody()->walk([&](vector::TransferWriteOp write) {
    if (!mayOverlap(write.getBase(), read.getBase()))
      return WalkResult::advance();
    // Other views of the same memory are not looked into.
    return write.getBase() == read.getBase() && movesAlong(loop, read.getBase())
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return result.wasInterrupted();
}
