//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The equations of one step of online attention and of its end.

#include "fpa/Dialect/IR/Tile/OnlineEquations.h"
#include "LogitEquations.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

using Pred = arith::CmpFPredicate;

/// The maximum, or 0 for a row without any key so far: there is nothing to
/// subtract.
Value buildSafeMaximum(TileBuilder &t, Value maximum) {
  return t.map(maximum, [](Elementwise &e, ValueRange x) {
    Value none = e.constant(-std::numeric_limits<double>::infinity(), x[0]);
    return e.select(e.compare(Pred::OEQ, x[0], none), e.constant(0.0, x[0]),
                    x[0]);
  });
}

/// exp2(x - y) where x <= y.
Value exp2Difference(Elementwise &e, ValueRange x) {
  return e.exp2OfNonpositive(e.sub(x[0], x[1]));
}

class OnlineStep : private LogitTile {
public:
  OnlineStep(TileBuilder &tile, OnlineAttentionOp op,
             const OnlineExtents &sizes)
      : LogitTile(tile, LogitOperands::of(op, op.getNonIncreasing()),
                  {sizes.rows, sizes.keys, sizes.head},
                  cast<FloatType>(
                      getElementTypeOrSelf(op.getAccumulator().getType()))),
        op(op), valueHead(sizes.valueHead) {
    hideMissingKeys();
  }

  SmallVector<Value> run(OnlineTerms terms) {
    if (terms == OnlineTerms::ProductsOnly)
      return finish({buildWeightedValues(buildScaledProduct(), loadState(0)),
                     op.getMaximum(), op.getSum(), op.getMinimum()});
    Value logits =
        buildScaledProduct(op.getCommon() ? buildKeyCosts() : Value());
    Value minimum = op.getMinimum();
    getVisible();
    if (op.getField() && !op.getCommon()) {
      minimum = loadState(3);
      loadField();
      SmallVector<Value> blocks = {logits};
      llvm::append_range(blocks, getExcessBlocks(findMinimum(minimum)));
      logits = t.map(blocks, [&](Elementwise &e, ValueRange x) {
        return penalise(e, x[0], excess(e, x.drop_front()));
      });
      minimum = passTile(minimum);
    }
    if (getVisible())
      logits = mask(logits, -std::numeric_limits<double>::infinity());
    return buildUpdate(logits, minimum);
  }

private:
  Value loadState(unsigned index) {
    Value source = op.getOuts()[index];
    if (index == 0)
      return t.load(source, {rows, valueHead}, zeroOf(acc));
    return t.load(source, rows, zeroOf(acc));
  }

  /// acc + p v, where masked keys take no part even if their value is NaN. Keys
  /// that fill a block up are zeros.
  Value buildWeightedValues(Value weights, Value accumulator) {
    Value value = loadWide(op.getValue(), {keys, valueHead});
    return t.contract("ij,je->ie", weights, value, accumulator,
                      isEdge() ? getVisible() : Value());
  }

  /// m' = max(m, max_j s2); alpha = exp2(m - m'); p = exp2(s2 - m')
  /// sum' = alpha sum + sum_j p; acc' = alpha acc + p v
  SmallVector<Value> buildUpdate(Value logits, Value minimum) {
    Value before = loadState(1);
    Value maximum = t.map(
        {t.reduce(TileBuilder::Reduction::Max, logits, /*axis=*/1), before},
        [](Elementwise &e, ValueRange x) { return e.maxOrSecond(x[0], x[1]); });
    Value safe = buildSafeMaximum(t, maximum);
    Value alpha = t.map({before, safe}, exp2Difference);
    Value weights = t.map({logits, alongRows(safe)}, exp2Difference);
    Value sum = t.map(
        {alpha, loadState(2),
         t.reduce(TileBuilder::Reduction::Sum, weights, /*axis=*/1)},
        [](Elementwise &e, ValueRange x) { return e.fma(x[0], x[1], x[2]); });
    Value rescaled =
        t.map({t.broadcast(alpha, {rows, valueHead}, 0), loadState(0)},
              [](Elementwise &e, ValueRange x) { return e.mul(x[0], x[1]); });
    return finish(
        {buildWeightedValues(weights, rescaled), maximum, sum, minimum});
  }

  /// Stores what has changed.
  SmallVector<Value> finish(ArrayRef<Value> state) {
    SmallVector<Value> stored;
    for (auto [block, out] : llvm::zip_equal(state, op.getOuts()))
      stored.push_back(block == out ? block : t.store(block, out));
    return stored;
  }

  OnlineAttentionOp op;
  OpFoldResult valueHead;
};

} // namespace

SmallVector<Value> mlir::fpa::buildOnlineStep(TileBuilder &tile,
                                              OnlineAttentionOp op,
                                              const OnlineExtents &extents,
                                              OnlineTerms terms) {
  return OnlineStep(tile, op, extents).run(terms);
}

SmallVector<Value> mlir::fpa::buildOnlineMerge(TileBuilder &t, OnlineMergeOp op,
                                               const OnlineExtents &extents) {
  OpFoldResult rows = extents.rows, width = extents.valueHead;
  Type acc = getElementTypeOrSelf(op.getAccumulator().getType());
  auto zero = cast<TypedAttr>(t.b.getZeroAttr(acc));
  Value maximum = t.load(op.getMaximum(), rows, zero);
  Value before = t.load(op.getOuts()[1], rows, zero);
  Value both = t.map({maximum, before}, [](Elementwise &e, ValueRange x) {
    return e.maxOrSecond(x[0], x[1]);
  });
  // alpha = exp2(m - maximum), beta = exp2(m' - maximum)
  Value safe = buildSafeMaximum(t, both);
  Value alpha = t.map({before, safe}, exp2Difference);
  Value beta = t.map({maximum, safe}, exp2Difference);
  // alpha x + beta x', for sums and accumulators
  auto add = [](Elementwise &e, ValueRange x) {
    return e.fma(x[0], x[1], e.mul(x[2], x[3]));
  };
  Value sum = t.map({alpha, t.load(op.getOuts()[2], rows, zero), beta,
                     t.load(op.getSum(), rows, zero)},
                    add);
  auto wide = [&](Value block) { return t.broadcast(block, {rows, width}, 0); };
  Value accumulator =
      t.map({wide(alpha), t.load(op.getOuts()[0], {rows, width}, zero),
             wide(beta), t.load(op.getAccumulator(), {rows, width}, zero)},
            add);
  return {t.store(accumulator, op.getOuts()[0]), t.store(both, op.getOuts()[1]),
          t.store(sum, op.getOuts()[2])};
}

SmallVector<Value> mlir::fpa::buildOnlineFinalize(TileBuilder &t,
                                                  OnlineFinalizeOp op,
                                                  const OnlineExtents &extents,
                                                  OnlineTerms terms) {
  OpFoldResult rows = extents.rows, width = extents.valueHead;
  Type acc = getElementTypeOrSelf(op.getAccumulator().getType());
  auto zero = cast<TypedAttr>(t.b.getZeroAttr(acc));
  Value accumulator = t.load(op.getAccumulator(), {rows, width}, zero);
  Value maximum = t.load(op.getMaximum(), rows, zero);
  Value sum = t.load(op.getSum(), rows, zero);

  // output = acc / sum, 0 where there was no key
  Value output = accumulator;
  if (terms == OnlineTerms::All) {
    Value inverse = t.map(sum, [](Elementwise &e, ValueRange x) {
      Value zero = e.constant(0.0, x[0]);
      Value isEmpty = e.compare(Pred::OEQ, x[0], zero);
      return e.select(isEmpty, zero, e.div(e.constant(1.0, x[0]), x[0]));
    });
    output =
        t.map({accumulator, t.broadcast(inverse, {rows, width}, 0)},
              [](Elementwise &e, ValueRange x) { return e.mul(x[0], x[1]); });
  }
  auto element =
      cast<FloatType>(getElementTypeOrSelf(op.getOuts()[0].getType()));
  if (element != acc)
    output = t.map(
        output,
        [&](Elementwise &e, ValueRange x) { return e.cast(x[0], element); },
        element);
  SmallVector<Value> results = {t.store(output, op.getOuts()[0])};
  if (op.getOuts().size() == 1)
    return results;

  // lse = ln(2) (maximum + log2(sum)), -inf where there was no key
  Value lse = t.map({maximum, sum}, [](Elementwise &e, ValueRange x) {
    Value none = e.constant(-std::numeric_limits<double>::infinity(), x[0]);
    Value isEmpty = e.compare(Pred::OEQ, x[1], e.constant(0.0, x[1]));
    Value total = e.add(x[0], e.log2(x[1]));
    return e.select(isEmpty, none, e.mul(total, e.constant(ln2, total)));
  });
  results.push_back(t.store(lse, op.getOuts()[1]));
  return results;
}
