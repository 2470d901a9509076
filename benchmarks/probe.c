//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What this machine can do, measured: f32 multiply-adds per second, and bytes
// per second of reading and copying memory. The driver compiles this file for
// the machine it runs on and calls it between the cases.

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Twelve independent chains hide the latency of the multiply-add; more would
// not fit the registers of AVX2.
#define CHAINS 12
#define DEFINE_FMA(NAME, BYTES)                                                \
  typedef float NAME##_vector __attribute__((vector_size(BYTES)));             \
  static float NAME(int64_t steps) {                                           \
    NAME##_vector acc[CHAINS], a, b;                                           \
    for (size_t lane = 0; lane < BYTES / sizeof(float); ++lane) {              \
      a[lane] = 0.999f;                                                        \
      b[lane] = 0.001f * (float)lane;                                          \
    }                                                                          \
    for (int c = 0; c < CHAINS; ++c)                                           \
      acc[c] = b * (float)c;                                                   \
    /* Opaque to the optimizer, so that nothing is computed beforehand. */     \
    __asm__ volatile("" : "+x"(a), "+x"(b));                                   \
    for (int64_t s = 0; s < steps; ++s) {                                      \
      _Pragma("clang loop unroll(full)") for (int c = 0; c < CHAINS; ++c)      \
          acc[c] = acc[c] * a + b;                                             \
      __asm__ volatile("" : "+x"(a));                                          \
    }                                                                          \
    float sum = 0;                                                             \
    for (int c = 0; c < CHAINS; ++c)                                           \
      sum += acc[c][0];                                                        \
    return sum;                                                                \
  }

DEFINE_FMA(fma16, 16)
#ifdef __AVX__
DEFINE_FMA(fma32, 32)
#endif
#ifdef __AVX512F__
DEFINE_FMA(fma64, 64)
#endif

static volatile float sink;

static double fma_rate(float (*kernel)(int64_t), int lanes, double seconds) {
  const int64_t steps = 200000;
  double best = 0, end = now() + seconds;
  do {
    double start = now();
    sink = kernel(steps);
    double rate = 2.0 * CHAINS * lanes * (double)steps / (now() - start);
    best = rate > best ? rate : best;
  } while (now() < end);
  return best;
}

/// The best rate of f32 multiply-adds on one thread, in FLOP/s (an add and a
/// multiply are two), over all vector widths; `*lanes` is the width that won.
double fpa_probe_fma(double seconds, int *lanes) {
  double best = fma_rate(fma16, 4, seconds / 3);
  *lanes = 4;
#ifdef __AVX__
  double rate32 = fma_rate(fma32, 8, seconds / 3);
  if (rate32 > best) {
    best = rate32;
    *lanes = 8;
  }
#endif
#ifdef __AVX512F__
  double rate64 = fma_rate(fma64, 16, seconds / 3);
  if (rate64 > best) {
    best = rate64;
    *lanes = 16;
  }
#endif
  return best;
}

/// The mean rate of the multiply-adds of vectors of `lanes` over `seconds`, in
/// FLOP/s: what the processor gave in these moments, others' work included.
double fpa_probe_fma_mean(double seconds, int lanes) {
  float (*kernel)(int64_t) = fma16;
#ifdef __AVX__
  kernel = lanes == 8 ? fma32 : kernel;
#endif
#ifdef __AVX512F__
  kernel = lanes == 16 ? fma64 : kernel;
#endif
  const int64_t steps = 20000;
  int64_t runs = 0;
  double start = now(), passed;
  do {
    sink = kernel(steps);
    ++runs;
    passed = now() - start;
  } while (passed < seconds);
  return 2.0 * CHAINS * lanes * (double)(steps * runs) / passed;
}

#ifdef __AVX512F__
#define COPY_BYTES 64
#elif defined(__AVX__)
#define COPY_BYTES 32
#else
#define COPY_BYTES 16
#endif
typedef float copy_vector __attribute__((vector_size(COPY_BYTES)));

static void copy_streaming(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 4 * COPY_BYTES) {
    __builtin_prefetch(from + i + 1024);
    __builtin_prefetch(from + i + 1024 + 2 * COPY_BYTES);
    for (size_t u = 0; u < 4; ++u)
      __builtin_nontemporal_store(
          *(const copy_vector *)(from + i + u * COPY_BYTES),
          (copy_vector *)(to + i + u * COPY_BYTES));
  }
}

static void copy_plain(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += COPY_BYTES)
    *(copy_vector *)(to + i) = *(const copy_vector *)(from + i);
}

static void copy_library(char *to, const char *from, size_t bytes) {
  memcpy(to, from, bytes);
}

/// One copy of `bytes` (a multiple of 256, both ends aligned to 64) by method
/// 0 (streaming stores), 1 (ordinary stores) or 2 (memcpy); seconds.
double fpa_probe_copy(void *to, const void *from, size_t bytes, int method) {
  static void (*const methods[])(char *, const char *, size_t) = {
      copy_streaming, copy_plain, copy_library};
  double start = now();
  methods[method]((char *)to, (const char *)from, bytes);
  __asm__ volatile("" ::: "memory");
  return now() - start;
}

// What is read may be anybody's, and start anywhere.
typedef float read_vector
    __attribute__((vector_size(COPY_BYTES), aligned(sizeof(float))));

static inline __attribute__((always_inline)) float
read_streams(const char *from, size_t bytes, size_t streams, size_t ahead) {
  const size_t each = 8 / streams;
  const size_t part = bytes / (8 * COPY_BYTES) * (each * COPY_BYTES);
  copy_vector sum[8] = {{0}};
  for (size_t i = 0; i < part; i += each * COPY_BYTES)
    for (size_t s = 0; s < streams; ++s)
      for (size_t u = 0; u < each; ++u) {
        const char *at = from + s * part + i + u * COPY_BYTES;
        if (ahead)
          __builtin_prefetch(at + ahead);
        sum[s * each + u] += *(const read_vector *)at;
      }
  for (size_t i = streams * part; i < bytes; i += COPY_BYTES)
    sum[0] += *(const read_vector *)(from + i);
  for (size_t u = 1; u < 8; ++u)
    sum[0] += sum[u];
  return sum[0][0];
}

/// One pass over `bytes` of memory, a multiple of 64, that only reads, as one
/// run (method 0), as four side by side (1), or as one that asks for lines a
/// page ahead (2); seconds.
double fpa_probe_read(const void *from, size_t bytes, int method) {
  double start = now();
  sink = method == 0   ? read_streams((const char *)from, bytes, 1, 0)
         : method == 1 ? read_streams((const char *)from, bytes, 4, 0)
                       : read_streams((const char *)from, bytes, 1, 4096);
  return now() - start;
}
