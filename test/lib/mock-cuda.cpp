//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Stands for libcuda.so.1 in tests: memory is the host's, calls are printed
// when FPA_MOCK_TRACE is set, the one that FPA_MOCK_FAIL names fails, and a
// launch of the kernel `add` adds (its arguments are those of the tests'
// add.mlir). FPA_MOCK_CAPABILITY is the GPU's, 80 by default;
// FPA_MOCK_DEVICES how many there are.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using CUresult = int;
using CUdeviceptr = unsigned long long;

static CUresult call(const char *name, const std::string &details = "") {
  if (std::getenv("FPA_MOCK_TRACE"))
    std::fprintf(stderr, "%s%s%s\n", name, details.empty() ? "" : " ",
                 details.c_str());
  const char *failing = std::getenv("FPA_MOCK_FAIL");
  return failing && !std::strcmp(failing, name) ? 700 : 0;
}

static int number(const char *variable, int otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

static std::string number(void *stream) {
  return std::to_string(uintptr_t(stream));
}

static void *const handle = reinterpret_cast<void *>(0x1000);
static void *current = nullptr;
static int events = 0;

static std::string dims(unsigned x, unsigned y, unsigned z) {
  return std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z);
}

extern "C" {

CUresult cuInit(unsigned) { return call("cuInit"); }

CUresult cuGetErrorName(CUresult, const char **text) {
  *text = "CUDA_ERROR_MOCK";
  return 0;
}

CUresult cuGetErrorString(CUresult, const char **text) {
  *text = "asked for by the test";
  return 0;
}

CUresult cuDeviceGetCount(int *count) {
  *count = number("FPA_MOCK_DEVICES", 1);
  return call("cuDeviceGetCount");
}

CUresult cuDeviceGet(int *device, int) {
  *device = 0;
  return call("cuDeviceGet");
}

CUresult cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, size_t(length), "mock GPU");
  return call("cuDeviceGetName");
}

CUresult cuDeviceGetAttribute(int *value, int attribute, int) {
  int capability = number("FPA_MOCK_CAPABILITY", 80);
  *value = attribute == 75 ? capability / 10 : capability % 10;
  return call("cuDeviceGetAttribute");
}

CUresult cuDevicePrimaryCtxRetain(void **context, int) {
  *context = handle;
  return call("cuDevicePrimaryCtxRetain");
}

CUresult cuDevicePrimaryCtxRelease_v2(int) {
  return call("cuDevicePrimaryCtxRelease");
}

CUresult cuCtxGetCurrent(void **context) {
  *context = current;
  return 0;
}

CUresult cuCtxSetCurrent(void *context) {
  // Too often to be printed.
  current = context;
  const char *failing = std::getenv("FPA_MOCK_FAIL");
  return failing && !std::strcmp(failing, "cuCtxSetCurrent") ? 700 : 0;
}

CUresult cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                            int *options, void **values) {
  *module = handle;
  bool isELF = !std::memcmp(image,
                            "\x7f"
                            "ELF",
                            4);
  CUresult result = call("cuModuleLoadDataEx", isELF ? "machine code" : "text");
  // The log of errors is the option 5.
  for (unsigned i = 0; result && i < count; ++i)
    if (options[i] == 5)
      std::strcpy(static_cast<char *>(values[i]), "line 1\nof the log");
  return result;
}

CUresult cuModuleUnload(void *) { return call("cuModuleUnload"); }

CUresult cuModuleGetFunction(void **function, void *, const char *name) {
  *function = strdup(name);
  return call("cuModuleGetFunction", name);
}

CUresult cuFuncGetAttribute(int *value, int, void *) {
  *value = 0;
  return call("cuFuncGetAttribute");
}

CUresult cuFuncSetAttribute(void *function, int attribute, int value) {
  return call("cuFuncSetAttribute", std::string((char *)function) + " " +
                                        std::to_string(attribute) + " " +
                                        std::to_string(value));
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  *address = CUdeviceptr(uintptr_t(std::malloc(bytes)));
  return call("cuMemAlloc", std::to_string(bytes));
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  std::free(reinterpret_cast<void *>(uintptr_t(address)));
  return call("cuMemFree");
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                              void *) {
  CUresult result = call("cuMemcpyHtoDAsync", std::to_string(bytes));
  if (!result)
    std::memcpy(reinterpret_cast<void *>(uintptr_t(to)), from, bytes);
  return result;
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes,
                              void *) {
  CUresult result = call("cuMemcpyDtoHAsync", std::to_string(bytes));
  if (!result)
    std::memcpy(to, reinterpret_cast<void *>(uintptr_t(from)), bytes);
  return result;
}

CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t bytes,
                         void *) {
  CUresult result = call("cuMemsetD8Async", std::to_string(bytes));
  if (!result)
    std::memset(reinterpret_cast<void *>(uintptr_t(address)), value, bytes);
  return result;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                              void *) {
  CUresult result = call("cuMemcpyDtoDAsync", std::to_string(bytes));
  if (!result)
    std::memcpy(reinterpret_cast<void *>(uintptr_t(to)),
                reinterpret_cast<const void *>(uintptr_t(from)), bytes);
  return result;
}

CUresult cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned shared, void *stream,
                        void **arguments, void **) {
  std::string name(static_cast<char *>(function));
  CUresult result =
      call("cuLaunchKernel", name + " grid " + dims(gridX, gridY, gridZ) +
                                 " block " + dims(blockX, blockY, blockZ) +
                                 " shared " + std::to_string(shared) +
                                 (stream ? " on stream " + number(stream) : ""));
  if (result || name != "add")
    return result;
  auto pointer = [&](int i) { return *static_cast<float **>(arguments[i]); };
  int64_t count = *static_cast<int64_t *>(arguments[21]);
  for (int64_t i = 0; i < count; ++i)
    pointer(15)[i] = pointer(1)[i] + pointer(8)[i];
  return 0;
}

CUresult cuStreamSynchronize(void *stream) {
  return call("cuStreamSynchronize", stream ? number(stream) : "");
}

CUresult cuEventCreate(void **event, unsigned) {
  *event = reinterpret_cast<void *>(uintptr_t(++events));
  return call("cuEventCreate");
}

CUresult cuEventDestroy_v2(void *) { return call("cuEventDestroy"); }
CUresult cuEventRecord(void *, void *) { return call("cuEventRecord"); }
CUresult cuEventSynchronize(void *) { return call("cuEventSynchronize"); }

CUresult cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  *milliseconds = 0.5f * float(uintptr_t(to) - uintptr_t(from));
  return call("cuEventElapsedTime");
}

} // extern "C"
