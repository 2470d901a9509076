//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Support/Diagnostics.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Error;
using llvm::Expected;

/// Ops that only a pipeline, or a program written for one machine, has.
static bool isForMachine(Operation *op) {
  return isa_and_present<gpu::GPUDialect, nvgpu::NVGPUDialect,
                         NVVM::NVVMDialect>(op->getDialect()) ||
         isa<ParallelCallOp, memref::DeallocOp>(op);
}

Expected<OwningOpRef<ModuleOp>> mlir::fpa::prepareReference(ModuleOp module,
                                                            StringRef entry) {
  OwningOpRef<ModuleOp> copy = module.clone();
  if (Error error = prepareEntries(*copy, {entry}))
    return std::move(error);
  Operation *found = nullptr;
  copy->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isForMachine(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  if (found)
    return makeError(found->getLoc(),
                     ("option --compare: expected the program as it is before "
                      "its pipeline (the graph), got '" +
                      found->getName().getStringRef() + "'")
                         .str());
  return std::move(copy);
}

Expected<SmallVector<Tensor>> mlir::fpa::runReference(ModuleOp module,
                                                      StringRef entry,
                                                      CompileOptions compile,
                                                      ArrayRef<Tensor> inputs) {
  compile.reference = true;
  compile.pipeline.clear();
  auto compiled = CompiledModule::compile(module, {entry}, compile);
  if (!compiled)
    return compiled.takeError();
  SmallVector<Tensor> promoted;
  for (const Tensor &input : inputs) {
    Expected<Tensor> tensor = isFloat(input.getKind())
                                  ? input.convertTo(ElementKind::F64)
                                  : Expected<Tensor>(input);
    if (!tensor)
      return tensor.takeError();
    promoted.push_back(std::move(*tensor));
  }
  return (*compiled)->invoke(entry, promoted);
}
