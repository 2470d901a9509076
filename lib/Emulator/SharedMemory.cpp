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

static Problem race(int64_t offset, const Accessor &other) {
  return {true, Finding::Kind::Race, offset, "in a race with", other};
}

static Problem unfinished(int64_t offset, const Accessor &copy) {
  return {true, Finding::Kind::UnfinishedCopy, offset,
          "before it is waited for: the destination of", copy};
}

Problem SharedMemory::read(int64_t offset, uint32_t size, Stamp now,
                           const Site &site) {
  for (int64_t i = offset, e = offset + size; i < e; ++i) {
    Byte &byte = shadow[i];
    if (flags[i] & Pending)
      return unfinished(i, byte.writer);
    if (!(flags[i] & Defined))
      return unwritten(i);
    if (byte.writer.stamp.isUnordered(now))
      return race(i, byte.writer);
    byte.readers.add(now, site);
  }
  return {};
}

Problem SharedMemory::write(int64_t offset, uint32_t size, Stamp now,
                            const Site &site) {
  for (int64_t i = offset, e = offset + size; i < e; ++i) {
    Byte &byte = shadow[i];
    if (flags[i] & Pending)
      return unfinished(i, byte.writer);
    if (byte.writer.stamp.isUnordered(now))
      return race(i, byte.writer);
    if (const Accessor *reader = byte.readers.findUnordered(now))
      return race(i, *reader);
    byte.writer = {now, &site};
    flags[i] |= Defined;
  }
  return {};
}

Problem SharedMemory::readAtomic(int64_t offset, uint32_t size) const {
  for (int64_t i = offset, e = offset + size; i < e; ++i)
    if (!flags[i])
      return unwritten(i);
  return {};
}

void SharedMemory::writeAtomic(int64_t offset, uint32_t size) {
  for (int64_t i = offset, e = offset + size; i < e; ++i)
    flags[i] |= Defined;
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
    shadow[i].writer = {now, &site};
    flags[i] = Defined;
  }
}
