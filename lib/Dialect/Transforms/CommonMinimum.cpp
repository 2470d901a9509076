//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommonMinimum.h"
#include "BackwardWalk.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fpa;

/// The least D_i: the minimum over the key tiles of the edge. Keys that no row
/// sees may lie in the last of them; they can only put the split further left.
static Value findLeastInEdge(KeyWalk &walk, Value none, const KeyRange &inner,
                             OpFoldResult edgeEnd,
                             function_ref<Value(OpFoldResult)> getTileMinimum) {
  OpBuilder &b = walk.b;
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult end =
      walk.math.min({d0, d1}, {edgeEnd, OpFoldResult(walk.keyLength)});
  OpFoldResult tiles =
      walk.math.apply((d0 - d1).ceilDiv(inner.step), {end, inner.end});
  return createLoop(
      b, walk.loc, walk.math.value(tiles), none,
      [&](OpFoldResult i, ValueRange least) -> SmallVector<Value> {
        OpFoldResult offset =
            walk.math.apply(d0 + d1 * inner.step, {inner.end, i});
        return {arith::MinimumFOp::create(b, walk.loc, least[0],
                                          getTileMinimum(offset))};
      })[0];
}

CommonMinimum mlir::fpa::splitAtCommonMinimum(
    KeyWalk &walk, const KeyRange &inner, OpFoldResult edgeEnd,
    function_ref<Value(OpFoldResult)> getTileMinimum) {
  OpBuilder &b = walk.b;
  Location loc = walk.loc;
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  Value none = arith::ConstantFloatOp::create(
      b, loc, walk.accumulator,
      APFloat::getInf(walk.accumulator.getFloatSemantics()));
  Value least = findLeastInEdge(walk, none, inner, edgeEnd, getTileMinimum);
  Value zero = walk.math.value(b.getIndexAttr(0));
  // How many tiles rows go through with minima of their own, and C behind them.
  SmallVector<Value> found = createLoop(
      b, loc, walk.math.value(walk.countSteps(inner)), {zero, none},
      [&](OpFoldResult i, ValueRange state) -> SmallVector<Value> {
        OpFoldResult offset =
            walk.math.apply(d0 - (d1 + 1) * inner.step, {inner.end, i});
        Value passed =
            arith::MinimumFOp::create(b, loc, state[1], getTileMinimum(offset));
        // Also where one of the two is NaN.
        Value areApart = arith::CmpFOp::create(
            b, loc, arith::CmpFPredicate::UGT, state[1], least);
        Value next = walk.math.value(walk.math.apply(d0 + 1, {i}));
        return {arith::SelectOp::create(b, loc, areApart, next, state[0]),
                arith::SelectOp::create(b, loc, areApart, passed, state[1])};
      });
  // One number from here on, instead of the two that it comes from.
  Value step = walk.math.value(b.getIndexAttr(inner.step));
  OpFoldResult split =
      arith::SubIOp::create(b, loc, walk.math.value(inner.end),
                            arith::MulIOp::create(b, loc, found[0], step))
          .getResult();
  return {{split, inner.end, inner.step, /*isEdge=*/false},
          {inner.begin, split, inner.step, /*isEdge=*/false},
          found[1]};
}
