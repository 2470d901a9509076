//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The shared memory of a block, and what is known of every byte of it.

#ifndef FPA_LIB_EMULATOR_SHAREDMEMORY_H
#define FPA_LIB_EMULATOR_SHAREDMEMORY_H

#include "Problem.h"
#include "Site.h"
#include "Stamp.h"
#include <memory>

namespace mlir::fpa {

class SharedMemory {
public:
  explicit SharedMemory(int64_t bytes);
  ~SharedMemory();
  bool isValid() const { return data != nullptr; }
  char *getData() const { return data; }
  int64_t getSize() const { return bytes; }

  /// For a new block: nothing is written.
  void reset();

  /// Checks an access of a range within the memory, and notes it.
  Problem read(int64_t offset, uint32_t size, Stamp now, const Site &site);
  Problem write(int64_t offset, uint32_t size, Stamp now, const Site &site);
  /// Of an access that is ordered with those of other threads.
  Problem readAtomic(int64_t offset, uint32_t size) const;
  void writeAtomic(int64_t offset, uint32_t size);
  /// An asynchronous copy into the range begins, and has landed.
  Problem beginCopy(int64_t offset, uint32_t size, Stamp now, const Site &site);
  void endCopy(int64_t offset, uint32_t size, Stamp now, const Site &site);

private:
  struct Byte {
    Accessor writer;
    Readers readers;
  };
  enum : uint8_t { Defined = 1, Pending = 2 };

  char *data = nullptr;
  int64_t bytes;
  std::unique_ptr<Byte[]> shadow;
  std::unique_ptr<uint8_t[]> flags;
};

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_SHAREDMEMORY_H
