//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/ExecutionEngine/Executable.h"
#include <chrono>

using namespace mlir;
using namespace mlir::fpa;

Executable::~Executable() = default;

static llvm::Error refuseDeviceArrays() {
  return llvm::createStringError("expected a program for target 'emulator' or "
                                 "'cuda' to run on arrays in a device's "
                                 "memory, got one for 'cpu'");
}

llvm::Expected<SmallVector<SmallVector<int64_t>>>
Executable::computeResultShapes(StringRef, ArrayRef<Tensor>) const {
  return refuseDeviceArrays();
}

llvm::Error Executable::launch(StringRef, ArrayRef<Tensor>, ArrayRef<Tensor>,
                               const LaunchOptions &) const {
  return refuseDeviceArrays();
}

llvm::Expected<SmallVector<double>>
Executable::time(StringRef entry, ArrayRef<Tensor> inputs, int64_t warmUps,
                 int64_t repetitions) const {
  SmallVector<double> times;
  for (int64_t i = 0; i < warmUps + repetitions; ++i) {
    auto start = std::chrono::steady_clock::now();
    auto results = invoke(entry, inputs);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    if (!results)
      return results.takeError();
    if (i >= warmUps)
      times.push_back(time.count());
  }
  return times;
}
