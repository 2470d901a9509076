//===- FpaDialect.h - The fpa dialect ---------------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_FPADIALECT_H
#define FPA_DIALECT_IR_FPADIALECT_H

#include "mlir/IR/Dialect.h"

#include "fpa/Dialect/IR/FpaOpsDialect.h.inc"

#endif // FPA_DIALECT_IR_FPADIALECT_H
