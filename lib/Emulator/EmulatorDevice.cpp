//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Emulator/EmulatorDevice.h"
#include "DeviceMemory.h"

using namespace mlir::fpa;

EmulatorDevice::EmulatorDevice(std::unique_ptr<Emulator> emulator)
    : emulator(std::move(emulator)), memory(new DeviceMemory()) {}
EmulatorDevice::~EmulatorDevice() = default;

std::string EmulatorDevice::allocate(int64_t bytes, Address &address) {
  return memory->allocate(bytes, address);
}

std::string EmulatorDevice::release(Address address) {
  return memory->release(address);
}

std::string EmulatorDevice::copyIn(Address to, const void *from,
                                   int64_t bytes) {
  return memory->copyIn(to, from, bytes);
}

std::string EmulatorDevice::copyOut(void *to, Address from, int64_t bytes) {
  return memory->copyOut(to, from, bytes);
}

std::string EmulatorDevice::launch(const std::string &kernel,
                                   runtime::Dim3 grid, runtime::Dim3 block,
                                   int64_t sharedBytes,
                                   const std::vector<const void *> &arguments) {
  llvm::Expected<LaunchReport> report =
      emulator->launch(kernel, grid, block, sharedBytes, arguments, *memory);
  if (!report)
    return toString(report.takeError());
  reports.push_back(std::move(*report));
  const std::vector<Finding> &findings = reports.back().findings;
  return findings.empty() ? "" : findings.front().getText();
}

std::string EmulatorDevice::synchronize() { return ""; }
