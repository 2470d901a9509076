//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/Tile/TileBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::fpa;

/// `element` in the shape of `like`, a scalar or a vector.
static Type withElement(Value like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    return vector.clone(element);
  return element;
}

static Value createConstant(OpBuilder &b, Location loc, TypedAttr scalar,
                            Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    scalar = DenseElementsAttr::get(vector, ArrayRef<Attribute>(scalar));
  return arith::ConstantOp::create(b, loc, scalar);
}

Value Elementwise::constant(double value, Value like) {
  Type type = like.getType();
  return createConstant(
      b, loc, b.getFloatAttr(getElementTypeOrSelf(type), value), type);
}

Value Elementwise::constant(int64_t value, Value like) {
  Type type = like.getType();
  return createConstant(
      b, loc, b.getIntegerAttr(getElementTypeOrSelf(type), value), type);
}

Value Elementwise::spread(Value scalar, Value like) {
  if (!isa<VectorType>(like.getType()))
    return scalar;
  return vector::BroadcastOp::create(b, loc, like.getType(), scalar);
}

Value Elementwise::add(Value x, Value y) {
  return arith::AddFOp::create(b, loc, x, y);
}

Value Elementwise::sub(Value x, Value y) {
  if (isa<FloatType>(getElementTypeOrSelf(x.getType())))
    return arith::SubFOp::create(b, loc, x, y);
  return arith::SubIOp::create(b, loc, x, y);
}

Value Elementwise::mul(Value x, Value y) {
  return arith::MulFOp::create(b, loc, x, y);
}

Value Elementwise::div(Value x, Value y) {
  return arith::DivFOp::create(b, loc, x, y);
}

Value Elementwise::bitAnd(Value x, Value y) {
  return arith::AndIOp::create(b, loc, x, y);
}

Value Elementwise::bitXor(Value x, Value y) {
  return arith::XOrIOp::create(b, loc, x, y);
}

Value Elementwise::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(b, loc, x, y, z);
}

Value Elementwise::min(Value x, Value y) {
  if (isa<FloatType>(getElementTypeOrSelf(x.getType())))
    return arith::MinimumFOp::create(b, loc, x, y);
  return arith::MinSIOp::create(b, loc, x, y);
}

Value Elementwise::max(Value x, Value y) {
  if (isa<FloatType>(getElementTypeOrSelf(x.getType())))
    return arith::MaximumFOp::create(b, loc, x, y);
  return arith::MaxSIOp::create(b, loc, x, y);
}

Value Elementwise::maxOrSecond(Value x, Value y) {
  if (nanMaximum)
    return max(x, y);
  return select(compare(arith::CmpFPredicate::OGT, x, y), x, y);
}

/// Bit patterns of positive numbers rise with them, those of negative ones
/// fall.
Value Elementwise::below(Value x) {
  unsigned width = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  Type bits = withElement(x, b.getIntegerType(width));
  Value pattern = arith::BitcastOp::create(b, loc, bits, x);
  Value zero = constant(0.0, x), one = constant(int64_t(1), pattern);
  Value isPositive = compare(arith::CmpFPredicate::OGT, x, zero);
  Value next = select(isPositive, sub(pattern, one),
                      arith::AddIOp::create(b, loc, pattern, one));
  // Both zeros are above the negative number next to them.
  Value negative =
      constant(APInt::getSignedMinValue(width).getSExtValue() + 1, pattern);
  next = select(compare(arith::CmpFPredicate::OEQ, x, zero), negative, next);
  return arith::BitcastOp::create(b, loc, x.getType(), next);
}

Value Elementwise::abs(Value x) { return math::AbsFOp::create(b, loc, x); }

Value Elementwise::sqrt(Value x) { return math::SqrtOp::create(b, loc, x); }

Value Elementwise::exp2OfNonpositive(Value x) {
  auto op = math::Exp2Op::create(b, loc, x);
  op->setDiscardableAttr("fpa.nonpositive", b.getUnitAttr());
  return op;
}

Value Elementwise::log2(Value x) { return math::Log2Op::create(b, loc, x); }

Value Elementwise::compare(arith::CmpFPredicate predicate, Value x, Value y) {
  return arith::CmpFOp::create(b, loc, predicate, x, y);
}

Value Elementwise::compare(arith::CmpIPredicate predicate, Value x, Value y) {
  return arith::CmpIOp::create(b, loc, predicate, x, y);
}

Value Elementwise::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, loc, condition, x, y);
}

Value Elementwise::cast(Value x, FloatType element) {
  auto from = llvm::cast<FloatType>(getElementTypeOrSelf(x.getType()));
  if (from.getWidth() < element.getWidth())
    return arith::ExtFOp::create(b, loc, withElement(x, element), x);
  if (from.getWidth() > element.getWidth())
    return arith::TruncFOp::create(b, loc, withElement(x, element), x);
  return x;
}

Value Elementwise::truncate(Value x, IntegerType element) {
  return arith::TruncIOp::create(b, loc, withElement(x, element), x);
}

Value TileBuilder::constant(TypedAttr value, Extents extents) {
  return splat(arith::ConstantOp::create(b, loc, value), extents);
}

ContractionSpec mlir::fpa::parseContraction(StringRef spec,
                                            MLIRContext *context) {
  auto [operands, result] = spec.split("->");
  auto [lhs, rhs] = operands.split(",");
  std::string letters = result.str();
  for (char letter : (lhs + rhs).str())
    if (letters.find(letter) == std::string::npos)
      letters.push_back(letter);

  ContractionSpec parsed;
  for (StringRef term : {lhs, rhs, result}) {
    SmallVector<AffineExpr> exprs;
    for (char letter : term)
      exprs.push_back(getAffineDimExpr(letters.find(letter), context));
    parsed.maps.push_back(AffineMap::get(letters.size(), 0, exprs, context));
  }
  for (char letter : letters)
    parsed.iterators.push_back(result.contains(letter)
                                   ? utils::IteratorType::parallel
                                   : utils::IteratorType::reduction);
  return parsed;
}
