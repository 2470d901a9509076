//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The equations of one tile of the backward and of its end.

#include "fpa/Dialect/IR/Tile/BackwardEquations.h"
#include "CarryEquations.h"
#include "LogitEquations.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

using Pred = arith::CmpFPredicate;

using Sum = BackwardTileOp::Sum;

class BackwardStep : private LogitTile {
public:
  BackwardStep(TileBuilder &tile, BackwardTileOp op, const OnlineExtents &sizes)
      : LogitTile(tile, LogitOperands::of(op, /*nonIncreasing=*/false),
                  {sizes.rows, sizes.keys, sizes.head},
                  getAccumulatorType(op.getLse()),
                  /*keysFirst=*/op.getPart() == GradientPart::Keys),
        op(op), valueHead(sizes.valueHead) {}

  SmallVector<Value> run() {
    getVisible();
    Value logits = buildLogits();
    Value weights = buildWeights(logits);
    bool isFirst = addsValuesFirst();
    if (isFirst)
      addValueGradient(weights);
    Value gradient = buildLogitGradient(weights);
    addProducts(gradient);
    if (!isFirst)
      addValueGradient(weights);
    if (op.hasFieldGradient())
      addFieldGradients(gradient);

    // All is read before anything is written.
    SmallVector<Value> results;
    for (auto [sum, out] : llvm::zip_equal(op.getSums(), op.getOuts())) {
      Value changed = sums.lookup(sum), stored = written.lookup(sum);
      results.push_back(stored    ? stored
                        : changed ? t.store(changed, out)
                                  : out);
    }
    return results;
  }

private:
  Value loadRow(Value source) { return t.load(source, rows, zeroOf(acc)); }

  Value buildLogits() {
    Value logits = buildScaledProduct();
    if (op.getField()) {
      loadField();
      minimum = loadMinimum();
      logits = choosesForm() ? choosePenalty(logits) : subtractPenalty(logits);
    }
    if (isEdge())
      logits = mask(logits, -std::numeric_limits<double>::infinity());
    return logits;
  }

  Value subtractPenalty(Value logits) {
    between = findMinimum(minimum);
    if (op.hasFieldGradient() && !isEdge() && !choosesForm())
      findReached();
    return t.map(withBlocks(logits, getExcessBlocks(between)),
                 [&](Elementwise &e, ValueRange x) {
                   return penalise(e, x[0], excess(e, x.drop_front()));
                 });
  }

  /// Whether *below* and *above* choose between forms of what depends on
  /// minima, for all rows and keys. Where *below* holds,
  ///
  ///   R_i < S_j and R_i < level_j:
  ///
  /// the penalty is level_j - R_i > 0, and all of it goes to rows. Where
  /// *above* holds,
  ///
  ///   R_i >= level_j:
  ///
  /// the penalty is A_j, and nothing of it goes to rows.
  bool choosesForm() {
    return op.getBelow() && t.hasBranches() && !in.isSmooth();
  }

  /// `buildAbove` where *above* is given and holds, else `build`; each by a
  /// step of its own, since what it finds is known in its branch only.
  using BuildForm = llvm::function_ref<SmallVector<Value>(BackwardStep &)>;
  SmallVector<Value> chooseAbove(BuildForm buildAbove, BuildForm build) {
    auto inBranch = [&](BuildForm form) {
      BackwardStep here(*this);
      return form(here);
    };
    if (!op.getAbove())
      return inBranch(build);
    return t.choose(
        op.getAbove(), [&] { return inBranch(buildAbove); },
        [&] { return inBranch(build); });
  }

  Value choosePenalty(Value logits) {
    // What branches look at is read ahead of them, and what depends on keys
    // alone found once where these stay.
    readSuffix();
    if (op.getPart() == GradientPart::Keys) {
      fixInTile();
      if (op.hasFieldGradient())
        findReached();
    }
    return t.choose(
        op.getBelow(),
        [&]() -> SmallVector<Value> {
          return {t.map({logits, alongKeys(getLevel()), alongRows(minimum)},
                        [&](Elementwise &e, ValueRange x) {
                          return penalise(e, x[0], e.sub(x[1], x[2]));
                        })};
        },
        [&] {
          return chooseAbove(
              [&](BackwardStep &here) -> SmallVector<Value> {
                return {here.subtractInTile(logits)};
              },
              [&](BackwardStep &here) -> SmallVector<Value> {
                return {here.subtractPenalty(logits)};
              });
        })[0];
  }

  /// The penalty is that of what lies in the tile.
  Value subtractInTile(Value logits) {
    fixInTile();
    return t.map(
        {logits, alongKeys(getFixed())},
        [&](Elementwise &e, ValueRange x) { return penalise(e, x[0], x[1]); });
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

  /// dS = P (do v - Delta), 0 where the key is not seen.
  Value buildLogitGradient(Value weights) {
    Value product =
        multiply(loadWide(op.getOutputGradient(), {rows, valueHead}),
                 loadWide(op.getValue(), {keys, valueHead}));
    Value gradient =
        t.map({weights, product, alongRows(loadRow(op.getDelta()))},
              [](Elementwise &e, ValueRange x) {
                return e.mul(x[0], e.sub(x[1], x[2]));
              });
    return isEdge() ? mask(gradient, 0.0) : gradient;
  }

  /// Whether dV is added before dS is found. Where numbers are multiplied one
  /// by one nobody waits for P then, which leaves its registers. Matrix units
  /// had better have the products of logits and of their gradients side by
  /// side.
  bool addsValuesFirst() {
    return t.hasBranches() && getAccumulatorType(op.getValue()) == acc;
  }

  void addProduct(Sum sum, StringRef spec, Value block, Value operand,
                  ArrayRef<OpFoldResult> extents) {
    Value before = t.load(op.getSum(sum), extents, zeroOf(acc));
    sums[sum] = t.contract(spec, block, operand, before, getVisible());
  }

  /// dV += P^T dO, if it is wanted.
  void addValueGradient(Value weights) {
    if (op.getSum(Sum::Value))
      addProduct(Sum::Value, keysFirst ? "ji,ie->je" : "ij,ie->je", weights,
                 loadWide(op.getOutputGradient(), {rows, valueHead}),
                 {keys, valueHead});
  }

  /// dQ += dS K, dK += dS^T Q, those that are wanted.
  void addProducts(Value gradient) {
    if (op.getSum(Sum::Query))
      addProduct(Sum::Query, "ij,jd->id", gradient,
                 loadWide(op.getKey(), {keys, head}), {rows, head});
    if (op.getSum(Sum::Key))
      addProduct(Sum::Key, keysFirst ? "ji,id->jd" : "ij,id->jd", gradient,
                 loadWide(op.getQuery(), {rows, head}), {keys, head});
  }

  /// R_i
  Value loadMinimum() {
    return lowerMinimum(t, loadRow(op.getMinimum()), op.getPassed(), rows);
  }

  void addFieldGradients(Value gradient) {
    if (isEdge() || in.isSmooth())
      gradient = t.map(withBlocks(gradient, getExcessBlocks(between)),
                       [&](Elementwise &e, ValueRange x) {
                         return scaleBySlope(e, x[0], x.drop_front());
                       });
    if (in.isSmooth())
      gradient = dropWithoutMinimum(isEdge() ? mask(gradient, 0.0) : gradient);
    if (!isEdge())
      return addInside(gradient);
    if (op.getSum(Sum::Level))
      addToKeys(Sum::Level, sumOverRows(gradient), /*subtract=*/true);
    if (op.getSum(Sum::Field))
      addInEdge(gradient);
  }

  static SmallVector<Value> withBlocks(Value first, ArrayRef<Value> rest) {
    SmallVector<Value> blocks = {first};
    llvm::append_range(blocks, rest);
    return blocks;
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

  Value sumOverRows(Value block) {
    return t.reduce(TileBuilder::Reduction::Sum, block, rowAxis());
  }
  Value sumOverKeys(Value block) {
    return t.reduce(TileBuilder::Reduction::Sum, block, keyAxis());
  }

  /// The carry, or a line of keys.
  Value loadSum(Sum sum) {
    Value &block = loaded[sum];
    if (!block)
      block = sum == Sum::Carry ? loadRow(op.getSum(sum))
                                : t.load(op.getSum(sum), keys, zeroOf(acc));
    return block;
  }

  /// One number for each key, added to the sum or subtracted from it.
  void addToKeys(Sum sum, Value line, bool subtract = false) {
    sums[sum] = addTo(sum, line, subtract);
  }
  Value addTo(Sum sum, Value line, bool subtract = false) {
    return t.map({loadSum(sum), line}, [&](Elementwise &e, ValueRange x) {
      return subtract ? e.sub(x[0], x[1]) : e.add(x[0], x[1]);
    });
  }

  /// Every row has the same minima inside of the tile. Key j is penalised where
  ///
  ///   level_j > min(S_j, R_i)
  ///
  /// and its minimum is the row's where R_i <= S_j: of equal minima the row's
  /// lies further to the right. So it takes one comparison to find what goes to
  /// rows, R_i <= T_j, and there are two kinds of keys:
  ///
  ///                  T_j              penalised    minimum in the tile
  ///   S_j < level_j  S_j              in all rows  where not R_i <= T_j
  ///   others         below(level_j)   R_i <= T_j   nowhere
  ///
  /// In the smooth form all keys are of the first kind.
  void findReached() {
    if (reached)
      return;
    findSuffix();
    reached = getSuffix();
    if (in.isSmooth())
      return;
    isBelow = t.map(
        {getLevel(), getSuffix()},
        [](Elementwise &e, ValueRange x) {
          return e.compare(Pred::OGT, x[0], x[1]);
        },
        t.b.getI1Type());
    reached = t.map(
        {isBelow, getSuffix(), getLevel()},
        [](Elementwise &e, ValueRange x) {
          return e.select(x[0], x[1], e.below(x[2]));
        },
        acc);
  }

  void addInside(Value share) {
    if (choosesForm())
      chooseSums(share);
    else
      addByMinima(share);
  }

  void chooseSums(Value share) {
    SmallVector<Sum> kinds;
    SmallVector<Value> before;
    for (Sum sum : {Sum::Level, Sum::Carry, Sum::Suffix})
      if (Value out = op.getSum(sum)) {
        kinds.push_back(sum);
        bool stays = sum == Sum::Suffix && endsRarely();
        before.push_back(stays ? out : loadSum(sum));
      }
    SmallVector<Value> after = t.choose(
        op.getBelow(), [&] { return addBelow(share, kinds, before); },
        [&] {
          auto addSums = [&](BackwardStep &here, bool reachesRows) {
            here.addByMinima(share, reachesRows);
            return llvm::map_to_vector(kinds, [&](Sum sum) {
              Value stored = here.written.lookup(sum);
              return stored ? stored : here.sums.lookup(sum);
            });
          };
          return chooseAbove(
              [&](BackwardStep &here) { return addSums(here, false); },
              [&](BackwardStep &here) { return addSums(here, true); });
        });
    for (auto [sum, value] : llvm::zip_equal(kinds, after))
      (isa<TensorType>(value.getType()) ? written : sums)[sum] = value;
  }

  /// The sums where all goes to rows: suffixes get nothing, and no carry ends.
  SmallVector<Value> addBelow(Value share, ArrayRef<Sum> kinds,
                              ArrayRef<Value> before) {
    SmallVector<Value> after;
    for (auto [sum, value] : llvm::zip_equal(kinds, before)) {
      if (sum == Sum::Level)
        after.push_back(addTo(sum, sumOverRows(share), /*subtract=*/true));
      else if (sum == Sum::Carry)
        after.push_back(addTo(sum, sumOverKeys(share)));
      else
        after.push_back(value);
    }
    return after;
  }

  /// `reachesRows` says whether R_i <= T_j anywhere.
  void addByMinima(Value share, bool reachesRows = true) {
    findReached();
    Value isRows;
    if (reachesRows)
      isRows = t.map(
          {alongRows(minimum), alongKeys(reached)},
          [](Elementwise &e, ValueRange x) {
            return e.compare(Pred::OLE, x[0], x[1]);
          },
          t.b.getI1Type());
    Value toSuffix;
    if (op.getSum(Sum::Level))
      toSuffix = addToLevels(share, isRows);
    if (op.getSum(Sum::Carry)) {
      Value ends = moveCarry(share, isRows);
      toSuffix = toSuffix && ends ? t.map({toSuffix, ends},
                                          [](Elementwise &e, ValueRange x) {
                                            return e.add(x[0], x[1]);
                                          })
                 : ends           ? ends
                                  : toSuffix;
    }
    if (toSuffix)
      addToKeys(Sum::Suffix, toSuffix);
  }

  /// The levels' gradients; returns what has its minimum in the tile. Both are
  /// among the sum of all rows and that of those for which it matters:
  ///
  ///                  penalised     minimum in the tile
  ///   S_j < level_j  all rows      not isRows
  ///   others         isRows        0
  Value addToLevels(Value share, Value isRows) {
    Value all = sumOverRows(share);
    if (!isRows) {
      Value ofTile = selectOrZero(t, isBelow, all, /*where=*/true);
      addToKeys(Sum::Level, ofTile, /*subtract=*/true);
      return ofTile;
    }
    if (!isBelow) {
      addToKeys(Sum::Level, all, /*subtract=*/true);
      return sumOverRows(selectOrZero(t, isRows, share, /*where=*/false));
    }
    Value isOther =
        t.map({isRows, alongKeys(isBelow)}, [](Elementwise &e, ValueRange x) {
          return e.bitXor(x[0], x[1]);
        });
    Value others = sumOverRows(selectOrZero(t, isOther, share, /*where=*/true));
    addToKeys(Sum::Level,
              t.map(
                  {isBelow, all, others},
                  [](Elementwise &e, ValueRange x) {
                    return e.select(x[0], x[1], x[2]);
                  },
                  acc),
              /*subtract=*/true);
    return selectOrZero(t, isBelow, others, /*where=*/true);
  }

  /// Adds what goes to rows to their carry, and returns what of it ends here;
  /// nothing where that is in its place already. Without `isRows` nothing goes.
  Value moveCarry(Value share, Value isRows) {
    Value carry = loadSum(Sum::Carry);
    Value endsHere = endsRarely() ? Value() : findEnds();
    Value moved =
        isRows ? sumOverKeys(selectOrZero(t, isRows, share, /*where=*/true))
               : Value();
    Value goesOn = endsRarely()
                       ? endRarely(carry)
                       : selectOrZero(t, endsHere, carry, /*where=*/false);
    sums[Sum::Carry] = moved ? t.map({goesOn, moved},
                                     [](Elementwise &e, ValueRange x) {
                                       return e.add(x[0], x[1]);
                                     })
                             : goesOn;
    return endsRarely() ? Value() : putEnds(endsHere, carry);
  }

  /// Whether what ends takes a branch, which writes it itself.
  bool endsRarely() {
    return op.getEnds() && t.hasBranches() &&
           op.getPart() == GradientPart::Queries;
  }

  /// Rows whose carry ends here.
  Value findEnds() {
    Value ofTile =
        op.getLeast() ? t.splat(op.getLeast(), rows) : passTile(minimum);
    Value here = endsInTile(t, minimum, ofTile);
    if (!op.getEnds() || t.hasBranches())
      return here;
    return t.map(
        {here, t.splat(op.getEnds(), rows)},
        [](Elementwise &e, ValueRange x) { return e.bitAnd(x[0], x[1]); });
  }

  /// What of a carry ends here, in the last key's place.
  Value putEnds(Value endsHere, Value carry) {
    return putEndsLast(t, selectOrZero(t, endsHere, carry, /*where=*/true),
                       keys);
  }

  /// What of a carry goes on. In few tiles any of it ends: there it is added to
  /// the sum in the last key's place.
  Value endRarely(Value carry) {
    Value out = op.getSum(Sum::Suffix);
    SmallVector<Value> chosen = t.choose(
        op.getEnds(),
        [&]() -> SmallVector<Value> {
          Value endsHere = findEnds();
          Value sum = addTo(Sum::Suffix, putEnds(endsHere, carry));
          return {selectOrZero(t, endsHere, carry, /*where=*/false),
                  t.store(sum, out)};
        },
        [&]() -> SmallVector<Value> { return {carry, out}; });
    written[Sum::Suffix] = chosen[1];
    return chosen[0];
  }

  /// The minima of a row inside of the tile are the keys whose field is below
  /// all to their right; a running sum over keys ends at each of them.
  void addInEdge(Value share) {
    Value isMinimum = t.map(
        {getReachable(), between},
        [](Elementwise &e, ValueRange x) {
          return e.compare(Pred::OLT, x[0], x[1]);
        },
        t.b.getI1Type());
    auto [before, rest] =
        t.scanSums(share, loadSum(Sum::Carry), isMinimum, keyAxis());
    sums[Sum::Carry] = rest;
    addToKeys(Sum::Field,
              sumOverRows(selectOrZero(t, isMinimum, before, /*where=*/true)));
  }

  BackwardTileOp op;
  OpFoldResult valueHead;
  /// R_i, and M(i,j) or R_i of each logit.
  Value minimum, between;
  /// Of keys: S_j < level_j, unless all are of that kind, and T_j.
  Value isBelow, reached;
  llvm::SmallDenseMap<Sum, Value> sums;
  /// Lines of sums that are read.
  llvm::SmallDenseMap<Sum, Value> loaded;
  /// Outs that have their sums already.
  llvm::SmallDenseMap<Sum, Value> written;
};

} // namespace

SmallVector<Value> mlir::fpa::buildBackwardDelta(TileBuilder &t,
                                                 BackwardDeltaOp op,
                                                 const OnlineExtents &extents) {
  Value out = op.getOuts()[0];
  FloatType acc = getAccumulatorType(out);
  auto load = [&](Value source, ArrayRef<OpFoldResult> shape) {
    auto element = getAccumulatorType(source);
    Value block =
        t.load(source, shape, cast<TypedAttr>(t.b.getZeroAttr(element)));
    return element == acc ? block
                          : t.map(
                                block,
                                [&](Elementwise &e, ValueRange x) {
                                  return e.cast(x[0], acc);
                                },
                                acc);
  };
  SmallVector<OpFoldResult> shape = {extents.rows, extents.valueHead};
  Value products =
      t.map({load(op.getOutputGradient(), shape), load(op.getOutput(), shape)},
            [](Elementwise &e, ValueRange x) { return e.mul(x[0], x[1]); });
  Value delta = t.reduce(TileBuilder::Reduction::Sum, products, /*axis=*/1);
  if (op.getLseGradient())
    delta =
        t.map({delta, load(op.getLseGradient(), extents.rows)},
              [](Elementwise &e, ValueRange x) { return e.sub(x[0], x[1]); });
  return {t.store(delta, out)};
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
