//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_TARGET_CPUTILES_H
#define FPA_TARGET_CPUTILES_H

#include <cstdint>

namespace mlir::fpa {

/// Block sizes of attention on a CPU, in rows and keys.
struct CPUTiles {
  int64_t query, key, edge;
  /// The same over a cache, and the cached keys that one iteration walks.
  int64_t cachedKey, cachedEdge, cachedChunk;
};

/// The block sizes for vector registers of `lanes` f32 elements. A few
/// registers of queries share each key element that is broadcast; a block of
/// logits, query x key, stays in the first-level cache beside what it is
/// computed from.
CPUTiles chooseCPUTiles(int64_t lanes);

} // namespace mlir::fpa

#endif // FPA_TARGET_CPUTILES_H
