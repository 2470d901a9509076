//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What runs kernels: a GPU behind its driver, or the emulator. Plain C++, no
// LLVM, so that a loader of packages needs nothing but this.

#ifndef FPA_RUNTIME_DEVICE_H
#define FPA_RUNTIME_DEVICE_H

#include <cstdint>
#include <string>
#include <vector>

namespace fpa::runtime {

struct Dim3 {
  int64_t x = 1, y = 1, z = 1;
};

/// Every call returns "" or a one-line error.
class Device {
public:
  /// An address in the device's memory, which the host cannot read.
  using Address = uint64_t;

  virtual ~Device();

  /// Memory with undefined contents.
  virtual std::string allocate(int64_t bytes, Address &address) = 0;
  virtual std::string release(Address address) = 0;
  virtual std::string copyIn(Address to, const void *from, int64_t bytes) = 0;
  virtual std::string copyOut(void *to, Address from, int64_t bytes) = 0;
  virtual std::string clear(Address address, int64_t bytes) = 0;
  /// Within the device's memory, between places that do not overlap.
  virtual std::string copy(Address to, Address from, int64_t bytes) = 0;

  /// Starts `kernel`. `arguments` point to the values of its parameters, in
  /// order, as for cuLaunchKernel.
  virtual std::string launch(const std::string &kernel, Dim3 grid, Dim3 block,
                             int64_t sharedBytes,
                             const std::vector<const void *> &arguments) = 0;
  /// Waits for all that was started.
  virtual std::string synchronize() = 0;
};

} // namespace fpa::runtime

#endif // FPA_RUNTIME_DEVICE_H
