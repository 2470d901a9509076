//===- GlobalAlignment.h - Alignment of places in memory --------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOGPU_GLOBALALIGNMENT_H
#define FPA_LIB_CONVERSION_TILETOGPU_GLOBALALIGNMENT_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::fpa::simt {

/// The alignment in bytes, 16 at most, of every row that starts at `indices` in
/// `memory`, if arrays that functions are given start at multiples of 16. The
/// last dimension is contiguous.
int64_t getGlobalAlignment(Value memory, ValueRange indices);

/// The address of an element, in bytes.
Value getAddress(OpBuilder &b, Location loc, Value memory, ValueRange indices);
/// How many bytes neighbours along dimension `dim` are apart.
Value getByteStride(OpBuilder &b, Location loc, Value memory, int64_t dim);

} // namespace mlir::fpa::simt

#endif // FPA_LIB_CONVERSION_TILETOGPU_GLOBALALIGNMENT_H
