//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_TOOLS_FPAEMULATE_EMULATEOPTIONS_H
#define FPA_TOOLS_FPAEMULATE_EMULATEOPTIONS_H

#include "fpa/Emulator/Emulator.h"
#include "fpa/Support/Tensor.h"

namespace mlir::fpa {

/// One argument of the kernel: a scalar or memory of the device.
struct EmulateArgument {
  Tensor tensor;
  bool isScalar = false;
  /// Memory is copied in before the launch, and printed after it.
  bool isInput = true, isOutput = false;
};

struct EmulateOptions {
  std::string file, kernel, pipeline;
  ::fpa::runtime::Dim3 grid, block;
  int64_t sharedBytes = 0, threads = 0;
  /// Shared memory that a block may have.
  int64_t sharedLimit = EmulatorOptions().sharedLimit;
  std::vector<EmulateArgument> arguments;
  bool stats = false, blocks = false;
};

/// With --help, prints the help and sets `isDone`.
llvm::Expected<EmulateOptions>
parseEmulateOptions(int argc, const char *const *argv, bool &isDone);

llvm::Error emulate(const EmulateOptions &options);

} // namespace mlir::fpa

#endif // FPA_TOOLS_FPAEMULATE_EMULATEOPTIONS_H
