//===- OperandChecks.cpp - Checks shared by the verifiers -----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandChecks.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fpa;

/// "'f16', 'bf16' or 'f32'".
static std::string listTypes(ArrayRef<Type> types) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto [position, type] : llvm::enumerate(types)) {
    if (position != 0)
      stream << (position + 1 == types.size() ? " or " : ", ");
    stream << "'" << type << "'";
  }
  return text;
}

SmallVector<Type> fpa::getFloatTypes(MLIRContext *context) {
  return {Float16Type::get(context), BFloat16Type::get(context),
          Float32Type::get(context), Float64Type::get(context)};
}

LogicalResult
fpa::verifyContainers(Operation *op,
                      ArrayRef<std::pair<StringRef, Type>> operands) {
  for (auto [name, type] : operands)
    if (!isa<RankedTensorType, MemRefType>(type))
      return op->emitOpError("expected ")
             << name << " to be a ranked tensor or memref, got " << type;
  auto [firstName, firstType] = operands.front();
  for (auto [name, type] : operands)
    if (isa<MemRefType>(type) != isa<MemRefType>(firstType))
      return op->emitOpError("expected ")
             << name << " to be a "
             << (isa<MemRefType>(firstType) ? "memref" : "tensor") << " like "
             << firstName << ", got " << type;
  return success();
}

LogicalResult fpa::verifyElementType(Operation *op, StringRef name, Type type,
                                     ArrayRef<Type> allowed) {
  Type element = getElementTypeOrSelf(type);
  if (llvm::is_contained(allowed, element))
    return success();
  return op->emitOpError("expected ")
         << name << " of element type " << listTypes(allowed) << ", got "
         << element;
}

OperandChecks &OperandChecks::add(StringRef name, Value value,
                                  ArrayRef<StringRef> dims,
                                  ArrayRef<Type> elementTypes) {
  if (value)
    operands.push_back({name, value.getType(), llvm::to_vector<4>(dims),
                        llvm::to_vector<4>(elementTypes)});
  return *this;
}

LogicalResult OperandChecks::verify() {
  if (operands.empty())
    return success();
  SmallVector<std::pair<StringRef, Type>> containers;
  for (const Declared &operand : operands)
    containers.emplace_back(operand.name, operand.type);
  if (failed(verifyContainers(op, containers)))
    return failure();
  for (const Declared &operand : operands) {
    int64_t rank = cast<ShapedType>(operand.type).getRank();
    if (rank != static_cast<int64_t>(operand.dims.size()))
      return op->emitOpError("expected ")
             << operand.name << " of rank " << operand.dims.size()
             << (operand.dims.empty()
                     ? std::string()
                     : " (" + llvm::join(operand.dims, " x ") + ")")
             << ", got " << operand.type;
  }
  for (const Declared &operand : operands)
    if (failed(verifyElementType(op, operand.name, operand.type,
                                 operand.elementTypes)))
      return failure();
  return verifySizes();
}

LogicalResult OperandChecks::verifySizes() {
  for (const Declared &operand : operands) {
    ArrayRef<int64_t> shape = cast<ShapedType>(operand.type).getShape();
    for (auto [position, dim] : llvm::enumerate(operand.dims)) {
      int64_t size = shape[position];
      if (ShapedType::isDynamic(size))
        continue;
      // The first static size stands for all: static sizes that agree with it
      // agree with each other.
      auto [known, isNew] = sizes.try_emplace(
          dim, Known{size, operand.name, static_cast<int64_t>(position)});
      if (!isNew && known->second.size != size)
        return op->emitOpError("expected ")
               << operand.name << " dimension " << position << " (" << dim
               << ") of size " << known->second.size << " as in "
               << known->second.operand << ", got " << size;
    }
  }
  return success();
}

int64_t OperandChecks::getSize(StringRef dim) const {
  auto known = sizes.find(dim);
  return known == sizes.end() ? ShapedType::kDynamic : known->second.size;
}

LogicalResult OperandChecks::verifyAtLeast(StringRef dim, int64_t least) const {
  auto known = sizes.find(dim);
  if (known == sizes.end() || known->second.size >= least)
    return success();
  return op->emitOpError("expected ")
         << known->second.operand << " dimension " << known->second.position
         << " (" << dim << ") of size at least " << least << ", got "
         << known->second.size;
}

LogicalResult OperandChecks::verifySpare(StringRef rows,
                                         StringRef spare) const {
  int64_t size = getSize(rows);
  return ShapedType::isDynamic(size) ? success() : verifyAtLeast(spare, size);
}

LogicalResult fpa::verifyInterval(Operation *op,
                                  ArrayRef<std::pair<StringRef, Value>> parts) {
  StringRef given;
  for (auto [name, value] : parts)
    if (value && given.empty())
      given = name;
  for (auto [name, value] : parts)
    if (!value && !given.empty())
      return op->emitOpError("expected ")
             << name << " where " << given << " is given, got none";
  return success();
}

LogicalResult fpa::verifyWindow(Operation *op, std::optional<int64_t> window) {
  if (!window || *window >= 1)
    return success();
  return op->emitOpError("expected window of at least 1 key, got ") << *window;
}

/// Factors of logits stay within two to this power, which leaves room for what
/// they are multiplied with.
static int getLargestExponent(bool isF64) { return isF64 ? 1000 : 100; }

std::pair<double, double> fpa::getSmoothRange(bool isF64) {
  int exponent = getLargestExponent(isF64);
  return {std::ldexp(1.0, -exponent), std::ldexp(1.0, exponent)};
}

std::string fpa::findBrokenSmooth(double beta, bool isF64) {
  if (!std::isfinite(beta) || beta <= 0)
    return "be positive and finite";
  auto [least, most] = getSmoothRange(isF64);
  if (beta >= least && beta <= most)
    return "";
  std::string power = std::to_string(getLargestExponent(isF64));
  return "lie between 2^-" + power + " and 2^" + power + " for logits of " +
         (isF64 ? "'f64'" : "'f32'");
}

LogicalResult fpa::verifySmooth(Operation *op, std::optional<APFloat> smooth,
                                Value beta, Type accumulator) {
  if (smooth && beta)
    return op->emitOpError("expected smooth as an attribute or an operand, got "
                           "both");
  if (beta && getElementTypeOrSelf(beta) != accumulator)
    return op->emitOpError("expected smooth of type ")
           << accumulator << ", got " << beta.getType();
  if (!smooth)
    return success();
  double number = smooth->convertToDouble();
  std::string expected = findBrokenSmooth(number, accumulator.isF64());
  if (expected.empty())
    return success();
  return op->emitOpError("expected smooth to ")
         << expected << ", got " << number;
}

LogicalResult fpa::verifyPruneEps(Operation *op, std::optional<APFloat> eps,
                                  bool exact) {
  if (!eps)
    return success();
  double share = eps->convertToDouble();
  if (share < 1 && (share > 0 || (exact && share == 0)))
    return success();
  if (exact)
    return op->emitOpError("expected prune_eps to be at least 0 and below 1, "
                           "got ")
           << share;
  return op->emitOpError("expected eps to be above 0 and below 1, got ")
         << share;
}

LogicalResult fpa::verifyScale(Operation *op, std::optional<APFloat> scale,
                               Type accumulator) {
  if (!scale)
    return success();
  double factor = scale->convertToDouble();
  if (!std::isfinite(factor))
    return op->emitOpError("expected scale to be finite, got ") << factor;
  int exponent = getLargestExponent(accumulator.isF64());
  if (std::abs(factor) > std::ldexp(1.0, exponent))
    return op->emitOpError("expected scale to lie between -2^")
           << exponent << " and 2^" << exponent << " for logits of "
           << accumulator << ", got " << factor;
  return success();
}

LogicalResult fpa::verifyNonIncreasing(Operation *op, bool nonIncreasing,
                                       Value field, Value level) {
  if (level && !field)
    return op->emitOpError("expected field where level is given, got none");
  if (!nonIncreasing)
    return success();
  if (!field)
    return op->emitOpError(
        "expected field where non_increasing is given, got none");
  if (level && level != field)
    return op->emitOpError("expected level tied to field where non_increasing "
                           "is given, got another value");
  return success();
}

LogicalResult fpa::verifyCumulativeLengths(Operation *op, Value query,
                                           Value key) {
  if (bool(query) == bool(key))
    return success();
  StringRef given = query ? "cu_seqlens_q" : "cu_seqlens_k";
  StringRef missing = query ? "cu_seqlens_k" : "cu_seqlens_q";
  return op->emitOpError("expected ")
         << missing << " where " << given << " is given, got none";
}

LogicalResult fpa::verifyOutCount(Operation *op, size_t count, size_t least,
                                  size_t most, StringRef names) {
  if (count >= least && count <= most)
    return success();
  auto diagnostic = op->emitOpError("expected ") << least;
  if (most != least)
    diagnostic << (most == least + 1 ? " or " : " to ") << most;
  return diagnostic << (most == 1 ? " out (" : " outs (") << names << "), got "
                    << count;
}
