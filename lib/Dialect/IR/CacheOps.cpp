//===- CacheOps.cpp - Decoding with a cache of live keys ------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileChecks.h"
#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

/// [E5], [E18] What is evicted: nothing at +inf.
static LogicalResult verifyThreshold(Operation *op, const APFloat &threshold) {
  double value = threshold.convertToDouble();
  if (value >= 0)
    return success();
  return op->emitOpError("expected evict_above to be at least 0, got ")
         << value;
}

// [E4] Results are checked by DestinationStyleOpInterface.
LogicalResult LiveKeysOp::verify() {
  // [E1]
  if (failed(verifyOutCount(*this, getOuts().size(), 3, 3,
                            "penalty, count, order")))
    return failure();
  // [E2] containers, ranks and sizes, [E3] element types.
  Type type = getElementTypeOrSelf(getField());
  Type index = IntegerType::get(getContext(), 64);
  OperandChecks checks(*this);
  checks.add("field", getField(), {"B", "HF", "Lk"},
             getAccumulatorTypes(getContext()));
  checks.add("level", getLevel(), {"B", "HF", "Lk"}, type);
  checks.add("penalty", getOuts()[0], {"B", "HF", "Lk"}, type);
  checks.add("count", getOuts()[1], {"B", "HF"}, index);
  checks.add("order", getOuts()[2], {"B", "HF", "Lk"}, index);
  if (failed(checks.verify()))
    return failure();
  return verifyThreshold(*this, getEvictAbove());
}

/// Declares the new tokens, whose element type is that of the key.
template <typename Op> static void addTokens(OperandChecks &checks, Op op) {
  Type element = getElementTypeOrSelf(op.getKey());
  Type wide = getAccumulatorType(element);
  checks.add("key", op.getKey(), {"B", "HK", "T", "D"},
             getFloatTypes(op.getContext()));
  checks.add("value", op.getValue(), {"B", "HK", "T", "Dv"}, element);
  checks.add("field", op.getField(), {"B", "HK", "T"}, wide);
  checks.add("level", op.getLevel(), {"B", "HK", "T"}, wide);
  checks.add("lengths", op.getLengths(), {"B"},
             IntegerType::get(op.getContext(), 64));
}

/// Declares what a cache holds.
template <typename Op> static void addCache(OperandChecks &checks, Op op) {
  Type element = getElementTypeOrSelf(op.getKey());
  Type wide = getAccumulatorType(element);
  checks.add("cached_key", op.getCachedKey(), {"B", "HK", "C", "D"}, element);
  checks.add("cached_value", op.getCachedValue(), {"B", "HK", "C", "Dv"},
             element);
  checks.add("cached_level", op.getCachedLevel(), {"B", "HK", "C"}, wide);
  checks.add("cached_minimum", op.getCachedMinimum(), {"B", "HK", "C"}, wide);
  checks.add("count", op.getCount(), {"B", "HK"},
             IntegerType::get(op.getContext(), 64));
}

// [E12] Results are checked by DestinationStyleOpInterface.
LogicalResult CachedAttentionOp::verify() {
  // [E6]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 2, "output, lse")))
    return failure();
  // [E7] containers, ranks and sizes, [E8] element types.
  Type element = getElementTypeOrSelf(getKey());
  Type wide = getAccumulatorType(element);
  OperandChecks checks(*this);
  addTokens(checks, *this);
  checks.add("query", getQuery(), {"B", "HQ", "T", "D"}, element);
  addCache(checks, *this);
  checks.add("output", getOutput(), {"B", "HQ", "T", "Dv"}, element);
  checks.add("lse", getLse(), {"B", "HQ", "T"}, wide);
  if (failed(checks.verify()))
    return failure();
  // [E9]
  for (StringRef dim : {"HK", "D", "Dv"})
    if (failed(checks.verifyAtLeast(dim, 1)))
      return failure();
  int64_t heads = checks.getSize("HQ"), own = checks.getSize("HK");
  if (!ShapedType::isDynamic(heads) && !ShapedType::isDynamic(own) &&
      heads % own != 0)
    return emitOpError("expected query dimension 1 (HQ) to be a multiple of "
                       "key dimension 1 (HK) of size ")
           << own << ", got " << heads;
  // [E10]
  if (failed(checks.verifyAtLeast("T", 1)))
    return failure();
  // [E11]
  return verifyScale(*this, getScale(), wide);
}

// [E17] Results are checked by DestinationStyleOpInterface.
LogicalResult UpdateCacheOp::verify() {
  // [E13]
  if (failed(
          verifyOutCount(*this, getOuts().size(), 5, 6,
                         "cached key, value, level, minimum, count, dropped")))
    return failure();
  // [E14] containers, ranks and sizes, [E15] element types.
  OperandChecks checks(*this);
  addTokens(checks, *this);
  addCache(checks, *this);
  checks.add("dropped", getDropped(), {"B", "HK", "3"},
             Float64Type::get(getContext()));
  if (failed(checks.verify()) || failed(checks.verifyAtLeast("D", 1)) ||
      failed(checks.verifyAtLeast("Dv", 1)))
    return failure();
  // [E16]
  if (Value dropped = getDropped()) {
    int64_t size = cast<ShapedType>(dropped.getType()).getDimSize(2);
    if (size != 3)
      return emitOpError("expected dropped dimension 2 of size 3, got ")
             << (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  }
  return verifyThreshold(*this, getEvictAbove());
}

// [O14] Results are checked by DestinationStyleOpInterface.
LogicalResult OnlineMergeOp::verify() {
  // [O12]
  if (failed(verifyOutCount(*this, getOuts().size(), 3, 3,
                            "accumulator, maximum, sum")))
    return failure();
  // [O13] containers, ranks, element types and sizes.
  Type type = getElementTypeOrSelf(getAccumulator());
  OperandChecks checks(*this);
  checks.add("accumulator", getAccumulator(), {"S", "Dv"},
             getAccumulatorTypes(getContext()));
  checks.add("maximum", getMaximum(), {"S"}, type);
  checks.add("sum", getSum(), {"S"}, type);
  checks.add("accumulator to add to", getOuts()[0], {"S", "Dv"}, type);
  checks.add("maximum to add to", getOuts()[1], {"S"}, type);
  checks.add("sum to add to", getOuts()[2], {"S"}, type);
  return checks.verify();
}
