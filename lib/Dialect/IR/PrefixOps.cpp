//===- PrefixOps.cpp - Running minima and sums ----------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandChecks.h"
#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

/// Refuses an operand whose shape cannot be that of the input.
static LogicalResult verifyLikeInput(Operation *op, StringRef name,
                                     ShapedType type, ShapedType input,
                                     StringRef inputName = "input") {
  if (type.getRank() != input.getRank())
    return op->emitOpError("expected ")
           << name << " of rank " << input.getRank() << " as in " << inputName
           << ", got " << type;
  for (int64_t dim = 0; dim < input.getRank(); ++dim) {
    int64_t size = type.getDimSize(dim), expected = input.getDimSize(dim);
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(expected) &&
        size != expected)
      return op->emitOpError("expected ")
             << name << " dimension " << dim << " of size " << expected
             << " as in " << inputName << ", got " << size;
  }
  return success();
}

/// Refuses an input without the axis.
static LogicalResult verifyAxis(Operation *op, StringRef name, ShapedType input,
                                int64_t axis) {
  if (input.getRank() == 0)
    return op->emitOpError("expected ")
           << name << " of rank at least 1, got " << input;
  if (axis < 0 || axis >= input.getRank())
    return op->emitOpError("expected axis from 0 to ")
           << input.getRank() - 1 << ", got " << axis;
  return success();
}

// [P7] Results are checked by DestinationStyleOpInterface.
template <typename PrefixOp>
static LogicalResult verifyPrefix(PrefixOp op, ArrayRef<Type> elementTypes,
                                  size_t mostOuts, StringRef outNames) {
  // [P1]
  if (failed(verifyOutCount(op, op.getOuts().size(), 1, mostOuts, outNames)))
    return failure();
  // [P2]
  SmallVector<std::pair<StringRef, Type>> operands = {
      {"input", op.getInput().getType()},
      {"output", op.getOuts()[0].getType()}};
  if (op.getOuts().size() > 1)
    operands.emplace_back("index", op.getOuts()[1].getType());
  if (failed(verifyContainers(op, operands)))
    return failure();
  // [P3]
  ShapedType input = op.getInputType();
  if (failed(verifyAxis(op, "input", input, op.getAxis())))
    return failure();
  // [P4]
  for (auto [name, type] : llvm::drop_begin(operands))
    if (failed(verifyLikeInput(op, name, cast<ShapedType>(type), input)))
      return failure();
  // [P5]
  if (failed(verifyElementType(op, "input", input, elementTypes)) ||
      failed(verifyElementType(op, "output", op.getOuts()[0].getType(),
                               input.getElementType())))
    return failure();
  if (op.getOuts().size() > 1 &&
      failed(verifyElementType(op, "index", op.getOuts()[1].getType(),
                               IntegerType::get(op.getContext(), 64))))
    return failure();
  // [P6]
  if (std::optional<int64_t> segment = op.getSegment(); segment && *segment < 1)
    return op.emitOpError("expected segment of at least 1 element, got ")
           << *segment;
  return success();
}

LogicalResult PrefixMinBackwardOp::verify() {
  // [P8]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 1, "output")))
    return failure();
  // [P2]
  std::pair<StringRef, Type> operands[] = {
      {"index", getIndex().getType()},
      {"gradient", getGradient().getType()},
      {"output", getOuts()[0].getType()}};
  if (failed(verifyContainers(*this, operands)))
    return failure();
  // [P3]
  if (failed(verifyAxis(*this, "index", getIndexType(), getAxis())))
    return failure();
  // [P4]
  for (auto [name, type] : llvm::drop_begin(operands))
    if (failed(verifyLikeInput(*this, name, cast<ShapedType>(type),
                               getIndexType(), "index")))
      return failure();
  // [P9]
  MLIRContext *context = getContext();
  Type element = getElementTypeOrSelf(getGradient().getType());
  return success(succeeded(verifyElementType(*this, "index", getIndexType(),
                                             IntegerType::get(context, 64))) &&
                 succeeded(verifyElementType(
                     *this, "gradient", getGradient().getType(),
                     {Float32Type::get(context), Float64Type::get(context)})) &&
                 succeeded(verifyElementType(*this, "output",
                                             getOuts()[0].getType(), element)));
}

LogicalResult PrefixMinOp::verify() {
  return verifyPrefix(*this, getFloatTypes(getContext()), 2, "output, index");
}

LogicalResult PrefixSumOp::verify() {
  return verifyPrefix(
      *this, {Float32Type::get(getContext()), Float64Type::get(getContext())},
      1, "output");
}
