//===- LowerVectorScan.h - Patterns lowering fpa.vector_scan ----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_TRANSFORMS_LOWERVECTORSCAN_H
#define FPA_DIALECT_TRANSFORMS_LOWERVECTORSCAN_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {

/// Patterns that lower fpa.vector_scan. `lanes` is the width of a vector of
/// 32-bit elements, a power of two; other elements get as many bits.
void populateLowerVectorScanPatterns(RewritePatternSet &patterns,
                                     int64_t lanes);

/// How many elements of `type` fit into `lanes` elements of 32 bits.
int64_t getLanesOf(Type type, int64_t lanes);

/// Checks the option `lanes` of a pass on `op`: a power of two of at most
/// `most`, if that is given.
LogicalResult verifyLanes(Operation *op, int64_t lanes,
                          std::optional<int64_t> most = std::nullopt);

} // namespace mlir::fpa

#endif // FPA_DIALECT_TRANSFORMS_LOWERVECTORSCAN_H
