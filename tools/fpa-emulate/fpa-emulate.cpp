//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Runs one kernel on the emulator, for tests of both.

#include "EmulateOptions.h"
#include "fpa/Tools/CommandLine.h"

int main(int argc, char **argv) {
  return mlir::fpa::runTool("fpa-emulate", [&]() -> llvm::Error {
    bool isDone = false;
    auto options = mlir::fpa::parseEmulateOptions(argc, argv, isDone);
    if (!options)
      return options.takeError();
    return isDone ? llvm::Error::success() : mlir::fpa::emulate(*options);
  });
}
