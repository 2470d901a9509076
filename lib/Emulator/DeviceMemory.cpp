//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace mlir::fpa;

static void *reserve(size_t bytes, int protection) {
  void *memory = mmap(nullptr, bytes, protection,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

DeviceMemory::Allocation::~Allocation() {
  if (map)
    munmap(map, mapBytes);
  if (shadow)
    munmap(shadow, bytes * sizeof(Byte));
}

std::string DeviceMemory::allocate(int64_t bytes, uint64_t &address) {
  constexpr int64_t page = 4096, limit = int64_t(1) << 36;
  if (bytes < 0 || bytes > limit)
    return "allocate: expected a size from 0 to " + std::to_string(limit) +
           " bytes, got " + std::to_string(bytes);
  // Something to point to, also where there is nothing to read.
  int64_t size = (std::max<int64_t>(bytes, 1) + page - 1) / page * page;
  int64_t margin = std::max<int64_t>(size, 64 * 1024);
  auto allocation = std::make_unique<Allocation>();
  allocation->mapBytes = size + 2 * margin;
  allocation->map = reserve(allocation->mapBytes, PROT_NONE);
  allocation->bytes = bytes;
  allocation->number = nextNumber++;
  bool fits = allocation->map != nullptr;
  if (fits) {
    char *data = static_cast<char *>(allocation->map) + margin;
    allocation->begin = reinterpret_cast<uint64_t>(data);
    fits = mprotect(data, size, PROT_READ | PROT_WRITE) == 0;
  }
  if (fits && bytes) {
    allocation->shadow = static_cast<Allocation::Byte *>(
        reserve(bytes * sizeof(Allocation::Byte), PROT_READ | PROT_WRITE));
    fits = allocation->shadow != nullptr;
    allocation->defined.reset(new uint8_t[bytes]());
  }
  if (!fits)
    return "allocate: no memory for " + std::to_string(bytes) + " bytes";
  // NaNs, in every floating type.
  std::memset(reinterpret_cast<void *>(allocation->begin), 0xff, bytes);
  address = allocation->begin;
  auto place = std::upper_bound(
      allocations.begin(), allocations.end(), address,
      [](uint64_t a, const auto &other) { return a < other->begin; });
  allocations.insert(place, std::move(allocation));
  return "";
}

std::string DeviceMemory::release(uint64_t address) {
  for (auto it = allocations.begin(); it != allocations.end(); ++it)
    if ((*it)->begin == address) {
      allocations.erase(it);
      return "";
    }
  return "release: expected an address that was allocated";
}

DeviceMemory::Allocation *DeviceMemory::find(uint64_t address) const {
  auto after = std::upper_bound(
      allocations.begin(), allocations.end(), address,
      [](uint64_t a, const auto &other) { return a < other->begin; });
  if (after == allocations.begin())
    return nullptr;
  Allocation *allocation = std::prev(after)->get();
  return allocation->contains(address) ? allocation : nullptr;
}

DeviceMemory::Allocation *DeviceMemory::findNear(uint64_t address) const {
  for (const auto &allocation : allocations)
    if (allocation->surrounds(address))
      return allocation.get();
  return nullptr;
}

std::string DeviceMemory::check(uint64_t address, int64_t bytes,
                                const char *what) const {
  if (bytes == 0)
    return "";
  const Allocation *allocation = find(address);
  if (bytes < 0 || !allocation ||
      bytes > allocation->bytes - int64_t(address - allocation->begin))
    return std::string(what) + ": expected " + std::to_string(bytes) +
           " bytes within one allocation";
  return "";
}

std::string DeviceMemory::copyIn(uint64_t to, const void *from, int64_t bytes) {
  std::string error = check(to, bytes, "copy to the device");
  if (!error.empty() || bytes == 0)
    return error;
  Allocation &allocation = *find(to);
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  std::memset(&allocation.defined[to - allocation.begin], 1, bytes);
  return "";
}

std::string DeviceMemory::copyOut(void *to, uint64_t from, int64_t bytes) {
  std::string error = check(from, bytes, "copy from the device");
  if (!error.empty() || bytes == 0)
    return error;
  Allocation &allocation = *find(from);
  int64_t offset = from - allocation.begin;
  const uint8_t *begin = &allocation.defined[offset];
  const uint8_t *end = begin + bytes;
  const uint8_t *missing = std::find(begin, end, 0);
  if (missing != end)
    return "copy from the device: expected " + std::to_string(bytes) +
           " bytes that were written, got none at byte " +
           std::to_string(missing - begin);
  std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return "";
}

std::string DeviceMemory::clear(uint64_t address, int64_t bytes) {
  std::string error = check(address, bytes, "clear on the device");
  if (!error.empty() || bytes == 0)
    return error;
  Allocation &allocation = *find(address);
  std::memset(reinterpret_cast<void *>(address), 0, bytes);
  std::memset(&allocation.defined[address - allocation.begin], 1, bytes);
  return "";
}

std::string DeviceMemory::copy(uint64_t to, uint64_t from, int64_t bytes) {
  std::string error = check(to, bytes, "copy on the device");
  if (error.empty())
    error = check(from, bytes, "copy on the device");
  if (!error.empty() || bytes == 0)
    return error;
  Allocation &target = *find(to), &source = *find(from);
  std::memcpy(reinterpret_cast<void *>(to),
              reinterpret_cast<const void *>(from), bytes);
  std::memcpy(&target.defined[to - target.begin],
              &source.defined[from - source.begin], bytes);
  return "";
}

uint32_t DeviceMemory::startLaunch(uint64_t count) {
  // A shadow whose numbers could come again is forgotten.
  if (count > UINT32_MAX - nextRun) {
    for (auto &allocation : allocations)
      if (allocation->shadow)
        madvise(allocation->shadow,
                allocation->bytes * sizeof(Allocation::Byte), MADV_DONTNEED);
    nextRun = 1;
  }
  uint32_t first = nextRun;
  nextRun += count;
  return first;
}

/// Holds the lock of the 64 bytes that an access begins in. Aligned accesses
/// end there as well.
class DeviceMemory::Guard {
public:
  Guard(DeviceMemory &memory, uint64_t address)
      : lock(memory.locks[(address >> 6) % 256]) {
    while (lock.test_and_set(std::memory_order_acquire))
      ;
  }
  ~Guard() { lock.clear(std::memory_order_release); }

private:
  std::atomic_flag &lock;
};

/// A race with an access of block `otherRun`.
static Problem race(int64_t offset, const Accessor &other, uint32_t otherRun,
                    Run run) {
  if (otherRun == run.number)
    return {true, Finding::Kind::Race, offset, "in a race with", other};
  return {true,  Finding::Kind::BlockRace,    offset, "in a race with",
          other, otherRun - run.firstOfLaunch};
}

/// Whether an access is in a race with the last write of `byte`.
static bool isInRace(const DeviceMemory::Allocation::Byte &byte, Run run,
                     Stamp now) {
  return byte.writeRun >= run.firstOfLaunch &&
         (byte.writeRun != run.number || byte.writer.stamp.isUnordered(now));
}

Problem DeviceMemory::read(Allocation &allocation, uint64_t address,
                           uint32_t size, Run run, Stamp now,
                           const Site &site) {
  Guard guard(*this, address);
  int64_t offset = address - allocation.begin;
  for (int64_t i = offset, e = offset + size; i < e; ++i) {
    Allocation::Byte &byte = allocation.shadow[i];
    if (!allocation.defined[i])
      return unwritten(i);
    if (isInRace(byte, run, now))
      return race(i, byte.writer, byte.writeRun, run);
    if (byte.readRun < run.firstOfLaunch) {
      byte.readRun = run.number;
      byte.readers = {{now, &site}, {}};
    } else if (byte.otherReadRun >= run.firstOfLaunch) {
      continue;
    } else if (byte.readRun == run.number) {
      byte.readers.add(now, site);
    } else {
      byte.otherReadRun = run.number;
      byte.readers.second = {now, &site};
    }
  }
  return {};
}

Problem DeviceMemory::write(Allocation &allocation, uint64_t address,
                            uint32_t size, Run run, Stamp now,
                            const Site &site) {
  Guard guard(*this, address);
  int64_t offset = address - allocation.begin;
  for (int64_t i = offset, e = offset + size; i < e; ++i) {
    Allocation::Byte &byte = allocation.shadow[i];
    if (isInRace(byte, run, now))
      return race(i, byte.writer, byte.writeRun, run);
    if (byte.readRun >= run.firstOfLaunch) {
      const Readers &readers = byte.readers;
      if (byte.readRun != run.number)
        return race(i, readers.first, byte.readRun, run);
      if (byte.otherReadRun >= run.firstOfLaunch)
        return race(i, readers.second, byte.otherReadRun, run);
      if (const Accessor *reader = readers.findUnordered(now))
        return race(i, *reader, byte.readRun, run);
    }
    byte.writeRun = run.number;
    byte.writer = {now, &site};
    allocation.defined[i] = 1;
  }
  return {};
}

Problem DeviceMemory::readAtomic(Allocation &allocation, uint64_t address,
                                 uint32_t size) {
  Guard guard(*this, address);
  int64_t offset = address - allocation.begin;
  for (int64_t i = offset, e = offset + size; i < e; ++i)
    if (!allocation.defined[i])
      return unwritten(i);
  return {};
}

void DeviceMemory::writeAtomic(Allocation &allocation, uint64_t address,
                               uint32_t size) {
  Guard guard(*this, address);
  std::memset(&allocation.defined[address - allocation.begin], 1, size);
}
