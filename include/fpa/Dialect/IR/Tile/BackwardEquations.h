//===- BackwardEquations.h - The equations of the backward ------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_TILE_BACKWARDEQUATIONS_H
#define FPA_DIALECT_IR_TILE_BACKWARDEQUATIONS_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/OnlineEquations.h"

namespace mlir::fpa {

/// The new minimum.
SmallVector<Value> buildPassField(TileBuilder &tile, PassFieldOp op,
                                  const OnlineExtents &extents);

/// Delta.
SmallVector<Value> buildBackwardDelta(TileBuilder &tile, BackwardDeltaOp op,
                                      const OnlineExtents &extents);

/// The sums with the tile's part added, in the order of the op's outs.
SmallVector<Value> buildBackwardTile(TileBuilder &tile, BackwardTileOp op,
                                     const OnlineExtents &extents);

/// The carry and the suffix gradient, past a tile that is left out.
SmallVector<Value> buildPassCarry(TileBuilder &tile, PassCarryOp op,
                                  const OnlineExtents &extents);

/// The gradient of query rows.
SmallVector<Value> buildBackwardFinalize(TileBuilder &tile,
                                         BackwardFinalizeOp op,
                                         const OnlineExtents &extents);

} // namespace mlir::fpa

#endif // FPA_DIALECT_IR_TILE_BACKWARDEQUATIONS_H
