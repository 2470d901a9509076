//===- KeyIntervalsToSCF.h - fpa.key_intervals to loops ---------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_CONVERSION_KEYINTERVALSTOSCF_KEYINTERVALSTOSCF_H
#define FPA_CONVERSION_KEYINTERVALSTOSCF_KEYINTERVALSTOSCF_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {

/// Replaces an fpa.key_intervals on memrefs by loops that write the interval of
/// every row; with `parallel` by one parallel loop over the rows. Fails,
/// changing nothing, for one on tensors.
LogicalResult convertKeyIntervalsToSCF(RewriterBase &rewriter,
                                       KeyIntervalsOp op, bool parallel);

} // namespace mlir::fpa

#endif // FPA_CONVERSION_KEYINTERVALSTOSCF_KEYINTERVALSTOSCF_H
