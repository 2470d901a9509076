//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The emulated GPU's global memory, and what is known of every byte of it.

#ifndef FPA_LIB_EMULATOR_DEVICEMEMORY_H
#define FPA_LIB_EMULATOR_DEVICEMEMORY_H

#include "Problem.h"
#include "Site.h"
#include "Stamp.h"
#include <atomic>
#include <memory>

namespace mlir::fpa {

/// A block of one launch. Numbers grow, so that those of earlier launches are
/// told by being smaller than the first of the launch.
struct Run {
  uint32_t number, firstOfLaunch;
};

class DeviceMemory {
public:
  /// Addresses are the host's. Around each allocation lies as much memory that
  /// belongs to none as it has itself, and at least 64 KiB.
  struct Allocation {
    ~Allocation();
    uint64_t begin = 0;
    int64_t bytes = 0;
    unsigned number = 0;

    /// The runs of the writer and of both readers. Once the readers are of two
    /// blocks no more are noted: whoever writes is of another block than one.
    struct Byte {
      uint32_t writeRun, readRun, otherReadRun;
      Accessor writer;
      Readers readers;
    };
    Byte *shadow = nullptr;
    std::unique_ptr<uint8_t[]> defined;
    void *map = nullptr;
    size_t mapBytes = 0;

    bool contains(uint64_t address) const {
      return address - begin < uint64_t(bytes);
    }
    /// Also of the memory around it that belongs to none.
    bool surrounds(uint64_t address) const {
      return address - reinterpret_cast<uint64_t>(map) < mapBytes;
    }
  };

  std::string allocate(int64_t bytes, uint64_t &address);
  std::string release(uint64_t address);
  std::string copyIn(uint64_t to, const void *from, int64_t bytes);
  std::string copyOut(void *to, uint64_t from, int64_t bytes);
  std::string clear(uint64_t address, int64_t bytes);
  /// What nobody has written stays that in the copy.
  std::string copy(uint64_t to, uint64_t from, int64_t bytes);

  /// The allocation that `address` lies in, or null.
  Allocation *find(uint64_t address) const;
  /// The one that it lies in or near, to say what was overrun; or null.
  Allocation *findNear(uint64_t address) const;
  size_t getCount() const { return allocations.size(); }

  /// Numbers for the `count` blocks of a launch.
  uint32_t startLaunch(uint64_t count);

  /// Checks an access of a range within the allocation, and notes it. Any
  /// number of host threads may call these at a time.
  Problem read(Allocation &allocation, uint64_t address, uint32_t size, Run run,
               Stamp now, const Site &site);
  Problem write(Allocation &allocation, uint64_t address, uint32_t size,
                Run run, Stamp now, const Site &site);
  /// Of an access that is ordered with those of other threads.
  Problem readAtomic(Allocation &allocation, uint64_t address, uint32_t size);
  void writeAtomic(Allocation &allocation, uint64_t address, uint32_t size);

private:
  class Guard;
  std::string check(uint64_t address, int64_t bytes, const char *what) const;

  /// Sorted by address.
  std::vector<std::unique_ptr<Allocation>> allocations;
  unsigned nextNumber = 0;
  uint32_t nextRun = 1;
  std::array<std::atomic_flag, 256> locks{};
};

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_DEVICEMEMORY_H
