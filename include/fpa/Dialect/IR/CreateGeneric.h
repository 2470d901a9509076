//===- CreateGeneric.h - linalg.generic of one result -----------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_CREATEGENERIC_H
#define FPA_DIALECT_IR_CREATEGENERIC_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Builders.h"

namespace mlir::fpa {

/// A linalg.generic on tensors that writes into `out`. `maps` are those of
/// `ins`, then that of `out`; so are the elements that `body` gets. While it
/// runs, `b` inserts into the op's region.
Value createGeneric(OpBuilder &b, Location loc, ArrayRef<Value> ins, Value out,
                    ArrayRef<AffineMap> maps,
                    ArrayRef<utils::IteratorType> kinds,
                    function_ref<Value(ValueRange)> body);

/// `init`, a tensor, filled with 0.
Value fillWithZero(OpBuilder &b, Location loc, Value init);

} // namespace mlir::fpa

#endif // FPA_DIALECT_IR_CREATEGENERIC_H
