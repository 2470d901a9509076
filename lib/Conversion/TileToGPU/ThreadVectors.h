//===- ThreadVectors.h - What one thread holds of a block -------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOGPU_THREADVECTORS_H
#define FPA_LIB_CONVERSION_TILETOGPU_THREADVECTORS_H

#include "fpa/Dialect/IR/Tile/Layout.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::fpa::simt {

/// The running thread: values of index type.
struct Thread {
  Value id, lane, warp;

  /// Of warps of 32 lanes.
  static Thread create(OpBuilder &b, Location loc, Value id);
};

/// The type of what one thread holds of `type`.
VectorType getThreadType(VectorType type, const Layout &layout);

/// Elements of a vector in row-major order, and back.
SmallVector<Value> unpack(OpBuilder &b, Location loc, Value vector);
Value pack(OpBuilder &b, Location loc, ValueRange elements, VectorType type);

/// The part of an element's index along `dim` that depends on the thread.
Value getThreadOffset(OpBuilder &b, Location loc, const DimLayout &dim,
                      const Thread &thread);

/// Whether several threads of `warps` warps hold the same element.
bool hasCopies(const Layout &layout, int64_t warps);

/// Whether the thread is the one among those holding copies whose unnamed lane
/// and warp bits are zero; null when there are no copies among `warps` warps.
Value isFirstCopy(OpBuilder &b, Location loc, const Layout &layout,
                  const Thread &thread, int64_t warps);

/// Says that `access` is aligned to all that it moves, a vector of `type`, or
/// to the power of two below.
void setAlignment(Operation *access, VectorType type);

Value addIndices(OpBuilder &b, Location loc, Value x, int64_t y);
Value addIndices(OpBuilder &b, Location loc, Value x, Value y);

} // namespace mlir::fpa::simt

#endif // FPA_LIB_CONVERSION_TILETOGPU_THREADVECTORS_H
