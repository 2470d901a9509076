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

/// [O4] The state may have rows to spare, never too few: S >= M.
static LogicalResult verifyStateRows(Operation *op, OperandChecks &checks) {
  int64_t rows = checks.getSize("M");
  return ShapedType::isDynamic(rows) ? success()
                                     : checks.verifyAtLeast("S", rows);
}

/// [O5] first, last and key_offset come together.
static LogicalResult verifyInterval(OnlineAttentionOp op) {
  std::pair<StringRef, Value> parts[] = {{"first", op.getFirst()},
                                         {"last", op.getLast()},
                                         {"key_offset", op.getKeyOffset()}};
  StringRef given;
  for (auto [name, value] : parts)
    if (value && given.empty())
      given = name;
  for (auto [name, value] : parts)
    if (!value && !given.empty())
      return op.emitOpError("expected ")
             << name << " where " << given << " is given, got none";
  return success();
}

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
  if (failed(checks.verify()) || failed(verifyStateRows(*this, checks)) ||
      failed(verifyInterval(*this)))
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
  return verifyStateRows(*this, checks);
}
