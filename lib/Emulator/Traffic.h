//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Counts the work of memory: banks of shared memory, sectors of global memory.

#ifndef FPA_LIB_EMULATOR_TRAFFIC_H
#define FPA_LIB_EMULATOR_TRAFFIC_H

#include "DeviceMemory.h"
#include "llvm/ADT/ArrayRef.h"
#include <unordered_map>

namespace mlir::fpa {

/// What one lane's part of an instruction touched.
struct Touch {
  const Site *site;
  uint64_t address;
  bool isShared;
};

/// The traffic of the blocks that one host thread runs.
class Traffic {
public:
  /// `sharedBase` is where shared memory begins.
  Traffic(const DeviceMemory &memory, uint64_t sharedBase)
      : memory(memory), sharedBase(sharedBase) {}

  void startBlock(uint32_t run) { this->run = run; }
  /// Takes what the lanes of a warp touched since they last met, and empties
  /// the lists. The n-th time of one lane at an op belongs to the n-th time of
  /// another.
  void flush(llvm::ArrayRef<std::vector<Touch> *> lanes);
  /// The rows of the 8x8 matrices of one instruction.
  void addMatrices(llvm::ArrayRef<uint64_t> rows, const Site &site);

  /// Adds all to `report`, but for what must be known of all host threads.
  void addTo(LaunchReport &report) const;
  /// Different sectors that any of `parts` touched, and ops with conflicts in
  /// any of them.
  static void combine(llvm::ArrayRef<const Traffic *> parts,
                      LaunchReport &report);

private:
  /// The addresses of one instruction; lanes that are not active have none.
  struct Access {
    uint64_t address[32];
    uint32_t active = 0;
  };
  void flushDiverged(llvm::ArrayRef<std::vector<Touch> *> lanes);
  void add(const Site &site, bool isShared, const Access &access);
  void addShared(const Site &site, const Access &access);
  void addGlobal(const Site &site, const Access &access);

  /// By allocation: the last block that touched each sector, 0 for none.
  using Sectors = std::unordered_map<unsigned, std::vector<uint32_t>>;
  static void countSectors(llvm::ArrayRef<const Traffic *> parts,
                           LaunchReport &report);
  bool isFirst(Sectors &sectors, uint64_t sector);

  const DeviceMemory &memory;
  uint64_t sharedBase;
  uint32_t run = 0;
  std::unordered_map<const Site *, SharedTraffic> shared;
  GlobalTraffic globalLoads, globalStores;
  Sectors loaded, stored;
};

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_TRAFFIC_H
