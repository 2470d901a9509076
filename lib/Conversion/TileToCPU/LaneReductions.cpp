//===- LaneReductions.cpp - Reductions along lanes --------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The registers of a row are reduced to one as the nest goes by, and the lanes
// of these after the walk, for as many rows at a time as fill a register. The
// order is the same for any number of threads.
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
/// registers. Then the lanes of each row are added as it is read, while memory is
/// waited for, and not after all rows.
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

/// Adds the lanes of the row's register, halves to halves.
void NestEmitter::storeLaneSum(LaneReduction &reduction, Value row) {
  Value sum = reduction.current;
  for (int64_t left = width / 2; left > 0; left /= 2) {
    SmallVector<int64_t> low = llvm::to_vector(llvm::seq(left));
    SmallVector<int64_t> high = llvm::to_vector(llvm::seq(left, 2 * left));
    sum = arith::AddFOp::create(
        b, loc, vector::ShuffleOp::create(b, loc, sum, sum, low),
        vector::ShuffleOp::create(b, loc, sum, sum, high));
  }
  Point point;
  point.inner = *nest.outer;
  point.offset = row;
  Value init = mapper.evaluate(reduction.op.getAcc(), point, Registers());
  store(reduction.op.getDest(), arith::AddFOp::create(b, loc, sum, init),
        point);
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
    return storeLaneSum(reduction, point.getScalar(*nest.outer));
  SmallVector<Value> at = {point.getScalar(*nest.outer), mapper.index(0)};
  if (!oneChunk) {
    Value before = vector::LoadOp::create(b, loc, reduction.current.getType(),
                                          reduction.partial, at);
    reduction.current =
        vector::makeArithReduction(b, loc, kind, before, reduction.current);
  }
  vector::StoreOp::create(b, loc, reduction.current, reduction.partial, at);
}

/// Reduces each of `rows`, a power of two, to one lane of the result. A step
/// halves what is left of each row, and halves the number of registers as long
/// as there are two.
static Value reduceEach(OpBuilder &b, Location loc, vector::CombiningKind kind,
                        SmallVector<Value> rows) {
  auto type = cast<VectorType>(rows.front().getType());
  int64_t left = type.getNumElements(), count = rows.size();
  auto halve = [&](Value x, Value y, bool two) -> Value {
    int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
    SmallVector<int64_t> first, second;
    for (int64_t lane = 0; lane < (two ? 2 : 1) * lanes; ++lane)
      (lane % left < left / 2 ? first : second).push_back(lane);
    Value low = vector::ShuffleOp::create(b, loc, x, y, first);
    Value high = vector::ShuffleOp::create(b, loc, x, y, second);
    return vector::makeArithReduction(b, loc, kind, low, high);
  };
  for (; count > 1; count /= 2, left /= 2) {
    for (int64_t pair = 0; pair < count / 2; ++pair)
      rows[pair] = halve(rows[2 * pair], rows[2 * pair + 1], /*two=*/true);
  }
  for (; left > 1; left /= 2)
    rows[0] = halve(rows[0], rows[0], /*two=*/false);
  return rows[0];
}

/// Reduces the lanes of every row. All reductions of a run are read before one
/// is stored: a result may take over the memory of an initial value.
void NestEmitter::finishLaneReductions() {
  if (laneReductions.empty() || addsAtOnce)
    return;
  int64_t group = std::min(mapper.storage.getDivisor(*nest.outer), width);
  auto loop = scf::ForOp::create(b, loc, mapper.index(0),
                                 mapper.index(rowExtent), mapper.index(group));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Point point;
  point.inner = *nest.outer;
  point.offset = loop.getInductionVar();
  point.width = group;
  SmallVector<Value> results;
  for (LaneReduction &reduction : laneReductions) {
    auto type = VectorType::get({width},
                                getElementTypeOrSelf(reduction.op.getSource()));
    SmallVector<Value> loaded;
    for (int64_t row = 0; row < group; ++row)
      loaded.push_back(vector::LoadOp::create(
          b, loc, type, reduction.partial,
          ValueRange{offset(point.offset, row), mapper.index(0)}));
    vector::CombiningKind kind = reduction.op.getKind();
    Value init = mapper.evaluate(reduction.op.getAcc(), point, Registers());
    results.push_back(vector::makeArithReduction(
        b, loc, kind, reduceEach(b, loc, kind, loaded), init));
  }
  for (auto [reduction, result] : llvm::zip(laneReductions, results))
    store(reduction.op.getDest(), result, point);
}
