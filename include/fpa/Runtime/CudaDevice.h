//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The CUDA driver, opened at run time: nothing links to it, and a machine
// without it says so in one line.

#ifndef FPA_RUNTIME_CUDADEVICE_H
#define FPA_RUNTIME_CUDADEVICE_H

#include "fpa/Runtime/Device.h"
#include "fpa/Runtime/Package.h"
#include <map>
#include <memory>

namespace fpa::runtime {

struct CudaDriver;

/// Puts back, at its end, the context that was the calling thread's: what other
/// libraries take for their current device.
class ContextKeeper {
public:
  ContextKeeper();
  ~ContextKeeper();
  ContextKeeper(const ContextKeeper &) = delete;
  ContextKeeper &operator=(const ContextKeeper &) = delete;

private:
  const CudaDriver *driver = nullptr;
  void *context = nullptr;
};

/// A GPU, in its primary context, which other libraries of the process share.
/// An error names the driver's call and the kernels that it concerns.
class CudaDevice : public Device {
public:
  /// Fails where there is no driver or no GPU `ordinal`, counted from 0.
  static std::string open(std::unique_ptr<CudaDevice> &device, int ordinal = 0);
  ~CudaDevice() override;

  const std::string &getName() const { return name; }
  int getMajor() const { return major; }
  int getMinor() const { return minor; }

  /// Loads the package's kernels; `path` stands for it in an error.
  std::string load(const Package &package, const std::string &path);

  std::string allocate(int64_t bytes, Address &address) override;
  std::string release(Address address) override;
  std::string copyIn(Address to, const void *from, int64_t bytes) override;
  std::string copyOut(void *to, Address from, int64_t bytes) override;
  std::string clear(Address address, int64_t bytes) override;
  std::string copy(Address to, Address from, int64_t bytes) override;
  std::string launch(const std::string &kernel, Dim3 grid, Dim3 block,
                     int64_t sharedBytes,
                     const std::vector<const void *> &arguments) override;
  std::string synchronize() override;

  /// The CUstream for all that follows; null is the default stream.
  void setStream(void *next) { stream = next; }

  /// Gives released memory, which is kept for reuse, back to the driver.
  std::string trim();

  /// Marks a place in the stream; `number` counts from 0.
  std::string recordEvent(size_t number);
  /// Waits for event `to` and gives the time from `from` to it.
  std::string elapsed(size_t from, size_t to, double &milliseconds);

private:
  explicit CudaDevice(const CudaDriver &driver) : driver(driver) {}
  struct LoadedKernel {
    void *function = nullptr;
    int64_t staticShared = 0, dynamicShared = 0;
  };

  std::string connect(int ordinal);
  std::string enter();
  std::string fail(const char *call, int result,
                   const std::string &kernels = "") const;
  std::string allowShared(const std::string &name, LoadedKernel &kernel,
                          int64_t bytes);

  const CudaDriver &driver;
  std::string name;
  int device = -1, major = 0, minor = 0;
  void *context = nullptr, *stream = nullptr;
  std::vector<void *> modules, events;
  std::map<std::string, LoadedKernel> kernels;
  /// Kernels started since the last wait: what a late error may come from.
  std::vector<std::string> running;
  /// Sizes of allocations, and released ones, kept for reuse on the stream that
  /// may still use them: asking the driver waits for all that runs.
  std::map<Address, int64_t> sizes;
  std::multimap<std::pair<void *, int64_t>, Address> kept;
};

} // namespace fpa::runtime

#endif // FPA_RUNTIME_CUDADEVICE_H
