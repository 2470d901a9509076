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

/// [O4] first, last and key_offset come together.
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
  checks.add("accumulator", getAccumulator(), {"M", "Dv"}, accumulator);
  checks.add("maximum", getMaximum(), {"M"}, accumulator);
  checks.add("sum", getSum(), {"M"}, accumulator);
  checks.add("minimum", getMinimum(), {"M"}, accumulator);
  if (failed(checks.verify()) || failed(verifyInterval(*this)))
    return failure();
  // [O5]
  if (failed(verifyNonIncreasing(*this, getNonIncreasing(), getField(),
                                 getLevel())))
    return failure();
  if (getSuffix() && !getField())
    return emitOpError("expected field where suffix is given, got none");
  // [O6]
  if (failed(verifyScale(*this, getScale())))
    return failure();
  return verifySmooth(*this, getSmooth());
}

LogicalResult OnlineFinalizeOp::verify() {
  // [O7]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 2, "output, lse")))
    return failure();
  // [O8] containers, ranks, element types and sizes.
  Type accumulator = getElementTypeOrSelf(getAccumulator());
  Type accumulators[] = {Float32Type::get(getContext()),
                         Float64Type::get(getContext())};
  OperandChecks checks(*this);
  checks.add("accumulator", getAccumulator(), {"M", "Dv"}, accumulators);
  checks.add("maximum", getMaximum(), {"M"}, accumulator);
  checks.add("sum", getSum(), {"M"}, accumulator);
  checks.add("output", getOuts()[0], {"M", "Dv"}, getFloatTypes(getContext()));
  if (getOuts().size() == 2)
    checks.add("lse", getOuts()[1], {"M"}, accumulator);
  return checks.verify();
}
