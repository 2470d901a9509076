//===- KernelModule.h - Where kernels go ------------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_SUPPORT_KERNELMODULE_H
#define FPA_SUPPORT_KERNELMODULE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fpa {

/// The module that all kernels of a program are gathered in: `@kernels`, or
/// `@kernels_0` and so on where something else has that name. Null if there is
/// none.
mlir::gpu::GPUModuleOp findKernelModule(ModuleOp module);

/// The same, made at the end of the program if there is none.
mlir::gpu::GPUModuleOp getKernelModule(ModuleOp module);

} // namespace mlir::fpa

#endif // FPA_SUPPORT_KERNELMODULE_H
