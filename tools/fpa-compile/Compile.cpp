//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "fpa/Support/OutputFiles.h"
#include "fpa/Target/Codegen.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static SmallVector<StringRef> chooseEntries(ModuleOp module,
                                            const CompileToolOptions &options) {
  SmallVector<StringRef> names(options.entries.begin(), options.entries.end());
  if (names.empty())
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && !function.isPrivate())
        names.push_back(function.getName());
  return names;
}

std::string mlir::fpa::printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

/// What the object code, or the LLVM IR, of a module in the llvm dialect is.
static Expected<std::string> emitCode(ModuleOp module, const CPUTarget &target,
                                      EmitKind emit) {
  auto machine = createTargetMachine(target, llvm::CodeGenOptLevel::Aggressive);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto llvmModule = translateToLLVMIR(module, context, target, **machine);
  if (!llvmModule)
    return llvmModule.takeError();
  if (Error error = optimize(**llvmModule, **machine))
    return std::move(error);
  std::string text;
  if (emit == EmitKind::LLVMIR) {
    llvm::raw_string_ostream(text) << **llvmModule;
    return text;
  }
  auto object = emitObject(**llvmModule, **machine);
  if (!object)
    return object.takeError();
  text.assign(object->begin(), object->end());
  return emit == EmitKind::Object ? Expected<std::string>(std::move(text))
                                  : linkSharedLibrary(text);
}

static Expected<std::string> compileForCPU(ModuleOp module,
                                           const CompileToolOptions &options) {
  Expected<CompileOptions> compile = getCompileOptions(options.code);
  if (!compile)
    return compile.takeError();
  if (Error error = lowerToLLVMDialect(module, *compile))
    return std::move(error);
  if (options.emit == EmitKind::MLIR)
    return printModule(module);
  return emitCode(module, compile->target, options.emit);
}

static Error writeOutput(const CompileToolOptions &options, StringRef text) {
  if (options.output != "-")
    return writeFile(options.output, {text});
  // Whoever runs the tool reports what cannot be printed.
  llvm::outs() << text;
  return Error::success();
}

Error mlir::fpa::compileFile(const CompileToolOptions &options) {
  bool isGPU = options.code.target == TargetKind::NVPTX;
  if (llvm::sys::fs::equivalent(options.file, options.output))
    return createStringError("option -o: expected another file than the "
                             "module, got '" +
                             options.output + "'");
  std::unique_ptr<MLIRContext> context = createContext();
  auto parsed = parseModuleFile(options.file, *context);
  if (!parsed)
    return parsed.takeError();
  ModuleOp module = **parsed;
  // The names are kept apart: compilation replaces the functions.
  SmallVector<std::string> names;
  for (StringRef name : chooseEntries(module, options))
    names.push_back(name.str());
  SmallVector<StringRef> entries(names.begin(), names.end());
  if (entries.empty())
    return createStringError("expected a function that is not private, got "
                             "none");
  SmallVector<EntrySignature> signatures;
  for (StringRef name : entries) {
    Expected<func::FuncOp> entry = findEntry(module, name);
    if (!entry)
      return entry.takeError();
    Expected<EntrySignature> signature =
        readSignature(*entry, isGPU ? AllowBuffers::All : AllowBuffers::Inputs);
    if (!signature)
      return signature.takeError();
    signatures.push_back(std::move(*signature));
  }
  if (options.emit == EmitKind::Header)
    return writeOutput(options, writeHeader(entries, signatures));

  if (Error error = prepareEntries(module, entries))
    return error;
  Expected<std::string> code = isGPU ? compileForGPU(module, entries, options)
                                     : compileForCPU(module, options);
  if (!code)
    return code.takeError();
  return writeOutput(options, *code);
}
