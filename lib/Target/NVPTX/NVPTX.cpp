//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Target/NVPTX.h"
#include "fpa/Support/Diagnostics.h"
#include "fpa/Target/Codegen.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

void mlir::fpa::registerNVPTXTranslations(DialectRegistry &registry) {
  registerLLVMTranslations(registry);
  registerGPUDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

Expected<std::unique_ptr<llvm::TargetMachine>>
mlir::fpa::createNVPTXTargetMachine(const GPUTarget &chip) {
  static bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  // NVPTX puts the addresses of kernels' arguments into global memory for this
  // system only.
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError("expected an LLVM with the target nvptx64, got "
                             "one without: " +
                             message);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, chip.chip, chip.getFeatures(), llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return createStringError("no code generator for the chip '" + chip.chip +
                             "'");
  return std::move(machine);
}

/// Refuses what no conversion has lowered, before the translation meets it.
static Error checkLowered(gpu::GPUModuleOp module) {
  Operation *unknown = nullptr;
  module->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (op == module || dialect == "llvm" || dialect == "nvvm")
      return WalkResult::advance();
    unknown = op;
    return WalkResult::interrupt();
  });
  if (!unknown)
    return Error::success();
  return fpa::makeError(unknown->getLoc(),
                        "'" + unknown->getName().getStringRef().str() +
                            "' was not lowered by the GPU pipeline");
}

/// Dynamic shared memory is external to a kernel: its size comes with the
/// launch. MLIR writes it as an array of no elements of the kernel's own, for
/// which a byte of static memory would be made.
static void exportDynamicShared(llvm::Module &module) {
  constexpr unsigned sharedSpace = 3;
  // What copies of rows of 128 bytes may count on.
  const llvm::Align alignment(128);
  for (llvm::GlobalVariable &global : module.globals()) {
    auto *array = dyn_cast<llvm::ArrayType>(global.getValueType());
    if (global.getAddressSpace() != sharedSpace || !array ||
        array->getNumElements() != 0)
      continue;
    global.setInitializer(nullptr);
    global.setLinkage(llvm::GlobalValue::ExternalLinkage);
    if (global.getAlign().valueOrOne() < alignment)
      global.setAlignment(alignment);
  }
}

/// LLVM's O3 pipeline without unrolling: loops that are left are meant, and
/// copies of the one over keys would take registers for nothing.
static void optimizeKernels(llvm::Module &module,
                            llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes(&machine, tuning);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager pipeline =
      passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  // The code generator takes constants out of addresses, too, but does not look
  // again at what is left: one sum may stay as an addition for one access, and
  // be a disjunction for the next, and takes a register for each.
  llvm::FunctionPassManager addresses;
  addresses.addPass(llvm::SeparateConstOffsetFromGEPPass());
  addresses.addPass(llvm::InstCombinePass());
  addresses.addPass(llvm::EarlyCSEPass());
  pipeline.addPass(
      llvm::createModuleToFunctionPassAdaptor(std::move(addresses)));
  pipeline.run(module, modules);
}

/// Whether LLVM would call a library for it, which the GPU has not.
static bool needsLibrary(llvm::Intrinsic::ID id) {
  using namespace llvm;
  return is_contained({Intrinsic::acos, Intrinsic::asin, Intrinsic::atan,
                       Intrinsic::atan2, Intrinsic::cos, Intrinsic::cosh,
                       Intrinsic::exp, Intrinsic::exp10, Intrinsic::log,
                       Intrinsic::log10, Intrinsic::pow, Intrinsic::powi,
                       Intrinsic::sin, Intrinsic::sincos, Intrinsic::sinh,
                       Intrinsic::tan, Intrinsic::tanh},
                      id);
}

/// A function that is neither defined nor an instruction would end the program
/// in LLVM, or be found missing by the assembler.
static Error checkDefined(llvm::Module &module) {
  for (llvm::Function &function : module) {
    bool isMissing = function.isIntrinsic()
                         ? needsLibrary(function.getIntrinsicID())
                         : function.isDeclaration();
    if (isMissing && !function.use_empty())
      return createStringError(
          "expected functions that the GPU has instructions for, got a call "
          "of '" +
          function.getName() + "'");
  }
  return Error::success();
}

Expected<std::unique_ptr<llvm::Module>>
mlir::fpa::translateToNVPTX(gpu::GPUModuleOp original,
                            llvm::LLVMContext &context, const GPUTarget &chip,
                            llvm::TargetMachine &machine) {
  if (Error error = checkLowered(original))
    return std::move(error);
  OwningOpRef<gpu::GPUModuleOp> module(original.clone());
  FirstDiagnostic diagnostic(original.getContext());
  // Some ops are inline assembly, which the emulator could not run: it is made
  // here only.
  PassManager pm(original.getContext(), gpu::GPUModuleOp::getOperationName());
  pm.addPass(createConvertNVVMToLLVMPass());
  if (failed(pm.run(*module)))
    return diagnostic.takeError("conversion to inline assembly failed");
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(*module, context, "fpa");
  if (!result)
    return diagnostic.takeError("translation to LLVM IR failed");
  result->setTargetTriple(machine.getTargetTriple());
  result->setDataLayout(machine.createDataLayout());
  exportDynamicShared(*result);
  optimizeKernels(*result, machine);
  if (Error error = checkDefined(*result))
    return std::move(error);
  return std::move(result);
}

Expected<std::string> mlir::fpa::emitPTX(llvm::Module &module,
                                         llvm::TargetMachine &machine) {
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr,
                                  llvm::CodeGenFileType::AssemblyFile))
    return createStringError("no PTX for this target");
  passes.run(module);
  return std::string(text.begin(), text.end());
}
