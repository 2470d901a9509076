//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Emulator/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <numeric>
#include <tuple>

using namespace mlir::fpa;

std::string mlir::fpa::formatPlace(runtime::Dim3 place) {
  return "(" + std::to_string(place.x) + ", " + std::to_string(place.y) + ", " +
         std::to_string(place.z) + ")";
}

std::string Finding::getText() const {
  return location + "kernel '" + kernel + "', block " + formatPlace(block) +
         ", thread " + formatPlace(thread) + ": " + what;
}

const char *mlir::fpa::getName(InstructionClass kind) {
  static const char *const names[numInstructionClasses] = {
      "mma",         "ldmatrix",      "shared load", "shared store",
      "global load", "global store",  "cp.async",    "shuffle",
      "barrier",     "exp2",          "float add",   "float mul",
      "float fma",   "float min/max", "conversion",  "integer",
      "branch",      "other"};
  return names[unsigned(kind)];
}

static void print(llvm::raw_ostream &os, const char *name,
                  const SharedTraffic &traffic) {
  if (traffic.instructions)
    os << llvm::format("  %-14s %10llu instructions, %llu wavefronts, least "
                       "%llu\n",
                       name, (unsigned long long)traffic.instructions,
                       (unsigned long long)traffic.wavefronts,
                       (unsigned long long)traffic.least);
}

static void print(llvm::raw_ostream &os, const char *name,
                  const GlobalTraffic &traffic) {
  if (traffic.instructions)
    os << llvm::format("  %-14s %10llu instructions, %llu sectors, different "
                       "in a block %llu, in the launch %llu\n",
                       name, (unsigned long long)traffic.instructions,
                       (unsigned long long)traffic.sectors,
                       (unsigned long long)traffic.perBlock,
                       (unsigned long long)traffic.perLaunch);
}

std::vector<LoopCount> LaunchReport::getLoops() const {
  std::map<std::pair<std::string, int>, LoopCount> loops;
  for (const BlockCount &block : blocks) {
    if (block.loop < 0)
      continue;
    LoopCount &loop = loops[{block.kernel, block.loop}];
    if (int(block.index) == block.loop) {
      loop.kernel = block.kernel;
      loop.location = block.location;
      loop.header = block.index;
    }
    if (block.isLatch)
      loop.rounds += block.executions;
    for (unsigned i = 0; i < numInstructionClasses; ++i)
      loop.instructions[i] += block.executions * block.instructions[i];
  }
  auto total = [](const LoopCount &loop) {
    return std::accumulate(loop.instructions.begin(), loop.instructions.end(),
                           uint64_t(0));
  };
  std::vector<LoopCount> result;
  for (auto &[key, loop] : loops)
    if (loop.rounds)
      result.push_back(std::move(loop));
  llvm::sort(result, [&](const LoopCount &a, const LoopCount &b) {
    return std::tuple(total(b), a.kernel, a.header) <
           std::tuple(total(a), b.kernel, b.header);
  });
  return result;
}

/// Instructions by class, each divided by `rounds`.
static void print(llvm::raw_ostream &os, const InstructionCounts &counts,
                  uint64_t rounds) {
  const char *separator = " ";
  for (unsigned i = 0; i < numInstructionClasses; ++i)
    if (counts[i]) {
      os << separator << getName(InstructionClass(i)) << " "
         << llvm::format("%.6g", double(counts[i]) / double(rounds));
      separator = ", ";
    }
  os << "\n";
}

static void printLoops(llvm::raw_ostream &os, const LaunchReport &report) {
  for (const LoopCount &loop : report.getLoops()) {
    os << loop.location << "loop at block " << loop.header << " of '"
       << loop.kernel << "', " << loop.rounds << " rounds of warps, each:\n ";
    print(os, loop.instructions, loop.rounds);
  }
}

/// One line for all that the same op of the source became.
static void printConflicts(llvm::raw_ostream &os,
                           llvm::ArrayRef<BankConflict> conflicts) {
  struct Group {
    std::string what;
    uint64_t places = 0, wavefronts = 0, least = 0;
  };
  std::vector<Group> groups;
  std::map<std::string, size_t> known;
  for (const BankConflict &conflict : conflicts) {
    std::string what = conflict.location + conflict.op;
    auto [found, isNew] = known.try_emplace(what, groups.size());
    if (isNew)
      groups.push_back({what});
    Group &group = groups[found->second];
    ++group.places;
    group.wavefronts += conflict.traffic.wavefronts;
    group.least += conflict.traffic.least;
  }
  for (const Group &group : groups) {
    os << "  " << group.what << " has conflicts";
    if (group.places > 1)
      os << " in " << group.places << " places";
    os << ": " << group.wavefronts << " wavefronts, least " << group.least
       << "\n";
  }
}

std::string LaunchReport::getText() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "kernel '" << kernel << "': " << grid.x << "x" << grid.y << "x"
     << grid.z << " blocks of " << block.x << "x" << block.y << "x" << block.z
     << " threads, " << sharedBytes << " bytes of shared memory\n";
  os << "instructions of warps:\n";
  uint64_t total = 0;
  for (unsigned i = 0; i < numInstructionClasses; ++i) {
    total += instructions[i];
    if (instructions[i])
      os << llvm::format("  %-14s %10llu\n", getName(InstructionClass(i)),
                         (unsigned long long)instructions[i]);
  }
  os << llvm::format("  %-14s %10llu\n", "all", (unsigned long long)total);
  if (tensorMultiplyAdds)
    os << "multiply-adds of tensor cores: " << tensorMultiplyAdds << "\n";
  os << "shared memory:\n";
  print(os, "loads", sharedLoads);
  print(os, "stores", sharedStores);
  print(os, "ldmatrix", matrixLoads);
  print(os, "cp.async", asyncStores);
  printConflicts(os, conflicts);
  os << "global memory, in sectors of 32 bytes:\n";
  print(os, "loads", globalLoads);
  print(os, "stores", globalStores);
  printLoops(os, *this);
  return text;
}
