//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

FailureOr<SmallVector<Value>> OnlineAttentionOp::decomposeOperation(OpBuilder &) { return failure(); }
FailureOr<SmallVector<Value>> OnlineFinalizeOp::decomposeOperation(OpBuilder &) { return failure(); }
