//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "Hooks.h"
#include "fpa/Target/Codegen.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Error;
using llvm::Expected;

HostCode::HostCode() = default;
HostCode::~HostCode() = default;

static std::string entryName(StringRef kernel) {
  return ("fpa_emulate_" + kernel).str();
}

Error HostCode::link(llvm::SmallVector<char, 0> object,
                     const InstrumentedKernels &kernels) {
  using namespace llvm::orc;
  auto created =
      LLJITBuilder().setPlatformSetUp(setUpInactivePlatform).create();
  if (!created)
    return created.takeError();
  jit = std::move(*created);
  SymbolMap symbols;
  auto add = [&](StringRef name, void *address) {
    symbols[jit->mangleAndIntern(name)] = {ExecutorAddr::fromPtr(address),
                                           llvm::JITSymbolFlags::Exported};
  };
  for (ArrayRef<DeviceFunction> functions :
       {getHooks(), getLibraryFunctions(), getCompilerFunctions()})
    for (const DeviceFunction &function : functions)
      add(function.name, function.address);
  for (const DeviceFunction &intrinsic : getIntrinsicFunctions())
    add(getHostName(intrinsic), intrinsic.address);
  if (Error error =
          jit->getMainJITDylib().define(absoluteSymbols(std::move(symbols))))
    return error;
  if (Error error = jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(
          StringRef(object.data(), object.size()), "fpa-emulator")))
    return error;
  for (const InstrumentedKernels::Kernel &kernel : kernels.kernels) {
    auto address = jit->lookup(entryName(kernel.name));
    if (!address)
      return address.takeError();
    entries[kernel.name] = address->toPtr<Entry>();
  }
  constants = kernels.constants;
  for (Constant &constant : constants) {
    auto address = jit->lookup(constant.name);
    if (!address)
      return address.takeError();
    constant.begin = address->getValue();
  }
  return Error::success();
}

Expected<std::unique_ptr<HostCode>>
HostCode::compile(InstrumentedKernels &kernels) {
  std::unique_ptr<HostCode> result(new HostCode());
  Expected<CPUTarget> target = getCPUTarget("host");
  if (!target)
    return target.takeError();
  // These round to bf16 and flush subnormal numbers, even where functions only
  // return them; without them it is compilerToBFloat that rounds.
  if (llvm::Triple(target->triple).isX86())
    target->features += ",-avx512bf16,-avxneconvert";
  auto machine = createTargetMachine(*target, llvm::CodeGenOptLevel::Less);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto module = translateToLLVMIR(*kernels.module, context, *target, **machine);
  if (!module)
    return module.takeError();
  for (const InstrumentedKernels::Kernel &kernel : kernels.kernels)
    addPackedEntry(*(*module)->getFunction(kernel.name), entryName(kernel.name),
                   /*asTheyAre=*/false);
  // A kernel runs once or twice: more work here is not won back.
  if (Error error = optimize(**module, **machine, /*level=*/1))
    return std::move(error);
  auto object = emitObject(**module, **machine);
  if (!object)
    return object.takeError();
  if (Error error = result->link(std::move(*object), kernels))
    return std::move(error);
  return std::move(result);
}
