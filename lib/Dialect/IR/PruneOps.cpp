//===- PruneOps.cpp - Leaving keys out with a bound -----------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileChecks.h"
#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

// [R12] Results are checked by DestinationStyleOpInterface.

LogicalResult RowNormsOp::verify() {
  // [R1]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 1, "norm")))
    return failure();
  // [R2]
  OperandChecks checks(*this);
  checks.add("source", getSource(), {"M", "D"}, getFloatTypes(getContext()));
  checks.add("norm", getOuts()[0], {"S"},
             getAccumulatorType(getElementTypeOrSelf(getSource())));
  if (failed(checks.verify()) || failed(checks.verifySpare("M", "S")))
    return failure();
  if (ShapedType::isDynamic(checks.getSize("D")))
    return emitOpError("expected source dimension 1 (D) to be static, got ?");
  if (!getFactor().isFinite())
    return emitOpError("expected factor to be finite, got ")
           << getFactor().convertToDouble();
  return success();
}

LogicalResult MeanLevelOp::verify() {
  // [R13]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 1, "mean")))
    return failure();
  Type element = getElementTypeOrSelf(getLevel());
  OperandChecks checks(*this);
  checks.add("level", getLevel(), {"M"}, getAccumulatorTypes(getContext()));
  checks.add("mean", getOuts()[0], {"S"}, element);
  if (failed(checks.verify()) || failed(checks.verifySpare("M", "S")))
    return failure();
  if (getLeast().getType() != element)
    return emitOpError("expected least of type ")
           << element << ", got " << getLeast().getType();
  return success();
}

/// [R4] Blocks of S rows, [R5] numbers of their type and [R7] head_size.
template <typename Op>
static LogicalResult verifyBound(Op op, OperandChecks &checks) {
  if (failed(checks.verify()))
    return failure();
  Type element = getElementTypeOrSelf(op.getMinimum());
  if (op.getNorm().getType() != element)
    return op.emitOpError("expected numbers of keys of type ")
           << element << ", got " << op.getNorm().getType();
  int64_t headSize = op.getHeadSize();
  if (headSize < 0)
    return op.emitOpError("expected head_size to be at least 0, got ")
           << headSize;
  return success();
}

LogicalResult PruneKeysOp::verify() {
  // [R3]
  if (bool(getMaximum()) == bool(getLse()))
    return emitOpError("expected either maximum or lse, got ")
           << (getLse() ? "both" : "neither");
  Type element = getElementTypeOrSelf(getMinimum());
  std::tuple<StringRef, Value, StringRef> ofRows[] = {
      {"reach", getReach(), "S"},
      {"maximum", getMaximum(), "S"},
      {"lse", getLse(), "M"}};
  // Numbers stand for all rows.
  bool isNumber = getMinimum().getType() == element;
  if (isNumber && !element.isF32() && !element.isF64())
    return emitOpError("expected minimum of type f32 or f64, got ") << element;
  OperandChecks checks(*this);
  if (!isNumber)
    checks.add("minimum", getMinimum(), {"S"},
               getAccumulatorTypes(getContext()));
  for (auto [name, rows, size] : ofRows) {
    if (!rows)
      continue;
    if (isNumber && rows.getType() != element)
      return emitOpError("expected ")
             << name << " of type " << element << ", got " << rows.getType();
    if (!isNumber && isa<FloatType>(rows.getType()))
      return emitOpError("expected ")
             << name << " of rows as minimum is of " << getMinimum().getType()
             << ", got " << rows.getType();
    if (!isNumber)
      checks.add(name, rows, {size}, element);
  }
  if (failed(verifyBound(*this, checks)))
    return failure();
  if (getLse() && failed(checks.verifySpare("M", "S")))
    return failure();
  // [R6]
  return verifyPruneEps(*this, getEps(), /*exact=*/false);
}

LogicalResult DropKeysOp::verify() {
  // [R8]
  if (failed(
          verifyOutCount(*this, getOuts().size(), 2, 2, "dropped, reference")))
    return failure();
  Type element = getElementTypeOrSelf(getMinimum());
  OperandChecks checks(*this);
  checks.add("minimum", getMinimum(), {"S"}, getAccumulatorTypes(getContext()));
  checks.add("reach", getReach(), {"S"}, element);
  checks.add("maximum", getMaximum(), {"S"}, element);
  checks.add("dropped", getOuts()[0], {"S"}, element);
  checks.add("reference", getOuts()[1], {"S"}, element);
  return verifyBound(*this, checks);
}

/// [R10] skipped and ended, if they are wanted, and where rows begin.
static void addCounts(DropFinalizeOp op, OperandChecks &checks,
                      ValueRange counts) {
  Type i64 = IntegerType::get(op.getContext(), 64);
  checks.add("first", op.getFirst(), {"M"}, i64);
  if (counts.empty())
    return;
  checks.add("skipped", counts[0], {"M"}, i64);
  checks.add("ended", counts[1], {"M"}, i64);
}

/// [R14] Without what was dropped.
static LogicalResult verifyCountsAlone(DropFinalizeOp op) {
  if (failed(verifyOutCount(op, op.getOuts().size(), 2, 2, "skipped, ended")))
    return failure();
  if (!op.getFirst())
    return op.emitOpError("expected keys where no sum is given, got none");
  if (!op.getRows())
    return op.emitOpError("expected rows where no sum is given, got none");
  OperandChecks checks(op);
  addCounts(op, checks, op.getOuts());
  if (failed(checks.verify()))
    return failure();
  int64_t known = checks.getSize("M"), rows = *op.getRows();
  int64_t least =
      ShapedType::isDynamic(known) ? 1 : std::max<int64_t>(known, 1);
  if (rows < least)
    return op.emitOpError("expected rows of at least ")
           << least << ", got " << rows;
  return success();
}

LogicalResult DropFinalizeOp::verify() {
  // [R9]
  size_t count = getOuts().size();
  if (failed(verifyInterval(*this, {{"dropped", getDropped()},
                                    {"reference", getReference()},
                                    {"maximum", getMaximum()},
                                    {"sum", getSum()}})) ||
      failed(verifyInterval(
          *this,
          {{"first", getFirst()}, {"passed", getPassed()}, {"end", getEnd()}})))
    return failure();
  if (!getSum())
    return verifyCountsAlone(*this);
  if (count != 1 && count != 3)
    return emitOpError("expected 1 or 3 outs (dropped, skipped, ended), got ")
           << count;
  if ((count == 3) != bool(getFirst()))
    return emitOpError("expected ")
           << (getFirst() ? 3 : 1) << " outs "
           << (getFirst() ? "with" : "without") << " keys, got " << count;
  if (getRows())
    return emitOpError("expected no rows where sum is given, got ")
           << *getRows();
  // [R10]
  Type element = getElementTypeOrSelf(getSum());
  OperandChecks checks(*this);
  checks.add("sum", getSum(), {"S"}, getAccumulatorTypes(getContext()));
  checks.add("dropped", getDropped(), {"S"}, element);
  checks.add("reference", getReference(), {"S"}, element);
  checks.add("maximum", getMaximum(), {"S"}, element);
  checks.add("share", getOuts()[0], {"M"}, element);
  addCounts(*this, checks, getOuts().drop_front());
  if (failed(checks.verify()))
    return failure();
  return checks.verifySpare("M", "S");
}

LogicalResult PassCarryOp::verify() {
  // [R11]
  if (failed(verifyOutCount(*this, getOuts().size(), 2, 2,
                            "carry, suffix gradient")))
    return failure();
  Type element = getElementTypeOrSelf(getField());
  OperandChecks checks(*this);
  checks.add("field", getField(), {"N"}, getAccumulatorTypes(getContext()));
  checks.add("suffix", getSuffix(), {"N"}, element);
  checks.add("minimum", getMinimum(), {"S"}, element);
  checks.add("carry", getOuts()[0], {"S"}, element);
  checks.add("suffix gradient", getOuts()[1], {"N"}, element);
  if (failed(checks.verify()))
    return failure();
  if (getPassed() && getPassed().getType() != element)
    return emitOpError("expected passed of type ")
           << element << ", got " << getPassed().getType();
  return success();
}
