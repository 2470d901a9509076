//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrefixElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fpa;

template <typename OpTy> static ScanRules rulesOf(OpTy op, ScanKind kind) {
  ScanRules rules;
  rules.kind = kind;
  rules.reverse = op.getReverse();
  return rules;
}

PrefixElements::PrefixElements(PrefixMinOp op)
    : rules(rulesOf(op, ScanKind::Min)), exclusive(op.getExclusive()),
      segment(op.getSegment()), input(op.getInput()), output(op.getOutput()),
      index(op.getIndex()), axis(op.getAxis()) {
  rules.withIndex = bool(index);
}

PrefixElements::PrefixElements(PrefixSumOp op)
    : rules(rulesOf(op, ScanKind::Sum)), exclusive(op.getExclusive()),
      segment(op.getSegment()), input(op.getInput()), output(op.getOuts()[0]),
      axis(op.getAxis()) {
  rules.compensated = true;
}

FloatType PrefixElements::getFloatType() const {
  return cast<FloatType>(getInputType().getElementType());
}

SmallVector<Value> PrefixElements::getMemRefs() const {
  SmallVector<Value> memrefs = {input, output};
  if (index)
    memrefs.push_back(index);
  return memrefs;
}

/// `type` with the shape of `like`.
static Type shapedLike(Type like, Type type) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(type);
  return type;
}

static Value constant(OpBuilder &b, Location loc, Type type,
                      const APInt &value) {
  Attribute scalar = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(vector, scalar));
  return arith::ConstantOp::create(b, loc, cast<TypedAttr>(scalar));
}

static APInt infinityBits(FloatType type) {
  return APFloat::getInf(type.getFloatSemantics()).bitcastToAPInt();
}

/// Negative floats grow as their bits fall: flipping all bits but the sign's
/// orders them as integers. The map is its own inverse.
static Value flipNegative(OpBuilder &b, Location loc, Value bits) {
  Type type = bits.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value toSign = constant(b, loc, type, APInt(width, width - 1));
  Value unsign = constant(b, loc, type, APInt::getSignedMaxValue(width));
  Value sign = arith::ShRSIOp::create(b, loc, bits, toSign);
  Value mask = arith::AndIOp::create(b, loc, sign, unsign);
  return arith::XOrIOp::create(b, loc, bits, mask);
}

/// Whether floats are NaN. 16-bit floats are compared as integers, since the
/// machine may have no comparison for them.
static Value isNaN(OpBuilder &b, Location loc, Value floats, Value bits,
                   FloatType type) {
  if (type.getWidth() > 16)
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, floats,
                                 floats);
  unsigned width = type.getWidth();
  Value unsign =
      constant(b, loc, bits.getType(), APInt::getSignedMaxValue(width));
  Value magnitude = arith::AndIOp::create(b, loc, bits, unsign);
  Value infinity = constant(b, loc, bits.getType(), infinityBits(type));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, magnitude,
                               infinity);
}

/// Ordered keys of floats. With an index the two zeros tie, so they share one
/// key; without, -0 is below +0.
static Value toKeys(OpBuilder &b, Location loc, Value floats, FloatType type,
                    bool tieZeros) {
  Type keyType =
      shapedLike(floats.getType(), b.getIntegerType(type.getWidth()));
  Value bits = arith::BitcastOp::create(b, loc, keyType, floats);
  Value nan = isNaN(b, loc, floats, bits, type);
  // All ones is the NaN whose key is the least integer.
  Value ones = constant(b, loc, keyType, APInt::getAllOnes(type.getWidth()));
  bits = arith::SelectOp::create(b, loc, nan, ones, bits);
  Value key = flipNegative(b, loc, bits);
  if (!tieZeros)
    return key;
  Value zero = constant(b, loc, keyType, APInt::getZero(type.getWidth()));
  Value isMinusZero =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, key, ones);
  return arith::SelectOp::create(b, loc, isMinusZero, zero, key);
}

ScanState PrefixElements::initialCarry(OpBuilder &b, Location loc) const {
  FloatType type = getFloatType();
  if (rules.kind == ScanKind::Sum) {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    return {zero, zero};
  }
  Type keyType = b.getIntegerType(type.getWidth());
  if (!rules.withIndex)
    return {constant(b, loc, keyType, infinityBits(type))};
  // Above +inf, so that an element of +inf has an index.
  return {constant(b, loc, keyType, APInt::getSignedMaxValue(type.getWidth())),
          constant(b, loc, b.getI64Type(), APInt::getAllOnes(64))};
}

ScanState PrefixElements::splat(OpBuilder &b, Location loc, ValueRange carry,
                                int64_t width) const {
  ScanState result;
  for (Value v : carry)
    result.push_back(vector::BroadcastOp::create(
        b, loc, VectorType::get(width, v.getType()), v));
  return result;
}

ScanState PrefixElements::unsplat(OpBuilder &b, Location loc,
                                  ValueRange carry) const {
  ScanState result;
  for (Value v : carry)
    result.push_back(vector::ExtractOp::create(b, loc, v, 0));
  return result;
}

bool PrefixElements::hasFloatScan() const {
  return rules.kind == ScanKind::Min && !index &&
         getFloatType().getWidth() > 16;
}

Value PrefixElements::encode(OpBuilder &b, Location loc, Value floats) const {
  if (rules.kind == ScanKind::Sum)
    return floats;
  return toKeys(b, loc, floats, getFloatType(), rules.withIndex);
}

Value PrefixElements::decode(OpBuilder &b, Location loc, Value element) const {
  if (rules.kind == ScanKind::Sum)
    return element;
  FloatType type = getFloatType();
  if (rules.withIndex && exclusive)
    element = arith::MinSIOp::create(
        b, loc, element,
        constant(b, loc, element.getType(), infinityBits(type)));
  Value bits = flipNegative(b, loc, element);
  return arith::BitcastOp::create(b, loc, shapedLike(bits.getType(), type),
                                  bits);
}

Value PrefixElements::loadFloats(OpBuilder &b, Location loc, ValueRange at,
                                 int64_t width) const {
  if (width == 0)
    return memref::LoadOp::create(b, loc, input, at);
  return vector::LoadOp::create(b, loc, VectorType::get(width, getFloatType()),
                                input, at);
}

void PrefixElements::storeFloats(OpBuilder &b, Location loc, Value floats,
                                 ValueRange at, int64_t width,
                                 bool nontemporal) const {
  if (width == 0) {
    memref::StoreOp::create(b, loc, floats, output, at);
    return;
  }
  llvm::MaybeAlign align;
  if (nontemporal)
    align = llvm::Align(std::min<int64_t>(width * getElementBytes(), 64));
  vector::StoreOp::create(b, loc, floats, output, at, nontemporal, align);
}

void PrefixElements::store(OpBuilder &b, Location loc, ValueRange element,
                           ValueRange at, int64_t width,
                           bool nontemporal) const {
  storeFloats(b, loc, decode(b, loc, element[0]), at, width, nontemporal);
  if (!index)
    return;
  if (width == 0)
    memref::StoreOp::create(b, loc, element[1], index, at);
  else
    vector::StoreOp::create(b, loc, element[1], index, at);
}
