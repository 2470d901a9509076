//===- RewriteRegisterOps.cpp - Patterns for values in registers ----------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/RewriteRegisterOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

static bool fitsRegisters(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return !isa<TensorType>(type) && !(vector && vector.isScalable());
}

LogicalResult fpa::rewriteRegisterOps(Operation *root,
                                      const FrozenRewritePatternSet &patterns) {
  bool isWhole = true;
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (op == root)
      return;
    if (llvm::all_of(op->getOperandTypes(), fitsRegisters) &&
        llvm::all_of(op->getResultTypes(), fitsRegisters))
      ops.push_back(op);
    else
      isWhole = false;
  });
  if (isWhole)
    return applyPatternsGreedily(root, patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(ops, patterns, config);
}
