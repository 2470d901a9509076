//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "fpa/ExecutionEngine/GPUCompiler.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Error;
using llvm::Expected;

static Expected<std::string> emitPackage(ModuleOp module,
                                         ArrayRef<StringRef> entries,
                                         ArrayRef<ShapeRules> rules,
                                         const GPUCompileOptions &options) {
  Expected<runtime::Package> package = makePackage(module, entries, options);
  if (!package)
    return package.takeError();
  for (auto [program, ofProgram] : llvm::zip_equal(package->programs, rules))
    requireSizes(program, ofProgram);
  return runtime::writePackage(*package);
}

static Expected<std::string> emitCode(ModuleOp module, EmitKind emit,
                                      const GPUCompileOptions &options) {
  Expected<gpu::GPUModuleOp> kernels = findKernels(module);
  if (!kernels)
    return kernels.takeError();
  GPUCodeKind kind = emit == EmitKind::LLVMIR ? GPUCodeKind::LLVMIR
                     : emit == EmitKind::PTX  ? GPUCodeKind::PTX
                                              : GPUCodeKind::MachineCode;
  Expected<GPUCode> code = emitKernels(*kernels, kind, options);
  if (!code)
    return code.takeError();
  return emit == EmitKind::LLVMIR ? std::move(code->llvmIR)
         : emit == EmitKind::PTX  ? std::move(code->ptx)
                                  : std::move(code->assembled.cubin);
}

/// Prints what ptxas says of the kernels.
static Error reportResources(ModuleOp module,
                             const GPUCompileOptions &options) {
  Expected<gpu::GPUModuleOp> kernels = findKernels(module);
  if (!kernels)
    return kernels.takeError();
  Expected<GPUCode> code =
      emitKernels(*kernels, GPUCodeKind::MachineCode, options);
  if (!code)
    return code.takeError();
  llvm::outs() << formatResources(code->assembled.kernels);
  return Error::success();
}

Expected<std::string>
mlir::fpa::compileForGPU(ModuleOp module, ArrayRef<StringRef> entries,
                         const CompileToolOptions &options) {
  Expected<GPUCompileOptions> compile = getGPUCompileOptions(options.code);
  if (!compile)
    return compile.takeError();
  // Rules come from the program as written.
  std::vector<ShapeRules> rules;
  SmallVector<ShapeRules::LateRule> late;
  for (StringRef entry : entries)
    rules.push_back(
        ShapeRules::collect(module.lookupSymbol<func::FuncOp>(entry), late));
  if (Error error = lowerToNVVM(module, *compile))
    return std::move(error);
  if (options.emit == EmitKind::MLIR)
    return printModule(module);
  // Every entry must be one that a package can hold, whatever is asked for.
  auto programs = translateHostPrograms(module, entries);
  if (!programs)
    return programs.takeError();
  if (options.reportResources)
    if (Error error = reportResources(module, *compile))
      return std::move(error);
  return options.emit == EmitKind::Package
             ? emitPackage(module, entries, rules, *compile)
             : emitCode(module, options.emit, *compile);
}
