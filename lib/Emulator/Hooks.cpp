//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hooks.h"
#include "ThreadBlock.h"

using namespace mlir::fpa;

static Thread *getThread() { return &ThreadBlock::getCurrent(); }

static void access(Thread *thread, void *address, const Site *site) {
  thread->block->access(*thread, reinterpret_cast<uint64_t>(address), *site);
}

static void maskedAccess(Thread *thread, void *address, uint64_t mask,
                         uint32_t elementBytes, const Site *site) {
  thread->block->maskedAccess(*thread, reinterpret_cast<uint64_t>(address),
                              mask, elementBytes, *site);
}

static void copyAsync(Thread *thread, void *to, void *from,
                      uint32_t sourceBytes, const Site *site) {
  thread->block->copyAsync(*thread, reinterpret_cast<uint64_t>(to),
                           reinterpret_cast<uint64_t>(from), sourceBytes,
                           *site);
}

static void commitCopies(Thread *thread) { thread->copies.commit(); }

static void waitCopies(Thread *thread, uint32_t open) {
  thread->block->waitForCopies(*thread, open);
}

static uint32_t barrier(Thread *thread, uint32_t id, uint32_t count,
                        uint32_t predicate, const Site *site) {
  return thread->block->barrier(*thread, id, count, predicate, *site);
}

static void collective(Thread *thread, const uint32_t *operands,
                       uint32_t *results, const Site *site) {
  thread->block->collective(*thread, operands, results, *site);
}

static void localAccess(Thread *thread, int64_t offset, int64_t bytes,
                        const Site *site) {
  thread->block->localAccess(*thread, offset, bytes, *site);
}

static void localVariable(Thread *thread, void *address, int64_t bytes) {
  thread->block->addVariable(*thread, reinterpret_cast<uint64_t>(address),
                             bytes);
}

static void stack(Thread *thread, int64_t bytes, const Site *site) {
  thread->block->reserveStack(*thread, bytes, *site);
}

static void unreachable(Thread *thread, const Site *site) {
  thread->block->refuseUnreachable(*thread, *site);
}

static void division(Thread *thread, uint32_t byZero, uint32_t tooLarge,
                     const Site *site) {
  if (byZero || tooLarge)
    thread->block->refuseDivision(*thread, byZero, *site);
}

template <typename Function> static void *address(Function *function) {
  return reinterpret_cast<void *>(function);
}

llvm::ArrayRef<DeviceFunction> mlir::fpa::getHooks() {
  static const DeviceFunction hooks[] = {
      {"fpa_emulator_thread", address(getThread)},
      {"fpa_emulator_access", address(access)},
      {"fpa_emulator_local_access", address(localAccess)},
      {"fpa_emulator_local_variable", address(localVariable)},
      {"fpa_emulator_stack", address(stack)},
      {"fpa_emulator_unreachable", address(unreachable)},
      {"fpa_emulator_masked_access", address(maskedAccess)},
      {"fpa_emulator_copy_async", address(copyAsync)},
      {"fpa_emulator_commit_copies", address(commitCopies)},
      {"fpa_emulator_wait_copies", address(waitCopies)},
      {"fpa_emulator_barrier", address(barrier)},
      {"fpa_emulator_collective", address(collective)},
      {"fpa_emulator_division", address(division)},
  };
  return hooks;
}
