//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrefixBlock.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fpa;

using Pred = arith::CmpFPredicate;

static constexpr double infinity = std::numeric_limits<double>::infinity();

PrefixScan::PrefixScan(Operation *op) : loc(op->getLoc()) {
  auto type = cast<ShapedType>(op->getOperand(0).getType());
  element = cast<FloatType>(type.getElementType());
  wide = element;
  if (element.getWidth() < 32)
    wide = Float32Type::get(op->getContext());
  if (auto min = dyn_cast<PrefixMinOp>(op)) {
    kind = ScanKind::Min;
    reverse = min.getReverse();
    exclusive = min.getExclusive();
    withIndex = bool(min.getIndex());
    return;
  }
  auto sum = cast<PrefixSumOp>(op);
  kind = ScanKind::Sum;
  reverse = sum.getReverse();
  exclusive = sum.getExclusive();
}

/// The rules by which a sum carries its rounding error from block to block.
static ScanRules getSumRules() {
  ScanRules rules;
  rules.kind = ScanKind::Sum;
  rules.compensated = true;
  return rules;
}

Value PrefixScan::constant(OpBuilder &b, VectorType type, double value) {
  Attribute scalar = b.getFloatAttr(type.getElementType(), value);
  return arith::ConstantOp::create(b, loc,
                                   DenseElementsAttr::get(type, scalar));
}

SmallVector<Value> PrefixScan::initialCarry(OpBuilder &b) {
  if (kind == ScanKind::Sum)
    return SmallVector<Value>(2, constant(b, carryOf(wide), 0));
  SmallVector<Value> carry = {constant(b, carryOf(wide), infinity)};
  if (withIndex) {
    VectorType type = carryOf(b.getI64Type());
    Attribute none = b.getI64IntegerAttr(-1);
    carry.push_back(
        arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, none)));
  }
  return carry;
}

std::pair<Value, Value> PrefixScan::scan(OpBuilder &b, ScanKind kind,
                                         bool exclusive, Value source,
                                         Value init) {
  auto op = VectorScanOp::create(b, loc, kind, source, init, Value(), axis,
                                 reverse, exclusive);
  return {op.getScanned(), op.getTotal()};
}

/// What is carried, at every element of a block.
Value PrefixScan::spread(OpBuilder &b, Value carried) {
  VectorType type = blockOf(getElementTypeOrSelf(carried.getType()));
  if (axis == 0)
    return vector::BroadcastOp::create(b, loc, type, carried);
  SmallVector<int64_t> turned = {type.getDimSize(1), type.getDimSize(0)};
  Value rows = vector::BroadcastOp::create(
      b, loc, VectorType::get(turned, type.getElementType()), carried);
  return vector::TransposeOp::create(b, loc, rows, ArrayRef<int64_t>{1, 0});
}

/// 0, 1, 2, ... along the axis, as f32: exact up to 2^24.
Value PrefixScan::positions(OpBuilder &b) {
  VectorType type = VectorType::get({shape[axis]}, b.getIndexType());
  Value step = vector::StepOp::create(b, loc, type);
  Value narrow =
      arith::IndexCastOp::create(b, loc, type.clone(b.getI32Type()), step);
  Value line =
      arith::SIToFPOp::create(b, loc, type.clone(b.getF32Type()), narrow);
  VectorType block = blockOf(b.getF32Type());
  if (axis == 1)
    return vector::BroadcastOp::create(b, loc, block, line);
  SmallVector<int64_t> turned = {shape[1], shape[0]};
  Value rows = vector::BroadcastOp::create(
      b, loc, VectorType::get(turned, b.getF32Type()), line);
  return vector::TransposeOp::create(b, loc, rows, ArrayRef<int64_t>{1, 0});
}

/// Where the index of the minimum moves to the element: walking forward where
/// the element is the minimum up to there, since the later of two equal ones
/// wins; walking back where it is less than all before, or the first of all.
Value PrefixScan::findRecords(OpBuilder &b, Value x, Value before,
                              Value minimum, Value at) {
  if (!reverse) {
    Value least = arith::CmpFOp::create(b, loc, Pred::OEQ, x, minimum);
    Value nan = arith::CmpFOp::create(b, loc, Pred::UNO, x, x);
    return arith::OrIOp::create(b, loc, least, nan);
  }
  Value less = arith::CmpFOp::create(b, loc, Pred::ULT, x, before);
  Value number = arith::CmpFOp::create(b, loc, Pred::ORD, before, before);
  less = arith::AndIOp::create(b, loc, less, number);
  Value first = arith::SubIOp::create(
      b, loc, getValueOrCreateConstantIndexOp(b, loc, end), at);
  // Far ahead it is no position of the block: any such number will do.
  Value most = arith::ConstantIndexOp::create(b, loc, shape[axis]);
  first = arith::MinSIOp::create(b, loc, first, most);
  first = arith::IndexCastOp::create(b, loc, b.getI32Type(), first);
  first = arith::SIToFPOp::create(b, loc, b.getF32Type(), first);
  first = vector::BroadcastOp::create(b, loc, blockOf(b.getF32Type()), first);
  Value isFirst = arith::CmpFOp::create(b, loc, Pred::OEQ, positions(b), first);
  return arith::OrIOp::create(b, loc, less, isFirst);
}

/// at + |found|, or `otherwise` where nothing was found.
Value PrefixScan::placeAt(OpBuilder &b, Value found, Value at,
                          Value otherwise) {
  auto type = cast<VectorType>(found.getType());
  Value none = arith::CmpFOp::create(b, loc, Pred::OEQ, found,
                                     constant(b, type, infinity));
  Value safe =
      arith::SelectOp::create(b, loc, none, constant(b, type, 0), found);
  if (!reverse)
    safe = arith::NegFOp::create(b, loc, safe);
  VectorType narrow = type.clone(b.getI32Type());
  VectorType index = type.clone(b.getI64Type());
  Value place = arith::FPToSIOp::create(b, loc, narrow, safe);
  place = arith::ExtSIOp::create(b, loc, index, place);
  Value base = arith::IndexCastOp::create(b, loc, b.getI64Type(), at);
  base = vector::BroadcastOp::create(b, loc, index, base);
  place = arith::AddIOp::create(b, loc, base, place);
  return arith::SelectOp::create(b, loc, none, otherwise, place);
}

/// The place of the last record on the walk: the least of the records' places,
/// with the sign turned on a walk forward.
Value PrefixScan::emitIndex(OpBuilder &b, Value records, Value at,
                            Value carried, Value &next) {
  Value place = positions(b);
  if (!reverse)
    place = arith::NegFOp::create(b, loc, place);
  Value none = constant(b, blockOf(b.getF32Type()), infinity);
  Value marked = arith::SelectOp::create(b, loc, records, place, none);
  Value nothing = constant(b, carryOf(b.getF32Type()), infinity);
  auto [found, last] = scan(b, ScanKind::Min, exclusive, marked, nothing);
  next = placeAt(b, last, at, carried);
  return placeAt(b, found, at, spread(b, carried));
}

SmallVector<Value> PrefixScan::emitStep(OpBuilder &b, Value input, Value at,
                                        ValueRange carry,
                                        SmallVector<Value> &next) {
  auto type = cast<MemRefType>(input.getType());
  double neutral = kind == ScanKind::Min ? infinity : 0;
  Value padding =
      arith::ConstantOp::create(b, loc, b.getFloatAttr(element, neutral));
  SmallVector<Value> origin(2, arith::ConstantIndexOp::create(b, loc, 0));
  SmallVector<bool> inBounds;
  for (auto [has, wants] : llvm::zip_equal(type.getShape(), shape))
    inBounds.push_back(has == wants);
  Value x =
      vector::TransferReadOp::create(b, loc, blockOf(element), input, origin,
                                     padding, ArrayRef<bool>(inBounds));
  if (wide != element)
    x = arith::ExtFOp::create(b, loc, blockOf(wide), x);

  if (kind == ScanKind::Sum) {
    ScanRules rules = getSumRules();
    Value zero = constant(b, carryOf(wide), 0);
    auto [local, total] = scan(b, kind, exclusive, x, zero);
    SmallVector<Value> spreadCarry = {spread(b, carry[0]), spread(b, carry[1])};
    next = rules.advance(b, loc, carry, total);
    return rules.apply(b, loc, spreadCarry, local);
  }
  if (!withIndex) {
    auto [scanned, total] = scan(b, kind, exclusive, x, carry[0]);
    next = {total};
    return {scanned};
  }
  auto [before, total] = scan(b, kind, /*exclusive=*/true, x, carry[0]);
  Value minimum = arith::MinimumFOp::create(b, loc, before, x);
  Value records = findRecords(b, x, before, minimum, at);
  Value nextIndex;
  Value index = emitIndex(b, records, at, carry[1], nextIndex);
  next = {total, nextIndex};
  return {exclusive ? before : minimum, index};
}

void PrefixScan::write(OpBuilder &b, Value block, Value output) {
  auto type = cast<MemRefType>(output.getType());
  if (isa<FloatType>(type.getElementType()) && wide != element)
    block = arith::TruncFOp::create(b, loc, blockOf(element), block);
  SmallVector<Value> origin(2, arith::ConstantIndexOp::create(b, loc, 0));
  SmallVector<bool> inBounds;
  for (auto [has, wants] : llvm::zip_equal(type.getShape(), shape))
    inBounds.push_back(has == wants);
  vector::TransferWriteOp::create(b, loc, block, output, origin,
                                  ArrayRef<bool>(inBounds));
}
