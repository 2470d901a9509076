//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Target/GPUTarget.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::fpa;
using llvm::StringRef;

namespace {
/// Shared memory in KiB.
struct Chip {
  StringRef name;
  int64_t capability, ptxVersion, sharedPerBlock, sharedPerSM, threadsPerSM,
      blocksPerSM;
};
} // namespace

static constexpr Chip chips[] = {
    {"sm_80", 80, 80, 163, 164, 2048, 32},
    {"sm_86", 86, 80, 99, 100, 1536, 16},
    {"sm_89", 89, 80, 99, 100, 1536, 24},
    {"sm_90", 90, 80, 227, 228, 2048, 32},
    {"sm_100", 100, 86, 227, 228, 2048, 32},
    {"sm_120", 120, 87, 99, 100, 1536, 24},
};

std::string GPUTarget::getFeatures() const {
  return "+ptx" + std::to_string(ptxVersion);
}

llvm::ArrayRef<StringRef> mlir::fpa::getGPUChips() {
  static const std::vector<StringRef> names = [] {
    std::vector<StringRef> result;
    for (const Chip &chip : chips)
      result.push_back(chip.name);
    return result;
  }();
  return names;
}

llvm::Expected<GPUTarget> mlir::fpa::getGPUTarget(StringRef name) {
  for (const Chip &chip : chips) {
    if (chip.name != name)
      continue;
    GPUTarget target;
    target.chip = name.str();
    target.capability = chip.capability;
    target.ptxVersion = chip.ptxVersion;
    target.toolkit = chip.ptxVersion > 80 ? 128 : 120;
    target.sharedPerBlock = chip.sharedPerBlock * 1024;
    target.sharedPerSM = chip.sharedPerSM * 1024;
    target.threadsPerSM = chip.threadsPerSM;
    target.blocksPerSM = chip.blocksPerSM;
    return target;
  }
  return llvm::createStringError("expected a chip among " +
                                 llvm::join(getGPUChips(), ", ") + ", got '" +
                                 name + "'");
}

llvm::Expected<GPUTarget> mlir::fpa::chooseGPUTarget(int major, int minor) {
  // The last of those before it: machine code for it runs there when it is of
  // the same generation, and PTX always.
  const Chip *best = nullptr;
  for (const Chip &chip : chips)
    if (chip.capability <= 10 * major + minor)
      best = &chip;
  if (best)
    return getGPUTarget(best->name);
  return llvm::createStringError("expected a GPU from sm_80 on, got sm_" +
                                 std::to_string(major) + std::to_string(minor));
}
