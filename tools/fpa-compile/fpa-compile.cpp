//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "Strategies.h"
#include "fpa/Tools/CommandLine.h"

int main(int argc, char **argv) {
  return mlir::fpa::runTool("fpa-compile", [&]() -> llvm::Error {
    if (mlir::fpa::asksForStrategies(argc, argv))
      return mlir::fpa::listStrategies(argc, argv);
    bool isDone = false;
    auto options = mlir::fpa::parseCompileOptions(argc, argv, isDone);
    if (!options)
      return options.takeError();
    return isDone ? llvm::Error::success() : mlir::fpa::compileFile(*options);
  });
}
