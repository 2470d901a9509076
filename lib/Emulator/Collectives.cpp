//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Instructions that the lanes of a warp run together.

#include "SmallFloats.h"
#include "ThreadBlock.h"
#include <algorithm>

using namespace mlir::fpa;

/// The lanes of `wanted` that are at the same op as `thread` for the same
/// lanes. Fails where one waits for `thread` elsewhere.
uint32_t ThreadBlock::findAmongSeveral(Thread &thread, uint32_t wanted) {
  const Site &site = *thread.site;
  uint32_t met = 0;
  for (Thread *lane : warps[thread.warp].lanes) {
    if (!(wanted >> lane->lane & 1) ||
        lane->state != Thread::State::AtCollective)
      continue;
    if (lane->site == &site && lane->mask == thread.mask)
      met |= 1u << lane->lane;
    else if (lane->mask >> thread.lane & 1)
      fail(thread, site, Finding::Kind::DivergentCollective,
           "waits for lane " + std::to_string(lane->lane) +
               ", which waits at " +
               (lane->site == &site ? "the same op for other lanes"
                                    : describe(*lane->site)));
  }
  return met;
}

uint32_t ThreadBlock::findPartners(Thread &thread) {
  Warp &warp = warps[thread.warp];
  const Site &site = *thread.site;
  auto divergent = [&](const std::string &what) {
    fail(thread, site, Finding::Kind::DivergentCollective, what);
  };
  if (!hasMask(site.kind) && warp.existing != ~0u)
    divergent("needs a warp of 32 lanes, got one of " +
              std::to_string(warp.lanes.size()));
  uint32_t self = 1u << thread.lane;
  if (!(thread.mask & self))
    divergent("names other lanes, but not lane " + std::to_string(thread.lane) +
              ", which runs it");
  uint32_t wanted = thread.mask & warp.existing;
  if (uint32_t gone = wanted & warp.done)
    divergent("waits for lane " + std::to_string(__builtin_ctz(gone)) +
              ", which has ended");
  if (uint32_t away = wanted & warp.atBarrier) {
    unsigned lane = __builtin_ctz(away);
    divergent("waits for lane " + std::to_string(lane) + ", which waits at " +
              describe(*warp.lanes[lane]->site));
  }
  if (!warp.waiting) {
    warp.site = &site;
    warp.mask = thread.mask;
    warp.met = 0;
  }
  bool isOneGroup = warp.waiting == warp.met && warp.site == &site &&
                    warp.mask == thread.mask;
  warp.waiting |= self;
  if (isOneGroup)
    warp.met |= self;
  uint32_t met = isOneGroup ? warp.met : findAmongSeveral(thread, wanted);
  if (met != wanted)
    return 0;
  warp.waiting &= ~met;
  warp.met &= ~met;
  return met;
}

void ThreadBlock::collective(Thread &thread, const uint32_t *operands,
                             uint32_t *results, const Site &site) {
  Warp &warp = warps[thread.warp];
  thread.site = &site;
  thread.mask = hasMask(site.kind) ? operands[0] : ~0u;
  thread.operands = operands;
  thread.results = results;
  thread.state = Thread::State::AtCollective;
  uint32_t partners = findPartners(thread);
  if (!partners)
    return yield(thread);
  compute(warp, thread);
  if (partners == warp.existing) {
    flushTraffic(warp);
    if (site.kind == SiteKind::SyncWarp)
      ++warp.epoch;
  }
  for (Thread *lane : warp.lanes)
    if ((partners >> lane->lane & 1) && lane != &thread)
      makeReady(*lane);
  thread.state = Thread::State::Ready;
}

namespace {
/// The lanes that meet.
struct Lanes {
  llvm::ArrayRef<Thread *> all;
  uint32_t mask;

  template <typename Do> void forEach(Do callback) const {
    for (Thread *lane : all)
      if (mask >> lane->lane & 1)
        callback(*lane);
  }
};
} // namespace

/// As PTX defines shfl.sync: operands are mask, value, offset or lane, and
/// clamp with the mask of segments above it.
static void shuffle(const Lanes &lanes, const Site &site, std::string &error) {
  lanes.forEach([&](Thread &lane) {
    uint32_t b = lane.operands[2], c = lane.operands[3];
    int segment = c >> 8 & 31, clamp = c & 31, self = lane.lane;
    int highest = (self & segment) | (clamp & ~segment);
    int lowest = self & segment;
    int source = self, offset = b & 31;
    bool valid = true;
    switch (ShuffleMode(site.mode)) {
    case ShuffleMode::Up:
      source = self - offset;
      valid = source >= highest;
      break;
    case ShuffleMode::Down:
      source = self + offset;
      valid = source <= highest;
      break;
    case ShuffleMode::Butterfly:
      source = self ^ offset;
      valid = source <= highest;
      break;
    case ShuffleMode::Index:
      source = lowest | (offset & ~segment);
      valid = source <= highest;
      break;
    }
    if (!valid)
      source = self;
    if (!(lanes.mask >> source & 1))
      error =
          "reads lane " + std::to_string(source) + ", which does not take part";
    else
      lane.results[0] = lanes.all[source]->operands[1];
    if (site.withPredicate)
      lane.results[1] = valid;
  });
}

static void vote(const Lanes &lanes, const Site &site) {
  uint32_t ballot = 0;
  lanes.forEach([&](Thread &lane) {
    ballot |= uint32_t(lane.operands[1] & 1) << lane.lane;
  });
  uint32_t result = 0;
  switch (VoteMode(site.mode)) {
  case VoteMode::Any:
    result = ballot != 0;
    break;
  case VoteMode::All:
    result = ballot == lanes.mask;
    break;
  case VoteMode::Ballot:
    result = ballot;
    break;
  case VoteMode::Uniform:
    result = ballot == lanes.mask || ballot == 0;
    break;
  }
  lanes.forEach([&](Thread &lane) { lane.results[0] = result; });
}

/// match.any: the lanes with the same value. match.all: all of them, or none,
/// and whether.
static void match(const Lanes &lanes, const Site &site) {
  lanes.forEach([&](Thread &lane) {
    uint32_t same = 0;
    lanes.forEach([&](Thread &other) {
      if (other.operands[1] == lane.operands[1])
        same |= 1u << other.lane;
    });
    bool all = same == lanes.mask;
    lane.results[0] = site.withPredicate && !all ? 0 : same;
    if (site.withPredicate)
      lane.results[1] = all;
  });
}

static uint32_t reduceFloats(uint32_t x, uint32_t y, const Site &site) {
  float a = fromBits(x), b = fromBits(y);
  if (site.absolute)
    a = std::fabs(a), b = std::fabs(b);
  bool isMin = ReduceMode(site.mode) == ReduceMode::FloatMin;
  float result = isMin ? std::fmin(a, b) : std::fmax(a, b);
  if (site.propagateNaN && (std::isnan(a) || std::isnan(b)))
    result = NAN;
  return toBits(result);
}

static uint32_t combine(uint32_t x, uint32_t y, const Site &site) {
  switch (ReduceMode(site.mode)) {
  case ReduceMode::Add:
    return x + y;
  case ReduceMode::And:
    return x & y;
  case ReduceMode::Or:
    return x | y;
  case ReduceMode::Xor:
    return x ^ y;
  case ReduceMode::SignedMin:
    return std::min(int32_t(x), int32_t(y));
  case ReduceMode::SignedMax:
    return std::max(int32_t(x), int32_t(y));
  case ReduceMode::UnsignedMin:
    return std::min(x, y);
  case ReduceMode::UnsignedMax:
    return std::max(x, y);
  case ReduceMode::FloatMin:
  case ReduceMode::FloatMax:
    return reduceFloats(x, y, site);
  }
  return 0;
}

static void reduce(const Lanes &lanes, const Site &site) {
  bool isFirst = true;
  uint32_t result = 0;
  lanes.forEach([&](Thread &lane) {
    result =
        isFirst ? lane.operands[1] : combine(result, lane.operands[1], site);
    isFirst = false;
  });
  lanes.forEach([&](Thread &lane) { lane.results[0] = result; });
}

void ThreadBlock::compute(Warp &warp, Thread &last) {
  const Site &site = *last.site;
  Lanes lanes{warp.lanes, last.mask & warp.existing};
  std::string error;
  switch (site.kind) {
  case SiteKind::Shuffle:
    shuffle(lanes, site, error);
    break;
  case SiteKind::Vote:
    vote(lanes, site);
    break;
  case SiteKind::Match:
    match(lanes, site);
    break;
  case SiteKind::Reduce:
    reduce(lanes, site);
    break;
  case SiteKind::LoadMatrix:
    loadMatrices(warp, site);
    break;
  case SiteKind::StoreMatrix:
    storeMatrices(warp, site);
    break;
  case SiteKind::Mma:
    tensorMultiplyAdds += 16 * 8 * site.count;
    multiply(warp.lanes, site);
    break;
  default:
    break;
  }
  if (!error.empty())
    fail(last, site, Finding::Kind::DivergentCollective, error);
}
