//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/ExecutionEngine/GPUCompiler.h"
#include "Watch.h"
#include "fpa/ExecutionEngine/CompiledModule.h"
#include "fpa/Pipelines/GPUPipeline.h"
#include "fpa/Pipelines/ReadOptions.h"
#include "fpa/Target/HostTranslation.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

Error mlir::fpa::lowerToNVVM(ModuleOp module, const GPUCompileOptions &options,
                             SmallVectorImpl<StageTime> *stages) {
  GPUPipelineOptions pipeline;
  if (Error error = readOptions(pipeline, options.pipeline, options.chip.chip))
    return createStringError("pipeline options: " + toString(std::move(error)));
  using Build = void (*)(OpPassManager &, const GPUPipelineOptions &);
  std::pair<StringRef, Build> parts[] = {{"buffers", buildGPUBufferPipeline},
                                         {"machine", buildGPUMachinePipeline},
                                         {"nvvm", buildGPUToNVVMPipeline}};
  // A program that launches kernels is past the first two.
  bool hasKernels = !module.getOps<gpu::GPUModuleOp>().empty();
  for (auto [name, build] : ArrayRef(parts).drop_front(hasKernels ? 2 : 0))
    if (Error error = runPasses(
            module, name,
            [&, build = build](OpPassManager &pm) { build(pm, pipeline); },
            stages))
      return error;
  return Error::success();
}

Expected<gpu::GPUModuleOp> mlir::fpa::findKernels(ModuleOp module) {
  SmallVector<gpu::GPUModuleOp> found(module.getOps<gpu::GPUModuleOp>());
  if (found.size() != 1)
    return createStringError(
        "expected the program's kernels in one gpu.module, "
        "got " +
        llvm::Twine(found.size()) +
        (found.empty() ? " (nothing runs on the GPU)" : ""));
  return found.front();
}

Expected<std::vector<runtime::HostProgram>>
mlir::fpa::translateHostPrograms(ModuleOp module, ArrayRef<StringRef> entries) {
  std::vector<runtime::HostProgram> programs;
  for (StringRef name : entries) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function)
      return createStringError("expected a function '" + name +
                               "' after the GPU pipeline, got none");
    Expected<runtime::HostProgram> program = translateHostFunction(function);
    if (!program)
      return program.takeError();
    programs.push_back(std::move(*program));
  }
  return programs;
}

Expected<GPUCode> mlir::fpa::emitKernels(gpu::GPUModuleOp kernels,
                                         GPUCodeKind kind,
                                         const GPUCompileOptions &options,
                                         SmallVectorImpl<StageTime> *stages) {
  Watch watch(stages);
  GPUCode code;
  auto machine = createNVPTXTargetMachine(options.chip);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto module = translateToNVPTX(kernels, context, options.chip, **machine);
  if (!module)
    return module.takeError();
  watch.stage("llvm passes");
  if (kind == GPUCodeKind::LLVMIR) {
    llvm::raw_string_ostream(code.llvmIR) << **module;
    return code;
  }
  Expected<std::string> ptx = emitPTX(**module, **machine);
  if (!ptx)
    return ptx.takeError();
  code.ptx = std::move(*ptx);
  watch.stage("ptx");
  if (kind == GPUCodeKind::PTX)
    return code;
  Expected<PTXAssembler> assembler =
      findPTXAssembler(options.toolkit, options.chip);
  if (!assembler)
    return assembler.takeError();
  Expected<AssembledKernels> assembled =
      assemble(code.ptx, *assembler, options.chip);
  if (!assembled)
    return assembled.takeError();
  code.assembled = std::move(*assembled);
  watch.stage("ptxas");
  return code;
}

/// The kernels of a module at the level of nvvm, in order.
static std::vector<runtime::Kernel> listKernels(gpu::GPUModuleOp module) {
  std::vector<runtime::Kernel> kernels;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!gpu::GPUDialect::isKernel(function) || function.isExternal())
      continue;
    runtime::Kernel kernel;
    kernel.name = function.getName().str();
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

Expected<runtime::Package>
mlir::fpa::makePackage(ModuleOp module, ArrayRef<StringRef> entries,
                       const GPUCompileOptions &options,
                       SmallVectorImpl<StageTime> *stages) {
  Expected<gpu::GPUModuleOp> kernels = findKernels(module);
  if (!kernels)
    return kernels.takeError();
  auto programs = translateHostPrograms(module, entries);
  if (!programs)
    return programs.takeError();
  // A toolkit that is asked for must be there; else its absence costs the
  // driver a compilation, once, and the user nothing.
  GPUCodeKind kind = GPUCodeKind::MachineCode;
  Expected<PTXAssembler> assembler =
      findPTXAssembler(options.toolkit, options.chip);
  if (!assembler && !options.toolkit.empty())
    return assembler.takeError();
  if (!assembler) {
    llvm::consumeError(assembler.takeError());
    kind = GPUCodeKind::PTX;
  }
  Expected<GPUCode> code = emitKernels(*kernels, kind, options, stages);
  if (!code)
    return code.takeError();
  runtime::Package package;
  package.chip = options.chip.chip;
  package.programs = std::move(*programs);
  package.kernels = listKernels(*kernels);
  for (runtime::Kernel &kernel : package.kernels)
    for (const runtime::Kernel &assembled : code->assembled.kernels)
      if (assembled.name == kernel.name)
        kernel = assembled;
  package.ptx = std::move(code->ptx);
  package.cubin = std::move(code->assembled.cubin);
  if (std::string problem = runtime::verify(package); !problem.empty())
    return createStringError("package: " + problem);
  return package;
}

std::string mlir::fpa::formatResources(ArrayRef<runtime::Kernel> kernels) {
  std::string text;
  for (const runtime::Kernel &kernel : kernels)
    if (kernel.registers >= 0)
      text += "kernel " + kernel.name + ": " +
              std::to_string(kernel.registers) + " registers, " +
              std::to_string(kernel.spillStores) + " bytes spill stores, " +
              std::to_string(kernel.spillLoads) + " bytes spill loads, " +
              std::to_string(kernel.localBytes) + " bytes local, " +
              std::to_string(kernel.sharedBytes) + " bytes static shared\n";
  return text;
}
