//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Floating types of 16 bits, and of 19 in 32, as the GPU's registers hold them.

#ifndef FPA_LIB_EMULATOR_SMALLFLOATS_H
#define FPA_LIB_EMULATOR_SMALLFLOATS_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace mlir::fpa {

inline uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

inline float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

inline float fromHalf(uint16_t bits) {
  uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
  float magnitude =
      exponent == 0 ? float(fraction) * 0x1p-24f
                    : fromBits((exponent == 31 ? 255u : exponent + 112) << 23 |
                               fraction << 13);
  return bits & 0x8000 ? -magnitude : magnitude;
}

inline float fromBFloat(uint16_t bits) {
  return fromBits(uint32_t(bits) << 16);
}

/// Rounds to nearest even.
inline uint32_t toHalf(float x) {
  uint32_t sign = toBits(x) >> 16 & 0x8000;
  float magnitude = std::fabs(x);
  if (std::isnan(x))
    return 0x7fff;
  if (magnitude >= 65520.0f)
    return sign | 0x7c00;
  if (magnitude < 0x1p-14f)
    return sign | uint32_t(std::nearbyint(magnitude * 0x1p24f));
  uint32_t bits = toBits(magnitude);
  bits += 0xfff + (bits >> 13 & 1);
  return sign | ((bits >> 13) - (112 << 10));
}

/// Rounds to nearest even.
inline uint32_t toBFloat(float x) {
  uint32_t bits = toBits(x);
  if (std::isnan(x))
    return 0x7fff;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_SMALLFLOATS_H
