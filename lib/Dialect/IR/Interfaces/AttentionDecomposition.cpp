//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The meaning of fpa.attention as plain linalg, one op per line of its
// definition.

#include "Decomposition.h"
#include "fpa/Dialect/IR/CreateGeneric.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

class ForwardDecomposition : public Decomposition {
public:
  ForwardDecomposition(OpBuilder &builder, AttentionOp op)
      : Decomposition(builder, op), attention(op) {}

  SmallVector<Value> run();

private:
  Value outputs(Value weight, Value sum);

  AttentionOp attention;
};

/// output_i = sum_j w(i,j) v_j / sum_i, 0 for a row that sees no key.
Value ForwardDecomposition::outputs(Value weight, Value sum) {
  // An unseen v_j may be NaN, so 0 * v_j won't do.
  Value value = repeatHeads(op.getValue(), "bhjv");
  Value acc = generic(
      "bhijv", {{weight, "bhij"}, {value, "bhjv"}, {first, "i"}, {last, "i"}},
      {zeros("bhiv"), "bhiv"}, [&](ValueRange x) -> Value {
        Value next = add(x[4], multiply(x[0], extend(x[1])));
        return select(sees(x[2], x[3]), next, x[4]);
      });
  return generic("bhiv", {{acc, "bhiv"}, {sum, "bhi"}},
                 {attention.getOutput(), "bhiv"}, [&](ValueRange x) -> Value {
                   Value isEmpty = compare(FloatPredicate::OEQ, x[1], real(0));
                   Value quotient = arith::DivFOp::create(b, x[0], x[1]);
                   return truncate(select(isEmpty, real(0), quotient),
                                   x[2].getType());
                 });
}

SmallVector<Value> ForwardDecomposition::run() {
  findIntervals();
  Value s = logits(excess(minimumBetween()));

  // max_i = max_j s(i,j).
  Value max = filled("bhi", b.getFloatAttr(type, -INFINITY));
  max =
      generic("bhij", {{s, "bhij"}}, {max, "bhi"}, [&](ValueRange x) -> Value {
        return arith::MaximumFOp::create(b, x[0], x[1]);
      });

  // w(i,j) = exp(s(i,j) - max_i), 0 for keys the row does not see.
  Value weight =
      generic("bhij", {{s, "bhij"}, {max, "bhi"}, {first, "i"}, {last, "i"}},
              {init("bhij", type), "bhij"}, [&](ValueRange x) -> Value {
                Value w = math::ExpOp::create(b, subtract(x[0], x[1]));
                return select(sees(x[2], x[3]), w, real(0));
              });

  // sum_i = sum_j w(i,j).
  Value sum = generic("bhij", {{weight, "bhij"}}, {zeros("bhi"), "bhi"},
                      [&](ValueRange x) -> Value { return add(x[0], x[1]); });

  SmallVector<Value> results = {outputs(weight, sum)};
  // lse_i = max_i + log(sum_i), -inf + -inf for a row that sees no key.
  if (attention.getLse())
    results.push_back(generic("bhi", {{max, "bhi"}, {sum, "bhi"}},
                              {attention.getLse(), "bhi"},
                              [&](ValueRange x) -> Value {
                                return add(x[0], math::LogOp::create(b, x[1]));
                              }));
  // Nothing is left out: `prune_eps` permits it, no more.
  for (Value out : attention.getOuts().drop_front(results.size()))
    results.push_back(fillWithZero(b, b.getLoc(), out));
  return results;
}

} // namespace

FailureOr<SmallVector<Value>>
AttentionOp::decomposeOperation(OpBuilder &builder) {
  if (!hasPureTensorSemantics())
    return failure();
  return ForwardDecomposition(builder, *this).run();
}
