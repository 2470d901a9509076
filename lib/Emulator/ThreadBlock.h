//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Runs the threads of one block of a launch after another, on one host thread.

#ifndef FPA_LIB_EMULATOR_THREADBLOCK_H
#define FPA_LIB_EMULATOR_THREADBLOCK_H

#include "Launch.h"
#include "SharedMemory.h"
#include "Thread.h"
#include "Traffic.h"

namespace mlir::fpa {

class ThreadBlock {
public:
  explicit ThreadBlock(Launch &launch);
  /// Whether there was memory for it.
  bool isValid() const { return stacks.isValid() && shared.isValid(); }

  /// Runs block number `index` of the grid. What goes wrong ends it and is kept
  /// in the launch.
  void run(uint64_t index);

  /// Adds this host thread's counts. `executions` has one entry a basic block.
  void addTo(LaunchReport &report, std::vector<uint64_t> &executions) const;
  const Traffic &getTraffic() const { return traffic; }

  /// The thread that runs now, for compiled code.
  static Thread &getCurrent();

  // What compiled code asks for.
  void access(Thread &thread, uint64_t address, const Site &site);
  void maskedAccess(Thread &thread, uint64_t address, uint64_t mask,
                    uint32_t elementBytes, const Site &site);
  void copyAsync(Thread &thread, uint64_t to, uint64_t from,
                 uint32_t sourceBytes, const Site &site);
  void waitForCopies(Thread &thread, uint32_t open);
  uint32_t barrier(Thread &thread, uint32_t id, uint32_t count,
                   uint32_t predicate, const Site &site);
  void collective(Thread &thread, const uint32_t *operands, uint32_t *results,
                  const Site &site);
  /// A variable of `bytes` bytes on the stack is there from now on.
  void addVariable(Thread &thread, uint64_t address, int64_t bytes);
  /// Ends the run where the stack has no room for `bytes` bytes more.
  void reserveStack(Thread &thread, int64_t bytes, const Site &site);
  [[noreturn]] void refuseUnreachable(Thread &thread, const Site &site);
  /// An access `offset` bytes into a variable of the thread, or into a
  /// constant, that has `bytes`.
  void localAccess(Thread &thread, int64_t offset, int64_t bytes,
                   const Site &site);
  /// Ends the run at a division of integers, by zero or too large a quotient.
  [[noreturn]] void refuseDivision(Thread &thread, bool byZero,
                                   const Site &site);

private:
  struct Warp {
    llvm::ArrayRef<Thread *> lanes;
    uint32_t existing = 0, done = 0, atBarrier = 0;
    uint32_t epoch = 0;
    /// Lanes that wait at collectives. As long as they are all at the same
    /// one, `met` has them too.
    uint32_t waiting = 0, met = 0;
    const Site *site = nullptr;
    uint32_t mask = 0;
  };
  struct Barrier {
    const Site *site = nullptr;
    uint32_t arrived = 0, sum = 0;
    bool all = true, any = false;
  };

  void prepare(uint64_t index);
  void finish();
  static void runThread(void *thread);
  void exit(Thread &thread);
  void yield(Thread &thread);
  void makeReady(Thread &thread);
  void releaseBarrier(uint32_t id);
  /// Lanes that wait with `thread`, itself among them. Fails where one of them
  /// can never come.
  uint32_t findPartners(Thread &thread);
  uint32_t findAmongSeveral(Thread &thread, uint32_t wanted);
  void compute(Warp &warp, Thread &last);
  static void multiply(llvm::ArrayRef<Thread *> lanes, const Site &site);
  void loadMatrices(Warp &warp, const Site &site);
  void storeMatrices(Warp &warp, const Site &site);
  void flushTraffic(Warp &warp);

  /// Ends the block with a finding; never returns.
  [[noreturn]] void fail(const Thread &thread, const Site &site,
                         Finding::Kind kind, std::string what);
  void record(const Thread &thread, const Site &site, Finding::Kind kind,
              std::string what);
  /// Whether it counts as traffic.
  bool check(Thread &thread, uint64_t address, uint32_t bytes,
             const Site &site);
  void checkShared(Thread &thread, int64_t offset, uint32_t bytes, bool isRead,
                   bool isWrite, const Site &site);
  /// Whether it is in an allocation, and in no constant.
  bool checkGlobal(Thread &thread, uint64_t address, uint32_t bytes,
                   bool isRead, bool isWrite, const Site &site);
  /// An access `offset` bytes into a constant of `size` bytes.
  void checkConstant(Thread &thread, int64_t offset, uint32_t bytes,
                     bool isWrite, const std::string &name, int64_t size,
                     const Site &site);
  void checkLocal(Thread &thread, uint64_t address, uint32_t bytes,
                  const Site &site);
  void checkAlignment(Thread &thread, uint64_t address, uint32_t alignment,
                      const Site &site);
  [[noreturn]] void failAt(Thread &thread, const Site &site, uint32_t bytes,
                           const std::string &place, Problem problem);
  [[noreturn]] void failAtShared(Thread &thread, const Site &site,
                                 uint32_t bytes, Problem problem);
  /// "allocation 0 + 4", or an address that is near none.
  std::string describeGlobal(uint64_t address) const;
  std::string describeOther(const Problem &problem) const;
  bool isShared(uint64_t address, const Site &site) const;
  bool isLocal(const Thread &thread, uint64_t address) const;
  Stamp now(const Thread &thread) const {
    return Stamp(epoch, warps[thread.warp].epoch, thread.warp, thread.lane);
  }
  uint64_t sharedBase() const {
    return reinterpret_cast<uint64_t>(shared.getData());
  }

  Launch &launch;
  uint32_t numThreads;
  Stacks stacks;
  SharedMemory shared;
  Traffic traffic;
  std::vector<Thread> threads;
  std::vector<Thread *> order;
  std::vector<Warp> warps;
  Barrier barriers[16];
  std::vector<uint64_t> counts, executions;
  uint64_t tensorMultiplyAdds = 0;

  uint64_t index = 0;
  Run runNumber{};
  /// Barriers passed, over all blocks run here.
  uint32_t epoch = 1;
  uint32_t numDone = 0;
  bool failed = false;
  Fiber scheduler;
  /// Threads that can go on, a ring.
  std::vector<Thread *> ready;
  size_t readyBegin = 0, numReady = 0;
};

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_THREADBLOCK_H
