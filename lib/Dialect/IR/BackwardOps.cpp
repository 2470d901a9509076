//===- BackwardOps.cpp - Gradients one key tile at a time -----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileChecks.h"
#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

// [G12] Results are checked by DestinationStyleOpInterface.

LogicalResult PassFieldOp::verify() {
  // [G1]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 1, "minimum")))
    return failure();
  // [G2] containers, ranks, element types and sizes.
  Type element = getElementTypeOrSelf(getField());
  OperandChecks checks(*this);
  checks.add("field", getField(), {"N"}, getAccumulatorTypes(getContext()));
  checks.add("suffix", getSuffix(), {"N"}, element);
  checks.add("last", getLast(), {"M"}, IntegerType::get(getContext(), 64));
  checks.add("minimum", getOuts()[0], {"S"}, element);
  // [G3]
  if (failed(checks.verify()) || failed(checks.verifyStateRows()))
    return failure();
  // [G4]
  return verifyInterval(*this,
                        {{"last", getLast()}, {"key_offset", getKeyOffset()}});
}

/// [G9] What belongs to a field, where there is none; null if nothing does.
static StringRef findWithoutField(BackwardTileOp op) {
  if (op.getField())
    return {};
  if (op.getLevel())
    return "level";
  if (op.getSuffix())
    return "suffix";
  if (op.getMinimum())
    return "minimum";
  return op.hasFieldGradient() ? "a gradient of it" : StringRef();
}

LogicalResult BackwardTileOp::verify() {
  // [G5]
  size_t count = getOuts().size();
  if (count != 3 && count != 7)
    return emitOpError("expected 3 or 7 outs (gradients of query, key and "
                       "value, carry, gradients of level, suffix and field), "
                       "got ")
           << count;
  Type element = getElementTypeOrSelf(getQuery());
  Type accumulator = getAccumulatorType(element);
  // [G6] containers, ranks, element types and sizes.
  OperandChecks checks(*this);
  addProductOperands(checks, *this);
  checks.add("output", getOutput(), {"M", "Dv"}, element);
  checks.add("output_gradient", getOutputGradient(), {"M", "Dv"}, element);
  checks.add("lse", getLse(), {"M"}, accumulator);
  checks.add("lse_gradient", getLseGradient(), {"M"}, accumulator);
  addPenaltyOperands(checks, *this);
  checks.add("minimum", getMinimum(), {"S"}, accumulator);
  addIntervalOperands(checks, *this);
  checks.add("query gradient", getQueryGradient(), {"S", "D"}, accumulator);
  checks.add("key gradient", getKeyGradient(), {"N", "D"}, accumulator);
  checks.add("value gradient", getValueGradient(), {"N", "Dv"}, accumulator);
  if (hasFieldGradient()) {
    checks.add("carry", getCarry(), {"S"}, accumulator);
    checks.add("level gradient", getLevelGradient(), {"N"}, accumulator);
    checks.add("suffix gradient", getSuffixGradient(), {"N"}, accumulator);
    checks.add("field gradient", getFieldGradient(), {"N"}, accumulator);
  }
  // [G7], [G8]
  if (failed(checks.verify()) || failed(checks.verifyStateRows()) ||
      failed(verifyTileInterval(*this)))
    return failure();
  // [G9]
  if (StringRef given = findWithoutField(*this); !given.empty())
    return emitOpError("expected field where ")
           << given << " is given, got none";
  if (getField() && !getMinimum())
    return emitOpError("expected minimum where field is given, got none");
  // [G10]
  if (failed(verifyScale(*this, getScale(), accumulator)))
    return failure();
  return verifySmooth(*this, getSmooth(), accumulator);
}

LogicalResult BackwardFinalizeOp::verify() {
  // [G11]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 1, "gradient")))
    return failure();
  OperandChecks checks(*this);
  checks.add("accumulator", getAccumulator(), {"S", "D"},
             getAccumulatorTypes(getContext()));
  checks.add("gradient", getOuts()[0], {"M", "D"}, getFloatTypes(getContext()));
  if (failed(checks.verify()) || failed(checks.verifyStateRows()))
    return failure();
  return verifyScale(*this, getScale(), getElementTypeOrSelf(getAccumulator()));
}
