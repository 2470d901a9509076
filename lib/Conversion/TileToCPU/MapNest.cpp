//===- MapNest.cpp - Loops over register tiles ------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestEmitter.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::cpu;

Value NestEmitter::offset(Value base, int64_t add) {
  if (add == 0)
    return base;
  if (auto constant = getConstantIntValue(base))
    return mapper.index(*constant + add);
  return arith::AddIOp::create(b, loc, base, mapper.index(add));
}

Point NestEmitter::makePoint(Value chunkStart, Value row, int64_t u,
                             int64_t reg) {
  Point point;
  if (nest.outer && row)
    point.scalars.push_back({*nest.outer, offset(row, u)});
  point.inner = nest.inner;
  point.offset = offset(chunkStart, reg * width);
  point.width = width;
  return point;
}

/// Which operand of the contraction runs along lanes, and which is broadcast.
LogicalResult NestEmitter::findContraction() {
  product = getContraction(nest.contraction);
  SmallVector<Axis> result =
      mapper.axes.getAxes(nest.contraction->getResult(0));
  auto sideAxes = [&](Value side) {
    return mapper.axes.getAxes(stripAliases(side));
  };
  rowSide = product.getLhs();
  laneSide = product.getRhs();
  if (llvm::is_contained(sideAxes(rowSide), nest.inner))
    std::swap(rowSide, laneSide);
  SmallVector<Axis> rowAxes = sideAxes(rowSide), laneAxes = sideAxes(laneSide);
  if (product.getKind() != vector::CombiningKind::ADD || !nest.outer ||
      !llvm::is_contained(laneAxes, nest.inner) ||
      llvm::is_contained(rowAxes, nest.inner) || laneAxes.size() != 2 ||
      rowAxes.size() != 2 || !llvm::is_contained(rowAxes, *nest.outer))
    return nest.contraction->emitOpError(
        "cannot be mapped to register tiles: expected a matrix product with "
        "one operand along the lane axis");
  for (Axis axis : laneAxes)
    if (axis != nest.inner)
      productAxis = axis;
  if (auto mask = dyn_cast<vector::MaskOp>(nest.contraction))
    productMask = mask.getMask();
  // A mask that does not change along rows is made once for all of a tile.
  maskHasRows =
      productMask && llvm::is_contained(sideAxes(productMask), *nest.outer);
  return success();
}

/// Registers that one value of the nest's widest type takes.
int64_t NestEmitter::registersPerValue() const {
  int64_t most = 1;
  for (Operation *op : nest.ops)
    for (Value result : op->getResults()) {
      Type element = getElementTypeOrSelf(result);
      int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
      most = std::max<int64_t>(most, llvm::divideCeil(bits, 32));
    }
  return most;
}

/// How many rows fit the registers beside one row of the other operand and one
/// broadcast.
int64_t NestEmitter::rowsBeside(int64_t candidate) const {
  return std::max<int64_t>(1, (available - candidate - 1) / candidate);
}

/// How many registers along lanes make a product of `count` of them cheapest: a
/// step of a row takes as long as its multiplications, its loads or, with few
/// accumulators, the wait for each of them.
int64_t NestEmitter::chooseProductRegisters(int64_t count) const {
  auto costOf = [&](int64_t candidate) {
    double rows =
        static_cast<double>(std::min(rowsBeside(candidate), rowExtent));
    double loads = candidate / rows + 1;
    return std::pair(std::max({double(candidate), loads, 8 / rows}), loads);
  };
  int64_t best = 1;
  std::pair<double, double> least;
  for (int64_t candidate = 1; candidate <= std::min<int64_t>(count, 8);
       ++candidate) {
    auto [time, loads] = costOf(candidate);
    std::pair<double, double> total(time * (count / candidate),
                                    loads * (count / candidate));
    if (int64_t rest = count % candidate) {
      total.first += costOf(rest).first;
      total.second += costOf(rest).second;
    }
    if (candidate == 1 || total < least) {
      best = candidate;
      least = total;
    }
  }
  return best;
}

/// The number of registers along lanes, and with it that of rows.
void NestEmitter::chooseTile() {
  width = mapper.storage.getWidth(nest.inner);
  int64_t count = mapper.storage.getRowSize(nest.inner) / width;
  available = std::max<int64_t>(4, mapper.file.count / registersPerValue());
  rowExtent = nest.outer ? mapper.axes.getExtent(*nest.outer) : 1;
  // Three registers a row keep the loads of the other operand few.
  for (int64_t candidate : {3, 4, 2, 1})
    if (count % candidate == 0) {
      regs = candidate;
      break;
    }
  if (count <= 4)
    regs = count;
  // Few rows are as good as none to share the other operand's registers.
  if (nest.contraction &&
      (!mapper.axes.isLaneAxis(nest.inner) || rowExtent < 4))
    regs = chooseProductRegisters(count);
  addsAtOnce = onlySumsLanes();
  if (addsAtOnce)
    regs = count;
  chooseRows();
}

/// The most rows whose accumulators fit.
void NestEmitter::chooseRows() {
  // With twice as many rows there are hardly fewer shuffles, and twice the
  // code.
  if (addsAtOnce) {
    int64_t most = regs * laneReductions.size() > 8 ? 4 : 8;
    rows = std::min({mapper.storage.getDivisor(*nest.outer), width, most});
    return;
  }
  int64_t most =
      nest.contraction ? rowsBeside(regs) : std::max<int64_t>(1, 8 / regs);
  rows = std::min(most, rowExtent);
  // A divisor saves the code of a tail, if it is not much smaller.
  for (int64_t candidate = rows; candidate * 4 >= rows * 3; --candidate)
    if (rowExtent % candidate == 0) {
      rows = candidate;
      break;
    }
}

Value NestEmitter::combine(vector::CombiningKind kind, Value acc, Value next,
                           Value init) {
  // From an initial value that is not NaN the accumulator never becomes NaN,
  // and then one compare and one select are the whole of maxnum and minnum.
  auto initial = dyn_cast_or_null<FloatAttr>(getSplat(init));
  bool quick = initial && !initial.getValue().isNaN();
  auto pick = [&](arith::CmpFPredicate predicate) -> Value {
    Value better = arith::CmpFOp::create(b, loc, predicate, next, acc);
    return arith::SelectOp::create(b, loc, better, next, acc);
  };
  if (quick && kind == vector::CombiningKind::MAXNUMF)
    return pick(arith::CmpFPredicate::OGT);
  if (quick && kind == vector::CombiningKind::MINNUMF)
    return pick(arith::CmpFPredicate::OLT);
  return vector::makeArithReduction(b, loc, kind, next, acc);
}

Value NestEmitter::combineScan(ScanKind kind, Value acc, Value next) {
  if (kind == ScanKind::Sum)
    return arith::AddFOp::create(b, loc, acc, next);
  return arith::MinimumFOp::create(b, loc, acc, next);
}

void NestEmitter::store(Value block, Value data, const Point &point) {
  SmallVector<Value> place;
  for (Axis axis : mapper.storage.getOrder(block)) {
    Value at = point.getScalar(axis);
    place.push_back(at ? at : point.offset);
  }
  if (Value buffer = mapper.buffers.lookup(block))
    vector::StoreOp::create(b, loc, data, buffer, place);
  for (Operation *op : nest.writes) {
    auto write = cast<vector::TransferWriteOp>(op);
    if (stripAliases(write.getVector()) != block)
      continue;
    SmallVector<Value> indices;
    for (Value index : write.getIndices())
      indices.push_back(mapper.mapping.lookupOrDefault(index));
    size_t leading = indices.size() - place.size();
    for (auto [dim, at] : llvm::enumerate(place))
      indices[leading + dim] =
          arith::AddIOp::create(b, loc, indices[leading + dim], at);
    vector::StoreOp::create(
        b, loc, data, mapper.mapping.lookupOrDefault(write.getBase()), indices);
  }
}

void NestEmitter::storeResults(const Point &point, Registers &registers) {
  for (Operation *op : nest.ops) {
    if (isa<vector::MultiDimReductionOp>(op))
      continue;
    Value result = op->getResult(0);
    if (Value data = registers.lookup(result))
      store(result, data, point);
  }
}

/// One op at one point.
void NestEmitter::emitOp(Operation *op, const Point &point, int64_t reg,
                         Registers &registers, MutableArrayRef<Value> states) {
  if (isAlongLanes(op))
    return addToLaneReduction(op, point, reg, registers);
  auto *it = llvm::find(carried, op);
  if (it == carried.end()) {
    registers[op->getResult(0)] = mapper.cloneAt(op, point, registers);
    return;
  }
  Value &state = states[(it - carried.begin()) * regs + reg];
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op)) {
    Value next = mapper.evaluate(reduction.getSource(), point, registers);
    state = combine(reduction.getKind(), state, next, reduction.getAcc());
    return;
  }
  auto scan = cast<VectorScanOp>(op);
  Value next = mapper.evaluate(scan.getSource(), point, registers);
  Value before = state;
  state = combineScan(scan.getKind(), state, next);
  registers[scan.getScanned()] = scan.getExclusive() ? before : state;
  if (!scan.getReset())
    return;
  Value left = next;
  if (!scan.getExclusive())
    left = arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(cast<VectorType>(state.getType()),
                               scan.getNeutral()));
  Value reset = mapper.evaluate(scan.getReset(), point, registers);
  state = arith::SelectOp::create(b, loc, reset, left, state);
}

/// The k loop of the contraction for one register tile.
void NestEmitter::emitProducts(Value chunkStart, Value row, Tile &tile) {
  int64_t tileRows = tile.size();
  SmallVector<Value> accumulators;
  for (int64_t u = 0; u < tileRows; ++u)
    for (int64_t reg = 0; reg < regs; ++reg)
      accumulators.push_back(mapper.evaluate(
          product.getAcc(), makePoint(chunkStart, row, u, reg), tile[u][reg]));
  auto loop = scf::ForOp::create(
      b, loc, mapper.index(0), mapper.index(mapper.axes.getExtent(productAxis)),
      mapper.index(1), accumulators);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> lanes, masks, next;
  for (int64_t reg = 0; reg < regs; ++reg) {
    Point point = makePoint(chunkStart, {}, 0, reg);
    point.scalars.push_back({productAxis, loop.getInductionVar()});
    prefetch(productAxis, point, reg);
    lanes.push_back(mapper.evaluate(laneSide, point, Registers()));
    if (productMask && !maskHasRows)
      masks.push_back(mapper.evaluate(productMask, point, Registers()));
  }
  for (int64_t u = 0; u < tileRows; ++u) {
    Point point = makePoint(chunkStart, row, u, 0);
    point.scalars.push_back({productAxis, loop.getInductionVar()});
    Value element = loadRowElement(point);
    Value spread =
        vector::BroadcastOp::create(b, loc, lanes[0].getType(), element);
    if (productMask && maskHasRows) {
      masks.clear();
      for (int64_t reg = 0; reg < regs; ++reg) {
        Point place = makePoint(chunkStart, row, u, reg);
        place.scalars.push_back({productAxis, loop.getInductionVar()});
        masks.push_back(mapper.evaluate(productMask, place, Registers()));
      }
    }
    for (int64_t reg = 0; reg < regs; ++reg) {
      Value acc = loop.getRegionIterArgs()[u * regs + reg];
      Value sum = vector::FMAOp::create(b, loc, spread, lanes[reg], acc);
      if (productMask)
        sum = arith::SelectOp::create(b, loc, masks[reg], sum, acc);
      next.push_back(sum);
    }
  }
  scf::YieldOp::create(b, loc, next);
  for (int64_t u = 0; u < tileRows; ++u)
    for (int64_t reg = 0; reg < regs; ++reg)
      tile[u][reg][nest.contraction->getResult(0)] =
          loop.getResult(u * regs + reg);
}

/// One register tile; returns the states after it.
SmallVector<Value> NestEmitter::emitRows(Value chunkStart, Value row,
                                         int64_t tileRows, ValueRange states) {
  SmallVector<Value> current(states);
  Tile tile(tileRows, SmallVector<Registers>(regs));
  bool reverse = nest.reverse.value_or(false);
  auto forEachPoint =
      [&](function_ref<void(const Point &, int64_t, Registers &)> body) {
        for (int64_t step = 0; step < tileRows; ++step) {
          int64_t u = reverse ? tileRows - 1 - step : step;
          for (int64_t reg = 0; reg < regs; ++reg)
            body(makePoint(chunkStart, row, u, reg), reg, tile[u][reg]);
        }
      };
  if (nest.contraction) {
    forEachPoint([&](const Point &point, int64_t reg, Registers &registers) {
      for (Operation *op : nest.ops)
        if (op != nest.contraction && !isAfterContraction(op))
          emitOp(op, point, reg, registers, current);
    });
    emitProducts(chunkStart, row, tile);
  }
  forEachPoint([&](const Point &point, int64_t reg, Registers &registers) {
    if (addsAtOnce)
      prefetch(*nest.outer, point, reg);
    for (Operation *op : nest.ops)
      if (op != nest.contraction && isAfterContraction(op))
        emitOp(op, point, reg, registers, current);
    storeResults(point, registers);
  });
  if (addsAtOnce)
    storeLaneReductions(row, tileRows);
  return current;
}

SmallVector<Value> NestEmitter::walkRows(Value chunkStart,
                                         SmallVector<Value> states) {
  bool reverse = nest.reverse.value_or(false);
  int64_t tiles = rowExtent / rows, tail = rowExtent % rows;
  auto emitTail = [&]() {
    if (tail)
      states = emitRows(chunkStart, mapper.index(reverse ? 0 : tiles * rows),
                        tail, states);
  };
  if (!nest.outer)
    return emitRows(chunkStart, {}, 1, states);
  if (tiles == 1) {
    states =
        emitRows(chunkStart, mapper.index(reverse ? tail : 0), rows, states);
    emitTail();
    return states;
  }
  auto loop =
      scf::ForOp::create(b, loc, mapper.index(0), mapper.index(tiles * rows),
                         mapper.index(rows), states);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value row = loop.getInductionVar();
    if (reverse)
      row = arith::SubIOp::create(b, loc, mapper.index(rowExtent - rows), row);
    SmallVector<Value> next =
        emitRows(chunkStart, row, rows, loop.getRegionIterArgs());
    if (!states.empty())
      scf::YieldOp::create(b, loc, next);
  }
  states.assign(loop.getResults().begin(), loop.getResults().end());
  emitTail();
  return states;
}

SmallVector<Value> NestEmitter::initialStates(Value chunkStart) {
  SmallVector<Value> states;
  for (Operation *op : carried) {
    Value init = isa<VectorScanOp>(op)
                     ? cast<VectorScanOp>(op).getInit()
                     : cast<vector::MultiDimReductionOp>(op).getAcc();
    for (int64_t reg = 0; reg < regs; ++reg)
      states.push_back(mapper.evaluate(init, makePoint(chunkStart, {}, 0, reg),
                                       Registers()));
  }
  return states;
}

void NestEmitter::storeStates(Value chunkStart, ArrayRef<Value> states) {
  for (auto [place, op] : llvm::enumerate(carried)) {
    // The total is the last result of a scan.
    Value result = op->getResults().back();
    for (int64_t reg = 0; reg < regs; ++reg)
      store(result, states[place * regs + reg],
            makePoint(chunkStart, {}, 0, reg));
  }
}

LogicalResult NestEmitter::emit() {
  if (nest.contraction && failed(findContraction()))
    return failure();
  bool seen = !nest.contraction;
  for (Operation *op : nest.ops) {
    seen |= op == nest.contraction;
    if (seen)
      after.insert(op);
    if (isAlongLanes(op))
      laneReductions.push_back({cast<vector::MultiDimReductionOp>(op), {}, {}});
    else if (isa<vector::MultiDimReductionOp, VectorScanOp>(op))
      carried.push_back(op);
  }
  chooseTile();
  findStreams();
  if (canWeigh())
    emitWeighed();
  else
    emitChunks();
  return success();
}

void NestEmitter::emitChunks() {
  int64_t extent = mapper.storage.getRowSize(nest.inner);
  int64_t chunk = regs * width, rest = extent % chunk;
  auto emitChunk = [&](Value chunkStart) {
    storeStates(chunkStart, walkRows(chunkStart, initialStates(chunkStart)));
  };
  startLaneReductions(extent == chunk);
  if (extent == chunk) {
    emitChunk(mapper.index(0));
  } else {
    auto loop =
        scf::ForOp::create(b, loc, mapper.index(0), mapper.index(extent - rest),
                           mapper.index(chunk));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitChunk(loop.getInductionVar());
  }
  if (rest > 0) {
    regs = rest / width;
    chooseRows();
    emitChunk(mapper.index(extent - rest));
  }
  finishLaneReductions();
}

LogicalResult TileMapper::mapNest(const Item &nest) {
  return NestEmitter(*this, nest).emit();
}
