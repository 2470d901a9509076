//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "fpa/Tools/CommandLine.h"

int main(int argc, char **argv) {
  return mlir::fpa::runTool("fpa-compile", [&]() -> llvm::Error {
    bool isDone = false;
    auto options = mlir::fpa::parseCompileOptions(argc, argv, isDone);
    if (!options)
      return options.takeError();
    return isDone ? llvm::Error::success() : mlir::fpa::compileFile(*options);
  });
}
