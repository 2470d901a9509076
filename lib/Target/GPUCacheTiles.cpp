//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Target/GPUTiles.h"

using namespace mlir::fpa;
using llvm::Expected;

/// Rows of a matrix instruction, which a warp owns.
static constexpr int64_t kRows = 16;
/// More rows than four warps have are several blocks, which share the keys by
/// way of the cache.
static constexpr int64_t kMostWarps = 4;

/// Where the states of chunks are merged, those that are on their way lie in
/// shared memory, in f32: an accumulator and two lines each. The queries stay.
static int64_t countMergeBytes(const GPUAttention &a, const GPUTiles &tiles) {
  int64_t f32 = sizeof(float), gap = 128;
  int64_t state = tiles.query * (a.valueHeadSize * f32 + 16) +
                  2 * tiles.query * f32 + 3 * gap;
  int64_t query = tiles.query * (a.headSize * f32 + 16) + gap;
  return tiles.stages * state + query;
}

Expected<GPUCacheTiles>
mlir::fpa::chooseGPUCacheTiles(const GPUTarget &target,
                               const GPUAttention &attention, int64_t rows,
                               const GPUTileRequest &request) {
  GPUTileRequest asked = request;
  int64_t warps = request.warps;
  if (!warps)
    for (warps = 1; warps < kMostWarps && kRows * warps < rows;)
      warps *= 2;
  bool isFree = !request.warps && !request.query;
  while (true) {
    if (!request.query)
      asked.query = kRows * warps;
    if (!request.query || request.query % (kRows * warps) == 0)
      asked.warps = warps;
    Expected<GPUTiles> tiles = chooseGPUTiles(target, attention, asked);
    if (!tiles)
      return tiles.takeError();
    int64_t bytes = countMergeBytes(attention, *tiles);
    if (bytes <= target.sharedPerBlock)
      return GPUCacheTiles{*tiles, kCacheChunk};
    // Fewer rows first, then fewer copies.
    if (isFree && warps > 1)
      warps /= 2;
    else if (!request.stages && tiles->stages > 1)
      asked.stages = tiles->stages - 1;
    else
      return explainSharedMemory(
          describeMisfit("attention over a cache", target, attention), bytes,
          target);
  }
}
