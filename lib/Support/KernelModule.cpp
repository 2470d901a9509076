//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/KernelModule.h"

using namespace mlir;

/// The first name that is free or a module of kernels, and that module.
static std::pair<std::string, mlir::gpu::GPUModuleOp> look(ModuleOp module) {
  std::string name = "kernels";
  for (int64_t number = 0;; ++number) {
    Operation *symbol = module.lookupSymbol(name);
    auto kernels = dyn_cast_or_null<mlir::gpu::GPUModuleOp>(symbol);
    if (!symbol || kernels)
      return {name, kernels};
    name = "kernels_" + std::to_string(number);
  }
}

mlir::gpu::GPUModuleOp fpa::findKernelModule(ModuleOp module) {
  return look(module).second;
}

mlir::gpu::GPUModuleOp fpa::getKernelModule(ModuleOp module) {
  auto [name, kernels] = look(module);
  if (kernels)
    return kernels;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  return mlir::gpu::GPUModuleOp::create(b, module.getLoc(), name);
}
