//===- MemoryAccess.h - Which accesses may meet -----------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_MEMORYACCESS_H
#define FPA_DIALECT_IR_MEMORYACCESS_H

#include "mlir/IR/Operation.h"

namespace mlir::fpa {

/// The memref that `memory` is a part or another shape of.
Value getRoot(Value memory);

/// False for parts of different allocations or function arguments: as in
/// bufferization, arguments are taken not to overlap. Null is any memory.
bool mayOverlap(Value a, Value b);

/// True when `op`, or an op inside of it, may write to `memory`.
bool mayWrite(Operation *op, Value memory);

} // namespace mlir::fpa

#endif // FPA_DIALECT_IR_MEMORYACCESS_H
