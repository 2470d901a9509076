//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The equations of one step of online attention and of its end. Logits are in
// base 2: s2 = log2(e) * s.

#include "fpa/Dialect/IR/Tile/OnlineEquations.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

constexpr double log2e = 1.4426950408889634074;
constexpr double ln2 = 0.6931471805599453094;

using Pred = arith::CmpFPredicate;

class OnlineStep {
public:
  OnlineStep(TileBuilder &tile, OnlineAttentionOp op,
             const OnlineExtents &sizes)
      : t(tile), op(op), rows(sizes.rows), keys(sizes.keys), head(sizes.head),
        valueHead(sizes.valueHead) {
    acc = cast<FloatType>(getElementTypeOrSelf(op.getAccumulator().getType()));
  }

  SmallVector<Value> run(OnlineTerms terms) {
    Value product = buildScaledProduct();
    if (terms == OnlineTerms::ProductsOnly)
      return finish({buildWeightedValues(product, loadState(0)),
                     op.getMaximum(), op.getSum(), op.getMinimum()});

    Value minimum = op.getMinimum();
    if (op.isEdge())
      buildVisible();
    Value logits = product;
    if (op.getField()) {
      minimum = loadState(3);
      std::tie(logits, minimum) = op.isEdge()
                                      ? buildEdgePenalty(product, minimum)
                                      : buildInnerPenalty(product, minimum);
    }
    if (op.isEdge())
      logits = buildMask(logits);
    return buildUpdate(logits, minimum);
  }

private:
  //===--- Reading
  //----------------------------------------------------------===//

  TypedAttr zeroOf(Type element) {
    return cast<TypedAttr>(t.b.getZeroAttr(element));
  }
  TypedAttr infinity(bool negative) {
    return FloatAttr::get(acc,
                          APFloat::getInf(acc.getFloatSemantics(), negative));
  }

  /// A block in the accumulator's type.
  Value loadWide(Value source, ArrayRef<OpFoldResult> extents) {
    Type element = getElementTypeOrSelf(source.getType());
    Value block = t.load(source, extents, zeroOf(element));
    if (element == acc)
      return block;
    return t.map(
        block, [&](Elementwise &e, ValueRange x) { return e.cast(x[0], acc); },
        acc);
  }

  /// Field and level with infinities made finite, so that inf - inf does not
  /// arise: both sides of the difference become the largest finite number.
  Value loadFinite(Value source) {
    return t.map(loadWide(source, keys), [&](Elementwise &e, ValueRange x) {
      return clampBelow(e, clampAbove(e, x[0]));
    });
  }
  double largest() {
    return APFloat::getLargest(acc.getFloatSemantics()).convertToDouble();
  }
  Value clampAbove(Elementwise &e, Value x) {
    return e.min(x, e.constant(largest(), x));
  }
  Value clampBelow(Elementwise &e, Value x) {
    return e.max(x, e.constant(-largest(), x));
  }

  Value loadState(unsigned index) {
    Value source = op.getOuts()[index];
    if (index == 0)
      return t.load(source, {rows, valueHead}, zeroOf(acc));
    return t.load(source, rows, zeroOf(acc));
  }

  Value alongRows(Value block) { return t.broadcast(block, {rows, keys}, 0); }
  Value alongKeys(Value block) { return t.broadcast(block, {rows, keys}, 1); }

  //===--- The equations
  //----------------------------------------------------===//

  /// log2(e) * scale * <q_i, k_j>
  Value buildScaledProduct() {
    double scale = op.getScale().convertToDouble() * log2e;
    auto scaled = [&](Value block) {
      return t.map(block, [&](Elementwise &e, ValueRange x) {
        return e.mul(x[0], e.constant(scale, x[0]));
      });
    };
    Value query = loadWide(op.getQuery(), {rows, head});
    Value key = loadWide(op.getKey(), {keys, head});
    Value zero = t.constant(zeroOf(acc), {rows, keys});
    if (t.foldsScaleIntoOperand())
      return t.contract("id,jd->ij", scaled(query), key, zero);
    return scaled(t.contract("id,jd->ij", query, key, zero));
  }

  /// Row bounds relative to the tile, in 32 bits: -1 ends before the tile,
  /// the number of keys begins after it.
  Value loadRelative(Value source, int64_t padding) {
    Type i64 = t.b.getI64Type(), i32 = t.b.getI32Type();
    Value bound = t.load(source, rows, t.b.getIntegerAttr(i64, padding));
    Value offset = t.splat(
        arith::IndexCastOp::create(t.b, t.loc, i64, op.getKeyOffset()), rows);
    Value count = t.splat(
        arith::IndexCastOp::create(
            t.b, t.loc, i64, getValueOrCreateConstantIndexOp(t.b, t.loc, keys)),
        rows);
    return t.map(
        {bound, offset, count},
        [&](Elementwise &e, ValueRange x) {
          Value inTile =
              e.max(e.sub(x[0], x[1]), e.constant(int64_t(-1), x[0]));
          return e.truncate(e.min(inTile, x[2]), cast<IntegerType>(i32));
        },
        i32);
  }

  /// upTo(i,j) = j <= last_i, visible(i,j) = upTo(i,j) and first_i <= j
  void buildVisible() {
    Type i1 = t.b.getI1Type();
    Value position = alongKeys(t.iota(keys));
    Value last = alongRows(loadRelative(op.getLast(), /*padding=*/-1));
    Value first = alongRows(loadRelative(op.getFirst(), /*padding=*/0));
    upTo = t.map(
        {position, last},
        [](Elementwise &e, ValueRange x) {
          return e.compare(arith::CmpIPredicate::sle, x[0], x[1]);
        },
        i1);
    visible = t.map(
        {upTo, position, first},
        [](Elementwise &e, ValueRange x) {
          return e.bitAnd(x[0],
                          e.compare(arith::CmpIPredicate::sge, x[1], x[2]));
        },
        i1);
  }

  /// The product with a masked key's logit replaced by -inf.
  Value buildMask(Value logits) {
    return t.map({logits, visible}, [&](Elementwise &e, ValueRange x) {
      Value none = e.constant(-std::numeric_limits<double>::infinity(), x[0]);
      return e.select(x[1], x[0], none);
    });
  }

  /// product - log2(e) * penalty. Field and level are subtracted before they
  /// are scaled: both may be large where their difference is small.
  Value subtractPenalty(Elementwise &e, Value product, Value penalty) {
    return e.fma(penalty, e.constant(-log2e, penalty), product);
  }

  /// log2(e) * softplus(beta z) / beta; 0 where z = -inf.
  Value buildSmooth(Elementwise &e, Value z) {
    double beta = op.getSmooth()->convertToDouble();
    Value x = e.mul(z, e.constant(beta * log2e, z));
    Value one = e.constant(1.0, x), zero = e.constant(0.0, x);
    Value tail = e.log2(e.add(one, e.exp2OfNonpositive(e.sub(zero, e.abs(x)))));
    Value positive = e.maxOrSecond(zero, x);
    return e.mul(e.add(positive, tail), e.constant(1.0 / beta, x));
  }

  /// product - log2(e) * pen for z = level_j - m(i,j), unclamped.
  Value applyPenalty(Elementwise &e, Value product, Value z) {
    if (op.getSmooth())
      return e.sub(product, buildSmooth(e, z));
    return subtractPenalty(e, product, e.maxOrSecond(e.constant(0.0, z), z));
  }

  /// M(i,j) = min(R_i, field_t : j < t <= last_i); pen = max(0, level - M)
  std::pair<Value, Value> buildEdgePenalty(Value product, Value minimum) {
    Value field = loadFinite(op.getField());
    Value level = op.getLevel() ? loadFinite(op.getLevel()) : field;
    Value reachable =
        t.map({alongKeys(field), upTo}, [](Elementwise &e, ValueRange x) {
          Value none =
              e.constant(std::numeric_limits<double>::infinity(), x[0]);
          return e.select(x[1], x[0], none);
        });
    auto [between, all] = t.scanMinimum(reachable, minimum, /*axis=*/1);
    Value logits = t.map({product, alongKeys(level), between},
                         [&](Elementwise &e, ValueRange x) {
                           return applyPenalty(e, x[0], e.sub(x[1], x[2]));
                         });
    return {logits, all};
  }

  /// A_j = max(0, level_j - S_j); pen = max(A_j, level_j - R_i)
  std::pair<Value, Value> buildInnerPenalty(Value product, Value minimum) {
    Value field = loadFinite(op.getField());
    Value level = op.getLevel() ? loadFinite(op.getLevel()) : field;
    Value atRow = alongRows(minimum);
    if (op.getNonIncreasing()) {
      // The field at the row's own key is the minimum, and no level is below.
      Value logits = t.map({product, alongKeys(level), atRow},
                           [&](Elementwise &e, ValueRange x) {
                             Value z = e.sub(x[1], x[2]);
                             return op.getSmooth()
                                        ? applyPenalty(e, x[0], z)
                                        : subtractPenalty(e, x[0], z);
                           });
      return {logits, minimum};
    }

    Value suffix = loadSuffix(field);
    Value fixed = t.map({level, suffix}, [&](Elementwise &e, ValueRange x) {
      Value z = e.sub(x[0], x[1]);
      return op.getSmooth() ? z : e.maxOrSecond(e.constant(0.0, z), z);
    });
    // The hot maximum may keep a NaN on one side only; this puts A_j's there.
    if (!t.hasNaNMaximum())
      level = t.map({fixed, level}, [](Elementwise &e, ValueRange x) {
        return e.select(e.compare(Pred::UNO, x[0], x[0]), x[0], x[1]);
      });
    Value logits = t.map({product, alongKeys(level), atRow, alongKeys(fixed)},
                         [&](Elementwise &e, ValueRange x) {
                           Value z = e.maxOrSecond(x[3], e.sub(x[1], x[2]));
                           return op.getSmooth()
                                      ? e.sub(x[0], buildSmooth(e, z))
                                      : subtractPenalty(e, x[0], z);
                         });
    return {logits, passTile(minimum, field, suffix)};
  }

  /// S_j: given, or scanned here.
  Value loadSuffix(Value field) {
    if (!op.getSuffix()) {
      Value none = t.constant(infinity(/*negative=*/false), {});
      return t.scanMinimum(field, none, /*axis=*/0).first;
    }
    // The scan saw the field before infinities were made finite.
    Value suffix = loadWide(op.getSuffix(), keys);
    if (!op.getSmooth())
      return t.map(suffix, [&](Elementwise &e, ValueRange x) {
        return clampBelow(e, x[0]);
      });
    // In the smooth form +inf in the field and nothing to the right differ:
    // only the last key has nothing to its right.
    Value lastKey =
        t.splat(arith::IndexCastOp::create(
                    t.b, t.loc, t.b.getI32Type(),
                    getValueOrCreateConstantIndexOp(t.b, t.loc, keys)),
                keys);
    return t.map(
        {suffix, t.iota(keys), lastKey}, [&](Elementwise &e, ValueRange x) {
          Value next = e.sub(x[1], e.constant(int64_t(-1), x[1]));
          Value finite = clampBelow(e, clampAbove(e, x[0]));
          return e.select(e.compare(arith::CmpIPredicate::slt, next, x[2]),
                          finite, x[0]);
        });
  }

  /// R_i = min(R_i, min of the tile's field)
  Value passTile(Value minimum, Value field, Value suffix) {
    Value first = t.splat(t.extract(field, 0), rows);
    Value rest = t.splat(t.extract(suffix, 0), rows);
    return t.map({minimum, first, rest}, [](Elementwise &e, ValueRange x) {
      return e.min(x[0], e.min(x[1], x[2]));
    });
  }

  /// acc + p v, where masked keys take no part even if their value is NaN.
  Value buildWeightedValues(Value weights, Value accumulator) {
    if (op.isEdge() && !visible)
      buildVisible();
    Value value = loadWide(op.getValue(), {keys, valueHead});
    return t.contract("ij,je->ie", weights, value, accumulator, visible);
  }

  /// m' = max(m, max_j s2); alpha = exp2(m - m'); p = exp2(s2 - m')
  /// sum' = alpha sum + sum_j p; acc' = alpha acc + p v
  SmallVector<Value> buildUpdate(Value logits, Value minimum) {
    Value before = loadState(1);
    Value maximum = t.map(
        {t.reduce(TileBuilder::Reduction::Max, logits, /*axis=*/1), before},
        [](Elementwise &e, ValueRange x) { return e.maxOrSecond(x[0], x[1]); });
    // A row without any key so far has nothing to subtract.
    Value safe = t.map(maximum, [](Elementwise &e, ValueRange x) {
      Value none = e.constant(-std::numeric_limits<double>::infinity(), x[0]);
      return e.select(e.compare(Pred::OEQ, x[0], none), e.constant(0.0, x[0]),
                      x[0]);
    });
    auto exp2Difference = [](Elementwise &e, ValueRange x) {
      return e.exp2OfNonpositive(e.sub(x[0], x[1]));
    };
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

  TileBuilder &t;
  OnlineAttentionOp op;
  OpFoldResult rows, keys, head, valueHead;
  FloatType acc;
  Value upTo, visible;
};

} // namespace

SmallVector<Value> mlir::fpa::buildOnlineStep(TileBuilder &tile,
                                              OnlineAttentionOp op,
                                              const OnlineExtents &extents,
                                              OnlineTerms terms) {
  return OnlineStep(tile, op, extents).run(terms);
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
