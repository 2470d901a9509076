//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The meaning of fpa.attention_backward as plain linalg, one op per line of its
// definition.

#include "Decomposition.h"
#include "fpa/Dialect/IR/CreateGeneric.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

class BackwardDecomposition : public Decomposition {
public:
  BackwardDecomposition(OpBuilder &builder, AttentionBackwardOp op)
      : Decomposition(builder, op), backward(op) {}

  SmallVector<Value> run();

private:
  Value weights(Value s);
  Value delta();
  Value logitGradient(Value weight);
  Value placeOfMinimum(Value minimum);
  Value excessGradient(Value ds, Value z, Value place);

  Value sumOfPairs(StringRef iterators, Value pairs, Indexed factor,
                   StringRef axes);
  Value sumHeads(Value tensor, StringRef axes, Value out);
  Value store(Value tensor, StringRef axes, Value out, double factor = 1);
  void addFieldGradients(Value ds, Value minimum, Value z,
                         SmallVectorImpl<Value> &results);

  AttentionBackwardOp backward;
};

/// P(i,j) = exp(s(i,j) - lse_i), 0 for keys the row does not see.
Value BackwardDecomposition::weights(Value s) {
  return generic(
      "bhij",
      {{s, "bhij"}, {backward.getLse(), "bhi"}, {first, "i"}, {last, "i"}},
      {init("bhij", type), "bhij"}, [&](ValueRange x) -> Value {
        Value weight = math::ExpOp::create(b, subtract(x[0], x[1]));
        return select(sees(x[2], x[3]), weight, real(0));
      });
}

/// Delta_i = <do_i, o_i> - dlse_i.
Value BackwardDecomposition::delta() {
  Value dot = generic(
      "bhiv",
      {{backward.getOutputGradient(), "bhiv"}, {backward.getOutput(), "bhiv"}},
      {zeros("bhi"), "bhi"}, [&](ValueRange x) -> Value {
        return add(x[2], multiply(extend(x[0]), extend(x[1])));
      });
  if (!backward.getLseGradient())
    return dot;
  return generic("bhi", {{dot, "bhi"}, {backward.getLseGradient(), "bhi"}},
                 {init("bhi", type), "bhi"},
                 [&](ValueRange x) -> Value { return subtract(x[0], x[1]); });
}

/// dS(i,j) = P(i,j) (<do_i, v_j> - Delta_i), 0 for keys the row does not see.
Value BackwardDecomposition::logitGradient(Value weight) {
  Value value = repeatHeads(op.getValue(), "bhjv");
  Value dot = generic("bhijv",
                      {{backward.getOutputGradient(), "bhiv"}, {value, "bhjv"}},
                      {zeros("bhij"), "bhij"}, [&](ValueRange x) -> Value {
                        return add(x[2], multiply(extend(x[0]), extend(x[1])));
                      });
  return generic("bhij",
                 {{weight, "bhij"},
                  {dot, "bhij"},
                  {delta(), "bhi"},
                  {first, "i"},
                  {last, "i"}},
                 {init("bhij", type), "bhij"}, [&](ValueRange x) -> Value {
                   Value ds = multiply(x[0], subtract(x[1], x[2]));
                   return select(sees(x[3], x[4]), ds, real(0));
                 });
}

/// place(i,j) = max { t : j < t <= last_i, field_t = m(i,j) }, -1 where that is
/// empty. As in fpa.prefix_min the place of a NaN is that of the last NaN.
Value BackwardDecomposition::placeOfMinimum(Value minimum) {
  Value field = repeatHeads(op.getField(), "bhj");
  return generic("bhijt", {{field, "bht"}, {minimum, "bhij"}, {last, "i"}},
                 {filled("bhij", b.getI64IntegerAttr(-1)), "bhij"},
                 [&](ValueRange x) -> Value {
                   Value own = clamp(x[0]);
                   Value isEqual = compare(FloatPredicate::OEQ, own, x[1]);
                   Value isNaN = compare(FloatPredicate::UNO, own, own);
                   Value isMinimum = arith::OrIOp::create(b, isEqual, isNaN);
                   // The largest t comes last only where loops run in order.
                   Value latest = arith::MaxSIOp::create(b, index('t'), x[3]);
                   return select(both(isBetween(x[2]), isMinimum), latest,
                                 x[3]);
                 });
}

/// G(i,j) = dS(i,j) dpen/dz: dS(i,j) where z > 0, or dS(i,j) sigmoid(beta z)
/// where there is a minimum.
Value BackwardDecomposition::excessGradient(Value ds, Value z, Value place) {
  return generic(
      "bhij",
      {{ds, "bhij"}, {z, "bhij"}, {place, "bhij"}, {first, "i"}, {last, "i"}},
      {init("bhij", type), "bhij"}, [&](ValueRange x) -> Value {
        Value counts = compare(FloatPredicate::UGT, x[1], real(0));
        Value gradient = x[0];
        if (op.isSmooth()) {
          counts = compare(Predicate::sge, x[2], integer(0));
          Value scaled = multiply(x[1], smoothBeta());
          Value fall = math::ExpOp::create(b, arith::NegFOp::create(b, scaled));
          gradient = arith::DivFOp::create(b, gradient, add(real(1), fall));
        }
        counts = both(counts, sees(x[3], x[4]));
        return select(counts, gradient, real(0));
      });
}

/// The sum of pairs(i,j) times `factor` over what `axes` lacks, without what
/// stands at keys that a row does not see.
Value BackwardDecomposition::sumOfPairs(StringRef iterators, Value pairs,
                                        Indexed factor, StringRef axes) {
  return generic(iterators,
                 {{pairs, "bhij"}, factor, {first, "i"}, {last, "i"}},
                 {zeros(axes), axes}, [&](ValueRange x) -> Value {
                   Value next = add(x[4], multiply(x[0], extend(x[1])));
                   return select(sees(x[2], x[3]), next, x[4]);
                 });
}

/// Adds up the query heads that share a head of `out`.
Value BackwardDecomposition::sumHeads(Value tensor, StringRef axes, Value out) {
  OpFoldResult heads = tensor::getMixedSize(b, b.getLoc(), out, 1);
  if (heads == sizes["h"])
    return tensor;
  sizes["g"] = heads;
  std::string own = axes.str(), all = axes.str() + "g";
  own[1] = 'g';
  return generic(all, {{tensor, axes}}, {zeros(own), own},
                 [&](ValueRange x) -> Value {
                   Value head = linalg::IndexOp::create(b, 1);
                   Value g = linalg::IndexOp::create(b, axes.size());
                   Value uses = compare(Predicate::eq, ownHead(head, heads), g);
                   return select(uses, add(x[0], x[1]), x[1]);
                 });
}

/// Writes a gradient of query heads times `factor` into `out`, which may have
/// fewer heads.
Value BackwardDecomposition::store(Value tensor, StringRef axes, Value out,
                                   double factor) {
  return generic(axes, {{sumHeads(tensor, axes, out), axes}}, {out, axes},
                 [&](ValueRange x) -> Value {
                   Value scaled = multiply(x[0], real(factor));
                   return truncate(scaled, x[1].getType());
                 });
}

/// dlevel_j = -sum_i G(i,j); dfield_t = sum of G(i,j) over place(i,j) = t. Tied
/// field and level get both.
void BackwardDecomposition::addFieldGradients(Value ds, Value minimum, Value z,
                                              SmallVectorImpl<Value> &results) {
  Value place = placeOfMinimum(minimum);
  Value gradient = excessGradient(ds, z, place);
  Value level =
      generic("bhij", {{gradient, "bhij"}}, {zeros("bhj"), "bhj"},
              [&](ValueRange x) -> Value { return subtract(x[1], x[0]); });
  Value field = op.getLevel() ? zeros("bhj") : level;
  field = generic("bhijt", {{gradient, "bhij"}, {place, "bhij"}},
                  {field, "bht"}, [&](ValueRange x) -> Value {
                    Value isHere = compare(Predicate::eq, x[1], index('t'));
                    return select(isHere, add(x[2], x[0]), x[2]);
                  });
  results.push_back(store(field, "bhj", backward.getFieldGradient()));
  if (Value out = backward.getLevelGradient())
    results.push_back(store(level, "bhj", out));
}

SmallVector<Value> BackwardDecomposition::run() {
  findIntervals();
  Value minimum = minimumBetween();
  Value z = excess(minimum);
  Value weight = weights(logits(z));
  Value ds = logitGradient(weight);

  // dq_i = scale sum_j dS(i,j) k_j, dk_j = scale sum_i dS(i,j) q_i,
  // dv_j = sum_i P(i,j) do_i.
  Value key = repeatHeads(op.getKey(), "bhjd");
  Value dq = sumOfPairs("bhidj", ds, {key, "bhjd"}, "bhid");
  Value dk = sumOfPairs("bhjdi", ds, {op.getQuery(), "bhid"}, "bhjd");
  Value dv = sumOfPairs("bhjvi", weight, {backward.getOutputGradient(), "bhiv"},
                        "bhjv");
  double scale = op.getScaleValue();
  SmallVector<Value> results = {
      store(dq, "bhid", backward.getQueryGradient(), scale),
      store(dk, "bhjd", backward.getKeyGradient(), scale),
      store(dv, "bhjv", backward.getValueGradient())};
  if (backward.getFieldGradient())
    addFieldGradients(ds, minimum, z, results);
  // Nothing is left out: `prune_eps` permits it, no more.
  for (Value out : backward.getNumbers())
    results.push_back(fillWithZero(b, b.getLoc(), out));
  return results;
}

} // namespace

FailureOr<SmallVector<Value>>
AttentionBackwardOp::decomposeOperation(OpBuilder &builder) {
  if (!hasPureTensorSemantics())
    return failure();
  return BackwardDecomposition(builder, *this).run();
}
