//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/ExecutionEngine/CompiledModule.h"
#include "CheckFailure.h"
#include "MemRefArguments.h"
#include "Watch.h"
#include "fpa/Reference/Reference.h"
#include "fpa/Runtime/Runtime.h"
#include "fpa/Target/Codegen.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static std::string callName(StringRef entry) {
  return ("fpa_call_" + entry).str();
}

/// `void fpa_call_<entry>(void **arguments)`: the entry's C interface.
static Error addCallFunction(llvm::Module &module, StringRef entry) {
  llvm::Function *callee = module.getFunction(("_mlir_ciface_" + entry).str());
  if (!callee)
    return createStringError("entry '" + entry + "' has no C interface");
  addPackedEntry(*callee, callName(entry), /*asTheyAre=*/true);
  return Error::success();
}

CompiledModule::CompiledModule() = default;
CompiledModule::~CompiledModule() = default;

void CompiledModule::readRules(func::FuncOp entry, ShapeRules &rules) {
  SmallVector<ShapeRules::LateRule> late;
  rules = ShapeRules::collect(entry, late);
  insertSizeChecks(entry, late, int64_t(lateRules.size()));
  for (ShapeRules::LateRule &rule : late)
    lateRules.push_back(std::move(rule.rule));
  insertRoomChecks(entry, lateRules);
}

Error CompiledModule::readEntries(ModuleOp module, ArrayRef<StringRef> names,
                                  const CompileOptions &options) {
  if (Error error = prepareEntries(module, names))
    return error;
  // Checks divide too, by nothing that could be 0.
  SmallVector<Operation *> divisions = findDivisions(module);
  // Rules come from the program as written, types from the one that runs.
  for (StringRef name : names)
    readRules(module.lookupSymbol<func::FuncOp>(name), entries[name].rules);
  int64_t rules = int64_t(lateRules.size());
  // The reference computes in another type, beside the program that checks.
  if (!options.reference)
    for (StringRef name : names)
      llvm::append_range(
          smoothChecks,
          insertSmoothChecks(module.lookupSymbol<func::FuncOp>(name),
                             rules + int64_t(smoothChecks.size())));
  int64_t checks = rules + int64_t(smoothChecks.size());
  assertions = replaceAssertions(module, checks);
  llvm::append_range(assertions,
                     insertDivisionChecks(module, divisions,
                                          checks + int64_t(assertions.size())));
  if (options.reference)
    if (Error error = convertToReference(module))
      return error;
  for (StringRef name : names) {
    Expected<EntrySignature> signature = readSignature(
        module.lookupSymbol<func::FuncOp>(name), AllowBuffers::Inputs);
    if (!signature)
      return signature.takeError();
    entries[name].signature = std::move(*signature);
  }
  return Error::success();
}

Expected<std::unique_ptr<CompiledModule>>
CompiledModule::load(ModuleOp module, ArrayRef<StringRef> names,
                     const CompileOptions &options, StringRef object) {
  std::unique_ptr<CompiledModule> result(new CompiledModule());
  if (Error error = result->readEntries(module, names, options))
    return std::move(error);
  result->object.assign(object.begin(), object.end());
  if (Error error = result->link())
    return std::move(error);
  return std::move(result);
}

Expected<std::unique_ptr<CompiledModule>>
CompiledModule::compile(ModuleOp module, ArrayRef<StringRef> names,
                        const CompileOptions &options) {
  std::unique_ptr<CompiledModule> result(new CompiledModule());
  Watch watch(&result->stages);
  if (Error error = result->readEntries(module, names, options))
    return std::move(error);
  watch.stage("entries");
  if (Error error = lowerToLLVMDialect(module, options, &result->stages))
    return std::move(error);

  Watch llvmWatch(&result->stages);
  auto machine =
      createTargetMachine(options.target, llvm::CodeGenOptLevel::Aggressive);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto llvmModule =
      translateToLLVMIR(module, context, options.target, **machine);
  if (!llvmModule)
    return llvmModule.takeError();
  for (StringRef name : names)
    if (Error error = addCallFunction(**llvmModule, name))
      return std::move(error);
  llvmWatch.stage("llvm ir");
  if (Error error = optimize(**llvmModule, **machine))
    return std::move(error);
  llvmWatch.stage("llvm passes");
  auto object = emitObject(**llvmModule, **machine);
  if (!object)
    return object.takeError();
  llvmWatch.stage("machine code");
  result->object = std::move(*object);
  if (Error error = result->link())
    return std::move(error);
  llvmWatch.stage("linking");
  return std::move(result);
}

Error CompiledModule::link() {
  using namespace llvm::orc;
  auto created =
      LLJITBuilder().setPlatformSetUp(setUpInactivePlatform).create();
  if (!created)
    return created.takeError();
  jit = std::move(*created);
  // What is missing is reported to the session, not with the error.
  auto reported = std::make_shared<std::string>();
  jit->getExecutionSession().setErrorReporter([reported](Error error) {
    std::string text = toString(std::move(error));
    if (reported->empty())
      *reported = text;
  });
  SymbolMap runtime;
  auto add = [&](StringRef name, auto *function) {
    runtime[jit->mangleAndIntern(name)] = {ExecutorAddr::fromPtr(function),
                                           llvm::JITSymbolFlags::Exported};
  };
  add("fpa_parallel_for", fpa_parallel_for);
  add("fpa_check_failed", fpa_check_failed);
  add("_mlir_memref_to_llvm_alloc", _mlir_memref_to_llvm_alloc);
  add("_mlir_memref_to_llvm_aligned_alloc", _mlir_memref_to_llvm_aligned_alloc);
  add("_mlir_memref_to_llvm_free", _mlir_memref_to_llvm_free);
  for (const reference::Symbol &symbol : reference::getSymbols())
    runtime[jit->mangleAndIntern(symbol.name)] = {
        ExecutorAddr::fromPtr(symbol.address), llvm::JITSymbolFlags::Exported};
  JITDylib &library = jit->getMainJITDylib();
  if (Error error = library.define(absoluteSymbols(std::move(runtime))))
    return error;
  if (Error error = jit->addObjectFile(
          llvm::MemoryBuffer::getMemBufferCopy(getObject(), "fpa")))
    return error;
  for (auto &entry : entries) {
    auto address = jit->lookup(callName(entry.getKey()));
    if (!address && !reported->empty()) {
      llvm::consumeError(address.takeError());
      return createStringError(*reported);
    }
    if (!address)
      return address.takeError();
    entry.getValue().address = address->toPtr<void *>();
  }
  return Error::success();
}

const EntrySignature *CompiledModule::getSignature(StringRef name) const {
  auto entry = entries.find(name);
  return entry == entries.end() ? nullptr : &entry->getValue().signature;
}

Error CompiledModule::check(StringRef name, ArrayRef<Tensor> inputs) const {
  auto entry = entries.find(name);
  if (entry == entries.end())
    return createStringError("no entry '" + name + "' in the compiled module");
  if (Error error = checkInputs(entry->getValue().signature, inputs))
    return error;
  return entry->getValue().rules.check(inputs);
}

int64_t CompiledModule::getMemoryPeak() const { return fpa_memory_peak(); }

Error CompiledModule::describe(const fpa_failure &failure) const {
  if (failure.bytes)
    return createStringError(std::make_error_code(std::errc::not_enough_memory),
                             "out of memory, could not get " +
                                 llvm::Twine(failure.bytes) + " bytes");
  size_t number = failure.check;
  size_t afterChecks = lateRules.size() + smoothChecks.size();
  if (number >= afterChecks)
    return createStringError(assertions[number - afterChecks]);
  if (number >= lateRules.size())
    return smoothChecks[number - lateRules.size()].judge(
        llvm::bit_cast<double>(failure.size));
  const ShapeRules::Rule &rule = lateRules[number];
  return createStringError(rule.describe(
      rule.findBroken(failure.size, failure.first, failure.second),
      llvm::Twine(failure.size)));
}

Expected<SmallVector<Tensor>>
CompiledModule::invoke(StringRef name, ArrayRef<Tensor> inputs) const {
  if (Error error = check(name, inputs))
    return std::move(error);
  const Entry &entry = entries.find(name)->getValue();
  MemRefArguments arguments(entry.signature, inputs);
  std::pair<void (*)(void **), void **> call(
      reinterpret_cast<void (*)(void **)>(entry.address), arguments.get());
  auto run = [](void *context) {
    auto [function, words] = *static_cast<decltype(call) *>(context);
    function(words);
  };
  fpa_failure failure;
  if (fpa_call(run, &call, &failure))
    return describe(failure);
  return arguments.takeResults();
}
