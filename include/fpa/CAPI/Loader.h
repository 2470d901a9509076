//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// libfpa_loader.so: runs packages of fpa-compile --emit=package on a GPU, with
// nothing but its driver. Functions that fail return null or 0;
// fpaLoaderLastError() then says why, in one line, to the thread that called.

#ifndef FPA_CAPI_LOADER_H
#define FPA_CAPI_LOADER_H

#include "fpa/CAPI/Array.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A package, and once it is loaded its kernels on the first GPU. Not to be
/// used by two threads at once. The thread's current context is left what it
/// was.
typedef struct FpaPackage FpaPackage;

/// Why the last failed call on this thread failed. Lives until the next one.
const char *fpaLoaderLastError(void);

/// Reads and checks a file. Needs no GPU.
FpaPackage *fpaPackageOpen(const char *path);
void fpaPackageClose(FpaPackage *package);

/// {"chip": "sm_80", "ptx_bytes": ..., "cubin_bytes": ...,
///  "entries": {"main": {"inputs": [{"element": "f16", "shape": [2, -1]}, ...],
///                       "results": [...]}},
///  "kernels": {"name": {"registers": ..., "spill_stores": ..., "spill_loads":
///              ..., "local_bytes": ..., "shared_bytes": ...,
///              "dynamic_shared_bytes": ...}}}
/// -1 is a size known at run time, null what no assembler told. A block has
/// shared_bytes by itself, which the assembler counts, and at most
/// dynamic_shared_bytes that launches ask for, null where programs compute it.
/// Lives as long as the package.
const char *fpaPackageDescription(const FpaPackage *package);

/// Writes the shape of result `index` of `entry`, for inputs of these shapes,
/// to `shape`, which has room for its rank. The inputs' data is not looked at.
int32_t fpaPackageResultShape(const FpaPackage *package, const char *entry,
                              const FpaArray *inputs, int64_t inputCount,
                              int64_t index, int64_t *shape);

/// Loads the kernels on the first GPU. Fails where there is none, and on a GPU
/// of another kind than the package's.
int32_t fpaPackageLoad(FpaPackage *package);
/// The GPU's name after loading, and its compute capability as 10 * major +
/// minor.
const char *fpaPackageDeviceName(const FpaPackage *package);
int32_t fpaPackageDeviceCapability(const FpaPackage *package);

/// Runs `entry` on arrays of the host; `results` have the shapes of
/// fpaPackageResultShape and are written to.
int32_t fpaPackageRun(FpaPackage *package, const char *entry,
                      const FpaArray *inputs, int64_t inputCount,
                      const FpaArray *results, int64_t resultCount);

/// The same on arrays in the memory of the GPU, in the order of the CUstream
/// `stream` (null is the default stream). Does not wait for the kernels.
int32_t fpaPackageLaunch(FpaPackage *package, const char *entry,
                         const FpaArray *inputs, int64_t inputCount,
                         const FpaArray *results, int64_t resultCount,
                         void *stream);

/// Waits for all that was launched on `stream`.
int32_t fpaPackageSynchronize(FpaPackage *package, void *stream);

/// Times launches by events of the device: `warmUps` launches that are not
/// counted, then `repetitions`, whose times in milliseconds go to `times`. Call
/// number i uses set i modulo `sets` of arrays: `inputs` holds the inputs of
/// the first set, then those of the second, and `results` likewise. Several
/// sets keep a launch from finding its inputs in the cache.
int32_t fpaPackageTime(FpaPackage *package, const char *entry,
                       const FpaArray *inputs, int64_t inputCount,
                       const FpaArray *results, int64_t resultCount,
                       int64_t sets, void *stream, int64_t warmUps,
                       int64_t repetitions, double *times);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // FPA_CAPI_LOADER_H
