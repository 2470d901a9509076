//===- ParallelCallOp.cpp - Calls over a range on all threads -------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::fpa;

LogicalResult
ParallelCallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  // [C1]
  Operation *symbol =
      symbolTable.lookupNearestSymbolFrom(*this, getCalleeAttr());
  auto callee = dyn_cast_or_null<FunctionOpInterface>(symbol);
  if (!callee)
    return emitOpError("expected callee to be a function, got ")
           << getCalleeAttr() << (symbol ? "" : ", which is not defined");
  // A function that was already lowered to another function type has lost the
  // types this op still has.
  auto type = dyn_cast<FunctionType>(callee.getFunctionType());
  if (!type)
    return success();
  // [C2]
  SmallVector<Type> expected = {IndexType::get(getContext())};
  llvm::append_range(expected, getArgs().getTypes());
  if (type.getInputs() != ArrayRef<Type>(expected))
    return emitOpError("expected callee to take ")
           << expected << ", got " << type.getInputs();
  // [C3]
  if (type.getNumResults() != 0)
    return emitOpError("expected callee to return nothing, got ")
           << type.getResults();
  return success();
}
