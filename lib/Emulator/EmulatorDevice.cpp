//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Emulator/EmulatorDevice.h"
#include "DeviceMemory.h"
#include <mutex>

using namespace mlir::fpa;

struct EmulatorDevice::Memory {
  /// One call at a time, whichever device it is of.
  std::mutex mutex;
  DeviceMemory of;
};

std::shared_ptr<EmulatorDevice::Memory> EmulatorDevice::createMemory() {
  return std::make_shared<Memory>();
}

EmulatorDevice::EmulatorDevice(std::unique_ptr<Emulator> emulator,
                               std::shared_ptr<Memory> memory)
    : emulator(std::move(emulator)), memory(std::move(memory)) {}
EmulatorDevice::~EmulatorDevice() = default;

std::string EmulatorDevice::allocate(int64_t bytes, Address &address) {
  std::lock_guard<std::mutex> lock(memory->mutex);
  return memory->of.allocate(bytes, address);
}

std::string EmulatorDevice::release(Address address) {
  std::lock_guard<std::mutex> lock(memory->mutex);
  return memory->of.release(address);
}

std::string EmulatorDevice::copyIn(Address to, const void *from,
                                   int64_t bytes) {
  std::lock_guard<std::mutex> lock(memory->mutex);
  return memory->of.copyIn(to, from, bytes);
}

std::string EmulatorDevice::copyOut(void *to, Address from, int64_t bytes) {
  std::lock_guard<std::mutex> lock(memory->mutex);
  return memory->of.copyOut(to, from, bytes);
}

std::string EmulatorDevice::clear(Address address, int64_t bytes) {
  std::lock_guard<std::mutex> lock(memory->mutex);
  return memory->of.clear(address, bytes);
}

std::string EmulatorDevice::copy(Address to, Address from, int64_t bytes) {
  std::lock_guard<std::mutex> lock(memory->mutex);
  return memory->of.copy(to, from, bytes);
}

std::string EmulatorDevice::launch(const std::string &kernel,
                                   runtime::Dim3 grid, runtime::Dim3 block,
                                   int64_t sharedBytes,
                                   const std::vector<const void *> &arguments) {
  std::lock_guard<std::mutex> lock(memory->mutex);
  llvm::Expected<LaunchReport> report = emulator->launch(
      kernel, grid, block, sharedBytes, arguments, memory->of);
  if (!report)
    return toString(report.takeError());
  reports.push_back(std::move(*report));
  const std::vector<Finding> &findings = reports.back().findings;
  return findings.empty() ? "" : findings.front().getText();
}

std::string EmulatorDevice::synchronize() { return ""; }
