//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_RUNTIME_FLUSHSUBNORMALS_H
#define FPA_LIB_RUNTIME_FLUSHSUBNORMALS_H

#include <stdint.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace fpa_runtime {

/// While it lives, arithmetic of this thread gives 0 instead of a subnormal.
/// Probabilities of deeply penalised keys pass through that range, and each
/// operation on a subnormal costs about a hundred ordinary ones. On x86 only
/// results are flushed: a minimum or a copy of a subnormal is still exact.
class FlushSubnormals {
public:
  FlushSubnormals() : saved(read()) { write(saved | flushBit); }
  ~FlushSubnormals() { write(saved); }
  FlushSubnormals(const FlushSubnormals &) = delete;
  FlushSubnormals &operator=(const FlushSubnormals &) = delete;

private:
#if defined(__x86_64__)
  static constexpr uint64_t flushBit = uint64_t(1) << 15;
  static uint64_t read() { return _mm_getcsr(); }
  static void write(uint64_t value) { _mm_setcsr(unsigned(value)); }
#elif defined(__aarch64__)
  static constexpr uint64_t flushBit = uint64_t(1) << 24;
  static uint64_t read() {
    uint64_t value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void write(uint64_t value) {
    asm volatile("msr fpcr, %0" ::"r"(value));
  }
#else
  static constexpr uint64_t flushBit = 0;
  static uint64_t read() { return 0; }
  static void write(uint64_t) {}
#endif

  uint64_t saved;
};

} // namespace fpa_runtime

#endif // FPA_LIB_RUNTIME_FLUSHSUBNORMALS_H
