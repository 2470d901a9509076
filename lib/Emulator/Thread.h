//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A GPU thread, as compiled kernels and the emulator see it.

#ifndef FPA_LIB_EMULATOR_THREAD_H
#define FPA_LIB_EMULATOR_THREAD_H

#include "AsyncCopies.h"
#include "Fiber.h"
#include "Site.h"
#include "Traffic.h"
#include <cstdint>

namespace mlir::fpa {

class ThreadBlock;

/// Special registers, by their place in Thread::special.
enum class Special : uint8_t {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockDimX,
  BlockDimY,
  BlockDimZ,
  BlockX,
  BlockY,
  BlockZ,
  GridDimX,
  GridDimY,
  GridDimZ,
  Lane,
  Warp,
  WarpSize,
  Warps,
  MaskEq,
  MaskLe,
  MaskLt,
  MaskGe,
  MaskGt,
  SharedBytes,
};
constexpr unsigned numSpecials = unsigned(Special::SharedBytes) + 1;

/// The part that compiled code reads by offset.
struct ThreadView {
  uint32_t special[numSpecials];
  /// The block's shared memory, and the part of it that the launch asked for.
  char *shared, *dynamicShared;
  /// How often the thread ran each basic block of the program.
  uint64_t *counts;
};

struct Thread : ThreadView {
  enum class State : uint8_t { Ready, AtCollective, AtBarrier, Done };

  ThreadBlock *block;
  Fiber fiber;
  char *stack;
  uint32_t index, warp, lane;
  State state;

  /// What it waits at: the op, the lanes that meet there, their operands and
  /// where the results go.
  const Site *site;
  uint32_t mask;
  const uint32_t *operands;
  uint32_t *results;
  uint32_t barrierId;

  AsyncCopies copies;
  std::vector<Touch> touches;
  /// Variables on the stack that pointers of unknown origin may point to.
  struct Variable {
    uint64_t begin;
    int64_t bytes;
  };
  std::vector<Variable> variables;
};

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_THREAD_H
