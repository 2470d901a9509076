//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What every tool that makes code is asked: for which machine, and how.

#ifndef FPA_TOOLS_CODEOPTIONS_H
#define FPA_TOOLS_CODEOPTIONS_H

#include "fpa/ExecutionEngine/CompiledModule.h"
#include "fpa/Tools/CommandLine.h"

namespace mlir::fpa {

struct CodeOptions {
  std::string cpu = "host";
  CPUStrategy strategy = CPUStrategy::Tile;
  std::string pipeline;
};

/// Adds --target, --cpu, --strategy and --pipeline, which set `options`.
void addCodeOptions(CommandLine &line, CodeOptions &options);

/// What `options` mean to the compiler. Fails for an unknown CPU.
llvm::Expected<CompileOptions> getCompileOptions(const CodeOptions &options);

} // namespace mlir::fpa

#endif // FPA_TOOLS_CODEOPTIONS_H
