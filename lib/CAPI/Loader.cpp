//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/CAPI/Loader.h"
#include "fpa/Runtime/CudaDevice.h"
#include "fpa/Runtime/Execute.h"
#include "fpa/Runtime/Package.h"
#include "fpa/Support/OneLine.h"

using namespace fpa::runtime;

struct FpaPackage {
  std::string path, description;
  Package package;
  std::unique_ptr<CudaDevice> device;
};

static thread_local std::string lastError;

/// 1 for success; keeps an error on one line.
static int32_t report(std::string error) {
  if (error.empty())
    return 1;
  lastError = mlir::fpa::toOneLine(error);
  return 0;
}

static std::string findEntry(const FpaPackage &package, const char *entry,
                             const HostProgram *&program) {
  program = package.package.find(entry);
  if (program)
    return "";
  std::string known;
  for (const HostProgram &other : package.package.programs)
    known += (known.empty() ? "'" : ", '") + other.name + "'";
  return "expected an entry among " + known + ", got '" + entry + "'";
}

/// The caller's arrays with the element types of the program. `isPresent` asks
/// for the elements too.
static std::string readArrays(const std::vector<ArrayType> &types,
                              const char *what, const FpaArray *arrays,
                              int64_t count, bool isPresent,
                              std::vector<HostArray> &result) {
  if (count != int64_t(types.size()))
    return "expected " + std::to_string(types.size()) + " " + what + "s, got " +
           std::to_string(count);
  for (int64_t i = 0; i < count; ++i) {
    HostArray array;
    array.data = arrays[i].data;
    array.type.element = types[i].element;
    if (arrays[i].rank != int64_t(types[i].shape.size()))
      return std::string(what) + " " + std::to_string(i) + ": expected " +
             getText(types[i]) + ", got rank " + std::to_string(arrays[i].rank);
    array.type.shape.assign(arrays[i].shape, arrays[i].shape + arrays[i].rank);
    int64_t bytes = 0;
    if (!countBytes(array.type, bytes))
      return std::string(what) + " " + std::to_string(i) +
             ": expected sizes of at least 0 that fit into memory";
    if (isPresent && bytes && !array.data)
      return std::string(what) + " " + std::to_string(i) +
             ": expected its elements, got a null pointer";
    result.push_back(std::move(array));
  }
  return "";
}

static std::vector<DeviceArray> toDevice(const std::vector<HostArray> &arrays) {
  std::vector<DeviceArray> result;
  for (const HostArray &array : arrays)
    result.push_back({array.type, reinterpret_cast<uintptr_t>(array.data)});
  return result;
}

namespace {
/// An entry and its arguments, checked.
struct Call {
  const HostProgram *program = nullptr;
  std::vector<HostArray> inputs, results;

  std::string read(const FpaPackage &package, const char *entry,
                   const FpaArray *inputArrays, int64_t inputCount,
                   const FpaArray *resultArrays, int64_t resultCount) {
    std::string error = findEntry(package, entry, program);
    if (error.empty() && !package.device)
      error = "expected a package that is loaded: call fpaPackageLoad first";
    if (error.empty())
      error = readArrays(program->getInputs(), "input", inputArrays, inputCount,
                         true, inputs);
    if (error.empty())
      error = readArrays(program->getResults(), "result", resultArrays,
                         resultCount, true, results);
    return error;
  }

  std::string launch(CudaDevice &device) const {
    std::vector<DeviceArray> outputs = toDevice(results);
    return execute(*program, device, toDevice(inputs), outputs);
  }
};
} // namespace

const char *fpaLoaderLastError(void) { return lastError.c_str(); }

FpaPackage *fpaPackageOpen(const char *path) {
  auto package = std::make_unique<FpaPackage>();
  package->path = path;
  if (!report(readPackageFile(path, package->package)))
    return nullptr;
  package->description = describe(package->package);
  return package.release();
}

void fpaPackageClose(FpaPackage *package) { delete package; }

const char *fpaPackageDescription(const FpaPackage *package) {
  return package->description.c_str();
}

int32_t fpaPackageResultShape(const FpaPackage *package, const char *entry,
                              const FpaArray *inputs, int64_t inputCount,
                              int64_t index, int64_t *shape) {
  const HostProgram *program = nullptr;
  std::vector<HostArray> arrays;
  std::vector<ArrayType> types, results;
  std::string error = findEntry(*package, entry, program);
  if (error.empty())
    error = readArrays(program->getInputs(), "input", inputs, inputCount, false,
                       arrays);
  for (const HostArray &array : arrays)
    types.push_back(array.type);
  if (error.empty())
    error = computeResultTypes(*program, types, results);
  if (error.empty() && (index < 0 || index >= int64_t(results.size())))
    error = "expected the number of one of " + std::to_string(results.size()) +
            " results, got " + std::to_string(index);
  if (!report(error))
    return 0;
  for (int64_t size : results[index].shape)
    *shape++ = size;
  return 1;
}

int32_t fpaPackageLoad(FpaPackage *package) {
  ContextKeeper keeper;
  if (package->device)
    return 1;
  std::unique_ptr<CudaDevice> device;
  std::string error = CudaDevice::open(device);
  if (error.empty())
    error = device->load(package->package, package->path);
  if (error.empty())
    package->device = std::move(device);
  return report(error);
}

const char *fpaPackageDeviceName(const FpaPackage *package) {
  return package->device ? package->device->getName().c_str() : "";
}

int32_t fpaPackageDeviceCapability(const FpaPackage *package) {
  return package->device
             ? 10 * package->device->getMajor() + package->device->getMinor()
             : 0;
}

int32_t fpaPackageRun(FpaPackage *package, const char *entry,
                      const FpaArray *inputs, int64_t inputCount,
                      const FpaArray *results, int64_t resultCount) {
  ContextKeeper keeper;
  Call call;
  std::string error =
      call.read(*package, entry, inputs, inputCount, results, resultCount);
  if (error.empty()) {
    package->device->setStream(nullptr);
    error = executeOnHostArrays(*call.program, *package->device, call.inputs,
                                call.results);
  }
  return report(error);
}

int32_t fpaPackageLaunch(FpaPackage *package, const char *entry,
                         const FpaArray *inputs, int64_t inputCount,
                         const FpaArray *results, int64_t resultCount,
                         void *stream) {
  ContextKeeper keeper;
  Call call;
  std::string error =
      call.read(*package, entry, inputs, inputCount, results, resultCount);
  if (error.empty()) {
    package->device->setStream(stream);
    error = call.launch(*package->device);
  }
  return report(error);
}

int32_t fpaPackageSynchronize(FpaPackage *package, void *stream) {
  if (!package->device)
    return report("expected a package that is loaded: call fpaPackageLoad "
                  "first");
  ContextKeeper keeper;
  package->device->setStream(stream);
  return report(package->device->synchronize());
}

/// Launches in turn and takes the time of all but the first.
static std::string timeCalls(CudaDevice &device, const std::vector<Call> &calls,
                             int64_t warmUps, int64_t repetitions,
                             double *times) {
  std::string error;
  for (int64_t i = 0; error.empty() && i < warmUps; ++i)
    error = calls[i % calls.size()].launch(device);
  for (int64_t i = 0; error.empty() && i < repetitions; ++i) {
    error = device.recordEvent(2 * i);
    if (error.empty())
      error = calls[(warmUps + i) % calls.size()].launch(device);
    if (error.empty())
      error = device.recordEvent(2 * i + 1);
  }
  if (error.empty())
    error = device.synchronize();
  for (int64_t i = 0; error.empty() && i < repetitions; ++i)
    error = device.elapsed(2 * i, 2 * i + 1, times[i]);
  return error;
}

int32_t fpaPackageTime(FpaPackage *package, const char *entry,
                       const FpaArray *inputs, int64_t inputCount,
                       const FpaArray *results, int64_t resultCount,
                       int64_t sets, void *stream, int64_t warmUps,
                       int64_t repetitions, double *times) {
  if (sets < 1 || warmUps < 0 || repetitions < 1)
    return report("expected at least one set of arrays and one repetition");
  ContextKeeper keeper;
  std::vector<Call> calls(sets);
  std::string error;
  for (int64_t i = 0; error.empty() && i < sets; ++i)
    error = calls[i].read(*package, entry, inputs + i * inputCount, inputCount,
                          results + i * resultCount, resultCount);
  if (error.empty()) {
    package->device->setStream(stream);
    error = timeCalls(*package->device, calls, warmUps, repetitions, times);
  }
  return report(error);
}
