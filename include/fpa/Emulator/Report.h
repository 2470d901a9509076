//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the emulator says of a launch: what was wrong, and what it cost.

#ifndef FPA_EMULATOR_REPORT_H
#define FPA_EMULATOR_REPORT_H

#include "fpa/Runtime/Device.h"
#include <array>
#include <string>
#include <vector>

namespace mlir::fpa {

namespace runtime = ::fpa::runtime;

/// "(x, y, z)"
std::string formatPlace(runtime::Dim3 place);

/// One thing that a kernel did and must not do.
struct Finding {
  enum class Kind {
    OutOfBounds,
    Misaligned,
    Uninitialized,
    Race,
    BlockRace,
    UnfinishedCopy,
    CopySourceChanged,
    DivergentBarrier,
    DivergentCollective,
    Division,
    ConstantWrite,
    Unreachable,
    Unsupported,
  };
  Kind kind;
  std::string kernel;
  runtime::Dim3 block, thread;
  /// "file:line:column: ", or empty.
  std::string location;
  std::string what;

  /// All of it, on one line.
  std::string getText() const;
};

/// Classes of instructions of a warp.
enum class InstructionClass {
  Mma,
  LoadMatrix,
  SharedLoad,
  SharedStore,
  GlobalLoad,
  GlobalStore,
  AsyncCopy,
  Shuffle,
  Barrier,
  Exp2,
  FloatAdd,
  FloatMul,
  FloatFma,
  FloatMinMax,
  Conversion,
  Integer,
  Branch,
  Other,
};
constexpr unsigned numInstructionClasses =
    unsigned(InstructionClass::Other) + 1;
using InstructionCounts = std::array<uint64_t, numInstructionClasses>;
const char *getName(InstructionClass kind);

/// A basic block of a kernel. Lanes of a warp that run it together count once.
struct BlockCount {
  std::string kernel, location;
  /// Number of the block within its kernel, and of the header of the innermost
  /// loop that it is in; -1 for none.
  unsigned index;
  int loop = -1;
  /// Goes back to the header.
  bool isLatch = false;
  /// Times that a warp ran it, over all warps.
  uint64_t executions = 0;
  /// Instructions of one execution.
  InstructionCounts instructions{};
};

/// An innermost loop of a kernel; of an outer one, what is not in inner ones.
struct LoopCount {
  std::string kernel, location;
  unsigned header;
  /// Times round, over all warps, and the instructions of all of them.
  uint64_t rounds = 0;
  InstructionCounts instructions{};
};

/// Passes over the banks of shared memory, and the fewest that would do.
struct SharedTraffic {
  uint64_t instructions = 0, wavefronts = 0, least = 0;
};

/// An op whose accesses of shared memory get in each other's way.
struct BankConflict {
  std::string location, op;
  SharedTraffic traffic;
};

/// 32-byte sectors of global memory.
struct GlobalTraffic {
  uint64_t instructions = 0;
  /// Sectors that the warps' instructions asked for.
  uint64_t sectors = 0;
  /// Different sectors, summed over blocks, and in the whole launch.
  uint64_t perBlock = 0, perLaunch = 0;
};

struct LaunchReport {
  std::string kernel;
  runtime::Dim3 grid, block;
  int64_t sharedBytes = 0;
  std::vector<Finding> findings;

  InstructionCounts instructions{};
  std::vector<BlockCount> blocks;
  std::vector<BankConflict> conflicts;
  /// Multiply-adds of tensor-core instructions.
  uint64_t tensorMultiplyAdds = 0;
  SharedTraffic sharedLoads, sharedStores, matrixLoads, asyncStores;
  GlobalTraffic globalLoads, globalStores;

  /// The loops with the most instructions first.
  std::vector<LoopCount> getLoops() const;

  /// A table for people.
  std::string getText() const;
};

} // namespace mlir::fpa

#endif // FPA_EMULATOR_REPORT_H
