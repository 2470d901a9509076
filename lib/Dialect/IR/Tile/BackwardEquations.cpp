//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The equations of one tile of the backward and of its end.

#include "fpa/Dialect/IR/Tile/BackwardEquations.h"
#include "LogitEquations.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

using Pred = arith::CmpFPredicate;

FloatType getAccumulatorType(Value state) {
  return cast<FloatType>(getElementTypeOrSelf(state.getType()));
}

class BackwardStep : private LogitTile {
public:
  BackwardStep(TileBuilder &tile, BackwardTileOp op, const OnlineExtents &sizes)
      : LogitTile(tile, LogitOperands::of(op, /*nonIncreasing=*/false),
                  {sizes.rows, sizes.keys, sizes.head},
                  getAccumulatorType(op.getQueryGradient())),
        op(op), valueHead(sizes.valueHead) {}

  SmallVector<Value> run() {
    getVisible();
    Value logits = buildLogits();
    Value weights = buildWeights(logits);
    Value gradient = buildLogitGradient(weights);

    Value query = loadWide(op.getQuery(), {rows, head});
    Value key = loadWide(op.getKey(), {keys, head});
    Value outputGradient = loadWide(op.getOutputGradient(), {rows, valueHead});
    SmallVector<Value> sums;
    auto add = [&](StringRef spec, Value lhs, Value rhs,
                   ArrayRef<OpFoldResult> extents) {
      Value sum = t.load(op.getOuts()[sums.size()], extents, zeroOf(acc));
      sums.push_back(t.contract(spec, lhs, rhs, sum, getVisible()));
    };
    add("ij,jd->id", gradient, key, {rows, head});
    add("ij,id->jd", gradient, query, {keys, head});
    add("ij,ie->je", weights, outputGradient, {keys, valueHead});
    if (op.hasFieldGradient())
      addFieldGradients(gradient, sums);

    // All is read before anything is written.
    SmallVector<Value> results;
    for (auto [sum, out] : llvm::zip_equal(sums, op.getOuts()))
      results.push_back(sum ? t.store(sum, out) : out);
    return results;
  }

private:
  Value loadRow(Value source) { return t.load(source, rows, zeroOf(acc)); }

  Value buildLogits() {
    Value logits = buildScaledProduct();
    if (op.getField()) {
      loadField();
      between = findMinimum(loadRow(op.getMinimum()));
      above = t.map(getExcessBlocks(between),
                    [&](Elementwise &e, ValueRange x) { return excess(e, x); });
      logits = t.map({logits, above}, [&](Elementwise &e, ValueRange x) {
        return penalise(e, x[0], x[1]);
      });
    }
    if (isEdge())
      logits = mask(logits, -std::numeric_limits<double>::infinity());
    return logits;
  }

  /// P = exp2(s2 - log2(e) lse). A row without any key has nothing to subtract.
  /// The difference is above 0 by rounding only.
  Value buildWeights(Value logits) {
    Value shift = t.map(loadRow(op.getLse()), [](Elementwise &e, ValueRange x) {
      Value none = e.constant(-std::numeric_limits<double>::infinity(), x[0]);
      return e.select(e.compare(Pred::OEQ, x[0], none), e.constant(0.0, x[0]),
                      e.mul(x[0], e.constant(log2e, x[0])));
    });
    return t.map({logits, alongRows(shift)}, [](Elementwise &e, ValueRange x) {
      return e.exp2OfNonpositive(e.sub(x[0], x[1]));
    });
  }

  /// Delta_i = sum_e do o - dlse
  Value buildDelta() {
    Value products =
        t.map({loadWide(op.getOutputGradient(), {rows, valueHead}),
               loadWide(op.getOutput(), {rows, valueHead})},
              [](Elementwise &e, ValueRange x) { return e.mul(x[0], x[1]); });
    Value delta = t.reduce(TileBuilder::Reduction::Sum, products, /*axis=*/1);
    if (!op.getLseGradient())
      return delta;
    return t.map(
        {delta, loadRow(op.getLseGradient())},
        [](Elementwise &e, ValueRange x) { return e.sub(x[0], x[1]); });
  }

  /// dS = P (do v - Delta), 0 where the key is not seen.
  Value buildLogitGradient(Value weights) {
    Value product = t.contract(
        "ie,je->ij", loadWide(op.getOutputGradient(), {rows, valueHead}),
        loadWide(op.getValue(), {keys, valueHead}),
        t.constant(zeroOf(acc), {rows, keys}));
    Value gradient = t.map({weights, product, alongRows(buildDelta())},
                           [](Elementwise &e, ValueRange x) {
                             return e.mul(x[0], e.sub(x[1], x[2]));
                           });
    return isEdge() ? mask(gradient, 0.0) : gradient;
  }

  void addFieldGradients(Value gradient, SmallVectorImpl<Value> &sums) {
    Value share = t.map({gradient, above}, [&](Elementwise &e, ValueRange x) {
      return scaleBySlope(e, x[0], x[1]);
    });
    if (in.smooth)
      share = dropWithoutMinimum(isEdge() ? mask(share, 0.0) : share);
    Value carry = loadRow(op.getCarry());
    Value atLevel = t.reduce(TileBuilder::Reduction::Sum, share, /*axis=*/0);
    Value level =
        t.map({t.load(op.getLevelGradient(), keys, zeroOf(acc)), atLevel},
              [](Elementwise &e, ValueRange x) { return e.sub(x[0], x[1]); });
    Value suffix, field;
    if (isEdge())
      std::tie(carry, field) = addInEdge(share, carry);
    else
      std::tie(carry, suffix) = addInside(share, carry);
    sums.append({carry, level, suffix, field});
  }

  /// The slope is 0 where no field lies between key and row, but not if the
  /// level is NaN; such a key has no part in the gradients.
  Value dropWithoutMinimum(Value share) {
    SmallVector<Value> blocks = {share, between};
    if (!isEdge())
      blocks.push_back(alongKeys(getSuffix()));
    return t.map(blocks, [](Elementwise &e, ValueRange x) {
      Value minimum = x.size() == 3 ? e.min(x[1], x[2]) : x[1];
      Value none = e.constant(std::numeric_limits<double>::infinity(), minimum);
      return e.select(e.compare(Pred::OEQ, minimum, none),
                      e.constant(0.0, x[0]), x[0]);
    });
  }

  /// The sum over rows of a block, added to the out.
  Value addToKeys(Value block, Value out) {
    Value sum = t.reduce(TileBuilder::Reduction::Sum, block, /*axis=*/0);
    return t.map(
        {t.load(out, keys, zeroOf(acc)), sum},
        [](Elementwise &e, ValueRange x) { return e.add(x[0], x[1]); });
  }

  /// Every row has the same minima inside of the tile.
  std::pair<Value, Value> addInside(Value share, Value carry) {
    Value minimum = loadRow(op.getMinimum());
    // Of equal minima the row's lies further to the right.
    Value isRows = t.map(
        {alongRows(minimum), alongKeys(getSuffix())},
        [](Elementwise &e, ValueRange x) {
          return e.compare(Pred::OLE, x[0], x[1]);
        },
        t.b.getI1Type());
    Value toRows = t.map(
        {isRows, share},
        [](Elementwise &e, ValueRange x) {
          return e.select(x[0], x[1], e.constant(0.0, x[1]));
        },
        acc);
    // What comes from the left and has its minimum in this tile ends here.
    Value endsHere = t.map(
        {passTile(minimum), minimum},
        [](Elementwise &e, ValueRange x) {
          return e.compare(Pred::OGT, x[1], x[0]);
        },
        t.b.getI1Type());
    auto split = [&](bool atEnd) {
      return t.map(
          {endsHere, carry},
          [&](Elementwise &e, ValueRange x) {
            Value none = e.constant(0.0, x[1]);
            return atEnd ? e.select(x[0], x[1], none)
                         : e.select(x[0], none, x[1]);
          },
          acc);
    };
    Value ends = split(/*atEnd=*/true), stays = split(/*atEnd=*/false);
    Value lastKey =
        t.splat(arith::IndexCastOp::create(
                    t.b, t.loc, t.b.getI32Type(),
                    getValueOrCreateConstantIndexOp(t.b, t.loc, keys)),
                keys);
    Value isLast = t.map(
        {t.iota(keys), lastKey},
        [](Elementwise &e, ValueRange x) {
          Value next = e.sub(x[0], e.constant(int64_t(-1), x[0]));
          return e.compare(arith::CmpIPredicate::eq, next, x[1]);
        },
        t.b.getI1Type());
    Value toKeys = t.map(
        {isRows, share, alongKeys(isLast), alongRows(ends)},
        [](Elementwise &e, ValueRange x) {
          Value own = e.select(x[0], e.constant(0.0, x[1]), x[1]);
          return e.select(x[2], x[3], own);
        },
        acc);
    Value moved = t.reduce(TileBuilder::Reduction::Sum, toRows, /*axis=*/1);
    carry = t.map({stays, moved}, [](Elementwise &e, ValueRange x) {
      return e.add(x[0], x[1]);
    });
    return {carry, addToKeys(toKeys, op.getSuffixGradient())};
  }

  /// The minima of a row inside of the tile are the keys whose field is below
  /// all to their right; a running sum over keys ends at each of them.
  std::pair<Value, Value> addInEdge(Value share, Value carry) {
    Value isMinimum = t.map(
        {getReachable(), between},
        [](Elementwise &e, ValueRange x) {
          return e.compare(Pred::OLT, x[0], x[1]);
        },
        t.b.getI1Type());
    auto [before, rest] = t.scanSums(share, carry, isMinimum, /*axis=*/1);
    Value ends = t.map(
        {isMinimum, before},
        [](Elementwise &e, ValueRange x) {
          return e.select(x[0], x[1], e.constant(0.0, x[1]));
        },
        acc);
    return {rest, addToKeys(ends, op.getFieldGradient())};
  }

  BackwardTileOp op;
  OpFoldResult valueHead;
  /// M(i,j) or R_i of each logit, and how far the level is above it.
  Value between, above;
};

} // namespace

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
  return {tile.store(logits.passTile(minimum), state)};
}

SmallVector<Value> mlir::fpa::buildBackwardTile(TileBuilder &tile,
                                                BackwardTileOp op,
                                                const OnlineExtents &extents) {
  return BackwardStep(tile, op, extents).run();
}

SmallVector<Value>
mlir::fpa::buildBackwardFinalize(TileBuilder &t, BackwardFinalizeOp op,
                                 const OnlineExtents &extents) {
  FloatType acc = getAccumulatorType(op.getAccumulator());
  Value out = op.getOuts()[0];
  auto element = getAccumulatorType(out);
  Value sum = t.load(op.getAccumulator(), {extents.rows, extents.head},
                     cast<TypedAttr>(t.b.getZeroAttr(acc)));
  double scale = op.getScale().convertToDouble();
  Value gradient = t.map(
      sum,
      [&](Elementwise &e, ValueRange x) {
        return e.cast(e.mul(x[0], e.constant(scale, x[0])), element);
      },
      element);
  return {t.store(gradient, out)};
}
