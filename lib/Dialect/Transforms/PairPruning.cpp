//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairPruning.h"
#include "fpa/Dialect/IR/CreateGeneric.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

/// Blocks of a group: few enough for the bound of all to be near that of one,
/// enough for the question to cost little where few are left out.
static constexpr int64_t kBlocks = 4;

PairPruning::PairPruning(RewriterBase &rewriter, AttentionBackwardOp op,
                         int64_t rows, int64_t keysOfBlock, Value first,
                         Value last)
    : groups(rewriter, op, /*nonIncreasing=*/false,
             {kBlocks * rows, kBlocks * keysOfBlock, keysOfBlock}),
      b(rewriter), loc(op.getLoc()), keys(groups, keysOfBlock),
      blockKeys(keysOfBlock) {
  groups.first = first;
  groups.last = last;
  Value norms = keys.createNorms(op.getQuery(), rows, -keys.getReachFactor());
  reach = keys.createMinima(norms, /*reverse=*/true, getRows());
  lse = keys.createMinima(op.getLse(), /*reverse=*/true, getRows());
  highest = keys.createMinima(createNegative(keys.getTileLevels()),
                              /*reverse=*/false, 0);
  most = keys.createMinima(createNegative(op.getLse()), /*reverse=*/true, 0);
  if (mayEnd()) {
    reachFrom = keys.createMinima(norms, /*reverse=*/true, 0);
    lseFrom = keys.createMinima(op.getLse(), /*reverse=*/true, 0);
  }
}

Value PairPruning::createNegative(Value source) {
  AffineMap all = b.getMultiDimIdentityMap(3);
  SmallVector<utils::IteratorType> kinds(3, utils::IteratorType::parallel);
  return createGeneric(b, loc, {source}, groups.emptyLike(source), {all, all},
                       kinds, [&](ValueRange x) -> Value {
                         return arith::NegFOp::create(b, loc, x[0]);
                       });
}

Value PairPruning::constant(double x) {
  return arith::ConstantOp::create(b, loc,
                                   b.getFloatAttr(groups.accumulator, x));
}

Value PairPruning::constant(int64_t x) {
  return arith::ConstantIndexOp::create(b, loc, x);
}

Value PairPruning::read(Value tensor, OpFoldResult batch, OpFoldResult head,
                        OpFoldResult at) {
  SmallVector<Value> place;
  for (OpFoldResult index : {batch, head, at})
    place.push_back(groups.math.value(index));
  return tensor::ExtractOp::create(b, loc, tensor, place);
}

PairPruning::Rows PairPruning::describe(const Head &head, OpFoldResult group) {
  OpFoldResult row =
      groups.math.apply(b.getAffineDimExpr(0) * getRows(), {group});
  KeyRanges ranges = groups.splitKeys(row, groups.countRows(row), blockKeys);
  OpFoldResult begin = ranges.left ? ranges.left->begin : ranges.inner.begin;
  Value largest =
      arith::NegFOp::create(b, loc, read(reach, head.batch, head.query, row));
  return {{head.batch, head.key, head.field, begin, ranges.right.end, largest},
          read(lse, head.batch, head.query, row),
          ranges.inner};
}

/// The least field from key `begin` to `end`.
Value PairPruning::findMinimum(const Head &head, OpFoldResult begin,
                               OpFoldResult end) {
  AffineExpr d0 = b.getAffineDimExpr(0);
  return head.runs.find(groups.math, head.batch, head.field,
                        groups.math.apply(d0.floorDiv(head.tile), {begin}),
                        groups.math.apply(d0.ceilDiv(head.tile), {end}));
}

/// 1 if not all of the rows see all keys of the group.
Value PairPruning::isCut(const Rows &rows, OpFoldResult group) {
  IndexMath &math = groups.math;
  AffineExpr d0 = b.getAffineDimExpr(0);
  auto isLess = [&](OpFoldResult x, OpFoldResult y) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                 math.value(x), math.value(y));
  };
  return arith::OrIOp::create(
      b, loc, isLess(math.apply(d0 * getKeys(), {group}), rows.full.begin),
      isLess(rows.full.end, math.apply((d0 + 1) * getKeys(), {group})));
}

Value PairPruning::needs(const Head &head, const Rows &rows,
                         OpFoldResult group) {
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult begin = groups.math.apply(d0 * getKeys(), {group});
  OpFoldResult end = groups.math.apply(d0 + getKeys(), {begin});
  // What lies between the keys and all of the rows.
  Value minimum = findMinimum(head, end, rows.full.end);
  Value needed = keys.needs(rows.bounds, keys.ofTile(rows.bounds, begin),
                            minimum, /*maximum=*/Value(), rows.lse);
  return arith::SelectOp::create(b, loc, isCut(rows, group),
                                 constant(int64_t(1)), needed);
}

/// No bound is above that with the largest norm and least level of all keys,
/// and the minimum behind the last of them.
Value PairPruning::needsKeysUpTo(const Head &head, const Rows &rows,
                                 OpFoldResult group) {
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult begin = groups.math.apply(d0 * getKeys(), {group});
  OpFoldResult end = groups.math.apply(d0 + getKeys(), {begin});
  return keys.needs(rows.bounds, keys.upToTile(rows.bounds, begin),
                    findMinimum(head, end, rows.full.end), /*maximum=*/Value(),
                    rows.lse);
}

/// The same for the largest reach and least lse of all rows: those further on
/// have lower minima, and see no more than all keys.
Value PairPruning::isNeededFrom(const Head &head, OpFoldResult rows,
                                OpFoldResult group) {
  IndexMath &math = groups.math;
  AffineExpr d0 = b.getAffineDimExpr(0);
  Rows first = describe(head, rows);
  OpFoldResult row = math.apply(d0 * getRows(), {rows});
  OpFoldResult begin = math.apply(d0 * getKeys(), {group});
  OpFoldResult end = math.apply(d0 + getKeys(), {begin});
  KeyPruning::Rows all = first.bounds;
  all.end = math.alignUp(groups.keyLength, blockKeys);
  all.reach = arith::NegFOp::create(
      b, loc, read(reachFrom, head.batch, head.query, row));
  Value needed = keys.needs(
      all, keys.ofTile(all, begin), findMinimum(head, end, first.full.end),
      /*maximum=*/Value(), read(lseFrom, head.batch, head.query, row));
  return arith::SelectOp::create(b, loc, isCut(first, group),
                                 constant(int64_t(1)), needed);
}

/// The bound never falls as norm and minimum grow, nor rises with the level: a
/// group with no norm, the largest level and the least minimum is needed only
/// if all are. A NaN anywhere in the field makes all of them needed, since the
/// bound of a group sees only a part of what its rows do.
Value PairPruning::needsAllKeys(const Head &head, const Rows &rows,
                                OpFoldResult group) {
  IndexMath &math = groups.math;
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult last =
      math.max(math.apply(d0 - 1, {rows.full.end}), b.getIndexAttr(0));
  Value level = arith::NegFOp::create(
      b, loc, read(highest, head.batch, head.field, last));
  Value minimum = arith::MaximumFOp::create(
      b, loc,
      findMinimum(head, math.apply((d0 + 1) * getKeys(), {group}),
                  rows.full.end),
      findMinimum(head, b.getIndexAttr(0), groups.keyLength));
  return keys.needs(rows.bounds, {constant(0.0), level}, minimum,
                    /*maximum=*/Value(), rows.lse);
}

/// The same for rows, of which the most that is known is the largest lse, and
/// that those who see all of a group see no fewer keys.
Value PairPruning::isNeededByAll(const Head &head, OpFoldResult rows,
                                 OpFoldResult group) {
  IndexMath &math = groups.math;
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult begin = math.apply(d0 * getKeys(), {group});
  KeyPruning::Rows best = {head.batch,
                           head.key,
                           head.field,
                           b.getIndexAttr(0),
                           b.getIndexAttr(getKeys()),
                           constant(0.0)};
  Value largest = arith::NegFOp::create(
      b, loc,
      read(most, head.batch, head.query, math.apply(d0 * getRows(), {rows})));
  Value minimum = arith::MaximumFOp::create(
      b, loc,
      findMinimum(head, math.apply(d0 + getKeys(), {begin}), groups.keyLength),
      findMinimum(head, b.getIndexAttr(0), groups.keyLength));
  return keys.needs(best, {constant(0.0), keys.ofTile(best, begin).level},
                    minimum, /*maximum=*/Value(), largest);
}

/// Cuts off the side of which nothing is needed, in as many halvings as it
/// takes: a bound of more keys or rows is no lower.
void PairPruning::findSide(OpFoldResult &begin, OpFoldResult &end,
                           const Questions &ask, Value areTogether) {
  IndexMath &math = groups.math;
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  bool isLeft = bool(ask.leftEnd);
  OpFoldResult last = isLeft ? ask.leftEnd : end, zero = b.getIndexAttr(0);
  Value count = arith::IndexCastOp::create(
      b, loc, b.getI64Type(),
      math.value(math.max(math.apply(d1 - d0, {begin, last}), zero)));
  Value bits = arith::SubIOp::create(
      b, loc, arith::ConstantIntOp::create(b, loc, 64, 64),
      math::CountLeadingZerosOp::create(b, loc, count));
  Value halvings = arith::SelectOp::create(
      b, loc, areTogether, constant(int64_t(0)),
      arith::IndexCastOp::create(b, loc, b.getIndexType(), bits));
  SmallVector<Value> range = createLoop(
      b, loc, halvings, {math.value(begin), math.value(last)},
      [&](OpFoldResult, ValueRange x) -> SmallVector<Value> {
        OpFoldResult middle = math.apply(
            (d0 + d1).floorDiv(2), {OpFoldResult(x[0]), OpFoldResult(x[1])});
        // One that exists, where all are found already.
        OpFoldResult asked = math.min({d0, d1 - 1}, {middle, last});
        // Up where the left is not needed, or what is on the right is.
        Value up = arith::CmpIOp::create(b, loc,
                                         isLeft ? arith::CmpIPredicate::eq
                                                : arith::CmpIPredicate::ne,
                                         ask.side(asked), math.value(zero));
        Value isOpen = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                             x[0], x[1]);
        Value next = math.value(math.apply(d0 + 1, {middle}));
        Value low = arith::SelectOp::create(b, loc, up, next, x[0]);
        Value high =
            arith::SelectOp::create(b, loc, up, x[1], math.value(middle));
        return {arith::SelectOp::create(b, loc, isOpen, low, x[0]),
                arith::SelectOp::create(b, loc, isOpen, high, x[1])};
      });
  if (isLeft)
    begin = range[0];
  else
    end = range[1];
}

SmallVector<Value> PairPruning::walk(OpFoldResult begin, OpFoldResult end,
                                     const Questions &ask, ValueRange state,
                                     GroupBody visit, Numbers *numbers) {
  IndexMath &math = groups.math;
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult count =
      math.max(math.apply(d1 - d0, {begin, end}), b.getIndexAttr(0));
  Value isAny = math.value(math.min({d0, b.getAffineConstantExpr(1)}, {count}));
  Value together =
      createLoop(b, loc, isAny, {constant(int64_t(1))},
                 [&](OpFoldResult, ValueRange) -> SmallVector<Value> {
                   return {ask.all()};
                 })[0];
  // One, or as many as there are.
  Value one = constant(int64_t(1));
  Value areTogether =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, together, one);
  Value step = arith::SelectOp::create(
      b, loc, areTogether, math.value(math.max(count, b.getIndexAttr(1))), one);
  if (mayEnd())
    findSide(begin, end, ask, areTogether);
  SmallVector<Value> carried(state);
  if (numbers)
    carried.push_back(constant(int64_t(0)));
  auto loop = scf::ForOp::create(b, loc, math.value(begin), math.value(end),
                                 step, carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value group = loop.getInductionVar();
  Value keep = arith::OrIOp::create(b, loc, ask.one(group), together);
  Value next = arith::AddIOp::create(b, loc, group, step);
  ValueRange inner = loop.getRegionIterArgs();
  SmallVector<Value> visited =
      visit(group, keep, next, inner.take_front(state.size()));
  if (numbers) {
    // A group that is not needed is in full sight of all rows.
    Value drop = arith::SubIOp::create(b, loc, one, keep);
    Value keys = arith::MulIOp::create(b, loc, drop, constant(getKeys()));
    visited.push_back(arith::AddIOp::create(b, loc, inner.back(), keys));
  }
  scf::YieldOp::create(b, loc, visited);
  SmallVector<Value> results(loop.getResults());
  if (numbers) {
    numbers->skipped = results.pop_back_val();
    b.setInsertionPointAfter(loop);
    // One that does not end leaves out no key before the first.
    numbers->end = mayEnd() ? math.value(math.apply(d0 * getKeys(), {begin}))
                            : constant(int64_t(0));
  }
  return results;
}
