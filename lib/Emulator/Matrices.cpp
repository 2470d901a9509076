//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tensor-core instructions: mma.sync, ldmatrix, stmatrix.

#include "SmallFloats.h"
#include "ThreadBlock.h"

using namespace mlir::fpa;

/// Element `half` of the 32-bit register `word`; a TF32 register is one
/// element, whose low bits are not looked at.
static float element(uint32_t word, unsigned half, MmaType type) {
  switch (type) {
  case MmaType::F16:
    return fromHalf(word >> (16 * half));
  case MmaType::BF16:
    return fromBFloat(word >> (16 * half));
  case MmaType::TF32:
    return fromBits(word & 0xffffe000u);
  }
  return 0;
}

/// D = A B + C for m16n8kK. In every operand lane l holds, with g = l / 4 and
/// t = l % 4, and with e elements in a register and k = K / (4 e) registers
/// along the inner dimension:
///   A: register r has row g + 8 (r % 2) and columns e t + 4 e (r / 2) + 0 ...
///   e-1 B: register r has rows e t + 4 e r + 0 ... e-1 and column g C, D:
///   register r has row g + 8 (r / 2) and column 2 t + r % 2
void ThreadBlock::multiply(llvm::ArrayRef<Thread *> lanes, const Site &site) {
  MmaType type = MmaType(site.mode);
  unsigned inner = site.count, perRegister = type == MmaType::TF32 ? 1 : 2;
  unsigned numB = inner / (4 * perRegister), numA = 2 * numB;
  float a[16][16], b[16][8], d[16][8];
  for (Thread *lane : lanes) {
    unsigned g = lane->lane / 4, t = lane->lane % 4;
    const uint32_t *operands = lane->operands;
    for (unsigned r = 0; r < numA; ++r)
      for (unsigned e = 0; e < perRegister; ++e)
        a[g + 8 * (r % 2)][perRegister * t + 4 * perRegister * (r / 2) + e] =
            element(operands[r], e, type);
    for (unsigned r = 0; r < numB; ++r)
      for (unsigned e = 0; e < perRegister; ++e)
        b[perRegister * t + 4 * perRegister * r + e][g] =
            element(operands[numA + r], e, type);
    for (unsigned r = 0; r < 4; ++r)
      d[g + 8 * (r / 2)][2 * t + r % 2] = fromBits(operands[numA + numB + r]);
  }
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned k = 0; k < inner; ++k)
      for (unsigned j = 0; j < 8; ++j)
        d[i][j] += a[i][k] * b[k][j];
  for (Thread *lane : lanes) {
    unsigned g = lane->lane / 4, t = lane->lane % 4;
    for (unsigned r = 0; r < 4; ++r)
      std::memcpy(&lane->results[r], &d[g + 8 * (r / 2)][2 * t + r % 2], 4);
  }
}

/// Lanes 8 i to 8 i + 7 name the rows of matrix i, of 16 bytes each.
static uint64_t rowAddress(const Thread &lane) {
  return uint64_t(lane.operands[1]) << 32 | lane.operands[0];
}

/// Lane l gets elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of each
/// matrix; of its transpose where asked for.
void ThreadBlock::loadMatrices(Warp &warp, const Site &site) {
  uint64_t rows[32];
  for (unsigned matrix = 0; matrix < site.count; ++matrix) {
    uint16_t elements[8][8];
    for (unsigned row = 0; row < 8; ++row) {
      Thread &lane = *warp.lanes[matrix * 8 + row];
      uint64_t address = rows[matrix * 8 + row] = rowAddress(lane);
      checkAlignment(lane, address, 16, site);
      checkShared(lane, address - sharedBase(), 16, true, false, site);
      std::memcpy(elements[row], reinterpret_cast<const void *>(address), 16);
    }
    for (Thread *lane : warp.lanes) {
      unsigned g = lane->lane / 4, t = lane->lane % 4;
      uint16_t low = site.transposed ? elements[2 * t][g] : elements[g][2 * t];
      uint16_t high =
          site.transposed ? elements[2 * t + 1][g] : elements[g][2 * t + 1];
      lane->results[matrix] = uint32_t(high) << 16 | low;
    }
  }
  traffic.addMatrices(llvm::ArrayRef(rows, 8 * site.count), site);
}

void ThreadBlock::storeMatrices(Warp &warp, const Site &site) {
  for (unsigned matrix = 0; matrix < site.count; ++matrix) {
    uint16_t elements[8][8];
    for (Thread *lane : warp.lanes) {
      unsigned g = lane->lane / 4, t = lane->lane % 4;
      uint32_t word = lane->operands[2 + matrix];
      for (unsigned e = 0; e < 2; ++e)
        (site.transposed ? elements[2 * t + e][g] : elements[g][2 * t + e]) =
            word >> (16 * e);
    }
    for (unsigned row = 0; row < 8; ++row) {
      Thread &lane = *warp.lanes[matrix * 8 + row];
      uint64_t address = rowAddress(lane);
      checkAlignment(lane, address, 16, site);
      checkShared(lane, address - sharedBase(), 16, false, true, site);
      std::memcpy(reinterpret_cast<void *>(address), elements[row], 16);
      lane.touches.push_back({&site, address, true});
    }
  }
}
