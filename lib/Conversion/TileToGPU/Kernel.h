//===- Kernel.h - A parallel loop as a GPU kernel ---------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOGPU_KERNEL_H
#define FPA_LIB_CONVERSION_TILETOGPU_KERNEL_H

#include "Distribute.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fpa::simt {

/// Replaces `forall` by the launch of a kernel in which a block of threads
/// carries out one iteration. Fails with an error where a block would need more
/// than `sharedLimit` bytes of shared memory, unless that is 0.
LogicalResult convertToKernel(scf::ForallOp forall, KernelShape shape,
                              int64_t sharedLimit);

} // namespace mlir::fpa::simt

#endif // FPA_LIB_CONVERSION_TILETOGPU_KERNEL_H
