//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadBlock.h"
#include <algorithm>

using namespace mlir::fpa;

static thread_local Thread *currentThread = nullptr;

Thread &ThreadBlock::getCurrent() { return *currentThread; }

ThreadBlock::ThreadBlock(Launch &launch)
    : launch(launch),
      numThreads(launch.block.x * launch.block.y * launch.block.z),
      stacks(numThreads), shared(launch.sharedBytes),
      traffic(*launch.memory, sharedBase()), threads(numThreads),
      counts(size_t(numThreads) * launch.numCounters),
      executions(launch.numCounters), ready(numThreads) {
  unsigned numWarps = (numThreads + 31) / 32;
  warps.resize(numWarps);
  for (uint32_t i = 0; i < numThreads; ++i) {
    Thread &thread = threads[i];
    order.push_back(&thread);
    thread.index = i;
    thread.warp = i / 32;
    thread.lane = i % 32;
    thread.block = this;
    thread.shared = shared.getData();
    thread.dynamicShared =
        shared.getData() + launch.sharedBytes - launch.dynamicBytes;
    thread.counts = counts.data() + size_t(i) * launch.numCounters;
    thread.stack = stacks.isValid() ? stacks.get(i) : nullptr;
    auto set = [&](Special what, uint32_t value) {
      thread.special[unsigned(what)] = value;
    };
    runtime::Dim3 place = launch.getThread(i);
    set(Special::ThreadX, place.x);
    set(Special::ThreadY, place.y);
    set(Special::ThreadZ, place.z);
    set(Special::BlockDimX, launch.block.x);
    set(Special::BlockDimY, launch.block.y);
    set(Special::BlockDimZ, launch.block.z);
    set(Special::GridDimX, launch.grid.x);
    set(Special::GridDimY, launch.grid.y);
    set(Special::GridDimZ, launch.grid.z);
    set(Special::Lane, thread.lane);
    set(Special::Warp, thread.warp);
    set(Special::WarpSize, 32);
    set(Special::Warps, numWarps);
    uint32_t bit = 1u << thread.lane;
    set(Special::MaskEq, bit);
    set(Special::MaskLt, bit - 1);
    set(Special::MaskLe, bit | (bit - 1));
    set(Special::MaskGe, ~(bit - 1));
    set(Special::MaskGt, ~(bit | (bit - 1)));
    set(Special::SharedBytes, launch.dynamicBytes);
  }
  for (unsigned i = 0; i < numWarps; ++i) {
    warps[i].lanes =
        llvm::ArrayRef(order).slice(i * 32, std::min(32u, numThreads - i * 32));
    unsigned lanes = warps[i].lanes.size();
    warps[i].existing = lanes == 32 ? ~0u : (1u << lanes) - 1;
  }
}

void ThreadBlock::prepare(uint64_t index) {
  this->index = index;
  runNumber = {uint32_t(launch.firstRun + index), launch.firstRun};
  traffic.startBlock(runNumber.number);
  shared.reset();
  std::fill(counts.begin(), counts.end(), 0);
  ++epoch;
  failed = false;
  numDone = 0;
  readyBegin = numReady = 0;
  for (Barrier &barrier : barriers)
    barrier = Barrier();
  for (Warp &warp : warps)
    warp.done = warp.epoch = warp.atBarrier = warp.waiting = warp.met = 0;
  runtime::Dim3 place = launch.getBlock(index);
  for (Thread &thread : threads) {
    thread.special[unsigned(Special::BlockX)] = place.x;
    thread.special[unsigned(Special::BlockY)] = place.y;
    thread.special[unsigned(Special::BlockZ)] = place.z;
    thread.copies.clear();
    thread.touches.clear();
    thread.variables.clear();
    thread.fiber.prepare(thread.stack, Stacks::usable(), runThread, &thread);
    makeReady(thread);
  }
}

void ThreadBlock::run(uint64_t index) {
  prepare(index);
  while (numReady && !failed) {
    Thread *thread = ready[readyBegin];
    readyBegin = readyBegin + 1 == numThreads ? 0 : readyBegin + 1;
    --numReady;
    currentThread = thread;
    Fiber::switchTo(scheduler, thread->fiber);
  }
  if (!failed)
    finish();
}

/// Nobody can go on: all have ended, or they wait for each other.
void ThreadBlock::finish() {
  for (Thread &thread : threads)
    if (thread.state != Thread::State::Done)
      return record(thread, *thread.site, Finding::Kind::DivergentCollective,
                    "waits for threads that wait elsewhere");
  for (Warp &warp : warps) {
    flushTraffic(warp);
    for (unsigned i = 0; i < launch.numCounters; ++i) {
      uint64_t most = 0;
      for (Thread *lane : warp.lanes)
        most = std::max(most, lane->counts[i]);
      executions[i] += most;
    }
  }
}

void ThreadBlock::runThread(void *argument) {
  Thread &thread = *static_cast<Thread *>(argument);
  ThreadBlock &block = *thread.block;
  block.launch.entry(block.launch.arguments);
  block.exit(thread);
}

void ThreadBlock::exit(Thread &thread) {
  thread.state = Thread::State::Done;
  ++numDone;
  Warp &warp = warps[thread.warp];
  warp.done |= 1u << thread.lane;
  for (Thread *lane : warp.lanes)
    if (lane->state == Thread::State::AtCollective &&
        (lane->mask >> thread.lane & 1))
      fail(*lane, *lane->site, Finding::Kind::DivergentCollective,
           "waits for lane " + std::to_string(thread.lane) +
               ", which has ended");
  for (Barrier &barrier : barriers)
    if (barrier.arrived)
      for (Thread &other : threads)
        if (other.state == Thread::State::AtBarrier)
          fail(other, *other.site, Finding::Kind::DivergentBarrier,
               "waits for thread " +
                   formatPlace(launch.getThread(thread.index)) +
                   ", which has ended");
  Fiber::switchTo(thread.fiber, scheduler);
}

void ThreadBlock::makeReady(Thread &thread) {
  thread.state = Thread::State::Ready;
  size_t place = readyBegin + numReady++;
  ready[place < numThreads ? place : place - numThreads] = &thread;
}

void ThreadBlock::yield(Thread &thread) {
  Fiber::switchTo(thread.fiber, scheduler);
}

uint32_t ThreadBlock::barrier(Thread &thread, uint32_t id, uint32_t count,
                              uint32_t predicate, const Site &site) {
  auto divergent = [&](std::string what) {
    fail(thread, site, Finding::Kind::DivergentBarrier, std::move(what));
  };
  if (id >= 16)
    divergent("expected a barrier from 0 to 15, got " + std::to_string(id));
  if (count && count != numThreads)
    fail(thread, site, Finding::Kind::Unsupported,
         "expected a barrier of the block's " + std::to_string(numThreads) +
             " threads, got one of " + std::to_string(count));
  if (numDone)
    divergent("waits for threads of the block that have ended");
  Barrier &barrier = barriers[id];
  if (barrier.site && barrier.site != &site)
    divergent("is not where other threads of the block wait, " +
              describe(*barrier.site));
  Warp &warp = warps[thread.warp];
  for (Thread *lane : warp.lanes)
    if (lane->state == Thread::State::AtCollective &&
        (lane->mask >> thread.lane & 1))
      divergent("is not where lane " + std::to_string(lane->lane) +
                " of the warp waits, " + describe(*lane->site));
  barrier.site = &site;
  ++barrier.arrived;
  barrier.sum += predicate != 0;
  barrier.all &= predicate != 0;
  barrier.any |= predicate != 0;
  thread.site = &site;
  thread.barrierId = id;
  uint32_t result = 0;
  thread.results = &result;
  thread.state = Thread::State::AtBarrier;
  warp.atBarrier |= 1u << thread.lane;
  if (barrier.arrived == numThreads)
    releaseBarrier(id);
  yield(thread);
  return result;
}

void ThreadBlock::releaseBarrier(uint32_t id) {
  Barrier &barrier = barriers[id];
  // As stringified in BarrierReduction: popc, and, or.
  uint32_t result = barrier.site->mode == 0   ? barrier.sum
                    : barrier.site->mode == 1 ? barrier.all
                                              : barrier.any;
  for (Warp &warp : warps) {
    flushTraffic(warp);
    warp.atBarrier = 0;
  }
  ++epoch;
  barrier = Barrier();
  for (Thread &thread : threads) {
    *thread.results = result;
    makeReady(thread);
  }
}

void ThreadBlock::flushTraffic(Warp &warp) {
  std::vector<Touch> *lanes[32];
  for (size_t i = 0; i < warp.lanes.size(); ++i)
    lanes[i] = &warp.lanes[i]->touches;
  traffic.flush(llvm::ArrayRef(lanes, warp.lanes.size()));
}

void ThreadBlock::record(const Thread &thread, const Site &site,
                         Finding::Kind kind, std::string what) {
  Finding finding;
  finding.kind = kind;
  finding.kernel = launch.kernel;
  finding.block = launch.getBlock(index);
  finding.thread = launch.getThread(thread.index);
  finding.location = site.location;
  finding.what = site.op + " " + what;
  launch.add(index, std::move(finding));
  failed = true;
}

void ThreadBlock::fail(const Thread &thread, const Site &site,
                       Finding::Kind kind, std::string what) {
  record(thread, site, kind, std::move(what));
  // The scheduler goes on with no thread of this block.
  Fiber::switchTo(currentThread->fiber, scheduler);
  __builtin_unreachable();
}

void ThreadBlock::addTo(LaunchReport &report,
                        std::vector<uint64_t> &executions) const {
  for (size_t i = 0; i < executions.size(); ++i)
    executions[i] += this->executions[i];
  report.tensorMultiplyAdds += tensorMultiplyAdds;
  traffic.addTo(report);
}
