//===- VectorScanOp.cpp - Scan of a vector --------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandChecks.h"
#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

LogicalResult VectorScanOp::verify() {
  auto source = cast<VectorType>(getSource().getType());
  auto init = cast<VectorType>(getInit().getType());
  // [V1]
  if (source.getRank() == 0)
    return emitOpError("expected source of rank at least 1, got ") << source;
  int64_t axis = getAxis();
  if (axis < 0 || axis >= source.getRank())
    return emitOpError("expected axis from 0 to ")
           << source.getRank() - 1 << ", got " << axis;
  // [V2]
  if (failed(verifyElementType(*this, "source", source,
                               getFloatTypes(getContext()))))
    return failure();
  // [V3]
  VectorType expected = VectorType::Builder(source).dropDim(axis);
  if (init != expected)
    return emitOpError("expected init of the source's type without the axis, ")
           << expected << ", got " << init;
  return success();
}
