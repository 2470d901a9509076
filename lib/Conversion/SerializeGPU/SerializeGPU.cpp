//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/Passes.h"
#include "fpa/Target/NVPTX.h"
#include "fpa/Target/PTXAssembler.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_SERIALIZEGPU
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace {
struct SerializeGPU : public mlir::fpa::impl::SerializeGPUBase<SerializeGPU> {
  using SerializeGPUBase::SerializeGPUBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    SerializeGPUBase::getDependentDialects(registry);
    mlir::fpa::registerNVPTXTranslations(registry);
  }

  void runOnOperation() override {
    Expected<mlir::fpa::GPUTarget> target = mlir::fpa::getGPUTarget(chip);
    Error problem = target ? Error::success() : target.takeError();
    if (!problem && format != "isa" && format != "cubin")
      problem = createStringError("expected format isa (PTX) or cubin, got '" +
                                  StringRef(format) + "'");
    if (problem) {
      emitError(getOperation().getLoc(), toString(std::move(problem)));
      return signalPassFailure();
    }
    for (auto module :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (Error error = serialize(module, *target)) {
        emitError(module.getLoc(), toString(std::move(error)));
        return signalPassFailure();
      }
  }

private:
  Error serialize(gpu::GPUModuleOp module, const mlir::fpa::GPUTarget &target);
  DictionaryAttr describe(ArrayRef<mlir::fpa::runtime::Kernel> kernels);
};
} // namespace

DictionaryAttr
SerializeGPU::describe(ArrayRef<mlir::fpa::runtime::Kernel> kernels) {
  Builder b(&getContext());
  SmallVector<NamedAttribute> attributes;
  for (const mlir::fpa::runtime::Kernel &kernel : kernels)
    attributes.push_back(b.getNamedAttr(
        kernel.name,
        b.getDictionaryAttr(
            {b.getNamedAttr("registers", b.getI64IntegerAttr(kernel.registers)),
             b.getNamedAttr("spill_stores",
                            b.getI64IntegerAttr(kernel.spillStores)),
             b.getNamedAttr("spill_loads",
                            b.getI64IntegerAttr(kernel.spillLoads)),
             b.getNamedAttr("local_bytes",
                            b.getI64IntegerAttr(kernel.localBytes)),
             b.getNamedAttr("shared_bytes",
                            b.getI64IntegerAttr(kernel.sharedBytes))})));
  return b.getDictionaryAttr(attributes);
}

Error SerializeGPU::serialize(gpu::GPUModuleOp module,
                              const mlir::fpa::GPUTarget &target) {
  auto machine = mlir::fpa::createNVPTXTargetMachine(target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto llvmModule =
      mlir::fpa::translateToNVPTX(module, context, target, **machine);
  if (!llvmModule)
    return llvmModule.takeError();
  Expected<std::string> code = mlir::fpa::emitPTX(**llvmModule, **machine);
  if (!code)
    return code.takeError();
  DictionaryAttr properties;
  if (format == "cubin") {
    auto assembler = mlir::fpa::findPTXAssembler(toolkit, target);
    if (!assembler)
      return assembler.takeError();
    auto assembled = mlir::fpa::assemble(*code, *assembler, target);
    if (!assembled)
      return assembled.takeError();
    *code = std::move(assembled->cubin);
    properties = describe(assembled->kernels);
  }
  OpBuilder builder(module);
  auto targetAttr = NVVM::NVVMTargetAttr::get(
      &getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda", target.chip,
      target.getFeatures());
  Attribute object =
      gpu::ObjectAttr::get(targetAttr,
                           format == "isa" ? gpu::CompilationTarget::Assembly
                                           : gpu::CompilationTarget::Binary,
                           builder.getStringAttr(*code), properties);
  gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                        /*offloadingHandler=*/Attribute(),
                        ArrayRef<Attribute>(object));
  module.erase();
  return Error::success();
}
