//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Tools/CodeOptions.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static Error parseTarget(StringRef target) {
  if (target == "cpu")
    return Error::success();
  return createStringError(
      "expected cpu (nvptx, emulator and cuda are not available in this "
      "build), got '" +
      target + "'");
}

static Error parseStrategy(StringRef text, CPUStrategy &strategy) {
  auto parsed = llvm::StringSwitch<std::optional<CPUStrategy>>(text)
                    .Case("tile", CPUStrategy::Tile)
                    .Case("decompose", CPUStrategy::Decompose)
                    .Default(std::nullopt);
  if (!parsed)
    return createStringError("expected tile or decompose, got '" + text + "'");
  strategy = *parsed;
  return Error::success();
}

void mlir::fpa::addCodeOptions(CommandLine &line, CodeOptions &options) {
  line.option("target", "cpu",
              "what to compile for: cpu; nvptx, emulator and cuda are not "
              "available in this build",
              parseTarget);
  line.option("cpu", "NAME", "the CPU to compile for (default host)",
              options.cpu);
  line.option("strategy", "tile|decompose", "how attention is computed",
              [&options](StringRef text) {
                return parseStrategy(text, options.strategy);
              });
  line.option("pipeline", "OPTIONS", "more options of fpa-cpu-pipeline",
              options.pipeline);
}

Expected<CompileOptions>
mlir::fpa::getCompileOptions(const CodeOptions &options) {
  Expected<CPUTarget> target = getCPUTarget(options.cpu);
  if (!target)
    return target.takeError();
  CompileOptions compile;
  compile.target = *target;
  compile.strategy = options.strategy;
  compile.pipeline = options.pipeline;
  return compile;
}
