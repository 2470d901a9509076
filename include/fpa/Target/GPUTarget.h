//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What a GPU offers. The only place where the GPU path knows a chip by name.

#ifndef FPA_TARGET_GPUTARGET_H
#define FPA_TARGET_GPUTARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace mlir::fpa {

struct GPUTarget {
  /// "sm_80".
  std::string chip;
  /// Compute capability, 10 * major + minor.
  int64_t capability = 80;
  /// The version of PTX that its code is written in, 10 * major + minor.
  int64_t ptxVersion = 80;
  /// The first CUDA toolkit that knows both, 10 * major + minor.
  int64_t toolkit = 120;
  /// Bytes of shared memory that a block can ask for, those of a
  /// multiprocessor, and those that each block there costs besides.
  int64_t sharedPerBlock = 0, sharedPerSM = 0, sharedReserved = 1024;
  int64_t registersPerSM = 65536, registersPerThread = 255;
  int64_t threadsPerBlock = 1024, threadsPerSM = 2048, blocksPerSM = 32;
  int64_t warpSize = 32;

  /// LLVM's feature string, "+ptx80".
  std::string getFeatures() const;
};

/// The chips that code is generated for.
llvm::ArrayRef<llvm::StringRef> getGPUChips();

/// `chip` is one of getGPUChips(); the error names them.
llvm::Expected<GPUTarget> getGPUTarget(llvm::StringRef chip);

/// The best of them for a GPU of this compute capability.
llvm::Expected<GPUTarget> chooseGPUTarget(int major, int minor);

} // namespace mlir::fpa

#endif // FPA_TARGET_GPUTARGET_H
