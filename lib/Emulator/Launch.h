//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the host threads that work on a launch share.

#ifndef FPA_LIB_EMULATOR_LAUNCH_H
#define FPA_LIB_EMULATOR_LAUNCH_H

#include "DeviceMemory.h"
#include "fpa/Emulator/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include <atomic>
#include <map>
#include <mutex>

namespace mlir::fpa {

struct Launch {
  std::string kernel;
  /// Takes pointers to the values of the arguments.
  void (*entry)(void **) = nullptr;
  void **arguments = nullptr;
  runtime::Dim3 grid, block;
  int64_t sharedBytes = 0, dynamicBytes = 0;
  unsigned numCounters = 0;
  DeviceMemory *memory = nullptr;
  llvm::ArrayRef<Constant> constants;
  uint32_t firstRun = 1;

  std::atomic<uint64_t> next{0};
  /// Blocks from here on need not run: one before them failed.
  std::atomic<uint64_t> end{0};

  /// Places in the grid, and in a block, by number.
  runtime::Dim3 getBlock(uint64_t index) const { return place(grid, index); }
  runtime::Dim3 getThread(uint64_t index) const { return place(block, index); }

  /// Keeps the finding of block number `index`. Blocks are begun in order and
  /// those before it run to their end, so which one comes first does not depend
  /// on the host threads.
  void add(uint64_t index, Finding finding) {
    std::lock_guard<std::mutex> lock(mutex);
    findings.emplace(index, std::move(finding));
    if (index < end)
      end = index;
  }
  std::map<uint64_t, Finding> findings;

private:
  static runtime::Dim3 place(runtime::Dim3 sizes, int64_t index) {
    return {index % sizes.x, index / sizes.x % sizes.y,
            index / sizes.x / sizes.y};
  }
  std::mutex mutex;
};

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_LAUNCH_H
