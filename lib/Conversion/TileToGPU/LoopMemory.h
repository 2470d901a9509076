//===- LoopMemory.h - What iterations leave for later ones ------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOGPU_LOOPMEMORY_H
#define FPA_LIB_CONVERSION_TILETOGPU_LOOPMEMORY_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::fpa::simt {

/// False if `read`, in the body of `loop`, never sees what an earlier iteration
/// has written, so that it may take place before that iteration.
bool maySeeEarlierWrites(scf::ForOp loop, vector::TransferReadOp read);

} // namespace mlir::fpa::simt

#endif // FPA_LIB_CONVERSION_TILETOGPU_LOOPMEMORY_H
