//===- TileChecks.h - Checks shared by ops on a tile ------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ops that go over one tile of query rows and keys have in common:
// fpa.online_attention and fpa.backward_tile.
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_DIALECT_IR_TILECHECKS_H
#define FPA_LIB_DIALECT_IR_TILECHECKS_H

#include "OperandChecks.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::fpa {

/// The type that attention over elements of `element` adds up in.
inline Type getAccumulatorType(Type element) {
  return element.isF64() ? element : Float32Type::get(element.getContext());
}

/// All such types.
inline SmallVector<Type> getAccumulatorTypes(MLIRContext *context) {
  return {Float32Type::get(context), Float64Type::get(context)};
}

/// Declares the operands of the products, D and Dv long.
template <typename TileOp>
void addProductOperands(OperandChecks &checks, TileOp op) {
  Type element = getElementTypeOrSelf(op.getQuery());
  checks.add("query", op.getQuery(), {"M", "D"},
             getFloatTypes(op.getContext()));
  checks.add("key", op.getKey(), {"N", "D"}, element);
  checks.add("value", op.getValue(), {"N", "Dv"}, element);
}

/// Declares what the penalty is made of.
template <typename TileOp>
void addPenaltyOperands(OperandChecks &checks, TileOp op) {
  Type type = getAccumulatorType(getElementTypeOrSelf(op.getQuery()));
  checks.add("field", op.getField(), {"N"}, type);
  checks.add("level", op.getLevel(), {"N"}, type);
  checks.add("suffix", op.getSuffix(), {"N"}, type);
}

/// Declares which keys a row sees.
template <typename TileOp>
void addIntervalOperands(OperandChecks &checks, TileOp op) {
  Type index = IntegerType::get(op.getContext(), 64);
  checks.add("first", op.getFirst(), {"M"}, index);
  checks.add("last", op.getLast(), {"M"}, index);
}

/// Both ends of what a row sees and where the tile begins, or none of them.
template <typename TileOp> LogicalResult verifyTileInterval(TileOp op) {
  return verifyInterval(op, {{"first", op.getFirst()},
                             {"last", op.getLast()},
                             {"key_offset", op.getKeyOffset()}});
}

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_IR_TILECHECKS_H
