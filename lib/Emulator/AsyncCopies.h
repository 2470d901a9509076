//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Asynchronous copies of one thread, from their issue to their completion.

#ifndef FPA_LIB_EMULATOR_ASYNCCOPIES_H
#define FPA_LIB_EMULATOR_ASYNCCOPIES_H

#include "Site.h"
#include <cstring>

namespace mlir::fpa {

/// A copy that has not landed. The bytes were read at its issue; the source is
/// looked at again when it lands.
struct AsyncCopy {
  const Site *site;
  char *to;
  const char *from;
  uint32_t bytes, sourceBytes;
  uint32_t group;
  char data[16];
};

class AsyncCopies {
public:
  void clear() {
    copies.clear();
    first = 0;
    group = 0;
  }
  void add(AsyncCopy copy) {
    copy.group = group;
    copies.push_back(copy);
  }
  void commit() { ++group; }
  /// Calls `land` for each copy of all but the latest `open` groups.
  template <typename Land> void wait(uint32_t open, Land land) {
    if (group < open)
      return;
    for (; first < copies.size() && copies[first].group < group - open; ++first)
      land(copies[first]);
    if (first == copies.size()) {
      copies.clear();
      first = 0;
    }
  }

private:
  std::vector<AsyncCopy> copies;
  size_t first = 0;
  uint32_t group = 0;
};

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_ASYNCCOPIES_H
