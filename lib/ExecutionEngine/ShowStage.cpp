//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/ExecutionEngine/ShowStage.h"
#include "fpa/ExecutionEngine/CompiledModule.h"
#include "fpa/ExecutionEngine/GPUCompiler.h"
#include "fpa/Pipelines/GPUPipeline.h"
#include "fpa/Pipelines/ReadOptions.h"
#include "fpa/Support/RunPasses.h"
#include "fpa/Target/Codegen.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace {
/// A stage that a pass of the pipeline ends: at its first run, or its last.
struct PassStage {
  StringRef name, pass;
  bool atFirst;
};

/// Keeps the module's text when a stage's pass has run.
struct Capture : PassInstrumentation {
  Capture(PassStage stage, std::string &text) : stage(stage), text(text) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument() != stage.pass || (stage.atFirst && !text.empty()))
      return;
    while (Operation *parent = op->getParentOp())
      op = parent;
    text.clear();
    llvm::raw_string_ostream(text) << *op;
  }

  PassStage stage;
  std::string &text;
};
} // namespace

/// Where levels end in the pipelines of both kinds of machine.
static constexpr PassStage passStages[] = {
    {"graph", "canonicalize", true},
    {"streaming", "fpa-tile-attention", false},
    {"tiles", "loop-invariant-subset-hoisting", false},
    {"buffers", "one-shot-bufferize", false}};

static std::string toText(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << *op;
  return text;
}

static Error unknownStage(StringRef stage, StringRef target,
                          StringRef ofTarget) {
  return createStringError(
      "expected stage for target '" + target +
      "' to be graph, streaming, tiles, buffers, machine, " + ofTarget +
      ", got '" + stage + "'");
}

/// Runs a pipeline; the text of one of its stages.
static Expected<std::string>
runTo(ModuleOp module, PassStage stage,
      llvm::function_ref<void(OpPassManager &)> build) {
  std::string text;
  PassManager pm(module.getContext());
  build(pm);
  pm.addInstrumentation(std::make_unique<Capture>(stage, text));
  if (Error error = runPasses(pm, module))
    return std::move(error);
  return text;
}

template <typename Options, typename... Chip>
static Error readFor(Options &options, StringRef pipeline, Chip... chip) {
  if (Error error = readOptions(options, pipeline, chip...))
    return createStringError("pipeline options: " + toString(std::move(error)));
  return Error::success();
}

static Expected<std::string> showLLVMIR(ModuleOp module,
                                        const CPUTarget &target) {
  auto machine = createTargetMachine(target, llvm::CodeGenOptLevel::Aggressive);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto translated = translateToLLVMIR(module, context, target, **machine);
  if (!translated)
    return translated.takeError();
  if (Error error = optimize(**translated, **machine))
    return std::move(error);
  std::string text;
  llvm::raw_string_ostream(text) << **translated;
  return text;
}

static Expected<std::string> showForCPU(ModuleOp module, StringRef stage,
                                        StringRef pipeline) {
  Expected<CPUTarget> host = getCPUTarget("host");
  if (!host)
    return host.takeError();
  CPUPipelineOptions options;
  options.lanes = host->lanes;
  options.registers = host->registers;
  if (Error error = readFor(options, pipeline))
    return std::move(error);
  auto buffers = [&](OpPassManager &pm) {
    buildCPUBufferPipeline(pm, options);
  };
  for (PassStage each : passStages)
    if (each.name == stage)
      return runTo(module, each, buffers);
  if (!llvm::is_contained({"machine", "llvm-dialect", "llvm"}, stage))
    return unknownStage(stage, "cpu", "llvm-dialect or llvm");
  auto run = [&](void (*build)(OpPassManager &, const CPUPipelineOptions &)) {
    PassManager pm(module.getContext());
    build(pm, options);
    return runPasses(pm, module);
  };
  if (Error error = run(buildCPUBufferPipeline))
    return std::move(error);
  if (Error error = run(buildCPUMachinePipeline))
    return std::move(error);
  if (stage == "machine")
    return toText(module);
  if (Error error = run(buildCPUToLLVMPipeline))
    return std::move(error);
  return stage == "llvm" ? showLLVMIR(module, *host) : toText(module);
}

static Expected<std::string> showForGPU(ModuleOp module, StringRef target,
                                        StringRef stage, StringRef pipeline) {
  Expected<GPUTarget> chip = getGPUTarget(target);
  if (!chip)
    return chip.takeError();
  GPUPipelineOptions options;
  if (Error error = readFor(options, pipeline, target))
    return std::move(error);
  auto buffers = [&](OpPassManager &pm) {
    buildGPUBufferPipeline(pm, options);
  };
  for (PassStage each : passStages)
    if (each.name == stage)
      return runTo(module, each, buffers);
  if (stage == "machine") {
    PassManager pm(module.getContext());
    buffers(pm);
    buildGPUMachinePipeline(pm, options);
    if (Error error = runPasses(pm, module))
      return std::move(error);
    return toText(module);
  }
  if (!llvm::is_contained({"nvvm", "llvm", "ptx"}, stage))
    return unknownStage(stage, target, "nvvm, llvm or ptx");
  GPUCompileOptions compile;
  compile.chip = std::move(*chip);
  compile.pipeline = pipeline.str();
  if (Error error = lowerToNVVM(module, compile))
    return std::move(error);
  if (stage == "nvvm")
    return toText(module);
  Expected<gpu::GPUModuleOp> kernels = findKernels(module);
  if (!kernels)
    return kernels.takeError();
  Expected<GPUCode> code = emitKernels(
      *kernels, stage == "llvm" ? GPUCodeKind::LLVMIR : GPUCodeKind::PTX,
      compile);
  if (!code)
    return code.takeError();
  return stage == "llvm" ? code->llvmIR : code->ptx;
}

Expected<std::string> mlir::fpa::showStage(ModuleOp module, StringRef entry,
                                           StringRef target, StringRef stage,
                                           StringRef pipeline) {
  if (Error error = prepareEntries(module, {entry}))
    return std::move(error);
  return target == "cpu" ? showForCPU(module, stage, pipeline)
                         : showForGPU(module, target, stage, pipeline);
}
