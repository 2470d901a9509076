//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The meaning of fpa.attention as plain linalg, one op per line of its
// definition. It serves as an oracle, so it shares nothing with the tiled
// lowering: no tile decomposition, no running state, no base-2 logits.

#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

using Predicate = arith::CmpIPredicate;

/// A tensor and its axes, one letter each, as in an Einstein sum:
///   b batch, h query head, i query row, j key, t key between j and the row,
///   d head size, v value head size, n packed sequence.
struct Indexed {
  Value tensor;
  StringRef axes;
};

/// Emits the decomposition of one op at the builder's insertion point.
class Decomposition {
public:
  Decomposition(OpBuilder &builder, AttentionOp op)
      : b(op.getLoc(), builder), op(op), type(op.getAccumulatorType()) {}

  SmallVector<Value> run();

private:
  using Body = function_ref<Value(ValueRange)>;

  void nameAxes();
  Value init(StringRef axes, Type element);
  Value filled(StringRef axes, TypedAttr value);
  Value generic(StringRef loops, ArrayRef<Indexed> ins, Indexed out, Body body);
  Value repeatHeads(Value tensor, StringRef axes);
  void findIntervals();
  Value minimumBetween();
  Value penalty(Value minimum);
  Value logits();

  Value index(char axis) {
    Value i = linalg::IndexOp::create(b, loops.find(axis));
    return arith::IndexCastOp::create(b, b.getI64Type(), i);
  }
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
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  /// first <= j <= last.
  Value sees(Value first, Value last) {
    Value j = index('j');
    return arith::AndIOp::create(b, compare(Predicate::sle, first, j),
                                 compare(Predicate::sle, j, last));
  }
  Value clamp(Value x);

  ImplicitLocOpBuilder b;
  AttentionOp op;
  FloatType type;
  StringRef loops;
  llvm::StringMap<OpFoldResult> sizes;
  Value first, last;
};

void Decomposition::nameAxes() {
  auto name = [&](StringRef axis, Value tensor, int64_t dim) {
    sizes[axis] = tensor::getMixedSize(b, b.getLoc(), tensor, dim);
  };
  name("b", op.getQuery(), 0);
  name("h", op.getQuery(), 1);
  name("i", op.getQuery(), 2);
  name("d", op.getQuery(), 3);
  name("j", op.getKey(), 2);
  name("v", op.getValue(), 3);
  sizes["t"] = sizes["j"];
}

Value Decomposition::init(StringRef axes, Type element) {
  SmallVector<OpFoldResult> shape;
  for (size_t a = 0; a < axes.size(); ++a)
    shape.push_back(sizes[axes.substr(a, 1)]);
  return tensor::EmptyOp::create(b, shape, element);
}

Value Decomposition::filled(StringRef axes, TypedAttr value) {
  Value scalar = arith::ConstantOp::create(b, value);
  Value empty = init(axes, value.getType());
  return linalg::FillOp::create(b, scalar, empty).getResult(0);
}

/// A linalg.generic over `iterators` whose axes missing in `out` are reduced.
/// The body gets the elements of `ins`, then that of `out`.
Value Decomposition::generic(StringRef iterators, ArrayRef<Indexed> ins,
                             Indexed out, Body body) {
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  auto addMap = [&](StringRef axes) {
    SmallVector<AffineExpr> exprs;
    for (char axis : axes)
      exprs.push_back(b.getAffineDimExpr(iterators.find(axis)));
    maps.push_back(AffineMap::get(iterators.size(), 0, exprs, b.getContext()));
  };
  for (const Indexed &in : ins) {
    addMap(in.axes);
    inputs.push_back(in.tensor);
  }
  addMap(out.axes);
  SmallVector<utils::IteratorType> kinds;
  for (char axis : iterators)
    kinds.push_back(out.axes.contains(axis) ? utils::IteratorType::parallel
                                            : utils::IteratorType::reduction);
  loops = iterators;
  auto region = [&](OpBuilder &nested, Location, ValueRange elements) {
    OpBuilder::InsertionGuard guard(b);
    b.restoreInsertionPoint(nested.saveInsertionPoint());
    linalg::YieldOp::create(b, body(elements));
  };
  return linalg::GenericOp::create(b, out.tensor.getType(), inputs, out.tensor,
                                   maps, kinds, region)
      .getResult(0);
}

/// Gives a tensor of key or field heads one head per query head.
Value Decomposition::repeatHeads(Value tensor, StringRef axes) {
  OpFoldResult heads = tensor::getMixedSize(b, b.getLoc(), tensor, 1);
  if (heads == sizes["h"])
    return tensor;
  Value queryHeads =
      getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes["h"]);
  Value ownHeads = getValueOrCreateConstantIndexOp(b, b.getLoc(), heads);
  Value out = init(axes, getElementTypeOrSelf(tensor));
  return generic(axes, {}, {out, axes}, [&](ValueRange) -> Value {
    SmallVector<Value> at;
    for (size_t a = 0; a < axes.size(); ++a)
      at.push_back(linalg::IndexOp::create(b, a));
    // In here there is a head to divide by.
    Value group = arith::DivUIOp::create(b, queryHeads, ownHeads);
    at[1] = arith::DivUIOp::create(b, at[1], group);
    return tensor::ExtractOp::create(b, tensor, at);
  });
}

/// Infinite fields and levels become the largest finite value, so that their
/// difference is never inf - inf. A NaN stays.
Value Decomposition::clamp(Value x) {
  APFloat largest = APFloat::getLargest(type.getFloatSemantics());
  auto bound = [&](const APFloat &value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  };
  x = arith::MinimumFOp::create(b, x, bound(largest));
  return arith::MaximumFOp::create(b, x, bound(neg(largest)));
}

/// The first and the last key that each row sees, as i64.
void Decomposition::findIntervals() {
  Value begin = filled("i", b.getI64IntegerAttr(0));
  last = filled("i", b.getI64IntegerAttr(-1));
  if (!op.isPacked()) {
    // p_i = i + Lk - Lq.
    auto length = [&](StringRef axis) -> Value {
      Value size = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[axis]);
      return arith::IndexCastOp::create(b, b.getI64Type(), size);
    };
    Value shift = arith::SubIOp::create(b, length("j"), length("i"));
    last = generic("i", {}, {last, "i"}, [&](ValueRange) -> Value {
      return arith::AddIOp::create(b, index('i'), shift);
    });
  } else {
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    OpFoldResult bounds =
        tensor::getMixedSize(b, b.getLoc(), op.getCuSeqlensQ(), 0);
    AffineExpr n = b.getAffineDimExpr(0);
    sizes["n"] =
        affine::makeComposedFoldedAffineApply(b, b.getLoc(), n - 1, {bounds});
    auto slice = [&](Value bounds, OpFoldResult offset) -> Value {
      return tensor::ExtractSliceOp::create(b, bounds, {offset}, {sizes["n"]},
                                            {one});
    };
    Value queryBegin = slice(op.getCuSeqlensQ(), zero);
    Value queryEnd = slice(op.getCuSeqlensQ(), one);
    Value keyBegin = slice(op.getCuSeqlensK(), zero);
    Value keyEnd = slice(op.getCuSeqlensK(), one);
    auto isInside = [&](Value from, Value to) -> Value {
      Value i = index('i');
      return arith::AndIOp::create(b, compare(Predicate::sle, from, i),
                                   compare(Predicate::slt, i, to));
    };
    begin = generic("in", {{queryBegin, "n"}, {queryEnd, "n"}, {keyBegin, "n"}},
                    {begin, "i"}, [&](ValueRange x) {
                      return select(isInside(x[0], x[1]), x[2], x[3]);
                    });
    // The last query row of a sequence sits on its last key.
    last = generic("in", {{queryBegin, "n"}, {queryEnd, "n"}, {keyEnd, "n"}},
                   {last, "i"}, [&](ValueRange x) {
                     Value behind = arith::SubIOp::create(b, x[1], index('i'));
                     Value p = arith::SubIOp::create(b, x[2], behind);
                     return select(isInside(x[0], x[1]), p, x[3]);
                   });
  }
  first = begin;
  if (std::optional<int64_t> window = op.getWindow())
    first =
        generic("i", {{last, "i"}}, {begin, "i"}, [&](ValueRange x) -> Value {
          Value cut = arith::SubIOp::create(b, x[0], integer(*window - 1));
          return arith::MaxSIOp::create(b, x[1], cut);
        });
}

/// m(i,j) = min { field_t : j < t <= last_i }, +inf where that is empty.
Value Decomposition::minimumBetween() {
  Value field = repeatHeads(op.getField(), "bhj");
  APFloat inf = APFloat::getInf(type.getFloatSemantics());
  Value out = filled("bhij", b.getFloatAttr(type, inf));
  return generic("bhijt", {{field, "bht"}, {last, "i"}}, {out, "bhij"},
                 [&](ValueRange x) -> Value {
                   Value t = index('t');
                   Value between = arith::AndIOp::create(
                       b, compare(Predicate::slt, index('j'), t),
                       compare(Predicate::sle, t, x[1]));
                   Value least =
                       arith::MinimumFOp::create(b, clamp(x[0]), x[2]);
                   return select(between, least, x[2]);
                 });
}

/// pen(i,j) = max(0, z) with z = level_j - m(i,j), or its smooth form
/// softplus(beta z) / beta, written so that it cannot overflow.
Value Decomposition::penalty(Value minimum) {
  Value level = repeatHeads(op.getLevelOrField(), "bhj");
  Value out = init("bhij", type);
  return generic("bhij", {{level, "bhj"}, {minimum, "bhij"}}, {out, "bhij"},
                 [&](ValueRange x) -> Value {
                   Value z = arith::SubFOp::create(b, clamp(x[0]), x[1]);
                   if (!op.getSmooth())
                     return arith::MaximumFOp::create(b, z, real(0));
                   Value beta = real(op.getSmooth()->convertToDouble());
                   z = arith::MulFOp::create(b, z, beta);
                   Value fall =
                       arith::NegFOp::create(b, math::AbsFOp::create(b, z));
                   Value tail =
                       math::Log1pOp::create(b, math::ExpOp::create(b, fall));
                   Value straight = arith::MaximumFOp::create(b, z, real(0));
                   Value soft = arith::AddFOp::create(b, straight, tail);
                   return arith::DivFOp::create(b, soft, beta);
                 });
}

/// s(i,j) = scale * <q_i, k_j> - pen(i,j) for first_i <= j <= last_i, else
/// -inf.
Value Decomposition::logits() {
  Value key = repeatHeads(op.getKey(), "bhjd");
  Value dot = filled("bhij", b.getFloatAttr(type, 0.0));
  dot = generic("bhijd", {{op.getQuery(), "bhid"}, {key, "bhjd"}},
                {dot, "bhij"}, [&](ValueRange x) -> Value {
                  Value product =
                      arith::MulFOp::create(b, extend(x[0]), extend(x[1]));
                  return arith::AddFOp::create(b, x[2], product);
                });
  SmallVector<Indexed> ins = {{dot, "bhij"}, {first, "i"}, {last, "i"}};
  if (op.getField())
    ins.push_back({penalty(minimumBetween()), "bhij"});
  Value factor = real(op.getScaleValue());
  Value out = init("bhij", type);
  return generic("bhij", ins, {out, "bhij"}, [&](ValueRange x) -> Value {
    Value s = arith::MulFOp::create(b, x[0], factor);
    if (op.getField())
      s = arith::SubFOp::create(b, s, x[3]);
    return select(sees(x[1], x[2]), s, real(-INFINITY));
  });
}

SmallVector<Value> Decomposition::run() {
  nameAxes();
  findIntervals();
  Value s = logits();

  // max_i = max_j s(i,j).
  Value max = filled("bhi", b.getFloatAttr(type, -INFINITY));
  max =
      generic("bhij", {{s, "bhij"}}, {max, "bhi"}, [&](ValueRange x) -> Value {
        return arith::MaximumFOp::create(b, x[0], x[1]);
      });

  // w(i,j) = exp(s(i,j) - max_i), 0 for keys the row does not see.
  Value weight = init("bhij", type);
  weight = generic(
      "bhij", {{s, "bhij"}, {max, "bhi"}, {first, "i"}, {last, "i"}},
      {weight, "bhij"}, [&](ValueRange x) -> Value {
        Value w = math::ExpOp::create(b, arith::SubFOp::create(b, x[0], x[1]));
        return select(sees(x[2], x[3]), w, real(0));
      });

  // sum_i = sum_j w(i,j).
  Value sum = filled("bhi", b.getFloatAttr(type, 0.0));
  sum = generic("bhij", {{weight, "bhij"}}, {sum, "bhi"},
                [&](ValueRange x) -> Value {
                  return arith::AddFOp::create(b, x[0], x[1]);
                });

  // acc_i = sum_j w(i,j) v_j; an unseen v_j may be NaN, so 0 * v_j won't do.
  Value value = repeatHeads(op.getValue(), "bhjv");
  Value acc = filled("bhiv", b.getFloatAttr(type, 0.0));
  acc = generic("bhijv",
                {{weight, "bhij"}, {value, "bhjv"}, {first, "i"}, {last, "i"}},
                {acc, "bhiv"}, [&](ValueRange x) -> Value {
                  Value product = arith::MulFOp::create(b, x[0], extend(x[1]));
                  Value next = arith::AddFOp::create(b, x[4], product);
                  return select(sees(x[2], x[3]), next, x[4]);
                });

  // output_i = acc_i / sum_i, 0 for a row that sees no key.
  SmallVector<Value> results;
  results.push_back(generic(
      "bhiv", {{acc, "bhiv"}, {sum, "bhi"}}, {op.getOutput(), "bhiv"},
      [&](ValueRange x) -> Value {
        Value isEmpty =
            arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x[1], real(0));
        Value quotient = arith::DivFOp::create(b, x[0], x[1]);
        return truncate(select(isEmpty, real(0), quotient), x[2].getType());
      }));

  // lse_i = max_i + log(sum_i), -inf + -inf for a row that sees no key.
  if (op.getLse())
    results.push_back(generic("bhi", {{max, "bhi"}, {sum, "bhi"}},
                              {op.getLse(), "bhi"}, [&](ValueRange x) -> Value {
                                Value lse = arith::AddFOp::create(
                                    b, x[0], math::LogOp::create(b, x[1]));
                                return truncate(lse, x[2].getType());
                              }));
  return results;
}

} // namespace

FailureOr<SmallVector<Value>>
AttentionOp::decomposeOperation(OpBuilder &builder) {
  if (!hasPureTensorSemantics())
    return failure();
  return Decomposition(builder, *this).run();
}
