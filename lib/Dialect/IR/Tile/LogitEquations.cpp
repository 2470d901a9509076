//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LogitEquations.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

using Pred = arith::CmpFPredicate;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Value LogitTile::loadWide(Value source, ArrayRef<OpFoldResult> extents) {
  Type element = getElementTypeOrSelf(source.getType());
  Value block = t.load(source, extents, zeroOf(element));
  if (element == acc)
    return block;
  return t.map(
      block, [&](Elementwise &e, ValueRange x) { return e.cast(x[0], acc); },
      acc);
}

Value LogitTile::loadFinite(Value source) {
  return t.map(loadWide(source, keys), [&](Elementwise &e, ValueRange x) {
    return clampBelow(e, clampAbove(e, x[0]));
  });
}

/// Row bounds relative to the tile, in 32 bits: -1 ends before the tile, the
/// number of keys begins after it.
Value LogitTile::loadRelative(Value source, int64_t padding) {
  Type i64 = t.b.getI64Type(), i32 = t.b.getI32Type();
  Value bound = t.load(source, rows, t.b.getIntegerAttr(i64, padding));
  Value offset =
      t.splat(arith::IndexCastOp::create(t.b, t.loc, i64, in.keyOffset), rows);
  Value count = t.splat(
      arith::IndexCastOp::create(
          t.b, t.loc, i64, getValueOrCreateConstantIndexOp(t.b, t.loc, keys)),
      rows);
  return t.map(
      {bound, offset, count},
      [&](Elementwise &e, ValueRange x) {
        Value inTile = e.max(e.sub(x[0], x[1]), e.constant(int64_t(-1), x[0]));
        return e.truncate(e.min(inTile, x[2]), cast<IntegerType>(i32));
      },
      i32);
}

/// upTo(i,j) = j <= last_i, visible(i,j) = upTo(i,j) and first_i <= j
void LogitTile::buildVisible() {
  Type i1 = t.b.getI1Type();
  Value position = alongKeys(t.iota(keys));
  Value last = alongRows(loadRelative(in.last, /*padding=*/-1));
  Value first = alongRows(loadRelative(in.first, /*padding=*/0));
  upTo = t.map(
      {position, last},
      [](Elementwise &e, ValueRange x) {
        return e.compare(arith::CmpIPredicate::sle, x[0], x[1]);
      },
      i1);
  visible = t.map(
      {upTo, position, first},
      [](Elementwise &e, ValueRange x) {
        return e.bitAnd(x[0], e.compare(arith::CmpIPredicate::sge, x[1], x[2]));
      },
      i1);
}

/// j < number of keys, where the tile has fewer than its block.
void LogitTile::buildPresent() {
  Value held = getValueOrCreateConstantIndexOp(
      t.b, t.loc, tensor::getMixedSize(t.b, t.loc, in.key, 0));
  Value count = arith::IndexCastOp::create(t.b, t.loc, t.b.getI32Type(), held);
  visible = t.map(
      {alongKeys(t.iota(keys)), alongKeys(t.splat(count, keys))},
      [](Elementwise &e, ValueRange x) {
        return e.compare(arith::CmpIPredicate::slt, x[0], x[1]);
      },
      t.b.getI1Type());
}

Value LogitTile::getVisible() {
  if (isEdge() && !visible)
    buildVisible();
  else if (isShort && !visible)
    buildPresent();
  return visible;
}

//===----------------------------------------------------------------------===//
// Logits
//===----------------------------------------------------------------------===//

Value LogitTile::buildScaledProduct(Value ofKeys) {
  double scale = in.scale * log2e;
  auto scaled = [&](Value block) {
    return t.map(block, [&](Elementwise &e, ValueRange x) {
      return e.mul(x[0], e.constant(scale, x[0]));
    });
  };
  Value query = loadWide(in.query, {rows, head});
  Value key = loadWide(in.key, {keys, head});
  if (t.foldsScaleIntoOperand()) {
    Value product =
        keysFirst ? multiply(query, scaled(key)) : multiply(scaled(query), key);
    if (!ofKeys)
      return product;
    return t.map(
        {product, alongKeys(ofKeys)},
        [](Elementwise &e, ValueRange x) { return e.add(x[0], x[1]); });
  }
  Value product = multiply(query, key);
  if (!ofKeys)
    return scaled(product);
  // The scale and the number in one instruction.
  return t.map({product, alongKeys(ofKeys)}, [&](Elementwise &e, ValueRange x) {
    return e.fma(x[0], e.constant(scale, x[0]), x[1]);
  });
}

Value LogitTile::mask(Value block, double outside) {
  return t.map({block, getVisible()}, [&](Elementwise &e, ValueRange x) {
    return e.select(x[1], x[0], e.constant(outside, x[0]));
  });
}

//===----------------------------------------------------------------------===//
// The penalty
//===----------------------------------------------------------------------===//

void LogitTile::readSuffix() {
  if (in.suffix && !given)
    given = loadWide(in.suffix, keys);
}

/// S_j: given, or scanned here.
Value LogitTile::loadSuffix() {
  if (!in.suffix) {
    Value none = t.constant(infinity(/*negative=*/false), {});
    return t.scanMinimum(field, none, /*axis=*/0).first;
  }
  // The scan saw the field before infinities were made finite.
  readSuffix();
  if (!in.isSmooth())
    return t.map(given, [&](Elementwise &e, ValueRange x) {
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
      {given, t.iota(keys), lastKey}, [&](Elementwise &e, ValueRange x) {
        Value next = e.sub(x[1], e.constant(int64_t(-1), x[1]));
        Value finite = clampBelow(e, clampAbove(e, x[0]));
        return e.select(e.compare(arith::CmpIPredicate::slt, next, x[2]),
                        finite, x[0]);
      });
}

void LogitTile::loadField() {
  field = loadFinite(in.field);
  level = in.level ? loadFinite(in.level) : field;
  if (!isEdge())
    return;
  getVisible();
  reachable = t.map({alongKeys(field), upTo}, [](Elementwise &e, ValueRange x) {
    Value none = e.constant(std::numeric_limits<double>::infinity(), x[0]);
    return e.select(x[1], x[0], none);
  });
}

Value LogitTile::findMinimum(Value minimum) {
  if (isEdge()) {
    Value between;
    std::tie(between, passed) = t.scanMinimum(reachable, minimum, keyAxis());
    return between;
  }
  Value atRow = alongRows(minimum);
  // In a field that never rises the field at the row's own key is the minimum,
  // and no level is below it.
  if (!in.nonIncreasing)
    fixInTile();
  return atRow;
}

void LogitTile::findSuffix() {
  if (!suffix)
    suffix = loadSuffix();
}

void LogitTile::fixInTile() {
  if (fixed)
    return;
  findSuffix();
  fixed = t.map({level, suffix}, [&](Elementwise &e, ValueRange x) {
    Value z = e.sub(x[0], x[1]);
    return in.isSmooth() ? z : e.maxOrSecond(e.constant(0.0, z), z);
  });
  // The hot maximum may keep a NaN on one side only; this puts A_j's there.
  if (!t.hasNaNMaximum())
    level = t.map({fixed, level}, [](Elementwise &e, ValueRange x) {
      return e.select(e.compare(Pred::UNO, x[0], x[0]), x[0], x[1]);
    });
}

Value LogitTile::buildKeyCosts() {
  if (!in.suffix || in.isSmooth()) {
    loadField();
    fixInTile();
    return t.map({level, t.splat(in.common, keys), fixed},
                 [&](Elementwise &e, ValueRange x) {
                   Value above = excess(e, x);
                   return penalise(e, e.constant(0.0, above), above);
                 });
  }
  // With one minimum C of all rows max(A_j, level_j - C) is
  // max(0, level_j - min(S_j, C)). Only where two infinities may meet one of
  // them has to be made finite.
  Value levels = loadWide(in.level ? in.level : in.field, keys);
  return t.map({levels, loadWide(in.suffix, keys), t.splat(in.common, keys)},
               [&](Elementwise &e, ValueRange x) {
                 Value minimum = clampBelow(e, e.min(x[1], x[2]));
                 Value z = e.sub(clampAbove(e, x[0]), minimum);
                 Value above = e.maxOrSecond(e.constant(0.0, z), z);
                 return penalise(e, e.constant(0.0, above), above);
               });
}

Value LogitTile::passTile(Value minimum) {
  if (passed || in.nonIncreasing)
    return passed ? passed : minimum;
  if (isEdge())
    return t.scanMinimum(reachable, minimum, keyAxis()).second;
  findSuffix();
  Value first = t.splat(t.extract(field, 0), rows);
  Value rest = t.splat(t.extract(suffix, 0), rows);
  return t.map({minimum, first, rest}, [](Elementwise &e, ValueRange x) {
    return e.min(x[0], e.min(x[1], x[2]));
  });
}

SmallVector<Value> LogitTile::getExcessBlocks(Value minimum) {
  SmallVector<Value> blocks = {alongKeys(level), minimum};
  if (fixed)
    blocks.push_back(alongKeys(fixed));
  return blocks;
}

/// max(A_j, level_j - R_i), or max(0, level_j - M(i,j)) in an edge
Value LogitTile::excess(Elementwise &e, ValueRange x) {
  Value z = e.sub(x[0], x[1]);
  if (fixed)
    return e.maxOrSecond(x[2], z);
  if (in.isSmooth() || (in.nonIncreasing && !isEdge()))
    return z;
  return e.maxOrSecond(e.constant(0.0, z), z);
}

/// log2(e) * beta * z
Value LogitTile::scaleByBeta(Elementwise &e, Value z) {
  if (!in.beta)
    return e.mul(z, e.constant(*in.smooth * log2e, z));
  Value factor = e.mul(in.beta, e.constant(log2e, in.beta));
  return e.mul(z, e.spread(factor, z));
}

/// x / beta
Value LogitTile::divideByBeta(Elementwise &e, Value x) {
  if (!in.beta)
    return e.mul(x, e.constant(1.0 / *in.smooth, x));
  // One division of a number, which does not depend on the tile.
  Value factor = e.div(e.constant(1.0, in.beta), in.beta);
  return e.mul(x, e.spread(factor, x));
}

/// log2(e) * softplus(beta z) / beta; 0 where z = -inf.
Value LogitTile::buildSmooth(Elementwise &e, Value z) {
  Value x = scaleByBeta(e, z);
  Value one = e.constant(1.0, x), zero = e.constant(0.0, x);
  Value tail = e.log2(e.add(one, e.exp2OfNonpositive(e.sub(zero, e.abs(x)))));
  Value positive = e.maxOrSecond(zero, x);
  return divideByBeta(e, e.add(positive, tail));
}

Value LogitTile::penalise(Elementwise &e, Value product, Value excess) {
  if (in.isSmooth())
    return e.sub(product, buildSmooth(e, excess));
  // Field and level are subtracted before they are scaled: both may be large
  // where their difference is small.
  return e.fma(excess, e.constant(-log2e, excess), product);
}

/// x for a level above the minimum, else 0; x * sigmoid(beta z) in the smooth
/// form, which is 0 for z = -inf.
Value LogitTile::scaleBySlope(Elementwise &e, Value x, ValueRange blocks) {
  if (!in.isSmooth())
    return e.select(e.compare(Pred::UGT, blocks[0], blocks[1]), x,
                    e.constant(0.0, x));
  Value above = excess(e, blocks);
  Value zero = e.constant(0.0, above), one = e.constant(1.0, above);
  Value scaled = scaleByBeta(e, above);
  Value power = e.exp2OfNonpositive(e.sub(zero, e.abs(scaled)));
  Value isAbove = e.compare(Pred::OGT, above, zero);
  Value share = e.div(e.select(isAbove, one, power), e.add(one, power));
  return e.mul(x, share);
}
