//===- Kernel.h - A parallel loop as a GPU kernel ---------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOGPU_KERNEL_H
#define FPA_LIB_CONVERSION_TILETOGPU_KERNEL_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fpa::simt {

/// Replaces `forall` by the launch of a kernel in which a block of `warps`
/// warps carries out one iteration.
LogicalResult convertToKernel(scf::ForallOp forall, int64_t warps,
                              int64_t stages);

} // namespace mlir::fpa::simt

#endif // FPA_LIB_CONVERSION_TILETOGPU_KERNEL_H
