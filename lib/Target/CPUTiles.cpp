//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Target/CPUTiles.h"

mlir::fpa::CPUTiles mlir::fpa::chooseCPUTiles(int64_t lanes) {
  bool wide = lanes >= 16;
  CPUTiles tiles;
  // Registers of queries that share each broadcast of a key's element: with 32
  // registers four of them, and then blocks of queries and edges coincide; with
  // 16 registers three.
  tiles.query = (wide ? 4 : 3) * lanes;
  // 24 to 32 KiB of f32 logits, a power of two of keys.
  tiles.key = wide ? 128 : 256;
  tiles.edge = 64;
  // A step reads each key once: a long tile is a long stream from memory, with
  // little to compute between two. A chunk is long enough to be worth a thread.
  tiles.cachedKey = 512;
  tiles.cachedEdge = 128;
  tiles.cachedChunk = 8 * tiles.cachedKey;
  return tiles;
}
