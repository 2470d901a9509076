//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What is used of the CUDA driver, declared here: neither its header nor its
// library is needed to build.

#ifndef FPA_LIB_RUNTIME_DEVICE_CUDADRIVER_H
#define FPA_LIB_RUNTIME_DEVICE_CUDADRIVER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace fpa::runtime {

using CUresult = int;
using CUdeviceptr = unsigned long long;

constexpr CUresult cudaSuccess = 0, cudaOutOfMemory = 2;
constexpr int attributeMajor = 75, attributeMinor = 76;
constexpr int functionSharedBytes = 1, functionMaxDynamicShared = 8;
constexpr int jitErrorLog = 5, jitErrorLogBytes = 6;

// The name that the library exports, and that of the documentation.
#define FPA_CUDA_FUNCTIONS(X)                                                  \
  X(cuInit, cuInit, (unsigned))                                                \
  X(cuGetErrorName, cuGetErrorName, (CUresult, const char **))                 \
  X(cuGetErrorString, cuGetErrorString, (CUresult, const char **))             \
  X(cuDeviceGetCount, cuDeviceGetCount, (int *))                               \
  X(cuDeviceGet, cuDeviceGet, (int *, int))                                    \
  X(cuDeviceGetName, cuDeviceGetName, (char *, int, int))                      \
  X(cuDeviceGetAttribute, cuDeviceGetAttribute, (int *, int, int))             \
  X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (void **, int))        \
  X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (int))            \
  X(cuCtxGetCurrent, cuCtxGetCurrent, (void **))                               \
  X(cuCtxSetCurrent, cuCtxSetCurrent, (void *))                                \
  X(cuModuleLoadDataEx, cuModuleLoadDataEx,                                    \
    (void **, const void *, unsigned, int *, void **))                         \
  X(cuModuleUnload, cuModuleUnload, (void *))                                  \
  X(cuModuleGetFunction, cuModuleGetFunction, (void **, void *, const char *)) \
  X(cuFuncGetAttribute, cuFuncGetAttribute, (int *, int, void *))              \
  X(cuFuncSetAttribute, cuFuncSetAttribute, (void *, int, int))                \
  X(cuMemAlloc, cuMemAlloc_v2, (CUdeviceptr *, size_t))                        \
  X(cuMemFree, cuMemFree_v2, (CUdeviceptr))                                    \
  X(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                   \
    (CUdeviceptr, const void *, size_t, void *))                               \
  X(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2,                                   \
    (void *, CUdeviceptr, size_t, void *))                                     \
  X(cuMemsetD8Async, cuMemsetD8Async,                                          \
    (CUdeviceptr, unsigned char, size_t, void *))                              \
  X(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2,                                   \
    (CUdeviceptr, CUdeviceptr, size_t, void *))                                \
  X(cuLaunchKernel, cuLaunchKernel,                                            \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,       \
     unsigned, void *, void **, void **))                                      \
  X(cuStreamSynchronize, cuStreamSynchronize, (void *))                        \
  X(cuEventCreate, cuEventCreate, (void **, unsigned))                         \
  X(cuEventDestroy, cuEventDestroy_v2, (void *))                               \
  X(cuEventRecord, cuEventRecord, (void *, void *))                            \
  X(cuEventSynchronize, cuEventSynchronize, (void *))                          \
  X(cuEventElapsedTime, cuEventElapsedTime, (float *, void *, void *))

struct CudaDriver {
#define FPA_CUDA_POINTER(name, symbol, parameters) CUresult(*name) parameters;
  FPA_CUDA_FUNCTIONS(FPA_CUDA_POINTER)
#undef FPA_CUDA_POINTER
  /// Why the driver could not be opened; "" where it could.
  std::string error;
};

/// The driver, opened at the first call.
const CudaDriver &getCudaDriver();

} // namespace fpa::runtime

#endif // FPA_LIB_RUNTIME_DEVICE_CUDADRIVER_H
