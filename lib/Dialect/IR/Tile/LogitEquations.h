//===- LogitEquations.h - The logits of one tile ----------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What forward and backward compute alike of M query rows and N keys: products,
// masks and the penalty. Logits are in base 2: s2 = log2(e) * s.

#ifndef FPA_LIB_DIALECT_IR_TILE_LOGITEQUATIONS_H
#define FPA_LIB_DIALECT_IR_TILE_LOGITEQUATIONS_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/TileBuilder.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::fpa {

inline constexpr double log2e = 1.4426950408889634074;
inline constexpr double ln2 = 0.6931471805599453094;

/// The operands of a step; those that it does not have are null.
struct LogitOperands {
  Value query, key, field, level, suffix, common, beta, first, last, keyOffset;
  double scale;
  /// beta of the smooth penalty, unless it is an operand or there is none.
  std::optional<double> smooth;
  bool nonIncreasing;

  bool isSmooth() const { return smooth || beta; }

  template <typename Op> static LogitOperands of(Op op, bool nonIncreasing) {
    std::optional<double> smooth;
    if (op.getSmooth())
      smooth = op.getSmooth()->convertToDouble();
    Value common;
    if constexpr (std::is_same_v<Op, OnlineAttentionOp>)
      common = op.getCommon();
    return {op.getQuery(),
            op.getKey(),
            op.getField(),
            op.getLevel(),
            op.getSuffix(),
            common,
            op.getBeta(),
            op.getFirst(),
            op.getLast(),
            op.getKeyOffset(),
            op.getScale().convertToDouble(),
            smooth,
            nonIncreasing};
  }
};

/// Sizes of the blocks: M, N and D of the ops' descriptions.
struct LogitExtents {
  OpFoldResult rows, keys, head;
};

class LogitTile {
public:
  /// Blocks of logits have a row for each query or, `keysFirst`, for each key.
  LogitTile(TileBuilder &tile, const LogitOperands &operands,
            const LogitExtents &extents, FloatType accumulator,
            bool keysFirst = false)
      : t(tile), in(operands), rows(extents.rows), keys(extents.keys),
        head(extents.head), acc(accumulator), keysFirst(keysFirst) {}

  /// True when rows see different keys of the tile.
  bool isEdge() const { return bool(in.first); }
  /// For who sums over keys: zeros that fill a short tile up are not visible.
  void hideMissingKeys() {
    std::optional<int64_t> extent = getConstantIntValue(keys);
    int64_t held = cast<ShapedType>(in.key.getType()).getDimSize(0);
    isShort = extent && (ShapedType::isDynamic(held) || held < *extent);
  }
  /// first_i <= j <= last_i, or which keys there are; null where every row sees
  /// every key of the block.
  Value getVisible();

  TypedAttr zeroOf(Type element) {
    return cast<TypedAttr>(t.b.getZeroAttr(element));
  }
  /// A block in the accumulator's type.
  Value loadWide(Value source, ArrayRef<OpFoldResult> extents);
  /// Field and level with infinities made finite, so that inf - inf does not
  /// arise: both sides of the difference become the largest finite number.
  Value loadFinite(Value source);
  /// The dimensions of a block of logits.
  int64_t rowAxis() const { return keysFirst ? 1 : 0; }
  int64_t keyAxis() const { return keysFirst ? 0 : 1; }
  SmallVector<OpFoldResult> getShape() const {
    if (keysFirst)
      return {keys, rows};
    return {rows, keys};
  }
  Value alongRows(Value block) {
    return t.broadcast(block, getShape(), rowAxis());
  }
  Value alongKeys(Value block) {
    return t.broadcast(block, getShape(), keyAxis());
  }
  /// A block of logits from one of rows and one of keys: sums over columns.
  Value multiply(Value ofRows, Value ofKeys) {
    return keysFirst ? t.contract("jd,id->ji", ofKeys, ofRows, noLogits())
                     : t.contract("id,jd->ij", ofRows, ofKeys, noLogits());
  }

  /// log2(e) * scale * <q_i, k_j>, and a number of each key, if given, added.
  Value buildScaledProduct(Value ofKeys = {});
  /// The block with the keys that a row does not see replaced.
  Value mask(Value block, double outside);

  /// The field and the level of each key; in an edge the field that each row
  /// reaches, +inf beyond its last key.
  void loadField();
  Value getField() const { return field; }
  Value getLevel() const { return level; }
  Value getReachable() const { return reachable; }
  Value getSuffix() const { return suffix; }
  /// A_j, once it is known to be found.
  Value getFixed() const { return fixed; }
  /// What the penalty of a logit comes from, for `buildExcess`: in an edge
  /// M(i,j) = min(R_i, field_t : j < t <= last_i), elsewhere R_i.
  Value findMinimum(Value minimum);
  /// Reads S_j here, for whoever finds it in a branch.
  void readSuffix();
  /// S_j
  void findSuffix();
  /// A_j = max(0, level_j - S_j)
  void fixInTile();
  /// R_i = min(R_i, min of the tile's field)
  Value passTile(Value minimum);

  /// Blocks that `excess` looks at, in its order.
  SmallVector<Value> getExcessBlocks(Value minimum);
  /// How far the level lies above the minimum: 0 where it does not, or, in the
  /// smooth form, less than 0.
  Value excess(Elementwise &e, ValueRange blocks);
  /// -log2(e) * penalty of each key, where the minimum of all rows is one
  /// number.
  Value buildKeyCosts();
  /// The product less log2(e) * penalty, by the excess.
  Value penalise(Elementwise &e, Value product, Value excess);
  /// x times the derivative of the penalty by level - minimum; without the
  /// minima of the tile unless in the smooth form.
  Value scaleBySlope(Elementwise &e, Value x, ValueRange blocks);

protected:
  Value noLogits() { return t.constant(zeroOf(acc), getShape()); }
  TypedAttr infinity(bool negative) {
    return FloatAttr::get(acc,
                          APFloat::getInf(acc.getFloatSemantics(), negative));
  }

  TileBuilder &t;
  LogitOperands in;
  OpFoldResult rows, keys, head;
  FloatType acc;
  bool keysFirst;

private:
  double largest() {
    return APFloat::getLargest(acc.getFloatSemantics()).convertToDouble();
  }
  Value clampAbove(Elementwise &e, Value x) {
    return e.min(x, e.constant(largest(), x));
  }
  Value clampBelow(Elementwise &e, Value x) {
    return e.max(x, e.constant(-largest(), x));
  }
  Value loadRelative(Value source, int64_t padding);
  void buildVisible();
  void buildPresent();
  Value loadSuffix();
  Value scaleByBeta(Elementwise &e, Value z);
  Value divideByBeta(Elementwise &e, Value x);
  Value buildSmooth(Elementwise &e, Value z);

  /// Whether a block of static size may hold fewer keys, and it matters.
  bool isShort = false;
  Value upTo, visible, field, level, reachable, given, suffix, fixed, passed;
};

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_IR_TILE_LOGITEQUATIONS_H
