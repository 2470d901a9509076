//===- PrefixToVector.h - Prefix ops to loops over vectors ------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_CONVERSION_PREFIXTOVECTOR_PREFIXTOVECTOR_H
#define FPA_CONVERSION_PREFIXTOVECTOR_PREFIXTOVECTOR_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {

struct PrefixToVectorOptions {
  /// Vector width in elements of 32 bits: a power of two, at most 16.
  int64_t lanes = 8;
  /// Least size of an output, in bytes, that is written past the caches; -1 for
  /// never.
  int64_t nontemporalBytes = 16 << 20;
};

/// Replaces `op`, an fpa.prefix_min or fpa.prefix_sum on memrefs, by loops.
/// Fails, changing nothing, for any other op and for one on tensors.
LogicalResult convertPrefixToVector(RewriterBase &rewriter, Operation *op,
                                    const PrefixToVectorOptions &options);

} // namespace mlir::fpa

#endif // FPA_CONVERSION_PREFIXTOVECTOR_PREFIXTOVECTOR_H
