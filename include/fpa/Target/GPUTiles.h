//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Which sizes attention takes on a GPU, by a model of what they need. Nothing
// here is lowered: passes get the numbers as options.

#ifndef FPA_TARGET_GPUTILES_H
#define FPA_TARGET_GPUTILES_H

#include "fpa/Target/GPUTarget.h"
#include <vector>

namespace mlir::fpa {

enum class GPUElement { F16, BF16, F32 };

/// "f16", "bf16" or "f32".
llvm::StringRef getName(GPUElement element);
llvm::Expected<GPUElement> parseGPUElement(llvm::StringRef name);

/// What the sizes depend on.
struct GPUAttention {
  GPUElement element = GPUElement::F16;
  int64_t headSize = 64, valueHeadSize = 64;
};

/// Head sizes go in steps of a matrix instruction's depth.
inline constexpr int64_t kGPUHeadStep = 16, kMostGPUHead = 256;
/// In f32, columns of a right operand that come at a time where something is
/// computed on it, if they divide its width.
inline constexpr int64_t kComputedColumns = 32;
/// Programs get other head sizes filled up with zeros to the next step. Those
/// that are too large stay.
GPUAttention padGPUHeads(GPUAttention attention);

/// Sizes of attention forward. A warp owns query / warps rows, a multiple of
/// the 16 of a matrix instruction, and walks all keys of a tile.
struct GPUTiles {
  /// Rows of a block, keys of a tile that all rows see, and keys of a tile at
  /// the border of the visible keys.
  int64_t query = 0, key = 0, edge = 0;
  int64_t warps = 0;
  /// Tiles of K and V in shared memory at a time: one that is computed on, the
  /// others on their way.
  int64_t stages = 0;
};

/// What sizes need, estimated.
struct GPUUse {
  int64_t sharedBytes = 0;
  /// Of a thread: in the loop over full tiles or at an edge, whichever is more.
  int64_t registers = 0;
  /// Blocks that are resident on a multiprocessor; 0 if one does not fit.
  int64_t blocksPerSM = 0;
};
GPUUse estimateGPUUse(const GPUTarget &target, const GPUAttention &attention,
                      const GPUTiles &tiles);

/// Sizes that are asked for; 0 leaves one to choose.
struct GPUTileRequest {
  int64_t query = 0, key = 0, edge = 0, warps = 0, stages = 0;
};

/// Fails, naming the option, for sizes that no chip has room for or that do not
/// go together.
llvm::Error checkGPUTileRequest(const GPUTileRequest &request);

/// The best sizes that fit and have what is asked for. An error of one line
/// says which option cannot be, or what does not fit into which chip.
llvm::Expected<GPUTiles> chooseGPUTiles(const GPUTarget &target,
                                        const GPUAttention &attention,
                                        const GPUTileRequest &request = {});

/// "no tile sizes of WHAT in f16 with head sizes ... fit into ...: ", how the
/// errors of the choices begin.
std::string describeMisfit(llvm::StringRef what, const GPUTarget &target,
                           const GPUAttention &attention);
/// Such an error where `bytes` is the least that is needed.
llvm::Error explainSharedMemory(const std::string &misfit, int64_t bytes,
                                const GPUTarget &target);

/// Fails for head sizes that a GPU has no tiles for.
llvm::Error checkGPUHeads(const GPUAttention &attention);

/// Sizes of the backward. Where queries walk along keys a warp owns rows of
/// queries, where keys walk along queries rows of keys. Edges are as
/// wide as key tiles.
struct GPUBackwardTiles {
  GPUTiles ofQueries, ofKeys;
};

/// As chooseGPUTiles; what is asked for holds for both walks, but that edges
/// are as wide as other tiles and warps as many as have rows to own. Where no
/// sizes fit into the registers, those that need the least of them. With
/// `oneKeyTile` both walks get key tiles of one size.
llvm::Expected<GPUBackwardTiles>
chooseGPUBackwardTiles(const GPUTarget &target, const GPUAttention &attention,
                       const GPUTileRequest &request = {},
                       bool oneKeyTile = false);

/// Cached keys that one block walks, a multiple of every key tile: enough to
/// make up for the state that it leaves, few enough for many blocks.
inline constexpr int64_t kCacheChunk = 512;

/// Sizes of attention of new tokens over a cache.
struct GPUCacheTiles {
  GPUTiles tiles;
  int64_t chunk = kCacheChunk;
};

/// As chooseGPUTiles, for `rows` rows that share a key head, 0 if that is not
/// known: no more warps than they need. What is asked for is kept.
llvm::Expected<GPUCacheTiles>
chooseGPUCacheTiles(const GPUTarget &target, const GPUAttention &attention,
                    int64_t rows, const GPUTileRequest &request = {});

/// Something that chooseGPUTiles chooses when nothing is asked for.
struct GPUStrategy {
  GPUTarget target;
  GPUAttention attention;
  GPUTiles tiles;
  GPUUse use;
};

/// All of them: each choice of sizes of each chip and element type, with the
/// smallest heads that it is chosen for. With `everyHead` also every head size
/// in steps of 16, V's as Q's.
std::vector<GPUStrategy> listGPUStrategies(bool everyHead = false);

} // namespace mlir::fpa

#endif // FPA_TARGET_GPUTILES_H
