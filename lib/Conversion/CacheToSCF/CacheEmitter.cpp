//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fpa;

void CacheEmitter::forAll(ArrayRef<Value> bounds,
                          function_ref<void(ValueRange)> body) {
  SmallVector<OpFoldResult> sizes = getAsOpFoldResult(bounds);
  auto forall = scf::ForallOp::create(b, sizes, ValueRange(), std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forall.getBody());
  body(SmallVector<Value>(forall.getInductionVars()));
}

ValueRange
CacheEmitter::loop(Value begin, Value end, ValueRange state,
                   function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(b, begin, end, index(1), state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  // A loop that carries nothing has its end already.
  if (!state.empty())
    scf::YieldOp::create(b, next);
  return loop.getResults();
}

void CacheEmitter::branch(Value condition, function_ref<void()> then,
                          function_ref<void()> otherwise) {
  auto choice = scf::IfOp::create(b, condition, bool(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&choice.getThenRegion().front());
  then();
  if (!otherwise)
    return;
  b.setInsertionPointToStart(&choice.getElseRegion().front());
  otherwise();
}

Value CacheEmitter::clamp(Value x) {
  APFloat largest = APFloat::getLargest(type.getFloatSemantics());
  x = arith::MinimumFOp::create(b, x, constant(largest, x));
  return arith::MaximumFOp::create(b, x, constant(neg(largest), x));
}

Value CacheEmitter::clampCount(Value data, Value most) {
  Value count = arith::IndexCastOp::create(b, b.getIndexType(), data);
  count = arith::MinSIOp::create(b, count, most);
  return arith::MaxSIOp::create(b, count, index(0));
}

/// The penalty is level_j - minimum_j, where that is above 0. A NaN is none
/// that ends a key.
Value CacheEmitter::isDead(Value level, Value minimum) {
  Value excess = arith::SubFOp::create(b, clamp(level), clamp(minimum));
  APFloat threshold = op.getEvictAbove();
  bool losesInfo;
  threshold.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, excess,
                               constant(threshold, excess));
}

void CacheEmitter::copyRow(Value from, ValueRange fromRow, Value to,
                           ValueRange toRow) {
  loop(index(0), dim(to, 3), {}, [&](Value column, ValueRange) {
    SmallVector<Value> source(fromRow), target(toRow);
    source.push_back(column);
    target.push_back(column);
    Value element = memref::LoadOp::create(b, from, source);
    memref::StoreOp::create(b, element, to, target);
    return SmallVector<Value>();
  });
}

/// Counts and lengths are data, not to be trusted.
CacheEmitter::Counts CacheEmitter::readCounts() {
  Value room = dim(op.getCachedKey(), 2);
  Counts counts;
  counts.held = clampCount(
      memref::LoadOp::create(b, op.getCount(), ValueRange{batch, head}), room);
  counts.tokens = dim(op.getKey(), 2);
  if (Value lengths = op.getLengths())
    counts.tokens =
        clampCount(memref::LoadOp::create(b, lengths, batch), counts.tokens);
  counts.end = arith::AddIOp::create(b, counts.held, counts.tokens);
  counts.fits =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sle, counts.end, room);
  return counts;
}

void CacheEmitter::forHeads(ArrayRef<Value> bounds,
                            function_ref<void(const Counts &, ValueRange)> body,
                            function_ref<void()> otherwise) {
  SmallVector<Value> all = {dim(op.getKey(), 0), dim(op.getKey(), 1)};
  llvm::append_range(all, bounds);
  forAll(all, [&](ValueRange ids) {
    batch = ids[0];
    head = ids[1];
    Counts counts = readCounts();
    branch(counts.fits, [&] { body(counts, ids.drop_front(2)); }, otherwise);
  });
}

void CacheEmitter::noteOverflow() {
  if (op.getDropped())
    memref::StoreOp::create(b, real(INFINITY), op.getDropped(), at(index(0)));
}

/// sum' = sum + exp(-penalty), norm' = max(norm, |k|), largest' =
/// max(largest, |v|), each rounded up. The factors are far above what the
/// operations before them lose.
void CacheEmitter::noteDropped(Value key) {
  Value dropped = op.getDropped();
  if (!dropped)
    return;
  Value slack = real(1 + 0x1p-40), step = real(1 + 0x1p-52);
  Value penalty = arith::SubFOp::create(b, toF64(clamp(loadLevel(key))),
                                        toF64(clamp(loadMinimum(key))));
  Value weight = math::ExpOp::create(b, arith::NegFOp::create(b, penalty));
  // What underflows is no less than nothing.
  weight = arith::AddFOp::create(b, arith::MulFOp::create(b, weight, slack),
                                 real(1e-300));
  auto element = [&](Value buffer, Value column) {
    SmallVector<Value> place = at(key);
    place.push_back(column);
    return toF64(memref::LoadOp::create(b, buffer, place));
  };
  Value squares = loop(index(0), dim(op.getCachedKey(), 3), real(0),
                       [&](Value column, ValueRange sum) {
                         Value x = element(op.getCachedKey(), column);
                         Value square = arith::MulFOp::create(b, x, x);
                         return SmallVector<Value>{
                             arith::AddFOp::create(b, sum[0], square)};
                       })[0];
  Value norm =
      arith::MulFOp::create(b, math::SqrtOp::create(b, squares), slack);
  Value largest = loop(
      index(0), dim(op.getCachedValue(), 3), real(0),
      [&](Value column, ValueRange found) {
        Value x = math::AbsFOp::create(b, element(op.getCachedValue(), column));
        return SmallVector<Value>{arith::MaximumFOp::create(b, found[0], x)};
      })[0];
  Value sum = memref::LoadOp::create(b, dropped, at(index(0)));
  sum = arith::MulFOp::create(b, arith::AddFOp::create(b, sum, weight), step);
  memref::StoreOp::create(b, sum, dropped, at(index(0)));
  for (auto [place, value] : {std::pair(1, norm), std::pair(2, largest)}) {
    Value before = memref::LoadOp::create(b, dropped, at(index(place)));
    memref::StoreOp::create(b, arith::MaximumFOp::create(b, before, value),
                            dropped, at(index(place)));
  }
}
