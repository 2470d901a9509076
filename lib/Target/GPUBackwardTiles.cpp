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
///   sums + logits, their gradients and what an edge knows of each + a left
///   operand, half as wide + addresses and lines
static int64_t countRegisters(const GPUAttention &a, const Walk &walk,
                              int64_t sums) {
  int64_t threads = walk.warps * 32;
  auto block = [&](int64_t columns) { return walk.own * columns / threads; };
  int64_t left = a.element == GPUElement::F32
                     ? 0
                     : block(std::max(a.headSize, a.valueHeadSize)) / 2;
  constexpr int64_t perLogit = 5, rest = 100;
  return block(sums) + perLogit * block(walk.other) + left + rest;
}

/// Calls `visit` with all sizes of a walk that agree with what is asked for,
/// large ones first: of its own rows, of those that go by, and of warps as many
/// as have rows to own, a power of two.
static void forEachWalk(int64_t own, int64_t other, int64_t warps,
                        int64_t stages,
                        llvm::function_ref<void(const Walk &)> visit) {
  auto choices = [](int64_t asked, llvm::ArrayRef<int64_t> all) {
    return asked ? std::vector<int64_t>{asked}
                 : std::vector<int64_t>(all.begin(), all.end());
  };
  for (int64_t rows : choices(own, {64, 32, 16}))
    for (int64_t passing : choices(other, {64, 32, 16}))
      for (int64_t copies : choices(stages, {2, 1})) {
        int64_t most = warps ? warps : 4;
        while (most > 1 && rows % (kRows * most) != 0)
          most /= 2;
        if (rows % (kRows * most) == 0 && passing % kRows == 0)
          visit({rows, passing, most, copies});
      }
}

namespace {
/// The walk that is chosen, and the least shared memory that any takes.
struct Choice {
  std::optional<Walk> walk;
  std::optional<int64_t> least;
};
} // namespace

/// The first that fits, or what comes closest: what is too much for registers
/// goes to local memory, what is too much for shared memory nowhere.
static Choice chooseWalk(const GPUTarget &target, const GPUAttention &a,
                         const GPUTileRequest &r, bool ownsKeys) {
  Choice choice;
  int64_t best = 0;
  int64_t sums = ownsKeys ? a.headSize + a.valueHeadSize : a.headSize;
  forEachWalk(ownsKeys ? r.key : r.query, ownsKeys ? r.query : r.key, r.warps,
              r.stages, [&](const Walk &walk) {
                int64_t bytes = countSharedBytes(a, walk);
                choice.least = std::min(choice.least.value_or(INT64_MAX), bytes);
                int64_t registers = countRegisters(a, walk, sums);
                if (bytes > target.sharedPerBlock ||
                    (choice.walk && (best <= target.registersPerThread ||
                                     registers >= best)))
                  return;
                choice.walk = walk;
                best = registers;
              });
  return choice;
}

Expected<GPUBackwardTiles>
mlir::fpa::chooseGPUBackwardTiles(const GPUTarget &target,
                                  const GPUAttention &attention,
                                  const GPUTileRequest &request,
                                  bool oneKeyTile) {
  if (Error error = checkGPUHeads(attention))
    return std::move(error);
  if (Error error = checkGPUTileRequest(request))
    return std::move(error);
  Choice ofQueries = chooseWalk(target, attention, request, /*ownsKeys=*/false);
  GPUTileRequest forKeys = request;
  if (oneKeyTile && ofQueries.walk)
    forKeys.key = ofQueries.walk->other;
  Choice ofKeys = chooseWalk(target, attention, forKeys, /*ownsKeys=*/true);
  if (ofQueries.walk && ofKeys.walk) {
    const Walk &q = *ofQueries.walk, &k = *ofKeys.walk;
    return GPUBackwardTiles{{q.own, q.other, q.other, q.warps, q.stages},
                            {k.other, k.own, k.own, k.warps, k.stages}};
  }
  std::string what =
      describeMisfit("the backward of attention", target, attention);
  if (!ofQueries.least || !ofKeys.least)
    return createStringError(what + "query-tile, key-tile and warps do not go "
                                    "together");
  return explainSharedMemory(what, std::max(*ofQueries.least, *ofKeys.least),
                             target);
}
