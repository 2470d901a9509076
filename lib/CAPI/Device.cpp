//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceTarget.h"
#include "LastError.h"
#include "fpa/CAPI/Fpa.h"
#include "fpa/Emulator/EmulatorDevice.h"
#include "fpa/Runtime/CudaDevice.h"
#include <set>

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using runtime::CudaDevice;
using Address = runtime::Device::Address;

struct FpaDevice {
  std::unique_ptr<runtime::Device> device;
  /// The same, where it is one.
  CudaDevice *cuda = nullptr;
  std::mutex mutex;
  std::set<Address> allocated;
};

std::optional<DeviceTarget> mlir::fpa::parseDeviceTarget(StringRef name) {
  if (name == "emulator")
    return DeviceTarget{DeviceModule::Kind::Emulator};
  DeviceTarget target{DeviceModule::Kind::Cuda};
  if (!name.consume_front("cuda"))
    return std::nullopt;
  if (name.empty() ||
      (name.consume_front(":") && !name.getAsInteger(10, target.ordinal)))
    return target;
  return std::nullopt;
}

static int32_t report(const std::string &error) {
  if (error.empty())
    return 1;
  setLastError(createStringError(error));
  return 0;
}

/// What `call` says of the device, in the order of a stream.
static int32_t onStream(FpaDevice *device, void *stream,
                        llvm::function_ref<std::string()> call) {
  std::lock_guard<std::mutex> lock(device->mutex);
  std::optional<runtime::ContextKeeper> keeper;
  if (device->cuda) {
    keeper.emplace();
    device->cuda->setStream(stream);
  }
  return report(call());
}

FpaDevice *fpaDeviceOpen(const char *name) {
  std::optional<DeviceTarget> target = parseDeviceTarget(name);
  if (!target) {
    setLastError(createStringError(
        "expected device 'emulator', 'cuda' or one as 'cuda:1', got '" +
        llvm::Twine(name) + "'"));
    return nullptr;
  }
  auto opened = std::make_unique<FpaDevice>();
  if (target->kind == DeviceModule::Kind::Emulator) {
    opened->device = openEmulatedMemory();
    return opened.release();
  }
  runtime::ContextKeeper keeper;
  std::unique_ptr<CudaDevice> cuda;
  if (!report(CudaDevice::open(cuda, target->ordinal)))
    return nullptr;
  opened->cuda = cuda.get();
  opened->device = std::move(cuda);
  return opened.release();
}

void fpaDeviceClose(FpaDevice *device) {
  std::optional<runtime::ContextKeeper> keeper;
  if (device->cuda)
    keeper.emplace();
  for (Address address : device->allocated)
    device->device->release(address);
  delete device;
}

int32_t fpaDeviceAllocate(FpaDevice *device, int64_t bytes, void *stream,
                          uint64_t *address) {
  return onStream(device, stream, [&]() -> std::string {
    if (bytes < 0)
      return "expected a size of at least 0 to allocate, got " +
             std::to_string(bytes);
    Address found = 0;
    std::string error = device->device->allocate(bytes, found);
    if (error.empty())
      device->allocated.insert(*address = found);
    return error;
  });
}

int32_t fpaDeviceRelease(FpaDevice *device, uint64_t address, void *stream) {
  return onStream(device, stream, [&]() -> std::string {
    if (!device->allocated.erase(address))
      return "expected an address that was allocated, got another";
    return device->device->release(address);
  });
}

int32_t fpaDeviceTrim(FpaDevice *device) {
  return onStream(device, nullptr, [&]() -> std::string {
    return device->cuda ? device->cuda->trim() : "";
  });
}

int32_t fpaDeviceCopyIn(FpaDevice *device, uint64_t to, const void *from,
                        int64_t bytes, void *stream) {
  return onStream(device, stream, [&]() -> std::string {
    return bytes ? device->device->copyIn(to, from, bytes) : "";
  });
}

int32_t fpaDeviceCopyOut(FpaDevice *device, void *to, uint64_t from,
                         int64_t bytes, void *stream) {
  return onStream(device, stream, [&]() -> std::string {
    return bytes ? device->device->copyOut(to, from, bytes) : "";
  });
}

int32_t fpaDeviceClear(FpaDevice *device, uint64_t address, int64_t bytes,
                       void *stream) {
  return onStream(device, stream, [&]() -> std::string {
    return bytes ? device->device->clear(address, bytes) : "";
  });
}

int32_t fpaDeviceCopy(FpaDevice *device, uint64_t to, uint64_t from,
                      int64_t bytes, void *stream) {
  return onStream(device, stream, [&]() -> std::string {
    return bytes ? device->device->copy(to, from, bytes) : "";
  });
}

int32_t fpaDeviceSynchronize(FpaDevice *device, void *stream) {
  return onStream(device, stream,
                  [&] { return device->device->synchronize(); });
}
