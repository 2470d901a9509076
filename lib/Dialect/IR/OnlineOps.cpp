//===- OnlineOps.cpp - Attention one key tile at a time -------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandChecks.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fpa;

// [O11] Results are checked by DestinationStyleOpInterface.
LogicalResult OnlineAttentionOp::verify() {
  // [O1]
  if (failed(verifyOutCount(*this, getOuts().size(), 4, 4,
                            "accumulator, maximum, sum, minimum")))
    return failure();
  Type element = getElementTypeOrSelf(getQuery());
  Type accumulator = element.isF64() ? element : Float32Type::get(getContext());
  Type index = IntegerType::get(getContext(), 64);
  // [O2] containers and ranks, [O3] element types and sizes.
  OperandChecks checks(*this);
  checks.add("query", getQuery(), {"M", "D"}, getFloatTypes(getContext()));
  checks.add("key", getKey(), {"N", "D"}, element);
  checks.add("value", getValue(), {"N", "Dv"}, element);
  checks.add("field", getField(), {"N"}, accumulator);
  checks.add("level", getLevel(), {"N"}, accumulator);
  checks.add("suffix", getSuffix(), {"N"}, accumulator);
  checks.add("first", getFirst(), {"M"}, index);
  checks.add("last", getLast(), {"M"}, index);
  checks.add("accumulator", getAccumulator(), {"S", "Dv"}, accumulator);
  checks.add("maximum", getMaximum(), {"S"}, accumulator);
  checks.add("sum", getSum(), {"S"}, accumulator);
  checks.add("minimum", getMinimum(), {"S"}, accumulator);
  // [O4], [O5]
  if (failed(checks.verify()) || failed(checks.verifyStateRows()) ||
      failed(verifyInterval(*this, {{"first", getFirst()},
                                    {"last", getLast()},
                                    {"key_offset", getKeyOffset()}})))
    return failure();
  // [O6]
  if (failed(verifyNonIncreasing(*this, getNonIncreasing(), getField(),
                                 getLevel())))
    return failure();
  if (getSuffix() && !getField())
    return emitOpError("expected field where suffix is given, got none");
  // [O7]
  if (failed(verifyScale(*this, getScale())))
    return failure();
  return verifySmooth(*this, getSmooth());
}

LogicalResult OnlineFinalizeOp::verify() {
  // [O8]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 2, "output, lse")))
    return failure();
  // [O9] containers, ranks, element types and sizes.
  Type accumulator = getElementTypeOrSelf(getAccumulator());
  Type accumulators[] = {Float32Type::get(getContext()),
                         Float64Type::get(getContext())};
  OperandChecks checks(*this);
  checks.add("accumulator", getAccumulator(), {"S", "Dv"}, accumulators);
  checks.add("maximum", getMaximum(), {"S"}, accumulator);
  checks.add("sum", getSum(), {"S"}, accumulator);
  checks.add("output", getOuts()[0], {"M", "Dv"}, getFloatTypes(getContext()));
  if (getOuts().size() == 2)
    checks.add("lse", getOuts()[1], {"M"}, accumulator);
  if (failed(checks.verify()))
    return failure();
  // [O10] O4 for this op.
  return checks.verifyStateRows();
}
