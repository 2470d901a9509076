//===- OnlineEquations.h - The equations of online attention -----*- C++
//-*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_TILE_ONLINEEQUATIONS_H
#define FPA_DIALECT_IR_TILE_ONLINEEQUATIONS_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/TileBuilder.h"

namespace mlir::fpa {

/// Sizes of the blocks of one online op: M, N, D and Dv of its description.
struct OnlineExtents {
  OpFoldResult rows, keys, head, valueHead;
};

/// Whether to compute everything or, to measure what the rest costs, the two
/// matrix products alone.
enum class OnlineTerms { All, ProductsOnly };

/// The new state, in the order of the op's outs.
SmallVector<Value> buildOnlineStep(TileBuilder &tile, OnlineAttentionOp op,
                                   const OnlineExtents &extents,
                                   OnlineTerms terms = OnlineTerms::All);

/// Accumulator, maximum and sum of both sets of keys.
SmallVector<Value> buildOnlineMerge(TileBuilder &tile, OnlineMergeOp op,
                                    const OnlineExtents &extents);

/// The output and, if wanted, the log-sum-exp.
SmallVector<Value> buildOnlineFinalize(TileBuilder &tile, OnlineFinalizeOp op,
                                       const OnlineExtents &extents,
                                       OnlineTerms terms = OnlineTerms::All);

} // namespace mlir::fpa

#endif // FPA_DIALECT_IR_TILE_ONLINEEQUATIONS_H
