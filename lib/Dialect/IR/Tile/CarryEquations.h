//===- CarryEquations.h - Where carries end ---------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_DIALECT_IR_TILE_CARRYEQUATIONS_H
#define FPA_LIB_DIALECT_IR_TILE_CARRYEQUATIONS_H

#include "fpa/Dialect/IR/Tile/TileBuilder.h"

namespace mlir::fpa {

FloatType getAccumulatorType(Value state);

/// `block` where the condition is `where`, and 0 elsewhere.
Value selectOrZero(TileBuilder &t, Value condition, Value block, bool where);
Value endsInTile(TileBuilder &t, Value minimum, Value passed);
Value lowerMinimum(TileBuilder &t, Value own, Value passed, OpFoldResult rows);
Value putEndsLast(TileBuilder &t, Value ends, OpFoldResult keys);

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_IR_TILE_CARRYEQUATIONS_H
