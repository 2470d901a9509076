//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Target/GPUTiles.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

/// Rows of a matrix instruction, which a warp owns.
static constexpr int64_t kRows = 16;
static constexpr int64_t kLine = sizeof(float);

static int64_t getBytes(GPUElement element) {
  return element == GPUElement::F32 ? 4 : 2;
}

/// Bytes of a block in shared memory: its rows may be filled up by 16 bytes.
static int64_t countBytes(int64_t rows, int64_t columns, int64_t bytes) {
  return llvm::alignTo(rows * (columns * bytes + 16), 128);
}

/// One walk: `own` rows stay, `other` rows go by.
struct Walk {
  int64_t own, other, warps, stages;
};

/// An upper bound. Both operands of both sides, lines of numbers beside them,
/// what is right operand at an edge once more in two forms, and what warps tell
/// each other. Without matrix instructions left operands pass through as well.
static int64_t countSharedBytes(const GPUAttention &a, const Walk &walk) {
  int64_t bytes = getBytes(a.element);
  int64_t width = std::max(a.headSize, a.valueHeadSize);
  auto pair = [&](int64_t rows) {
    return countBytes(rows, a.headSize, bytes) +
           countBytes(rows, a.valueHeadSize, bytes);
  };
  constexpr int64_t lines = 6;
  auto line = [&](int64_t rows) {
    return lines * llvm::alignTo(rows * kLine, 128);
  };
  int64_t left =
      a.element == GPUElement::F32
          ? 2 * countBytes(walk.own, std::max(width, walk.other), bytes)
          : 0;
  int64_t told = walk.other / 4 * 32 * walk.warps * kLine;
  // Blocks of a step begin where others end, at multiples of 128 bytes.
  constexpr int64_t gaps = 8192;
  return pair(walk.own) + line(walk.own) +
         walk.stages * (pair(walk.other) + line(walk.other)) +
         2 * countBytes(walk.other, width, bytes) + line(walk.other) + left +
         told + gaps;
}

/// A block of R x C numbers takes R * C / threads registers of each.
///   sums + logits + their gradients + operands that stay, half as wide
static int64_t countRegisters(const GPUAttention &a, const Walk &walk,
                              int64_t sums) {
  int64_t threads = walk.warps * 32;
  auto block = [&](int64_t columns) { return walk.own * columns / threads; };
  int64_t kept = a.element == GPUElement::F32
                     ? 0
                     : block(a.headSize + a.valueHeadSize) / 2;
  constexpr int64_t rest = 100;
  return block(sums) + 2 * block(walk.other) + kept + rest;
}

namespace {
/// Sizes and what they need.
struct Candidate {
  GPUBackwardTiles tiles;
  int64_t sharedBytes, registers;
};
} // namespace

static Candidate describe(const GPUAttention &a, const GPUTiles &ofQueries,
                          const GPUTiles &ofKeys) {
  Walk queries = {ofQueries.query, ofQueries.key, ofQueries.warps,
                  ofQueries.stages};
  Walk keys = {ofKeys.key, ofKeys.query, ofKeys.warps, ofKeys.stages};
  return {{ofQueries, ofKeys},
          std::max(countSharedBytes(a, queries), countSharedBytes(a, keys)),
          std::max(countRegisters(a, queries, a.headSize),
                   countRegisters(a, keys, a.headSize + a.valueHeadSize))};
}

/// Calls `visit` with all sizes that agree with what is asked for, large ones
/// first.
static void forEachTiles(
    const GPUTileRequest &r,
    llvm::function_ref<void(const GPUTiles &, const GPUTiles &)> visit) {
  for (int64_t key : {64, 32, 16})
    for (int64_t stages : {2, 1})
      for (int64_t rows : {64, 32, 16})
        for (int64_t passing : {64, 32, 16}) {
          int64_t n = r.key ? r.key : key;
          int64_t copies = r.stages ? r.stages : stages;
          GPUTiles ofQueries = {r.query ? r.query : rows, n, n, 0, copies};
          GPUTiles ofKeys = {r.query ? r.query : passing, n, n, 0, copies};
          // As many as have rows to own, a power of two.
          auto warpsOf = [&](int64_t own) {
            int64_t most = r.warps ? r.warps : 4;
            while (most > 1 && own % (kRows * most) != 0)
              most /= 2;
            return most;
          };
          ofQueries.warps = warpsOf(ofQueries.query);
          ofKeys.warps = warpsOf(n);
          if (ofQueries.query % (kRows * ofQueries.warps) == 0 &&
              ofKeys.query % kRows == 0 && n % (kRows * ofKeys.warps) == 0)
            visit(ofQueries, ofKeys);
        }
}

Expected<GPUBackwardTiles>
mlir::fpa::chooseGPUBackwardTiles(const GPUTarget &target,
                                  const GPUAttention &attention,
                                  const GPUTileRequest &request) {
  if (Error error = checkGPUHeads(attention))
    return std::move(error);
  if (Error error = checkGPUTileRequest(request))
    return std::move(error);
  // The first that fits, or what comes closest: what is too much for registers
  // goes to local memory, what is too much for shared memory nowhere.
  std::optional<Candidate> best;
  std::optional<int64_t> least;
  forEachTiles(request, [&](const GPUTiles &ofQueries, const GPUTiles &ofKeys) {
    Candidate candidate = describe(attention, ofQueries, ofKeys);
    least = std::min(least.value_or(INT64_MAX), candidate.sharedBytes);
    if (candidate.sharedBytes > target.sharedPerBlock)
      return;
    if (!best || (best->registers > target.registersPerThread &&
                  candidate.registers < best->registers))
      best = candidate;
  });
  if (best)
    return best->tiles;
  std::string what =
      describeMisfit("the backward of attention", target, attention);
  if (!least)
    return createStringError(what + "query-tile, key-tile and warps do not go "
                                    "together");
  return explainSharedMemory(what, *least, target);
}
