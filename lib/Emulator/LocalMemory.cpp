//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The stack of a thread and the variables on it.

#include "ThreadBlock.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::fpa;

/// Stacks grow down, so what lies below the function that runs has ended.
static uint64_t getStackEnd() {
  return reinterpret_cast<uint64_t>(__builtin_frame_address(0));
}

void ThreadBlock::addVariable(Thread &thread, uint64_t address, int64_t bytes) {
  uint64_t end = getStackEnd();
  llvm::erase_if(thread.variables, [&](const Thread::Variable &variable) {
    bool overlaps = variable.begin < address + bytes &&
                    address < variable.begin + variable.bytes;
    return variable.begin < end || overlaps;
  });
  thread.variables.push_back({address, bytes});
}

void ThreadBlock::reserveStack(Thread &thread, int64_t bytes,
                               const Site &site) {
  int64_t left = getStackEnd() - reinterpret_cast<uint64_t>(thread.stack) -
                 Stacks::reserved;
  if (bytes < 0 || bytes >= left)
    fail(thread, site, Finding::Kind::OutOfBounds,
         "needs " + std::to_string(bytes) +
             " bytes of local memory, of which " +
             std::to_string(std::max<int64_t>(left, 0)) + " are left");
}

void ThreadBlock::refuseUnreachable(Thread &thread, const Site &site) {
  fail(thread, site, Finding::Kind::Unreachable, "was reached");
}

void ThreadBlock::checkLocal(Thread &thread, uint64_t address, uint32_t bytes,
                             const Site &site) {
  const Thread::Variable *before = nullptr;
  for (const Thread::Variable &variable : thread.variables) {
    uint64_t offset = address - variable.begin;
    if (offset < uint64_t(variable.bytes) &&
        bytes <= variable.bytes - int64_t(offset))
      return;
    if (variable.begin <= address &&
        (!before || variable.begin > before->begin))
      before = &variable;
  }
  if (!before)
    fail(thread, site, Finding::Kind::OutOfBounds,
         "of " + std::to_string(bytes) +
             " bytes of local memory outside of the thread's variables");
  int64_t offset = address - before->begin;
  failAt(thread, site, bytes, formatOffset("local memory", offset),
         {true, Finding::Kind::OutOfBounds, offset,
          "outside of its " + std::to_string(before->bytes) + " bytes"});
}
