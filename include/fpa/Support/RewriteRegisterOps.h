//===- RewriteRegisterOps.h - Patterns for values in registers --*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_SUPPORT_REWRITEREGISTEROPS_H
#define FPA_SUPPORT_REWRITEREGISTEROPS_H

#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace mlir::fpa {

/// Applies `patterns` greedily inside of `root`, but not to ops on tensors or
/// on scalable vectors: they stay as they are. For patterns written for scalars
/// and vectors of a fixed size, which do not look at what else an elementwise
/// op can have.
LogicalResult rewriteRegisterOps(Operation *root,
                                 const FrozenRewritePatternSet &patterns);

} // namespace mlir::fpa

#endif // FPA_SUPPORT_REWRITEREGISTEROPS_H
