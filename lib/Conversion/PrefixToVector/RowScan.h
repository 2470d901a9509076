//===- RowScan.h - Loops over one row of a prefix op ------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_PREFIXTOVECTOR_ROWSCAN_H
#define FPA_LIB_CONVERSION_PREFIXTOVECTOR_ROWSCAN_H

#include "PrefixElements.h"

namespace mlir::fpa {

/// Scans [lo, hi) of the axis at the indices `at` (whose entry for the axis is
/// not read), one position after another. With a width, `width` neighbours of
/// the last axis are scanned side by side.
void emitSerialScan(OpBuilder &b, Location loc, const PrefixElements &elements,
                    ValueRange at, Value lo, Value hi, int64_t width);

/// Scans [lo, hi) of the last axis, which is contiguous, in vectors of `width`
/// elements. `nontemporal` writes past the caches, for outputs larger than
/// these.
void emitLaneScan(OpBuilder &b, Location loc, const PrefixElements &elements,
                  ValueRange at, Value lo, Value hi, int64_t width,
                  bool nontemporal);

} // namespace mlir::fpa

#endif // FPA_LIB_CONVERSION_PREFIXTOVECTOR_ROWSCAN_H
