//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include <cstring>
#include <sys/mman.h>

using namespace mlir::fpa;

SharedMemory::SharedMemory(int64_t bytes)
    : bytes(bytes), shadow(new Byte[bytes]()), flags(new uint8_t[bytes]()) {
  // A page more, so that there is memory even where a block has none.
  void *memory = mmap(nullptr, bytes + 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED)
    data = static_cast<char *>(memory);
}

SharedMemory::~SharedMemory() {
  if (data)
    munmap(data, bytes + 4096);
}

void SharedMemory::reset() {
  // What the block before left there must not look like zeros or like data.
  std::memset(data, 0xff, bytes);
  std::memset(flags.get(), 0, bytes);
}

static Problem race(int64_t offset, const char *how, const Site *other) {
  return {true, Finding::Kind::Race, offset,
          std::string(how) + describe(*other) +
              " of another thread, with no barrier between them"};
}

static Problem unfinished(int64_t offset, const Site *copy) {
  return {true, Finding::Kind::UnfinishedCopy, offset,
          "before it is waited for: the destination of " + describe(*copy)};
}

Problem SharedMemory::read(int64_t offset, uint32_t size, Stamp now,
                           const Site &site) {
  for (int64_t i = offset, e = offset + size; i < e; ++i) {
    Byte &byte = shadow[i];
    if (flags[i] & Pending)
      return unfinished(i, byte.writer);
    if (!(flags[i] & Defined))
      return {true, Finding::Kind::Uninitialized, i, "that nobody has written"};
    if (byte.write.isUnordered(now))
      return race(i, "in a race with ", byte.writer);
    byte.readers.add(now);
    byte.reader = &site;
  }
  return {};
}

Problem SharedMemory::write(int64_t offset, uint32_t size, Stamp now,
                            const Site &site) {
  for (int64_t i = offset, e = offset + size; i < e; ++i) {
    Byte &byte = shadow[i];
    if (flags[i] & Pending)
      return unfinished(i, byte.writer);
    if (byte.write.isUnordered(now))
      return race(i, "in a race with ", byte.writer);
    if (byte.readers.isUnordered(now))
      return race(i, "in a race with ", byte.reader);
    byte.write = now;
    byte.writer = &site;
    flags[i] |= Defined;
  }
  return {};
}

Problem SharedMemory::beginCopy(int64_t offset, uint32_t size, Stamp now,
                                const Site &site) {
  Problem problem = write(offset, size, now, site);
  if (!problem)
    std::memset(&flags[offset], Pending, size);
  return problem;
}

void SharedMemory::endCopy(int64_t offset, uint32_t size, Stamp now,
                           const Site &site) {
  for (int64_t i = offset, e = offset + size; i < e; ++i) {
    shadow[i].write = now;
    shadow[i].writer = &site;
    flags[i] = Defined;
  }
}
