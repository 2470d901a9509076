//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// libfpa.so: compile MLIR text and run it, for any language that can call C.
// A function that fails returns null; fpaLastError() then says why, in one
// line, to the thread that called it. No function aborts on bad text or bad
// arrays.

#ifndef FPA_CAPI_FPA_H
#define FPA_CAPI_FPA_H

#include "fpa/CAPI/Array.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled function; may be run from several threads at once.
typedef struct FpaProgram FpaProgram;
/// What one run returned.
typedef struct FpaResults FpaResults;

/// Why the last failed call on this thread failed. Lives until the next one.
const char *fpaLastError(void);
/// Not 0 where the reason was that a run found no memory.
int32_t fpaLastErrorIsMemory(void);

/// Compiles the function `entry` of a module of `length` bytes of MLIR text.
/// Its arguments and results must be ranked tensors; an argument may be a memref
/// of identity layout, which the function may write to. `target` is "cpu", the
/// machine this runs on, "emulator", GPU kernels that are run and checked on it,
/// or "cuda", its first GPU ("cuda:1" is the second), to which fpaProgramRun
/// copies all arrays, and back from it the memrefs and the results, while
/// fpaProgramLaunch takes arrays that are there.
/// `options` are those of fpa-cpu-pipeline, as "key-tile=128 edge-tile=32";
/// null or empty leaves all at their defaults.
FpaProgram *fpaCompile(const char *text, size_t length, const char *entry,
                       const char *target, const char *options);
void fpaProgramDestroy(FpaProgram *program);

/// The object code of a program for the CPU, of `*length` bytes, which lives as
/// long as the program; null for other targets.
const char *fpaProgramObject(const FpaProgram *program, size_t *length);

/// fpaCompile for the CPU from the object code that it left for the same text,
/// entry and options. Only code that fpaProgramObject gave, to a process for
/// which fpaCompilerId said the same, may be loaded: it is run as it is.
FpaProgram *fpaProgramLoad(const char *text, size_t length, const char *entry,
                           const char *options, const char *object,
                           size_t objectLength);

/// LLVM's version and what code for this machine's CPU may use.
const char *fpaCompilerId(void);

/// The module on its way to machine code: as it leaves `stage`, "graph",
/// "streaming", "tiles", "buffers", "machine", "llvm-dialect" or "llvm" for the
/// target "cpu"; for a GPU, a chip as "sm_80", "nvvm", "llvm" or "ptx" come
/// after "machine". Lives until the next such call on this thread.
const char *fpaShow(const char *text, size_t length, const char *entry,
                    const char *target, const char *stage, const char *options);

/// The function's type as JSON: {"inputs": [...], "results": [...]}, each entry
/// {"element": "f32", "shape": [2, -1]}, -1 for a size known at run time, and
/// with "writable": true for a memref that the program may write to. Lives as
/// long as the program.
const char *fpaProgramSignature(const FpaProgram *program);

/// Runs the program on `count` arrays. It writes to those that are writable in
/// its signature, and to no other. Refuses a wrong count, rank or static size,
/// and a writable array that overlaps another. A run that finds no memory fails
/// and has freed what it allocated.
FpaResults *fpaProgramRun(const FpaProgram *program, const FpaArray *inputs,
                          int64_t count);

/// fpaProgramRun for callers to whom describing arrays costs more than the call:
/// `inputs` are the addresses of all arguments and then all of their sizes, in
/// order, of the ranks in the signature. The same of the results is written to
/// `results`.
FpaResults *fpaProgramCall(const FpaProgram *program, const int64_t *inputs,
                           int64_t *results);

/// The result `index`; its memory lives until fpaResultsDestroy. Data is null
/// where there is no such result.
FpaArray fpaResultsGet(const FpaResults *results, int64_t index);
void fpaResultsDestroy(FpaResults *results);

/// Memory of a device. May be used from several threads at once.
typedef struct FpaDevice FpaDevice;

/// The device of a target: "emulator", whose memory all its programs share, or
/// "cuda" or "cuda:1", a GPU in its primary context, which CUDA's runtime and
/// what is built on it share. Where `stream` follows, it is a CUstream, null the
/// default one; what is done is done in its order. The thread's current context
/// is left what it was. Those that return an int32_t return 0 where they fail.
FpaDevice *fpaDeviceOpen(const char *target);
/// Releases what is left of its memory.
void fpaDeviceClose(FpaDevice *device);
/// Writes an address, of undefined contents, to `*address`.
int32_t fpaDeviceAllocate(FpaDevice *device, int64_t bytes, void *stream,
                          uint64_t *address);
/// Keeps the memory for allocations of the same size on this stream.
int32_t fpaDeviceRelease(FpaDevice *device, uint64_t address, void *stream);
/// Gives what is kept back to the driver, which waits for all that runs.
int32_t fpaDeviceTrim(FpaDevice *device);
int32_t fpaDeviceCopyIn(FpaDevice *device, uint64_t to, const void *from,
                        int64_t bytes, void *stream);
/// Waits until the bytes are there.
int32_t fpaDeviceCopyOut(FpaDevice *device, void *to, uint64_t from,
                         int64_t bytes, void *stream);
/// Zeros.
int32_t fpaDeviceClear(FpaDevice *device, uint64_t address, int64_t bytes,
                       void *stream);
/// Within the device's memory, between places that do not overlap.
int32_t fpaDeviceCopy(FpaDevice *device, uint64_t to, uint64_t from,
                      int64_t bytes, void *stream);
int32_t fpaDeviceSynchronize(FpaDevice *device, void *stream);

/// Writes the sizes of all results, in order, for inputs of these sizes, those
/// of all inputs in order. Only for programs of a device.
int32_t fpaProgramResultSizes(const FpaProgram *program, const int64_t *sizes,
                              int64_t *results);

/// Starts a program of a device on arrays that are there, and copies none:
/// `inputs` are as in fpaProgramCall, `results` the addresses of memory for the
/// results, which must overlap no input and no other result. All addresses are
/// multiples of 16. They may be of any library's memory, and are used until the
/// stream has come past the launch. Does not wait, but where the program has
/// numbers of its own to be judged (a beta that it computes, a cache that may be
/// full). With `checkElements`, so are the elements of inputs that rules are
/// about, as the bounds of packed sequences, before the launch; without it the
/// caller vouches for them.
int32_t fpaProgramLaunch(const FpaProgram *program, const int64_t *inputs,
                         const int64_t *results, void *stream,
                         int32_t checkElements);

/// Text that passes have made.
typedef struct FpaText FpaText;

/// Runs a pass pipeline, such as "builtin.module(fpa-raise-attention,cse)", on a
/// module of `length` bytes of MLIR text. All of MLIR's passes and fpa's have
/// their usual names.
FpaText *fpaTransform(const char *text, size_t length, const char *pipeline);
/// The module, as text. Lives as long as `text`.
const char *fpaTextGet(const FpaText *text);
/// The remarks of the passes, a line each. Lives as long as `text`.
const char *fpaTextRemarks(const FpaText *text);
void fpaTextDestroy(FpaText *text);

/// Number of threads for every program; 0 is the default: the environment's
/// FPA_NUM_THREADS, else the number of CPUs.
void fpaSetThreads(int32_t threads);
int32_t fpaGetThreads(void);

/// The most bytes that programs held at once since the start or the last reset.
int64_t fpaMemoryPeak(void);
void fpaMemoryReset(void);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // FPA_CAPI_FPA_H
