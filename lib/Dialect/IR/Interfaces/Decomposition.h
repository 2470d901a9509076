//===- Decomposition.h - Attention as plain linalg --------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the decompositions of attention and of its backward have in common: the
// definition up to the logits, one linalg op per line. They serve as oracles,
// so they share nothing with the tiled lowering: no tile decomposition, no
// running state, no base-2 logits.
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_DIALECT_IR_INTERFACES_DECOMPOSITION_H
#define FPA_LIB_DIALECT_IR_INTERFACES_DECOMPOSITION_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::fpa {

/// A tensor and its axes, one letter each, as in an Einstein sum:
///   b batch, h query head, g key or field head, i query row, j key,
///   t key between j and the row, d head size, v value head size,
///   n packed sequence.
struct Indexed {
  Value tensor;
  StringRef axes;
};

/// Emits the decomposition of one op at the builder's insertion point.
class Decomposition {
public:
  Decomposition(OpBuilder &builder, AttentionOpInterface op);

protected:
  using Predicate = arith::CmpIPredicate;
  using FloatPredicate = arith::CmpFPredicate;
  using Body = function_ref<Value(ValueRange)>;

  /// An uninitialized tensor of the given axes.
  Value init(StringRef axes, Type element);
  /// A tensor of one value.
  Value filled(StringRef axes, TypedAttr value);
  Value zeros(StringRef axes) { return filled(axes, b.getFloatAttr(type, 0)); }
  /// A linalg.generic over `iterators` whose axes missing in `out` are reduced.
  /// The body gets the elements of `ins`, then that of `out`.
  Value generic(StringRef iterators, ArrayRef<Indexed> ins, Indexed out,
                Body body);
  /// Gives a tensor of key or field heads one head per query head.
  Value repeatHeads(Value tensor, StringRef axes);
  /// Whether query head `head` uses head `own` of `ownHeads`, and which it is.
  Value ownHead(Value head, OpFoldResult ownHeads);

  /// The lines of the definition. Absent without a field: minimum, z, penalty.
  void findIntervals();
  Value minimumBetween();
  Value excess(Value minimum);
  Value smoothBeta();
  Value penalty(Value z);
  Value logits(Value z);

  /// Scalars, inside of a body.
  Value index(char axis);
  Value integer(int64_t value) {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }
  Value real(double value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  }
  Value extend(Value x) {
    return x.getType() == type ? x : arith::ExtFOp::create(b, type, x);
  }
  Value truncate(Value x, Type to) {
    return x.getType() == to ? x : arith::TruncFOp::create(b, to, x);
  }
  Value compare(Predicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, predicate, x, y);
  }
  Value compare(FloatPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, predicate, x, y);
  }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, x, y); }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value subtract(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value multiply(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  /// first <= j <= last.
  Value sees(Value first, Value last) {
    Value j = index('j');
    return both(compare(Predicate::sle, first, j),
                compare(Predicate::sle, j, last));
  }
  /// j < t <= last.
  Value isBetween(Value last) {
    Value t = index('t');
    return both(compare(Predicate::slt, index('j'), t),
                compare(Predicate::sle, t, last));
  }
  /// Infinite fields and levels become the largest finite value, so that their
  /// difference is never inf - inf. A NaN stays.
  Value clamp(Value x);

  ImplicitLocOpBuilder b;
  AttentionOpInterface op;
  FloatType type;
  llvm::StringMap<OpFoldResult> sizes;
  /// The first and the last key that each row sees, as i64.
  Value first, last;

private:
  void findPackedIntervals();

  /// Of the op that is being written.
  StringRef loops;
};

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_IR_INTERFACES_DECOMPOSITION_H
