//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An op of a kernel that calls into the emulator.

#ifndef FPA_LIB_EMULATOR_SITE_H
#define FPA_LIB_EMULATOR_SITE_H

#include "fpa/Emulator/Report.h"

namespace mlir::fpa {

enum class SiteKind : uint8_t {
  Load,
  Store,
  /// Reads, writes or both; other threads may do so at the same time.
  Atomic,
  AsyncCopy,
  AsyncWait,
  Barrier,
  SyncWarp,
  Shuffle,
  Vote,
  Match,
  Reduce,
  LoadMatrix,
  StoreMatrix,
  Mma,
  /// Of integers.
  Division,
  /// What may need more of its stack than a thread has.
  Stack,
  Unreachable,
};

enum class ShuffleMode : uint8_t { Butterfly, Up, Down, Index };
enum class VoteMode : uint8_t { Any, All, Ballot, Uniform };
enum class ReduceMode : uint8_t {
  Add,
  And,
  Or,
  Xor,
  SignedMin,
  SignedMax,
  UnsignedMin,
  UnsignedMax,
  FloatMin,
  FloatMax,
};
enum class MmaType : uint8_t { F16, BF16, TF32 };

enum class Space : uint8_t { Generic, Global, Shared };

struct Site {
  SiteKind kind;
  Space space = Space::Generic;
  /// "file:line:column: ", or empty, and the name of the op.
  std::string location, op;
  /// Name of the kernel or function that the op is in.
  std::string function;
  /// Bytes and alignment of a memory access; of one row for a matrix.
  uint32_t bytes = 0, alignment = 1;
  /// Bytes that one instruction of the hardware moves of an access.
  uint32_t piece = 1;
  /// One of the modes above, by kind.
  uint8_t mode = 0;
  /// Matrices, or the inner dimension of a product.
  uint8_t count = 0;
  bool transposed = false;
  /// Results of a shuffle besides the value; NaNs win in a reduction.
  bool withPredicate = false, propagateNaN = false, absolute = false;
  /// What a memory access does.
  bool reads = false, writes = false;
  /// The constant that is accessed, where the op shows it.
  std::string constant;
};

/// Lanes that must meet are named by an operand, or are all of the warp.
inline bool hasMask(SiteKind kind) {
  return kind == SiteKind::SyncWarp || kind == SiteKind::Shuffle ||
         kind == SiteKind::Vote || kind == SiteKind::Match ||
         kind == SiteKind::Reduce;
}

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_SITE_H
