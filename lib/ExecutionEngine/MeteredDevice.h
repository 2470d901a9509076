//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A device that passes everything on and counts the memory in use.

#ifndef FPA_LIB_EXECUTIONENGINE_METEREDDEVICE_H
#define FPA_LIB_EXECUTIONENGINE_METEREDDEVICE_H

#include "fpa/ExecutionEngine/DeviceModule.h"
#include "fpa/Runtime/Device.h"
#include <map>

namespace mlir::fpa {

class DeviceModule::MeteredDevice : public runtime::Device {
public:
  explicit MeteredDevice(runtime::Device &device) : device(device) {}

  int64_t getPeak() const { return peak; }

  std::string allocate(int64_t bytes, Address &address) override {
    std::string error = device.allocate(bytes, address);
    if (error.empty()) {
      sizes[address] = bytes;
      current += bytes;
      peak = std::max(peak, current);
    }
    return error;
  }
  std::string release(Address address) override {
    if (auto size = sizes.find(address); size != sizes.end()) {
      current -= size->second;
      sizes.erase(size);
    }
    return device.release(address);
  }
  std::string copyIn(Address to, const void *from, int64_t bytes) override {
    return device.copyIn(to, from, bytes);
  }
  std::string copyOut(void *to, Address from, int64_t bytes) override {
    return device.copyOut(to, from, bytes);
  }
  std::string clear(Address address, int64_t bytes) override {
    return device.clear(address, bytes);
  }
  std::string copy(Address to, Address from, int64_t bytes) override {
    return device.copy(to, from, bytes);
  }
  std::string launch(const std::string &kernel, runtime::Dim3 grid,
                     runtime::Dim3 block, int64_t sharedBytes,
                     const std::vector<const void *> &arguments) override {
    return device.launch(kernel, grid, block, sharedBytes, arguments);
  }
  std::string synchronize() override { return device.synchronize(); }

private:
  runtime::Device &device;
  std::map<Address, int64_t> sizes;
  int64_t current = 0, peak = 0;
};

} // namespace mlir::fpa

#endif // FPA_LIB_EXECUTIONENGINE_METEREDDEVICE_H
