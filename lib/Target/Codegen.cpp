//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Target/Codegen.h"
#include "ComputeInSingle.h"
#include "MoveAsIntegers.h"
#include "fpa/Support/Diagnostics.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

void fpa::registerLLVMTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

Expected<std::unique_ptr<llvm::Module>>
fpa::translateToLLVMIR(ModuleOp module, llvm::LLVMContext &context,
                       const CPUTarget &target, llvm::TargetMachine &machine) {
  for (Operation &op : module.getOps())
    if (op.getName().getDialectNamespace() != "llvm")
      return makeError(op.getLoc(),
                       "'" + op.getName().getStringRef().str() +
                           "' was not lowered by the CPU pipeline");
  // What is called through its C interface needs no name of its own: "main"
  // would clash with a program's.
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal() &&
        (function.isPrivate() ||
         module.lookupSymbol(("_mlir_ciface_" + function.getName()).str())))
      function.setLinkage(LLVM::Linkage::Internal);

  FirstDiagnostic diagnostic(module.getContext());
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, "fpa");
  if (!result)
    return diagnostic.takeError("translation to LLVM IR failed");
  result->setTargetTriple(machine.getTargetTriple());
  result->setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : *result) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.cpu);
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
  return std::move(result);
}

void fpa::addPackedEntry(llvm::Function &callee, StringRef name,
                         bool asTheyAre) {
  llvm::LLVMContext &context = callee.getContext();
  llvm::Type *pointer = llvm::PointerType::getUnqual(context);
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false),
      llvm::GlobalValue::ExternalLinkage, name, callee.getParent());
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(context, "entry", function));
  SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : callee.args()) {
    llvm::Value *given = builder.CreateLoad(
        pointer, builder.CreateConstInBoundsGEP1_64(
                     pointer, function->getArg(0), argument.getArgNo()));
    arguments.push_back(
        asTheyAre ? given : builder.CreateLoad(argument.getType(), given));
  }
  builder.CreateCall(&callee, arguments);
  builder.CreateRetVoid();
}

Error fpa::optimize(llvm::Module &module, llvm::TargetMachine &machine,
                    unsigned level) {
  if (Error error =
          makeOptimizingTransformer(level, /*sizeLevel=*/0, &machine)(&module))
    return error;
  computeInSingle(module);
  moveAsIntegers(module);
  return Error::success();
}

Expected<llvm::SmallVector<char, 0>>
fpa::emitObject(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return createStringError("no object code for this target");
  passes.run(module);
  return std::move(object);
}
