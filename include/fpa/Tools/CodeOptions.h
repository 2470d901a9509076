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
#include "fpa/ExecutionEngine/GPUCompiler.h"
#include "fpa/Tools/CommandLine.h"

namespace mlir::fpa {

enum class TargetKind {
  CPU,
  /// GPU code for another machine.
  NVPTX,
  /// This machine's GPU.
  Cuda,
  /// GPU code on the CPU, with all its threads, checked while it runs.
  Emulator
};

struct CodeOptions {
  TargetKind target = TargetKind::CPU;
  std::string cpu = "host";
  /// "" is sm_80, or this machine's GPU for Cuda.
  std::string chip;
  /// Folder of the CUDA toolkit; "" looks for one.
  std::string toolkit;
  CPUStrategy strategy = CPUStrategy::Tile;
  std::string pipeline;
};

/// Adds --target, of `targets`, --cpu, --chip, --toolkit, --strategy and
/// --pipeline, which set `options`.
void addCodeOptions(CommandLine &line, CodeOptions &options,
                    ArrayRef<TargetKind> targets);

/// Fails for an option that the target has no use for.
llvm::Error checkCodeOptions(const CommandLine &line,
                             const CodeOptions &options,
                             ArrayRef<TargetKind> targets);

/// What `options` mean to the compiler for CPUs. Fails for an unknown CPU.
llvm::Expected<CompileOptions> getCompileOptions(const CodeOptions &options);

/// What `options` mean to the compiler for GPUs. Fails for an unknown chip, and
/// for Cuda where there is no GPU.
llvm::Expected<GPUCompileOptions>
getGPUCompileOptions(const CodeOptions &options);

} // namespace mlir::fpa

#endif // FPA_TOOLS_CODEOPTIONS_H
