//===- TileStages.h - What pipelines of all targets share -------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_PIPELINES_TILESTAGES_H
#define FPA_LIB_PIPELINES_TILESTAGES_H

#include "fpa/Dialect/Transforms/Passes.h"

namespace mlir::fpa {

/// Streaming loops over key tiles, and their steps as block vectors that the
/// loops carry.
void addTiling(OpPassManager &pm, const TileAttentionOptions &tiles,
               const VectorizeTilesOptions &vectors);

/// Tensors become buffers; functions take and return them with identity layout,
/// and every buffer that a function returns belongs to its caller. Loops of a
/// host that cannot choose between buffers carry them in place.
void addBufferization(OpPassManager &pm, bool carryInPlace = false);

} // namespace mlir::fpa

#endif // FPA_LIB_PIPELINES_TILESTAGES_H
