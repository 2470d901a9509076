//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The bound by which keys are left out. docs/Rationale.md proves it.

#include "fpa/Dialect/IR/Tile/PruneEquations.h"
#include "LogitEquations.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

using Pred = arith::CmpFPredicate;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// How much a logit and a maximum may be off together that were rounded at the
/// size of few units: the sums of D products are covered by `getLooseness`. It
/// also covers exp2 and log2, which are good to 2^-20 or better. In base 2, it
/// makes a bound 4% larger.
constexpr double kSlack = 1.0 / 16;

/// What a mean of weights may be off by exponentials and logarithms, relative
/// to it.
constexpr double kMeanSlack = 1.0 / 1024;

/// What keeps sums of rounded shares below eps.
constexpr double kReserve = 1.0 / 256;

/// A few roundings of each of `terms` terms of a sum, relative to the sum of
/// their absolute values.
double getLooseness(FloatType type, int64_t terms) {
  return double(terms + 8) * std::ldexp(4.0, 1 - APFloat::semanticsPrecision(
                                                     type.getFloatSemantics()));
}

FloatType getElement(Value source) {
  return cast<FloatType>(getElementTypeOrSelf(source.getType()));
}

/// What `fpa.prune_keys` and `fpa.drop_keys` have in common.
class PruneBound {
public:
  template <typename Op>
  PruneBound(TileBuilder &tile, Op op, const OnlineExtents &extents)
      : t(tile), rows(extents.rows), acc(getElement(op.getMinimum())),
        headSize(op.getHeadSize()), reach(load(op.getReach())),
        minimum(load(op.getMinimum())), norm(t.splat(op.getNorm(), rows)),
        level(t.splat(op.getLevel(), rows)), all(t.splat(op.getAll(), rows)) {}

  /// Rows, or the number that stands for all of them.
  Value load(Value source) {
    if (isa<FloatType>(source.getType()))
      return t.splat(source, rows);
    return t.load(source, rows, cast<TypedAttr>(t.b.getZeroAttr(acc)));
  }

  /// Largest product of a query with a key, less the least penalty, and what
  /// logits of the row may be off.
  Value build() {
    double loose = getLooseness(acc, headSize);
    double largest =
        APFloat::getLargest(acc.getFloatSemantics()).convertToDouble();
    return t.map({reach, minimum, norm, level, all}, [&](Elementwise &e,
                                                         ValueRange x) {
      // As in the logits infinite levels stand for the largest numbers.
      Value level = e.min(x[3], e.constant(largest, x[3]));
      Value zero = e.constant(0.0, level);
      Value penalty = e.max(e.sub(level, x[1]), zero);
      Value slack = e.fma(e.mul(x[0], x[4]), e.constant(-loose, level),
                          e.constant(kSlack, level));
      Value below = e.fma(penalty, e.constant(log2e, level), e.mul(x[0], x[2]));
      return e.sub(slack, below);
    });
  }

  /// A number of keys in each row.
  Value splatCount(Value count) {
    Value integer =
        arith::IndexCastOp::create(t.b, t.loc, t.b.getI64Type(), count);
    return t.splat(arith::SIToFPOp::create(t.b, t.loc, acc, integer), rows);
  }

private:
  TileBuilder &t;
  OpFoldResult rows;
  FloatType acc;
  int64_t headSize;
  Value reach, minimum, norm, level, all;
};

/// How many rows `source` has, as a block of i32.
Value splatRowCount(TileBuilder &t, Value source, OpFoldResult extent) {
  Value count = t.b.createOrFold<tensor::DimOp>(t.loc, source, 0);
  return t.splat(
      arith::IndexCastOp::create(t.b, t.loc, t.b.getI32Type(), count), extent);
}

/// exp2(x - y), where y of a row without any key is -inf.
Value exp2Below(Elementwise &e, Value x, Value y) {
  Value none = e.constant(-infinity, y), zero = e.constant(0.0, y);
  Value safe = e.select(e.compare(Pred::OEQ, y, none), zero, y);
  return e.exp2OfNonpositive(e.min(e.sub(x, safe), zero));
}

} // namespace

SmallVector<Value> mlir::fpa::buildRowNorms(TileBuilder &t, RowNormsOp op,
                                            const OnlineExtents &extents) {
  Value out = op.getOuts()[0];
  FloatType acc = getElement(out), element = getElement(op.getSource());
  SmallVector<OpFoldResult> shape = {extents.rows, extents.head};
  Value block =
      t.load(op.getSource(), shape, cast<TypedAttr>(t.b.getZeroAttr(element)));
  Value squares = t.map(
      block,
      [&](Elementwise &e, ValueRange x) {
        Value wide = e.cast(x[0], acc);
        return e.mul(wide, wide);
      },
      acc);
  Value sum = t.reduce(TileBuilder::Reduction::Sum, squares, /*axis=*/1);
  Value index = splatRowCount(t, op.getSource(), extents.rows);
  double headSize = double(*getConstantIntValue(extents.head));
  const llvm::fltSemantics &semantics = acc.getFloatSemantics();
  // Squares below the normal numbers lose up to one of the smallest of these.
  double lost = headSize *
                APFloat::getSmallestNormalized(semantics).convertToDouble() * 2;
  double factor = op.getFactor().convertToDouble() *
                  (1 + getLooseness(acc, int64_t(headSize)));
  Value norms = t.map(
      {sum, t.iota(extents.rows), index}, [&](Elementwise &e, ValueRange x) {
        Value length = e.sqrt(e.add(x[0], e.constant(lost, x[0])));
        Value norm = e.mul(length, e.constant(factor, length));
        Value isRow = e.compare(arith::CmpIPredicate::slt, x[1], x[2]);
        return e.select(isRow, norm, e.constant(-infinity, norm));
      });
  return {t.store(norms, out)};
}

SmallVector<Value> mlir::fpa::buildMeanLevel(TileBuilder &t, MeanLevelOp op,
                                             const OnlineExtents &extents) {
  Value out = op.getOuts()[0];
  FloatType type = getElement(out);
  double largest =
      APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  auto clamp = [&](Elementwise &e, Value x) {
    return e.max(e.min(x, e.constant(largest, x)), e.constant(-largest, x));
  };
  Value level = t.load(op.getLevel(), extents.rows,
                       cast<TypedAttr>(t.b.getZeroAttr(type)));
  Value least = t.splat(op.getLeast(), extents.rows);
  Value weights =
      t.map({level, least, t.iota(extents.rows),
             splatRowCount(t, op.getLevel(), extents.rows)},
            [&](Elementwise &e, ValueRange x) {
              Value above = e.sub(clamp(e, x[1]), clamp(e, x[0]));
              Value weight =
                  e.exp2OfNonpositive(e.mul(above, e.constant(log2e, above)));
              Value isKey = e.compare(arith::CmpIPredicate::slt, x[2], x[3]);
              return e.select(isKey, weight, e.constant(0.0, weight));
            });
  Value count = arith::SIToFPOp::create(
      t.b, t.loc, type,
      arith::IndexCastOp::create(
          t.b, t.loc, t.b.getI64Type(),
          t.b.createOrFold<tensor::DimOp>(t.loc, op.getLevel(), 0)));
  double unit = getLooseness(type, /*terms=*/0);
  Value mean = t.map({t.splat(t.sum(weights), extents.rows),
                      t.splat(count, extents.rows), least},
                     [&](Elementwise &e, ValueRange x) {
                       // What exponentials, logarithms, and a sum of as many
                       // terms lose, and the sum of two numbers the larger of
                       // which is `least`.
                       Value lost = e.fma(x[1], e.constant(unit, x[1]),
                                          e.constant(kMeanSlack, x[1]));
                       Value own = clamp(e, x[2]);
                       lost = e.fma(e.abs(own), e.constant(unit, own), lost);
                       Value above = e.sub(e.log2(x[1]), e.log2(x[0]));
                       above = e.fma(above, e.constant(1 / log2e, above),
                                     e.sub(e.constant(0.0, lost), lost));
                       return e.max(own, e.add(own, above));
                     });
  return {t.store(mean, out)};
}

Value mlir::fpa::buildPruneKeys(TileBuilder &t, PruneKeysOp op,
                                const OnlineExtents &extents) {
  PruneBound keys(t, op, extents);
  Value bound = keys.build();
  // log2(total / eps)
  double margin = kReserve - std::log2(op.getEps().convertToDouble());
  bool isLse = bool(op.getLse());
  Value maximum = keys.load(isLse ? op.getLse() : op.getMaximum());
  Value needs =
      t.map({bound, maximum, keys.splatCount(op.getTotal())},
            [&](Elementwise &e, ValueRange x) {
              Value zero = e.constant(0.0, x[0]), one = e.constant(1.0, x[0]);
              Value top = isLse ? e.mul(x[1], e.constant(log2e, x[1])) : x[1];
              Value least =
                  e.sub(e.sub(top, e.log2(x[2])), e.constant(margin, top));
              // Rows that are none have the bound -inf; a NaN is never below.
              return e.select(e.compare(Pred::OLE, x[0], least), zero, one);
            });
  Value none = arith::ConstantOp::create(
      t.b, t.loc, cast<TypedAttr>(t.b.getZeroAttr(getElement(bound))));
  bool isNumber = isa<FloatType>(op.getMinimum().getType());
  Value count = isNumber ? t.extract(needs, 0) : t.sum(needs);
  Value any = arith::CmpFOp::create(t.b, t.loc, Pred::UNE, count, none);
  return arith::SelectOp::create(t.b, t.loc, any,
                                 arith::ConstantIndexOp::create(t.b, t.loc, 1),
                                 arith::ConstantIndexOp::create(t.b, t.loc, 0));
}

SmallVector<Value> mlir::fpa::buildDropKeys(TileBuilder &t, DropKeysOp op,
                                            const OnlineExtents &extents) {
  PruneBound keys(t, op, extents);
  Value dropped = keys.load(op.getOuts()[0]);
  Value before = keys.load(op.getOuts()[1]);
  Value reference =
      t.map({before, keys.load(op.getMaximum())},
            [](Elementwise &e, ValueRange x) { return e.max(x[0], x[1]); });
  dropped = t.map({dropped, before, keys.build(), reference,
                   keys.splatCount(op.getCount())},
                  [](Elementwise &e, ValueRange x) {
                    Value kept = e.mul(x[0], exp2Below(e, x[1], x[3]));
                    return e.fma(x[4], exp2Below(e, x[2], x[3]), kept);
                  });
  return {t.store(dropped, op.getOuts()[0]),
          t.store(reference, op.getOuts()[1])};
}

SmallVector<Value> mlir::fpa::buildDropFinalize(TileBuilder &t,
                                                DropFinalizeOp op,
                                                const OnlineExtents &extents) {
  OpFoldResult rows = extents.rows;
  auto load = [&](Value source) {
    Type element = getElementTypeOrSelf(source.getType());
    return t.load(source, rows, cast<TypedAttr>(t.b.getZeroAttr(element)));
  };
  SmallVector<Value> results;
  if (op.getSum()) {
    Value share = t.map({load(op.getDropped()), load(op.getReference()),
                         load(op.getMaximum()), load(op.getSum())},
                        [](Elementwise &e, ValueRange x) {
                          // The row's largest weight is 1: without any key
                          // nothing is lost.
                          Value zero = e.constant(0.0, x[3]);
                          Value isEmpty = e.compare(Pred::OEQ, x[3], zero);
                          Value total = e.mul(x[0], exp2Below(e, x[1], x[2]));
                          return e.select(isEmpty, zero, e.div(total, x[3]));
                        });
    results.push_back(t.store(share, op.getOuts()[0]));
  }
  if (!op.getFirst())
    return results;
  ValueRange counts = op.getOuts().drop_front(results.size());
  Type i64 = t.b.getI64Type();
  auto splat = [&](Value index) {
    return t.splat(arith::IndexCastOp::create(t.b, t.loc, i64, index), rows);
  };
  results.push_back(t.store(splat(op.getPassed()), counts[0]));
  Value ended =
      t.map({splat(op.getEnd()), load(op.getFirst())},
            [](Elementwise &e, ValueRange x) {
              return e.max(e.sub(x[0], x[1]), e.constant(int64_t(0), x[0]));
            });
  results.push_back(t.store(ended, counts[1]));
  return results;
}
