//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Tools/CodeOptions.h"
#include "fpa/ExecutionEngine/DeviceModule.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static StringRef getName(TargetKind target) {
  switch (target) {
  case TargetKind::CPU:
    return "cpu";
  case TargetKind::NVPTX:
    return "nvptx";
  case TargetKind::Cuda:
    return "cuda";
  case TargetKind::Emulator:
    return "emulator";
  }
  llvm_unreachable("unknown target");
}

static std::string listTargets(ArrayRef<TargetKind> targets, StringRef between,
                               StringRef last) {
  std::string list;
  for (auto [i, target] : llvm::enumerate(targets)) {
    bool isLast = i + 1 == targets.size();
    list += (i == 0   ? ""
             : isLast ? last
                      : between)
                .str() +
            getName(target).str();
  }
  return list;
}

static Error parseTarget(StringRef text, ArrayRef<TargetKind> targets,
                         TargetKind &result) {
  for (TargetKind target : targets)
    if (text == getName(target)) {
      result = target;
      return Error::success();
    }
  return createStringError("expected " + listTargets(targets, ", ", " or ") +
                           ", got '" + text + "'");
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

void mlir::fpa::addCodeOptions(CommandLine &line, CodeOptions &options,
                               ArrayRef<TargetKind> targets) {
  SmallVector<TargetKind> known(targets);
  line.option("target", listTargets(targets, "|", "|"),
              "what to compile for (default cpu)",
              [&options, known](StringRef text) {
                return parseTarget(text, known, options.target);
              });
  line.option("cpu", "NAME", "the CPU to compile for (default host)",
              options.cpu);
  line.option("chip", "NAME",
              "the GPU to compile for: sm_80, sm_86, sm_89, sm_90, sm_100 or "
              "sm_120 (default sm_80, or this machine's)",
              [&options](StringRef text) -> Error {
                Expected<GPUTarget> chip = getGPUTarget(text);
                if (!chip)
                  return chip.takeError();
                options.chip = text.str();
                return Error::success();
              });
  line.option("toolkit", "FOLDER",
              "the CUDA toolkit whose ptxas makes machine code (default: what "
              "CUDA_HOME or CUDA_PATH name, PATH, /usr/local/cuda)",
              options.toolkit);
  line.option("strategy", "tile|decompose",
              "how attention is computed on a CPU", [&options](StringRef text) {
                return parseStrategy(text, options.strategy);
              });
  line.option("pipeline", "OPTIONS",
              "more options of fpa-cpu-pipeline or fpa-gpu-pipeline",
              options.pipeline);
}

Error mlir::fpa::checkCodeOptions(const CommandLine &line,
                                  const CodeOptions &options,
                                  ArrayRef<TargetKind> targets) {
  // Which targets each is for; the others are for all.
  const std::pair<StringRef, SmallVector<TargetKind>> uses[] = {
      {"cpu", {TargetKind::CPU}},
      {"chip", {TargetKind::NVPTX, TargetKind::Emulator, TargetKind::Cuda}},
      {"toolkit", {TargetKind::NVPTX, TargetKind::Cuda}}};
  for (const auto &[name, users] : uses) {
    if (!line.has(name) || llvm::is_contained(users, options.target))
      continue;
    SmallVector<TargetKind> known;
    llvm::copy_if(users, std::back_inserter(known), [&](TargetKind target) {
      return llvm::is_contained(targets, target);
    });
    return createStringError("option --" + name + ": expected --target=" +
                             listTargets(known, ", ", " or ") + ", got " +
                             getName(options.target));
  }
  return Error::success();
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

Expected<GPUCompileOptions>
mlir::fpa::getGPUCompileOptions(const CodeOptions &options) {
  if (options.strategy != CPUStrategy::Tile)
    return createStringError(
        "option --strategy: expected tile for a GPU, got decompose");
  Expected<GPUTarget> chip =
      options.target == TargetKind::Cuda
          ? getCudaChip(options.chip)
          : getGPUTarget(options.chip.empty() ? "sm_80" : options.chip);
  if (!chip)
    return chip.takeError();
  GPUCompileOptions compile;
  compile.chip = *chip;
  compile.toolkit = options.toolkit;
  compile.pipeline = options.pipeline;
  return compile;
}
