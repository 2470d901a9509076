//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Checks of memory accesses, and of divisions.

#include "ThreadBlock.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::fpa;

std::string ThreadBlock::describeGlobal(uint64_t address) const {
  const DeviceMemory::Allocation *near = launch.memory->findNear(address);
  return near ? formatOffset("allocation " + std::to_string(near->number),
                             address - near->begin)
              : "address 0x" + llvm::utohexstr(address, /*LowerCase=*/true);
}

std::string ThreadBlock::describeOther(const Problem &problem) const {
  if (!problem.other)
    return "";
  Stamp stamp = problem.other->stamp;
  std::string text = " " + describe(*problem.other->site) + " of ";
  if (problem.otherBlock)
    text += "block " + formatPlace(launch.getBlock(*problem.otherBlock)) + ", ";
  if (std::optional<uint32_t> lane = stamp.getLane())
    text +=
        "thread " + formatPlace(launch.getThread(stamp.getWarp() * 32 + *lane));
  else
    text += "several threads of warp " + std::to_string(stamp.getWarp());
  return text + (problem.kind == Finding::Kind::Race
                     ? ", with no barrier between them"
                     : "");
}

[[noreturn]] void ThreadBlock::failAt(Thread &thread, const Site &site,
                                      uint32_t bytes, const std::string &place,
                                      Problem problem) {
  fail(thread, site, problem.kind,
       "of " + std::to_string(bytes) + " bytes at " + place + " " +
           problem.what + describeOther(problem));
}

[[noreturn]] void ThreadBlock::failAtShared(Thread &thread, const Site &site,
                                            uint32_t bytes, Problem problem) {
  failAt(thread, site, bytes, formatOffset("shared memory", problem.offset),
         std::move(problem));
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
  Problem problem = {true, Finding::Kind::Misaligned, 0,
                     "whose address is no multiple of " +
                         std::to_string(alignment)};
  if (!isShared(address, site))
    failAt(thread, site, site.bytes, describeGlobal(address), problem);
  problem.offset = address - sharedBase();
  failAtShared(thread, site, site.bytes, problem);
}

void ThreadBlock::checkShared(Thread &thread, int64_t offset, uint32_t bytes,
                              bool isRead, bool isWrite, const Site &site) {
  Problem problem;
  if (offset < 0 || offset + int64_t(bytes) > shared.getSize())
    problem = {true, Finding::Kind::OutOfBounds, offset,
               "outside of the block's " + std::to_string(shared.getSize()) +
                   " bytes"};
  bool isAtomic = site.kind == SiteKind::Atomic;
  if (isRead && !problem)
    problem = isAtomic ? shared.readAtomic(offset, bytes)
                       : shared.read(offset, bytes, now(thread), site);
  if (isWrite && !problem) {
    if (isAtomic)
      shared.writeAtomic(offset, bytes);
    else
      problem = shared.write(offset, bytes, now(thread), site);
  }
  if (problem)
    failAtShared(thread, site, bytes, std::move(problem));
}

void ThreadBlock::checkConstant(Thread &thread, int64_t offset, uint32_t bytes,
                                bool isWrite, const std::string &name,
                                int64_t size, const Site &site) {
  Problem problem;
  if (offset < 0 || offset + int64_t(bytes) > size)
    problem = {true, Finding::Kind::OutOfBounds, offset,
               "outside of its " + std::to_string(size) + " bytes"};
  else if (isWrite)
    problem = {true, Finding::Kind::ConstantWrite, offset,
               "that no kernel may write"};
  if (problem)
    failAt(thread, site, bytes, formatOffset("constant '" + name + "'", offset),
           std::move(problem));
}

bool ThreadBlock::checkGlobal(Thread &thread, uint64_t address, uint32_t bytes,
                              bool isRead, bool isWrite, const Site &site) {
  DeviceMemory &memory = *launch.memory;
  DeviceMemory::Allocation *allocation = memory.find(address);
  if (!allocation)
    for (const Constant &constant : launch.constants)
      if (address - constant.begin < uint64_t(constant.bytes)) {
        checkConstant(thread, address - constant.begin, bytes, isWrite,
                      constant.name, constant.bytes, site);
        return false;
      }
  if (!allocation || !allocation->contains(address + bytes - 1)) {
    const DeviceMemory::Allocation *near = memory.findNear(address);
    failAt(thread, site, bytes, describeGlobal(address),
           {true, Finding::Kind::OutOfBounds, 0,
            near ? "outside of its " + std::to_string(near->bytes) + " bytes"
                 : "outside of every allocation"});
  }
  Problem problem;
  bool isAtomic = site.kind == SiteKind::Atomic;
  if (isRead && !problem)
    problem = isAtomic ? memory.readAtomic(*allocation, address, bytes)
                       : memory.read(*allocation, address, bytes, runNumber,
                                     now(thread), site);
  if (isWrite && !problem) {
    if (isAtomic)
      memory.writeAtomic(*allocation, address, bytes);
    else
      problem = memory.write(*allocation, address, bytes, runNumber,
                             now(thread), site);
  }
  if (problem)
    failAt(thread, site, bytes,
           describeGlobal(allocation->begin + problem.offset),
           std::move(problem));
  return true;
}

bool ThreadBlock::check(Thread &thread, uint64_t address, uint32_t bytes,
                        const Site &site) {
  if (!isShared(address, site))
    return checkGlobal(thread, address, bytes, site.reads, site.writes, site);
  checkShared(thread, address - sharedBase(), bytes, site.reads, site.writes,
              site);
  return true;
}

void ThreadBlock::access(Thread &thread, uint64_t address, const Site &site) {
  bool inShared = isShared(address, site);
  if (!inShared && isLocal(thread, address))
    return checkLocal(thread, address, site.bytes, site);
  checkAlignment(thread, address, site.alignment, site);
  bool counts = check(thread, address, site.bytes, site);
  if (site.kind == SiteKind::Atomic) {
    // Another thread may be waited for.
    makeReady(thread);
    yield(thread);
    return;
  }
  if (!counts)
    return;
  for (uint32_t i = 0; i < site.bytes; i += site.piece)
    thread.touches.push_back({&site, address + i, inShared});
}

void ThreadBlock::localAccess(Thread &thread, int64_t offset, int64_t bytes,
                              const Site &site) {
  if (!site.constant.empty())
    checkConstant(thread, offset, site.bytes, site.writes, site.constant, bytes,
                  site);
  else if (offset < 0 || offset + int64_t(site.bytes) > bytes)
    failAt(thread, site, site.bytes, formatOffset("local memory", offset),
           {true, Finding::Kind::OutOfBounds, offset,
            "outside of its " + std::to_string(bytes) + " bytes"});
}

void ThreadBlock::maskedAccess(Thread &thread, uint64_t address, uint64_t mask,
                               uint32_t elementBytes, const Site &site) {
  bool inShared = isShared(address, site);
  bool local = !inShared && isLocal(thread, address);
  if (mask && !local)
    checkAlignment(thread, address, site.alignment, site);
  for (uint64_t at = address; mask; mask >>= 1, at += elementBytes) {
    if (!(mask & 1))
      continue;
    if (local)
      checkLocal(thread, at, elementBytes, site);
    else if (check(thread, at, elementBytes, site))
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
    failAtShared(thread, site, site.bytes, std::move(problem));
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
      failAtShared(thread, *copy.site, copy.bytes,
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
