//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Target/CPUTiles.h"

mlir::fpa::CPUTiles mlir::fpa::chooseCPUTiles(int64_t lanes) {
  CPUTiles tiles;
  tiles.query = 3 * lanes;
  // 24 KiB of f32 logits, a power of two of keys.
  tiles.key = lanes >= 16 ? 128 : 256;
  tiles.edge = 64;
  return tiles;
}
