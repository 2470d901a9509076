//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_EMULATOR_EMULATORDEVICE_H
#define FPA_EMULATOR_EMULATORDEVICE_H

#include "fpa/Emulator/Emulator.h"

namespace mlir::fpa {

/// The emulator as a device. A launch with a finding fails with its text.
class EmulatorDevice : public runtime::Device {
public:
  /// Memory of all that have it, as a GPU's is of all kernels loaded there.
  struct Memory;
  static std::shared_ptr<Memory> createMemory();

  /// Without an emulator there are no kernels, only memory.
  explicit EmulatorDevice(std::unique_ptr<Emulator> emulator,
                          std::shared_ptr<Memory> memory = createMemory());
  ~EmulatorDevice() override;

  std::string allocate(int64_t bytes, Address &address) override;
  std::string release(Address address) override;
  std::string copyIn(Address to, const void *from, int64_t bytes) override;
  /// Fails when the kernels have not written all of the bytes.
  std::string copyOut(void *to, Address from, int64_t bytes) override;
  std::string clear(Address address, int64_t bytes) override;
  std::string copy(Address to, Address from, int64_t bytes) override;
  std::string launch(const std::string &kernel, runtime::Dim3 grid,
                     runtime::Dim3 block, int64_t sharedBytes,
                     const std::vector<const void *> &arguments) override;
  std::string synchronize() override;

  /// One report a launch, in order.
  const std::vector<LaunchReport> &getReports() const { return reports; }

private:
  std::unique_ptr<Emulator> emulator;
  std::shared_ptr<Memory> memory;
  std::vector<LaunchReport> reports;
};

} // namespace mlir::fpa

#endif // FPA_EMULATOR_EMULATORDEVICE_H
