//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The functions that compiled code calls: threads and memory. Plain C, no LLVM
// and no C++ runtime behind it, so that any linker driver can link it.

#ifndef FPA_RUNTIME_RUNTIME_H
#define FPA_RUNTIME_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Calls `fn(i, ctx)` once for every 0 <= i < count, on all threads, and
/// returns when all calls have returned. Called from inside `fn`, or while
/// another thread of the program uses the pool, it runs the calls one by one on
/// the calling thread.
void fpa_parallel_for(int64_t count, void (*fn)(int64_t index, void *ctx),
                      void *ctx);

/// No more threads than these share the work, whoever asks for them.
#define FPA_MAX_THREADS 1024

/// Sets how many threads share the work, the caller included; 0 or less returns
/// to the default: the environment's FPA_NUM_THREADS, else the number of CPUs
/// that the process may run on.
void fpa_set_num_threads(int32_t threads);
int32_t fpa_get_num_threads(void);

/// Why a call ended early.
typedef struct fpa_failure {
  /// Could not be had; 0 where a check failed.
  int64_t bytes;
  /// The number of the check, and the sizes that it compared.
  int64_t check, size, first, second;
} fpa_failure;

/// Calls `fn(ctx)` and returns 0. If compiled code in it finds no memory or
/// fails a check, the call ends there, on all threads; what it has allocated is
/// freed, `failure` says why, and 1 is returned. Only frames with nothing to be
/// cleaned up may lie between.
int32_t fpa_call(void (*fn)(void *ctx), void *ctx, fpa_failure *failure);

/// Ends the call as a failed check; the process, outside of `fpa_call`.
void fpa_check_failed(int64_t check, int64_t size, int64_t first,
                      int64_t second);

/// Memory for compiled code, aligned to at least 64 bytes. A size of zero gives
/// an address that may be freed. Without memory the process ends with one line,
/// except in `fpa_call`.
void *_mlir_memref_to_llvm_alloc(int64_t size);
void *_mlir_memref_to_llvm_aligned_alloc(int64_t alignment, int64_t size);
void _mlir_memref_to_llvm_free(void *address);

/// With `on` not 0, new memory is filled with bytes 0xFF: NaN as f16, bf16, f32
/// and f64, -1 as an integer. The environment's FPA_POISON=1 is the default.
void fpa_set_poison(int32_t on);

/// Bytes asked for and not freed yet, and the most that this has been since the
/// start or the last reset.
int64_t fpa_memory_current(void);
int64_t fpa_memory_peak(void);
void fpa_memory_reset(void);

/// Gives freed blocks that are kept for reuse back to the system.
void fpa_memory_trim(void);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // FPA_RUNTIME_RUNTIME_H
