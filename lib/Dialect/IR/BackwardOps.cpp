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
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 2, "minimum, copy")))
    return failure();
  // [G2] containers, ranks, element types and sizes.
  Type element = getElementTypeOrSelf(getField());
  OperandChecks checks(*this);
  checks.add("field", getField(), {"N"}, getAccumulatorTypes(getContext()));
  checks.add("suffix", getSuffix(), {"N"}, element);
  checks.add("last", getLast(), {"M"}, IntegerType::get(getContext(), 64));
  checks.add("minimum", getOuts()[0], {"S"}, element);
  if (getOuts().size() > 1)
    checks.add("copy", getOuts()[1], {"S"}, element);
  // [G3]
  if (failed(checks.verify()) || failed(checks.verifySpare("M", "S")))
    return failure();
  // [G4]
  return verifyInterval(*this,
                        {{"last", getLast()}, {"key_offset", getKeyOffset()}});
}

LogicalResult BackwardDeltaOp::verify() {
  // [G13]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 1, "delta")))
    return failure();
  Type element = getElementTypeOrSelf(getOutput());
  Type accumulator = getAccumulatorType(element);
  OperandChecks checks(*this);
  checks.add("output", getOutput(), {"M", "Dv"}, getFloatTypes(getContext()));
  checks.add("output_gradient", getOutputGradient(), {"M", "Dv"}, element);
  checks.add("lse_gradient", getLseGradient(), {"M"}, accumulator);
  checks.add("delta", getOuts()[0], {"S"}, accumulator);
  if (failed(checks.verify()))
    return failure();
  return checks.verifySpare("M", "S");
}

using Sum = BackwardTileOp::Sum;

namespace {
/// All sums of a part; those after `constants` are there with the field's.
struct PartSums {
  ArrayRef<Sum> all;
  size_t constants;
};
} // namespace

static PartSums getSumsOf(GradientPart part) {
  static constexpr Sum all[] = {Sum::Query, Sum::Key,    Sum::Value, Sum::Carry,
                                Sum::Level, Sum::Suffix, Sum::Field};
  static constexpr Sum queries[] = {Sum::Query, Sum::Carry, Sum::Suffix,
                                    Sum::Field};
  static constexpr Sum keys[] = {Sum::Key, Sum::Value, Sum::Level, Sum::Suffix};
  switch (part) {
  case GradientPart::All:
    return {all, 3};
  case GradientPart::Queries:
    return {queries, 1};
  case GradientPart::Keys:
    return {keys, 2};
  }
  llvm_unreachable("all parts are handled");
}

SmallVector<Sum> BackwardTileOp::getSums() {
  ArrayRef<Sum> sums = getSumsOf(getPart()).all;
  return llvm::to_vector(sums.take_front(getOuts().size()));
}

Value BackwardTileOp::getSum(Sum sum) {
  for (auto [known, out] : llvm::zip_equal(getSums(), getOuts()))
    if (known == sum)
      return out;
  return {};
}

bool BackwardTileOp::hasFieldGradient() {
  return getOuts().size() > getSumsOf(getPart()).constants;
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
  if (op.getPassed())
    return "passed";
  if (op.getLeast())
    return "least";
  if (op.getEnds())
    return "ends";
  if (op.getBelow())
    return "below";
  if (op.getAbove())
    return "above";
  return op.hasFieldGradient() ? "a gradient of it" : StringRef();
}

/// [G5]
static LogicalResult verifySumCount(BackwardTileOp op) {
  auto [sums, constants] = getSumsOf(op.getPart());
  size_t count = op.getOuts().size();
  if (count == constants || count == sums.size())
    return success();
  StringRef names =
      op.getPart() == GradientPart::All
          ? "gradients of query, key and value, carry, gradients of level, "
            "suffix and field"
      : op.getPart() == GradientPart::Queries
          ? "gradient of query, carry, gradients of suffix and field"
          : "gradients of key, value, level and suffix";
  return op.emitOpError("expected ")
         << constants << " or " << sums.size() << " outs (" << names
         << "), got " << count;
}

LogicalResult BackwardTileOp::verify() {
  if (failed(verifySumCount(*this)))
    return failure();
  Type element = getElementTypeOrSelf(getQuery());
  Type accumulator = getAccumulatorType(element);
  // [G6] containers, ranks, element types and sizes.
  OperandChecks checks(*this);
  addProductOperands(checks, *this);
  checks.add("output_gradient", getOutputGradient(), {"M", "Dv"}, element);
  checks.add("lse", getLse(), {"M"}, accumulator);
  checks.add("delta", getDelta(), {"R"}, accumulator);
  addPenaltyOperands(checks, *this);
  checks.add("minimum", getMinimum(), {"R"}, accumulator);
  addIntervalOperands(checks, *this);
  auto addSum = [&](Sum sum, StringRef name, ArrayRef<StringRef> dims) {
    checks.add(name, getSum(sum), dims, accumulator);
  };
  addSum(Sum::Query, "query gradient", {"S", "D"});
  addSum(Sum::Key, "key gradient", {"T", "D"});
  addSum(Sum::Value, "value gradient", {"T", "Dv"});
  addSum(Sum::Carry, "carry", {"S"});
  // What is carried may be larger than a tile, what is one's part of more not.
  StringRef line = getPart() == GradientPart::Keys ? "T" : "N";
  addSum(Sum::Level, "level gradient", {line});
  addSum(Sum::Suffix, "suffix gradient", {line});
  addSum(Sum::Field, "field gradient", {line});
  // [G7], [G8]
  if (failed(checks.verify()) || failed(checks.verifySpare("M", "S")) ||
      failed(checks.verifySpare("M", "R")) ||
      failed(checks.verifySpare("N", "T")) || failed(verifyTileInterval(*this)))
    return failure();
  // [G9]
  if (StringRef given = findWithoutField(*this); !given.empty())
    return emitOpError("expected field where ")
           << given << " is given, got none";
  if (getField() && !getMinimum())
    return emitOpError("expected minimum where field is given, got none");
  for (auto [name, number] :
       {std::pair<StringRef, Value>("passed", getPassed()),
        {"least", getLeast()}})
    if (number && number.getType() != accumulator)
      return emitOpError("expected ") << name << " of type " << accumulator
                                      << ", got " << number.getType();
  // [G10]
  if (failed(verifyScale(*this, getScale(), accumulator)))
    return failure();
  return verifySmooth(*this, getSmooth(), getBeta(), accumulator);
}

LogicalResult BackwardFinalizeOp::verify() {
  // [G11]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 1, "gradient")))
    return failure();
  OperandChecks checks(*this);
  checks.add("accumulator", getAccumulator(), {"S", "D"},
             getAccumulatorTypes(getContext()));
  checks.add("gradient", getOuts()[0], {"M", "D"}, getFloatTypes(getContext()));
  if (failed(checks.verify()) || failed(checks.verifySpare("M", "S")))
    return failure();
  return verifyScale(*this, getScale(), getElementTypeOrSelf(getAccumulator()));
}
