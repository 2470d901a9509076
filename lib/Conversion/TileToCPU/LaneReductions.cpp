//===- LaneReductions.cpp - Reductions along lanes --------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The registers of a row are reduced to one as the nest goes by, and the lanes
// of these for some rows at a time, after the walk or as the nest goes by. The
// order is the same for any number of rows and of threads.
//
//===----------------------------------------------------------------------===//

#include "NestEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::cpu;

bool NestEmitter::isAlongLanes(Operation *op) const {
  auto reduction = dyn_cast<vector::MultiDimReductionOp>(op);
  if (!reduction)
    return false;
  SmallVector<Axis> own = mapper.axes.getAxes(reduction.getSource());
  return llvm::any_of(llvm::zip(own, reduction.getReductionMask()),
                      [&](auto dim) {
                        auto [axis, reduced] = dim;
                        return reduced && axis == nest.inner;
                      });
}

/// Whether the nest does nothing but sum along lanes, over rows of few
/// registers. Then the lanes of some rows are added as these are read, while
/// memory is waited for, and not after all rows.
bool NestEmitter::onlySumsLanes() const {
  if (nest.contraction || laneReductions.empty() || !carried.empty() ||
      mapper.storage.getRowSize(nest.inner) > 8 * width)
    return false;
  return llvm::all_of(nest.ops, [&](Operation *op) {
    if (isAlongLanes(op))
      return cast<vector::MultiDimReductionOp>(op).getKind() ==
             vector::CombiningKind::ADD;
    return !mapper.buffers.contains(op->getResult(0));
  });
}

/// Makes room for a register of each row. Where rows are walked in several
/// chunks it has a start: the initial value if it may count more than once,
/// else nothing.
void NestEmitter::startLaneReductions(bool single) {
  oneChunk = single;
  if (addsAtOnce)
    return;
  for (LaneReduction &reduction : laneReductions) {
    Type element = getElementTypeOrSelf(reduction.op.getSource());
    reduction.partial =
        mapper.allocate(MemRefType::get({rowExtent, width}, element));
    if (oneChunk)
      continue;
    bool sum = reduction.op.getKind() == vector::CombiningKind::ADD;
    mapper.forEach(mapper.index(rowExtent), [&](Value row) {
      Point point;
      point.scalars.push_back({*nest.outer, row});
      Value start =
          sum ? arith::ConstantOp::create(b, loc, b.getZeroAttr(element))
              : mapper.evaluateScalar(reduction.op.getAcc(), point);
      start = vector::BroadcastOp::create(
          b, loc, VectorType::get({width}, element), start);
      vector::StoreOp::create(b, loc, start, reduction.partial,
                              ValueRange{row, mapper.index(0)});
    });
  }
}

/// Adds up the two halves of every row in `x`, of which each has `left` lanes,
/// and of those in `y`, unless it is null, which come behind them.
static Value halve(OpBuilder &b, Location loc, vector::CombiningKind kind,
                   Value x, Value y, int64_t left) {
  int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
  SmallVector<int64_t> first, second;
  for (int64_t lane = 0; lane < (y ? 2 : 1) * lanes; ++lane)
    (lane % left < left / 2 ? first : second).push_back(lane);
  Value low = vector::ShuffleOp::create(b, loc, x, y ? y : x, first);
  Value high = vector::ShuffleOp::create(b, loc, x, y ? y : x, second);
  return vector::makeArithReduction(b, loc, kind, low, high);
}

void LaneTree::add(OpBuilder &b, Location loc, vector::CombiningKind kind,
                   Value row) {
  parts.push_back({row, cast<VectorType>(row.getType()).getNumElements()});
  while (parts.size() > 1 && parts.back().left == parts.end()[-2].left) {
    Part last = parts.pop_back_val(), &before = parts.back();
    before = {halve(b, loc, kind, before.rows, last.rows, last.left),
              last.left / 2};
  }
}

Value LaneTree::take(OpBuilder &b, Location loc, vector::CombiningKind kind) {
  assert(parts.size() == 1 && "expected a power of two of rows");
  auto [rows, left] = parts.pop_back_val();
  for (; left > 1; left /= 2)
    rows = halve(b, loc, kind, rows, Value(), left);
  return rows;
}

void NestEmitter::addToLaneReduction(Operation *op, const Point &point,
                                     int64_t reg, const Registers &registers) {
  LaneReduction &reduction = *llvm::find_if(
      laneReductions, [&](LaneReduction &other) { return other.op == op; });
  vector::CombiningKind kind = reduction.op.getKind();
  Value source = reduction.op.getSource();
  auto product = source.getDefiningOp<arith::MulFOp>();
  if (addsAtOnce && product && reg > 0) {
    auto factor = [&](Value side) {
      return mapper.evaluate(side, point, registers);
    };
    reduction.current =
        vector::FMAOp::create(b, loc, factor(product.getLhs()),
                              factor(product.getRhs()), reduction.current);
  } else {
    Value next = mapper.evaluate(source, point, registers);
    reduction.current =
        reg == 0
            ? next
            : vector::makeArithReduction(b, loc, kind, next, reduction.current);
  }
  if (reg + 1 < regs)
    return;
  if (addsAtOnce)
    return reduction.tree.add(b, loc, kind, reduction.current);
  SmallVector<Value> at = {point.getScalar(*nest.outer), mapper.index(0)};
  if (!oneChunk) {
    Value before = vector::LoadOp::create(b, loc, reduction.current.getType(),
                                          reduction.partial, at);
    reduction.current =
        vector::makeArithReduction(b, loc, kind, before, reduction.current);
  }
  vector::StoreOp::create(b, loc, reduction.current, reduction.partial, at);
}

/// Stores the results of the `count` rows from `begin` on, whose registers are
/// in the trees. All initial values are read before one result is stored, which
/// may take over the memory of any of them.
void NestEmitter::storeLaneReductions(Value begin, int64_t count) {
  Point point;
  point.inner = *nest.outer;
  point.offset = begin;
  point.width = count;
  SmallVector<Value> results;
  for (LaneReduction &reduction : laneReductions) {
    vector::CombiningKind kind = reduction.op.getKind();
    Value init = mapper.evaluate(reduction.op.getAcc(), point, Registers());
    results.push_back(vector::makeArithReduction(
        b, loc, kind, reduction.tree.take(b, loc, kind), init));
  }
  for (auto [reduction, result] : llvm::zip(laneReductions, results))
    store(reduction.op.getDest(), result, point);
}

/// Reduces the lanes of every row, where that was not done on the walk.
void NestEmitter::finishLaneReductions() {
  if (laneReductions.empty() || addsAtOnce)
    return;
  int64_t group = std::min(mapper.storage.getDivisor(*nest.outer), width);
  auto loop = scf::ForOp::create(b, loc, mapper.index(0),
                                 mapper.index(rowExtent), mapper.index(group));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value begin = loop.getInductionVar();
  for (LaneReduction &reduction : laneReductions) {
    auto type = VectorType::get({width},
                                getElementTypeOrSelf(reduction.op.getSource()));
    for (int64_t row = 0; row < group; ++row)
      reduction.tree.add(b, loc, reduction.op.getKind(),
                         vector::LoadOp::create(
                             b, loc, type, reduction.partial,
                             ValueRange{offset(begin, row), mapper.index(0)}));
  }
  storeLaneReductions(begin, group);
}
