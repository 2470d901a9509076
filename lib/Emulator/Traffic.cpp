//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Traffic.h"
#include <algorithm>
#include <map>

using namespace mlir::fpa;
using llvm::ArrayRef;

constexpr unsigned sectorBytes = 32;

/// Passes over 32 banks of 4 bytes that serve `words`, numbers of 4-byte words,
/// at once. A word that several lanes want is served to all.
static unsigned countPasses(uint64_t *words, unsigned count) {
  std::sort(words, words + count);
  uint8_t wanted[32] = {};
  unsigned most = 0;
  for (unsigned i = 0; i < count; ++i)
    if (i == 0 || words[i] != words[i - 1])
      most = std::max<unsigned>(most, ++wanted[words[i] % 32]);
  return most;
}

void Traffic::flush(ArrayRef<std::vector<Touch> *> lanes) {
  size_t count = lanes[0]->size();
  for (const std::vector<Touch> *lane : lanes)
    if (lane->size() != count)
      return flushDiverged(lanes);
  for (size_t i = 0; i < count; ++i)
    for (const std::vector<Touch> *lane : lanes)
      if ((*lane)[i].site != (*lanes[0])[i].site ||
          (*lane)[i].isShared != (*lanes[0])[i].isShared)
        return flushDiverged(lanes);
  for (size_t i = 0; i < count; ++i) {
    Access access;
    for (size_t lane = 0; lane < lanes.size(); ++lane)
      access.address[lane] = (*lanes[lane])[i].address;
    access.active = lanes.size() == 32 ? ~0u : (1u << lanes.size()) - 1;
    add(*(*lanes[0])[i].site, (*lanes[0])[i].isShared, access);
  }
  for (std::vector<Touch> *lane : lanes)
    lane->clear();
}

void Traffic::flushDiverged(ArrayRef<std::vector<Touch> *> lanes) {
  using Op = std::pair<const Site *, bool>;
  std::map<std::pair<Op, size_t>, Access> accesses;
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    std::map<Op, size_t> times;
    for (const Touch &touch : *lanes[lane]) {
      Op op{touch.site, touch.isShared};
      Access &access = accesses[{op, times[op]++}];
      access.address[lane] = touch.address;
      access.active |= 1u << lane;
    }
    lanes[lane]->clear();
  }
  for (const auto &[key, access] : accesses)
    add(*key.first.first, key.first.second, access);
}

void Traffic::add(const Site &site, bool isShared, const Access &access) {
  if (isShared)
    addShared(site, access);
  else
    addGlobal(site, access);
}

/// Up to 4 bytes a lane, all lanes are served together; of 8 bytes, half of
/// them; of 16, a quarter.
void Traffic::addShared(const Site &site, const Access &access) {
  SharedTraffic &traffic = shared[&site];
  ++traffic.instructions;
  unsigned together = site.piece <= 4 ? 32 : site.piece <= 8 ? 16 : 8;
  for (unsigned begin = 0; begin < 32; begin += together) {
    uint64_t words[32 * 2];
    unsigned count = 0;
    for (unsigned lane = begin; lane < begin + together; ++lane) {
      if (!(access.active >> lane & 1))
        continue;
      uint64_t offset = access.address[lane] - sharedBase;
      for (uint64_t word = offset / 4;
           word <= (offset + site.piece - 1) / 4 && count < 64; ++word)
        words[count++] = word;
    }
    if (!count)
      continue;
    traffic.wavefronts += countPasses(words, count);
    ++traffic.least;
  }
}

void Traffic::addMatrices(ArrayRef<uint64_t> rows, const Site &site) {
  SharedTraffic &traffic = shared[&site];
  ++traffic.instructions;
  for (; !rows.empty(); rows = rows.drop_front(8)) {
    uint64_t words[32];
    unsigned count = 0;
    for (uint64_t row : rows.take_front(8))
      for (unsigned i = 0; i < 4; ++i)
        words[count++] = (row - sharedBase) / 4 + i;
    traffic.wavefronts += countPasses(words, count);
    ++traffic.least;
  }
}

bool Traffic::isFirst(Sectors &sectors, uint64_t sector) {
  const auto *allocation = memory.find(sector * sectorBytes);
  if (!allocation)
    return false;
  std::vector<uint32_t> &last = sectors[allocation->number];
  if (last.empty())
    last.resize(allocation->bytes / sectorBytes + 1);
  uint32_t &entry = last[sector - allocation->begin / sectorBytes];
  bool first = entry != run;
  entry = run;
  return first;
}

void Traffic::addGlobal(const Site &site, const Access &access) {
  bool isStore = site.kind == SiteKind::Store;
  GlobalTraffic &traffic = isStore ? globalStores : globalLoads;
  ++traffic.instructions;
  uint64_t sectors[32 * 2];
  unsigned count = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(access.active >> lane & 1))
      continue;
    uint64_t first = access.address[lane] / sectorBytes;
    uint64_t last = (access.address[lane] + site.piece - 1) / sectorBytes;
    sectors[count++] = first;
    if (last != first)
      sectors[count++] = last;
  }
  std::sort(sectors, sectors + count);
  count = std::unique(sectors, sectors + count) - sectors;
  traffic.sectors += count;
  for (unsigned i = 0; i < count; ++i)
    traffic.perBlock += isFirst(isStore ? stored : loaded, sectors[i]);
}

static void accumulate(SharedTraffic &sum, const SharedTraffic &part) {
  sum.instructions += part.instructions;
  sum.wavefronts += part.wavefronts;
  sum.least += part.least;
}

static void accumulate(GlobalTraffic &sum, const GlobalTraffic &part) {
  sum.instructions += part.instructions;
  sum.sectors += part.sectors;
  sum.perBlock += part.perBlock;
}

void Traffic::addTo(LaunchReport &report) const {
  for (const auto &[site, traffic] : shared)
    switch (site->kind) {
    case SiteKind::LoadMatrix:
      accumulate(report.matrixLoads, traffic);
      break;
    case SiteKind::AsyncCopy:
      accumulate(report.asyncStores, traffic);
      break;
    case SiteKind::Load:
      accumulate(report.sharedLoads, traffic);
      break;
    default:
      accumulate(report.sharedStores, traffic);
      break;
    }
  accumulate(report.globalLoads, globalLoads);
  accumulate(report.globalStores, globalStores);
}

void Traffic::combine(ArrayRef<const Traffic *> parts, LaunchReport &report) {
  countSectors(parts, report);
  std::unordered_map<const Site *, SharedTraffic> all;
  for (const Traffic *part : parts)
    for (const auto &[site, traffic] : part->shared)
      accumulate(all[site], traffic);
  for (const auto &[site, traffic] : all)
    if (traffic.wavefronts > traffic.least)
      report.conflicts.push_back({site->location, site->op, traffic});
  std::sort(report.conflicts.begin(), report.conflicts.end(),
            [](const BankConflict &a, const BankConflict &b) {
              uint64_t more = a.traffic.wavefronts - a.traffic.least;
              uint64_t less = b.traffic.wavefronts - b.traffic.least;
              return more != less ? more > less : a.location < b.location;
            });
}

void Traffic::countSectors(ArrayRef<const Traffic *> parts,
                           LaunchReport &report) {
  for (auto [sectors, result] :
       {std::pair(&Traffic::loaded, &report.globalLoads),
        std::pair(&Traffic::stored, &report.globalStores)}) {
    std::unordered_map<unsigned, std::vector<bool>> touched;
    for (const Traffic *part : parts)
      for (const auto &[number, last] : part->*sectors) {
        std::vector<bool> &all = touched[number];
        all.resize(last.size());
        for (size_t i = 0; i < last.size(); ++i)
          if (last[i] && !all[i]) {
            all[i] = true;
            ++result->perLaunch;
          }
      }
  }
}
