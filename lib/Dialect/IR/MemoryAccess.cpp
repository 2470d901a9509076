//===- MemoryAccess.cpp - Which accesses may meet ---------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/MemoryAccess.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::fpa;

Value fpa::getRoot(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

/// True for memory that nothing else with a name of its own is a part of.
static bool isWhole(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return argument.getOwner()->isEntryBlock() &&
           isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return isa<memref::AllocOp, memref::AllocaOp>(root.getDefiningOp());
}

bool fpa::mayOverlap(Value a, Value b) {
  if (!a || !b)
    return true;
  a = getRoot(a);
  b = getRoot(b);
  return a == b || !isWhole(a) || !isWhole(b);
}

bool fpa::mayWrite(Operation *op, Value memory) {
  WalkResult result = op->walk([&](Operation *nested) {
    if (nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance();
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(nested);
    bool writes = !effects || llvm::any_of(*effects, [&](const auto &effect) {
      return !isa<MemoryEffects::Read>(effect.getEffect()) &&
             mayOverlap(effect.getValue(), memory);
    });
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}
