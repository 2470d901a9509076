//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Where carries end, and tiles that pass without one that is looked at.

#include "CarryEquations.h"
#include "LogitEquations.h"
#include "fpa/Dialect/IR/Tile/BackwardEquations.h"

using namespace mlir;
using namespace mlir::fpa;

using Pred = arith::CmpFPredicate;

FloatType mlir::fpa::getAccumulatorType(Value state) {
  return cast<FloatType>(getElementTypeOrSelf(state.getType()));
}

Value mlir::fpa::selectOrZero(TileBuilder &t, Value condition, Value block,
                              bool where) {
  return t.map(
      {condition, block},
      [&](Elementwise &e, ValueRange x) {
        Value none = e.constant(0.0, x[1]);
        return where ? e.select(x[0], x[1], none) : e.select(x[0], none, x[1]);
      },
      getAccumulatorType(block));
}

/// Where what comes from the left has its minimum in the tile, and ends there:
/// R_i is `minimum` to the right of the tile, and with the tile it is `passed`,
/// or the smaller of both.
Value mlir::fpa::endsInTile(TileBuilder &t, Value minimum, Value passed) {
  return t.map(
      {passed, minimum},
      [](Elementwise &e, ValueRange x) {
        return e.compare(Pred::OGT, x[1], x[0]);
      },
      t.b.getI1Type());
}

/// R_i of rows that have `own`, behind what is `passed`, one number or null.
Value mlir::fpa::lowerMinimum(TileBuilder &t, Value own, Value passed,
                              OpFoldResult rows) {
  if (!passed)
    return own;
  return t.map({own, t.splat(passed, rows)},
               [](Elementwise &e, ValueRange x) { return e.min(x[0], x[1]); });
}

static Value isLastOf(TileBuilder &t, OpFoldResult keys) {
  Value count = t.splat(arith::IndexCastOp::create(
                            t.b, t.loc, t.b.getI32Type(),
                            getValueOrCreateConstantIndexOp(t.b, t.loc, keys)),
                        keys);
  return t.map(
      {t.iota(keys), count},
      [](Elementwise &e, ValueRange x) {
        Value next = e.sub(x[0], e.constant(int64_t(-1), x[0]));
        return e.compare(arith::CmpIPredicate::eq, next, x[1]);
      },
      t.b.getI1Type());
}

/// What ends of all rows, in the last key's place, and 0 elsewhere.
Value mlir::fpa::putEndsLast(TileBuilder &t, Value ends, OpFoldResult keys) {
  return t.map(
      {isLastOf(t, keys), t.splat(t.sum(ends), keys)},
      [](Elementwise &e, ValueRange x) {
        return e.select(x[0], x[1], e.constant(0.0, x[1]));
      },
      getAccumulatorType(ends));
}

SmallVector<Value> mlir::fpa::buildPassField(TileBuilder &tile, PassFieldOp op,
                                             const OnlineExtents &extents) {
  Value state = op.getOuts()[0];
  FloatType acc = getAccumulatorType(state);
  LogitOperands operands = {};
  operands.field = op.getField();
  operands.suffix = op.getSuffix();
  // Every row begins before its last key.
  operands.first = operands.last = op.getLast();
  operands.keyOffset = op.getKeyOffset();
  LogitTile logits(tile, operands, {extents.rows, extents.keys, {}}, acc);
  logits.loadField();
  Value minimum = tile.load(state, extents.rows, logits.zeroOf(acc));
  Value passed = logits.passTile(minimum);
  SmallVector<Value> results;
  for (Value out : op.getOuts())
    results.push_back(tile.store(passed, out));
  return results;
}

SmallVector<Value> mlir::fpa::buildPassCarry(TileBuilder &t, PassCarryOp op,
                                             const OnlineExtents &extents) {
  Value carry = op.getOuts()[0], ofSuffix = op.getOuts()[1];
  FloatType acc = getAccumulatorType(carry);
  LogitOperands operands = {};
  operands.field = op.getField();
  operands.suffix = op.getSuffix();
  LogitTile tile(t, operands, {extents.rows, extents.keys, {}}, acc);
  tile.loadField();
  Value minimum =
      lowerMinimum(t, t.load(op.getMinimum(), extents.rows, tile.zeroOf(acc)),
                   op.getPassed(), extents.rows);
  Value before = t.load(carry, extents.rows, tile.zeroOf(acc));
  Value endsHere = endsInTile(t, minimum, tile.passTile(minimum));
  Value ends = selectOrZero(t, endsHere, before, /*where=*/true);
  Value goesOn = selectOrZero(t, endsHere, before, /*where=*/false);
  Value sum =
      t.map({t.load(ofSuffix, extents.keys, tile.zeroOf(acc)),
             putEndsLast(t, ends, extents.keys)},
            [](Elementwise &e, ValueRange x) { return e.add(x[0], x[1]); });
  return {t.store(goesOn, carry), t.store(sum, ofSuffix)};
}
