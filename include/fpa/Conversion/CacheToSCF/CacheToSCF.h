//===- CacheToSCF.h - fpa.update_cache to loops -----------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_CONVERSION_CACHETOSCF_CACHETOSCF_H
#define FPA_CONVERSION_CACHETOSCF_CACHETOSCF_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {

/// Replaces an fpa.update_cache on memrefs by a parallel loop over batch and
/// key head or, `parallel`, by several over keys, elements and columns as well.
/// Fails, changing nothing, for one on tensors.
LogicalResult convertUpdateCacheToSCF(RewriterBase &rewriter, UpdateCacheOp op,
                                      bool parallel = false);

} // namespace mlir::fpa

#endif // FPA_CONVERSION_CACHETOSCF_CACHETOSCF_H
