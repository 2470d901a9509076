//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"
#include <dlfcn.h>

using namespace fpa::runtime;

static CudaDriver openDriver() {
  CudaDriver driver{};
  void *library = nullptr;
  for (const char *name : {"libcuda.so.1", "libcuda.so"})
    if (!library)
      library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    driver.error = "no GPU on this machine: the CUDA driver (libcuda.so.1) "
                   "cannot be opened";
    return driver;
  }
  auto find = [&](auto &pointer, const char *symbol) {
    void *address = dlsym(library, symbol);
    if (!address && driver.error.empty())
      driver.error = std::string("the CUDA driver is too old, it has no ") +
                     symbol + ": expected one for CUDA 11 or later";
    pointer = reinterpret_cast<std::decay_t<decltype(pointer)>>(address);
  };
#define FPA_CUDA_FIND(name, symbol, parameters) find(driver.name, #symbol);
  FPA_CUDA_FUNCTIONS(FPA_CUDA_FIND)
#undef FPA_CUDA_FIND
  return driver;
}

const CudaDriver &fpa::runtime::getCudaDriver() {
  static const CudaDriver driver = openDriver();
  return driver;
}
