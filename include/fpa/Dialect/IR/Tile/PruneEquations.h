//===- PruneEquations.h - The equations of leaving keys out -----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_TILE_PRUNEEQUATIONS_H
#define FPA_DIALECT_IR_TILE_PRUNEEQUATIONS_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/OnlineEquations.h"

namespace mlir::fpa {

/// The norms, -inf in rows that the source does not have.
SmallVector<Value> buildRowNorms(TileBuilder &tile, RowNormsOp op,
                                 const OnlineExtents &extents);

/// The level that keys have by the mean of their weights.
SmallVector<Value> buildMeanLevel(TileBuilder &tile, MeanLevelOp op,
                                  const OnlineExtents &extents);

/// 0 where no row needs the keys, else 1, as index.
Value buildPruneKeys(TileBuilder &tile, PruneKeysOp op,
                     const OnlineExtents &extents);

/// What was left out, and the maximum that it is relative to.
SmallVector<Value> buildDropKeys(TileBuilder &tile, DropKeysOp op,
                                 const OnlineExtents &extents);

/// The share that was left out and, if wanted, the numbers of keys.
SmallVector<Value> buildDropFinalize(TileBuilder &tile, DropFinalizeOp op,
                                     const OnlineExtents &extents);

} // namespace mlir::fpa

#endif // FPA_DIALECT_IR_TILE_PRUNEEQUATIONS_H
