//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Runtime/CudaDevice.h"
#include "CudaDriver.h"
#include <algorithm>

using namespace fpa::runtime;

/// Makes one call of the driver and returns from the function where it fails.
#define FPA_CUDA(call, ...)                                                    \
  if (CUresult result = driver.call(__VA_ARGS__); result != cudaSuccess)       \
  return fail(#call, result)

static std::string quoteAll(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "'" : ", '") + name + "'";
  return (names.size() == 1 ? "kernel " : "kernels ") + text;
}

std::string CudaDevice::fail(const char *call, CUresult result,
                             const std::string &kernels) const {
  const char *errorName = nullptr, *text = nullptr;
  driver.cuGetErrorName(result, &errorName);
  driver.cuGetErrorString(result, &text);
  std::string about = !kernels.empty()  ? kernels
                      : running.empty() ? ""
                                        : quoteAll(running);
  return (about.empty() ? "" : about + ": ") + call + " failed: " +
         (errorName ? errorName : "error " + std::to_string(result)) +
         (text ? std::string(" (") + text + ")" : "");
}

ContextKeeper::ContextKeeper() {
  const CudaDriver &known = getCudaDriver();
  if (known.error.empty() && known.cuCtxGetCurrent(&context) == cudaSuccess)
    driver = &known;
}

ContextKeeper::~ContextKeeper() {
  // Without a context before, ours may as well stay.
  if (driver && context)
    driver->cuCtxSetCurrent(context);
}

std::string CudaDevice::open(std::unique_ptr<CudaDevice> &device, int ordinal) {
  const CudaDriver &driver = getCudaDriver();
  if (!driver.error.empty())
    return driver.error;
  std::unique_ptr<CudaDevice> opened(new CudaDevice(driver));
  std::string error = opened->connect(ordinal);
  if (error.empty())
    device = std::move(opened);
  return error;
}

std::string CudaDevice::connect(int ordinal) {
  if (CUresult result = driver.cuInit(0); result != cudaSuccess)
    return "no GPU on this machine: " + fail("cuInit", result);
  int count = 0;
  FPA_CUDA(cuDeviceGetCount, &count);
  if (count == 0)
    return "no GPU on this machine: the CUDA driver finds none";
  if (ordinal < 0 || ordinal >= count)
    return "expected a GPU from 0 to " + std::to_string(count - 1) +
           ", those of this machine, got " + std::to_string(ordinal);
  FPA_CUDA(cuDeviceGet, &device, ordinal);
  char text[256] = "";
  FPA_CUDA(cuDeviceGetName, text, int(sizeof(text)) - 1, device);
  name = text;
  FPA_CUDA(cuDeviceGetAttribute, &major, attributeMajor, device);
  FPA_CUDA(cuDeviceGetAttribute, &minor, attributeMinor, device);
  FPA_CUDA(cuDevicePrimaryCtxRetain, &context, device);
  return enter();
}

/// Makes the context that of the calling thread.
std::string CudaDevice::enter() {
  FPA_CUDA(cuCtxSetCurrent, context);
  return "";
}

CudaDevice::~CudaDevice() {
  // Nobody is left to hear of errors.
  if (!context)
    return;
  driver.cuCtxSetCurrent(context);
  for (auto &block : kept)
    driver.cuMemFree(block.second);
  for (void *event : events)
    driver.cuEventDestroy(event);
  for (void *module : modules)
    driver.cuModuleUnload(module);
  driver.cuDevicePrimaryCtxRelease(device);
}

std::string CudaDevice::load(const Package &package, const std::string &path) {
  std::string error = checkChip(package, path, major, minor);
  if (error.empty())
    error = enter();
  if (!error.empty())
    return error;
  std::vector<std::string> names;
  for (const Kernel &kernel : package.kernels)
    names.push_back(kernel.name);
  // Machine code where it fits; else the driver compiles the text.
  Package machineCode = package;
  machineCode.ptx.clear();
  bool hasMachineCode = checkChip(machineCode, path, major, minor).empty();
  const std::string &image = hasMachineCode ? package.cubin : package.ptx;

  char log[1024] = "";
  int options[] = {jitErrorLog, jitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  void *module = nullptr;
  if (CUresult result = driver.cuModuleLoadDataEx(&module, image.c_str(), 2,
                                                  options, values)) {
    std::string said = log;
    std::replace(said.begin(), said.end(), '\n', ' ');
    return fail("cuModuleLoadDataEx", result, quoteAll(names)) +
           (said.empty() ? "" : ": " + said);
  }
  modules.push_back(module);
  for (const std::string &kernel : names) {
    LoadedKernel loaded;
    int shared = 0;
    CUresult result =
        driver.cuModuleGetFunction(&loaded.function, module, kernel.c_str());
    if (result != cudaSuccess)
      return fail("cuModuleGetFunction", result, quoteAll({kernel}));
    result = driver.cuFuncGetAttribute(&shared, functionSharedBytes,
                                       loaded.function);
    if (result != cudaSuccess)
      return fail("cuFuncGetAttribute", result, quoteAll({kernel}));
    loaded.staticShared = shared;
    kernels[kernel] = loaded;
  }
  return "";
}

std::string CudaDevice::trim() {
  std::string error = enter();
  if (!error.empty())
    return error;
  while (!kept.empty()) {
    CUdeviceptr address = kept.begin()->second;
    kept.erase(kept.begin());
    FPA_CUDA(cuMemFree, address);
  }
  return "";
}

std::string CudaDevice::allocate(int64_t bytes, Address &address) {
  std::string error = enter();
  if (!error.empty())
    return error;
  // The driver refuses empty allocations.
  bytes = std::max<int64_t>(bytes, 1);
  if (auto block = kept.find({stream, bytes}); block != kept.end()) {
    address = block->second;
    kept.erase(block);
    sizes[address] = bytes;
    return "";
  }
  CUdeviceptr pointer = 0;
  CUresult result = driver.cuMemAlloc(&pointer, size_t(bytes));
  if (result == cudaOutOfMemory && !kept.empty()) {
    if (error = trim(); !error.empty())
      return error;
    result = driver.cuMemAlloc(&pointer, size_t(bytes));
  }
  if (result != cudaSuccess)
    return fail("cuMemAlloc", result) + ", " + std::to_string(bytes) + " bytes";
  address = pointer;
  sizes[address] = bytes;
  return "";
}

std::string CudaDevice::release(Address address) {
  auto size = sizes.find(address);
  if (size == sizes.end())
    return "expected an address that was allocated, got another";
  kept.insert({{stream, size->second}, address});
  sizes.erase(size);
  return "";
}

std::string CudaDevice::copyIn(Address to, const void *from, int64_t bytes) {
  std::string error = enter();
  if (!error.empty())
    return error;
  FPA_CUDA(cuMemcpyHtoDAsync, to, from, size_t(bytes), stream);
  return "";
}

std::string CudaDevice::copyOut(void *to, Address from, int64_t bytes) {
  std::string error = enter();
  if (!error.empty())
    return error;
  FPA_CUDA(cuMemcpyDtoHAsync, to, from, size_t(bytes), stream);
  return synchronize();
}

std::string CudaDevice::clear(Address address, int64_t bytes) {
  std::string error = enter();
  if (!error.empty())
    return error;
  FPA_CUDA(cuMemsetD8Async, address, 0, size_t(bytes), stream);
  return "";
}

std::string CudaDevice::copy(Address to, Address from, int64_t bytes) {
  std::string error = enter();
  if (!error.empty())
    return error;
  FPA_CUDA(cuMemcpyDtoDAsync, to, from, size_t(bytes), stream);
  return "";
}

/// More than 48 KiB of shared memory must be asked for.
std::string CudaDevice::allowShared(const std::string &kernelName,
                                    LoadedKernel &kernel, int64_t bytes) {
  constexpr int64_t free = 48 * 1024;
  if (kernel.staticShared + bytes <= free || bytes <= kernel.dynamicShared)
    return "";
  CUresult result =
      driver.cuFuncSetAttribute(kernel.function, functionMaxDynamicShared,
                                int(std::min<int64_t>(bytes, INT32_MAX)));
  if (result != cudaSuccess)
    return fail("cuFuncSetAttribute", result, quoteAll({kernelName})) + ", " +
           std::to_string(bytes) + " bytes of shared memory";
  kernel.dynamicShared = bytes;
  return "";
}

std::string CudaDevice::launch(const std::string &kernelName, Dim3 grid,
                               Dim3 block, int64_t sharedBytes,
                               const std::vector<const void *> &arguments) {
  auto found = kernels.find(kernelName);
  if (found == kernels.end())
    return "expected a kernel that was loaded, got '" + kernelName + "'";
  // The driver's limit on x; on y and z it is 65535, which it checks itself.
  for (int64_t size : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    if (size > INT32_MAX)
      return "kernel '" + kernelName +
             "': expected a grid of less than 2^31 "
             "blocks, got " +
             std::to_string(size);
  std::string error = enter();
  if (error.empty())
    error = allowShared(kernelName, found->second, sharedBytes);
  if (!error.empty())
    return error;
  std::vector<void *> values;
  for (const void *argument : arguments)
    values.push_back(const_cast<void *>(argument));
  CUresult result = driver.cuLaunchKernel(
      found->second.function, unsigned(grid.x), unsigned(grid.y),
      unsigned(grid.z), unsigned(block.x), unsigned(block.y), unsigned(block.z),
      unsigned(sharedBytes), stream, values.data(), nullptr);
  if (result != cudaSuccess)
    return fail("cuLaunchKernel", result, quoteAll({kernelName}));
  if (std::find(running.begin(), running.end(), kernelName) == running.end())
    running.push_back(kernelName);
  return "";
}

std::string CudaDevice::synchronize() {
  std::string error = enter();
  if (!error.empty())
    return error;
  FPA_CUDA(cuStreamSynchronize, stream);
  running.clear();
  return "";
}

std::string CudaDevice::recordEvent(size_t number) {
  std::string error = enter();
  if (!error.empty())
    return error;
  while (events.size() <= number) {
    void *event = nullptr;
    FPA_CUDA(cuEventCreate, &event, 0);
    events.push_back(event);
  }
  FPA_CUDA(cuEventRecord, events[number], stream);
  return "";
}

std::string CudaDevice::elapsed(size_t from, size_t to, double &milliseconds) {
  if (std::max(from, to) >= events.size())
    return "expected events that were recorded";
  std::string error = enter();
  if (!error.empty())
    return error;
  FPA_CUDA(cuEventSynchronize, events[to]);
  float time = 0;
  FPA_CUDA(cuEventElapsedTime, &time, events[from], events[to]);
  milliseconds = time;
  return "";
}
