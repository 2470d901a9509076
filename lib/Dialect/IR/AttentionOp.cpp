//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

FloatType AttentionOp::getAccumulatorType() {
  Type element = getQueryType().getElementType();
  if (element.isF64())
    return cast<FloatType>(element);
  return Float32Type::get(getContext());
}

double AttentionOp::getScaleValue() {
  if (auto scale = getScale())
    return scale->convertToDouble();
  return 1.0 / std::sqrt(double(getQueryType().getDimSize(3)));
}

LogicalResult AttentionOp::verify() { return success(); }

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &,
                                              MLIRContext *) {}
