//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Checks of memory accesses, and of divisions.

#include "ThreadBlock.h"

using namespace mlir::fpa;

[[noreturn]] void ThreadBlock::failAt(Thread &thread, const Site &site,
                                      uint32_t bytes, const std::string &place,
                                      Problem problem) {
  fail(thread, site, problem.kind,
       "of " + std::to_string(bytes) + " bytes at " + place + " + " +
           std::to_string(problem.offset) + " " + problem.what);
}

void ThreadBlock::refuseDivision(Thread &thread, bool byZero,
                                 const Site &site) {
  fail(thread, site, Finding::Kind::Division,
       byZero ? "by zero" : "of the least number by -1");
}

bool ThreadBlock::isShared(uint64_t address, const Site &site) const {
  if (site.space != Space::Generic)
    return site.space == Space::Shared;
  return address - sharedBase() < uint64_t(shared.getSize());
}

bool ThreadBlock::isLocal(const Thread &thread, uint64_t address) const {
  return address - reinterpret_cast<uint64_t>(thread.stack) < Stacks::usable();
}

void ThreadBlock::checkAlignment(Thread &thread, uint64_t address,
                                 uint32_t alignment, const Site &site) {
  if (address % alignment == 0)
    return;
  bool inShared = isShared(address, site);
  const auto *allocation =
      inShared ? nullptr : launch.memory->findBefore(address);
  uint64_t base = inShared ? sharedBase() : allocation ? allocation->begin : 0;
  std::string place = inShared ? "shared memory"
                      : allocation
                          ? "allocation " + std::to_string(allocation->number)
                          : "address";
  failAt(thread, site, site.bytes, place,
         {true, Finding::Kind::Misaligned, int64_t(address - base),
          "whose address is no multiple of " + std::to_string(alignment)});
}

void ThreadBlock::checkShared(Thread &thread, int64_t offset, uint32_t bytes,
                              bool isRead, bool isWrite, const Site &site) {
  Problem problem;
  if (offset < 0 || offset + int64_t(bytes) > shared.getSize())
    problem = {true, Finding::Kind::OutOfBounds, offset,
               "outside of the block's " + std::to_string(shared.getSize()) +
                   " bytes"};
  if (isRead && !problem)
    problem = shared.read(offset, bytes, now(thread), site);
  if (isWrite && !problem)
    problem = shared.write(offset, bytes, now(thread), site);
  if (problem)
    failAt(thread, site, bytes, "shared memory", std::move(problem));
}

void ThreadBlock::checkGlobal(Thread &thread, uint64_t address, uint32_t bytes,
                              bool isRead, bool isWrite, const Site &site) {
  DeviceMemory &memory = *launch.memory;
  DeviceMemory::Allocation *allocation = memory.find(address);
  Problem problem;
  if (!allocation || !allocation->contains(address + bytes - 1)) {
    allocation = memory.findBefore(address);
    problem = {true, Finding::Kind::OutOfBounds, int64_t(address),
               "outside of every allocation"};
    if (allocation) {
      problem.offset = address - allocation->begin;
      problem.what =
          "outside of its " + std::to_string(allocation->bytes) + " bytes";
    }
  }
  if (isRead && !problem)
    problem =
        memory.read(*allocation, address, bytes, runNumber, now(thread), site);
  if (isWrite && !problem)
    problem =
        memory.write(*allocation, address, bytes, runNumber, now(thread), site);
  if (problem)
    failAt(thread, site, bytes,
           allocation ? "allocation " + std::to_string(allocation->number)
                      : "address",
           std::move(problem));
}

void ThreadBlock::check(Thread &thread, uint64_t address, uint32_t bytes,
                        bool isRead, bool isWrite, const Site &site) {
  if (isShared(address, site))
    checkShared(thread, address - sharedBase(), bytes, isRead, isWrite, site);
  else
    checkGlobal(thread, address, bytes, isRead, isWrite, site);
}

void ThreadBlock::access(Thread &thread, uint64_t address, const Site &site) {
  bool inShared = isShared(address, site);
  if (!inShared && isLocal(thread, address))
    return;
  checkAlignment(thread, address, site.alignment, site);
  if (site.kind == SiteKind::Atomic) {
    // Ordered with each other by the hardware: only checked to be in bounds.
    bool fits = inShared
                    ? int64_t(address - sharedBase()) + int64_t(site.bytes) <=
                          shared.getSize()
                    : launch.memory->find(address) != nullptr;
    if (!fits)
      check(thread, address, site.bytes, true, false, site);
    // Another thread may be waited for.
    makeReady(thread);
    yield(thread);
    return;
  }
  check(thread, address, site.bytes, site.kind == SiteKind::Load,
        site.kind == SiteKind::Store, site);
  for (uint32_t i = 0; i < site.bytes; i += site.piece)
    thread.touches.push_back({&site, address + i, inShared});
}

void ThreadBlock::localAccess(Thread &thread, int64_t offset, int64_t bytes,
                              const Site &site) {
  if (offset < 0 || offset + int64_t(site.bytes) > bytes)
    failAt(thread, site, site.bytes, "local memory",
           {true, Finding::Kind::OutOfBounds, offset,
            "outside of its " + std::to_string(bytes) + " bytes"});
}

void ThreadBlock::maskedAccess(Thread &thread, uint64_t address, uint64_t mask,
                               uint32_t elementBytes, const Site &site) {
  bool inShared = isShared(address, site);
  if (!inShared && isLocal(thread, address))
    return;
  if (mask)
    checkAlignment(thread, address, site.alignment, site);
  for (uint64_t at = address; mask; mask >>= 1, at += elementBytes)
    if (mask & 1) {
      check(thread, at, elementBytes, site.kind == SiteKind::Load,
            site.kind == SiteKind::Store, site);
      thread.touches.push_back({&site, at, inShared});
    }
}

void ThreadBlock::copyAsync(Thread &thread, uint64_t to, uint64_t from,
                            uint32_t sourceBytes, const Site &site) {
  if (sourceBytes > site.bytes)
    fail(thread, site, Finding::Kind::Unsupported,
         "expected at most " + std::to_string(site.bytes) +
             " bytes of the source, got " + std::to_string(sourceBytes));
  checkAlignment(thread, to, site.bytes, site);
  int64_t offset = to - sharedBase();
  Problem problem;
  if (offset < 0 || offset + int64_t(site.bytes) > shared.getSize())
    problem = {true, Finding::Kind::OutOfBounds, offset,
               "outside of the block's " + std::to_string(shared.getSize()) +
                   " bytes"};
  else
    problem = shared.beginCopy(offset, site.bytes, now(thread), site);
  if (problem)
    failAt(thread, site, site.bytes, "shared memory", std::move(problem));
  AsyncCopy copy{&site,
                 reinterpret_cast<char *>(to),
                 reinterpret_cast<const char *>(from),
                 site.bytes,
                 sourceBytes,
                 0,
                 {}};
  thread.touches.push_back({&site, to, true});
  if (sourceBytes) {
    Site global = site;
    global.space = Space::Global;
    if (from % site.bytes)
      checkAlignment(thread, from, site.bytes, global);
    checkGlobal(thread, from, sourceBytes, true, false, site);
    std::memcpy(copy.data, copy.from, sourceBytes);
    thread.touches.push_back({&site, from, false});
  }
  thread.copies.add(copy);
}

void ThreadBlock::waitForCopies(Thread &thread, uint32_t open) {
  thread.copies.wait(open, [&](const AsyncCopy &copy) {
    int64_t offset = copy.to - shared.getData();
    if (std::memcmp(copy.data, copy.from, copy.sourceBytes) != 0)
      failAt(thread, *copy.site, copy.bytes, "shared memory",
             {true, Finding::Kind::CopySourceChanged, offset,
              "whose source was overwritten before it was waited for"});
    // The hardware may have read the source as late as now.
    if (copy.sourceBytes)
      checkGlobal(thread, reinterpret_cast<uint64_t>(copy.from),
                  copy.sourceBytes, true, false, *copy.site);
    std::memcpy(copy.to, copy.data, copy.bytes);
    shared.endCopy(offset, copy.bytes, now(thread), *copy.site);
  });
}
