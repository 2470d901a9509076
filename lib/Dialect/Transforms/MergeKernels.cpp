//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Support/KernelModule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_MERGEKERNELS
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;

namespace {
struct MergeKernels : public fpa::impl::MergeKernelsBase<MergeKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto merged = fpa::findKernelModule(module);
    SmallVector<gpu::GPUModuleOp> sources;
    for (auto source : module.getOps<gpu::GPUModuleOp>())
      if (source != merged)
        sources.push_back(source);
    if (sources.empty())
      return;
    for (gpu::GPUModuleOp source : sources)
      for (Operation &op : *source.getBody())
        if (!isa<gpu::GPUFuncOp>(op)) {
          op.emitOpError("expected a module of kernels only");
          return signalPassFailure();
        }

    merged = fpa::getKernelModule(module);
    SymbolTable kernels(merged);
    DenseMap<Attribute, SymbolRefAttr> moved;
    StringAttr mergedName = merged.getNameAttr();
    for (gpu::GPUModuleOp source : sources)
      for (auto kernel :
           llvm::make_early_inc_range(source.getOps<gpu::GPUFuncOp>())) {
        auto before = SymbolRefAttr::get(
            source.getNameAttr(), SymbolRefAttr::get(kernel.getNameAttr()));
        kernel->remove();
        StringAttr name = kernels.insert(kernel);
        moved[before] =
            SymbolRefAttr::get(mergedName, SymbolRefAttr::get(name));
        ++numKernels;
      }
    module.walk([&](gpu::LaunchFuncOp launch) {
      if (SymbolRefAttr now = moved.lookup(launch.getKernel()))
        launch.setKernelAttr(now);
    });
    for (gpu::GPUModuleOp source : sources)
      source.erase();
  }
};
} // namespace
