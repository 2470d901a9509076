//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// When a thread of a block touched memory, and whether another access of the
// block is ordered with it.

#ifndef FPA_LIB_EMULATOR_STAMP_H
#define FPA_LIB_EMULATOR_STAMP_H

#include <cstdint>
#include <optional>

namespace mlir::fpa {

struct Site;

/// Barriers passed by the block, warp synchronisations passed by the warp since
/// then, warp and lane. Two accesses are unordered when no barrier lies between
/// them and either they are of different warps, or of different lanes of one
/// warp with no bar.warp.sync of all its lanes between them. Shuffles, votes
/// and products order nothing, as PTX has it.
class Stamp {
public:
  Stamp() = default;
  Stamp(uint32_t epoch, uint32_t warpEpoch, uint32_t warp, uint32_t lane)
      : bits(uint64_t(epoch) << 32 | uint64_t(warpEpoch & 0xfffff) << 12 |
             warp << 6 | lane) {}

  bool isUnordered(Stamp now) const {
    uint64_t differs = bits ^ now.bits;
    if (differs >> 32)
      return false;
    if (differs & warpBits)
      return true;
    return !(differs & warpEpochBits) && (differs & laneBits);
  }

  /// Whether `now` may take this one's place in a record of readers: after a
  /// barrier, or as the same warp.
  bool yieldsTo(Stamp now) const {
    uint64_t differs = bits ^ now.bits;
    return (differs >> 32) || !(differs & warpBits);
  }

  /// As `now`; of no lane in particular when this is another lane at the same
  /// time, so that it is unordered with every lane.
  void replace(Stamp now) {
    uint64_t differs = bits ^ now.bits;
    bool joins = differs && !(differs & ~uint64_t(laneBits));
    bits = joins ? (now.bits & ~uint64_t(laneBits)) | severalLanes : now.bits;
  }

  uint32_t getWarp() const { return (bits & warpBits) >> 6; }
  /// None after lanes have joined.
  std::optional<uint32_t> getLane() const {
    uint32_t lane = bits & laneBits;
    return lane == severalLanes ? std::nullopt : std::optional(lane);
  }

private:
  static constexpr uint64_t laneBits = 0x3f, warpBits = 0xfc0,
                            warpEpochBits = 0xfffff000, severalLanes = 32;
  /// No barrier has the number 0: nobody yet.
  uint64_t bits = 0;
};

/// Who touched memory last, and by which op.
struct Accessor {
  Stamp stamp;
  const Site *site = nullptr;
};

/// Readers since the last barrier. Two warps are enough: whoever writes is of
/// another warp than one of them.
struct Readers {
  Accessor first, second;

  /// One that is unordered with `now`, or null.
  const Accessor *findUnordered(Stamp now) const {
    return first.stamp.isUnordered(now)    ? &first
           : second.stamp.isUnordered(now) ? &second
                                           : nullptr;
  }
  void add(Stamp now, const Site &site) {
    if (first.stamp.yieldsTo(now)) {
      first.stamp.replace(now);
      first.site = &site;
    } else if (second.stamp.yieldsTo(now)) {
      second.stamp.replace(now);
      second.site = &site;
    }
  }
};

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_STAMP_H
