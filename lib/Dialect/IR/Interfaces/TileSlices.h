//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the tiling interfaces of fpa ops share. Private to this directory.

#ifndef FPA_LIB_DIALECT_IR_INTERFACES_TILESLICES_H
#define FPA_LIB_DIALECT_IR_INTERFACES_TILESLICES_H

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlir::fpa {

/// Part of one axis, in elements.
struct Span {
  OpFoldResult offset, size;
};

/// Every element of an axis of a tensor or memref.
Span wholeAxis(OpBuilder &builder, Location loc, Value shaped, int64_t axis);

/// True when a tile of `size` elements is known to cover the axis: since tiles
/// lie inside the axis, its size alone tells.
bool coversAxis(OpFoldResult size, Value shaped, int64_t axis);

/// True when `value` is known to be a multiple of `factor`: a constant, the
/// induction variable of a loop with such a start and step, or an affine
/// function of such values.
bool isKnownMultiple(OpFoldResult value, int64_t factor);

/// Builds the op on one tile of its operands: a slice of each tensor, a view
/// of each memref. Other operands are given as they are.
class TiledOpBuilder {
public:
  TiledOpBuilder(OpBuilder &builder, DestinationStyleOpInterface op)
      : builder(builder), op(op) {}

  /// Appends the part of `operand` inside of `spans`, and returns it; null
  /// stays absent.
  Value addSlice(Value operand, ArrayRef<Span> spans);
  /// Appends an operand that every tile shares; null stays absent.
  void addWhole(Value operand);
  /// Clones the op on the operands appended, which must be in its order.
  TilingResult build();

private:
  OpBuilder &builder;
  DestinationStyleOpInterface op;
  SmallVector<Value> operands;
  SmallVector<Operation *> slices;
};

/// The op on the part of its iteration domain that computes a tile of one
/// result, with that result's tile as the only value.
FailureOr<TilingResult> tileForResult(OpBuilder &builder, TilingInterface op,
                                      unsigned resultNumber,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes);

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_IR_INTERFACES_TILESLICES_H
