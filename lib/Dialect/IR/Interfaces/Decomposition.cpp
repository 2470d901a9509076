//===- Decomposition.cpp - Attention as plain linalg ----------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decomposition.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

Decomposition::Decomposition(OpBuilder &builder, AttentionOpInterface op)
    : b(op.getLoc(), builder), op(op), type(op.getAccumulatorType()) {
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

Value Decomposition::index(char axis) {
  Value i = linalg::IndexOp::create(b, loops.find(axis));
  return arith::IndexCastOp::create(b, b.getI64Type(), i);
}

Value Decomposition::ownHead(Value head, OpFoldResult ownHeads) {
  Value heads = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes["h"]);
  Value own = getValueOrCreateConstantIndexOp(b, b.getLoc(), ownHeads);
  // Inside of a body there is a head to divide by.
  return arith::DivUIOp::create(b, head, arith::DivUIOp::create(b, heads, own));
}

Value Decomposition::repeatHeads(Value tensor, StringRef axes) {
  OpFoldResult heads = tensor::getMixedSize(b, b.getLoc(), tensor, 1);
  if (heads == sizes["h"])
    return tensor;
  Value out = init(axes, getElementTypeOrSelf(tensor));
  return generic(axes, {}, {out, axes}, [&](ValueRange) -> Value {
    SmallVector<Value> at;
    for (size_t a = 0; a < axes.size(); ++a)
      at.push_back(linalg::IndexOp::create(b, a));
    at[1] = ownHead(at[1], heads);
    return tensor::ExtractOp::create(b, tensor, at);
  });
}

Value Decomposition::clamp(Value x) {
  APFloat largest = APFloat::getLargest(type.getFloatSemantics());
  auto bound = [&](const APFloat &value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  };
  x = arith::MinimumFOp::create(b, x, bound(largest));
  return arith::MaximumFOp::create(b, x, bound(neg(largest)));
}

/// first_i = 0 or p_i - window + 1, last_i = p_i = i + Lk - Lq.
void Decomposition::findIntervals() {
  first = filled("i", b.getI64IntegerAttr(0));
  last = filled("i", b.getI64IntegerAttr(-1));
  if (op.isPacked()) {
    findPackedIntervals();
  } else {
    auto length = [&](StringRef axis) -> Value {
      Value size = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[axis]);
      return arith::IndexCastOp::create(b, b.getI64Type(), size);
    };
    Value shift = arith::SubIOp::create(b, length("j"), length("i"));
    last = generic("i", {}, {last, "i"}, [&](ValueRange) -> Value {
      return arith::AddIOp::create(b, index('i'), shift);
    });
  }
  if (std::optional<int64_t> window = op.getWindow())
    first =
        generic("i", {{last, "i"}}, {first, "i"}, [&](ValueRange x) -> Value {
          Value cut = arith::SubIOp::create(b, x[0], integer(*window - 1));
          return arith::MaxSIOp::create(b, x[1], cut);
        });
}

/// The same inside of each packed sequence.
void Decomposition::findPackedIntervals() {
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
    return both(compare(Predicate::sle, from, i),
                compare(Predicate::slt, i, to));
  };
  first = generic(
      "in", {{queryBegin, "n"}, {queryEnd, "n"}, {keyBegin, "n"}}, {first, "i"},
      [&](ValueRange x) { return select(isInside(x[0], x[1]), x[2], x[3]); });
  // The last query row of a sequence sits on its last key.
  last = generic("in", {{queryBegin, "n"}, {queryEnd, "n"}, {keyEnd, "n"}},
                 {last, "i"}, [&](ValueRange x) {
                   Value behind = arith::SubIOp::create(b, x[1], index('i'));
                   Value p = arith::SubIOp::create(b, x[2], behind);
                   return select(isInside(x[0], x[1]), p, x[3]);
                 });
}

/// m(i,j) = min { field_t : j < t <= last_i }, +inf where that is empty.
Value Decomposition::minimumBetween() {
  if (!op.getField())
    return Value();
  Value field = repeatHeads(op.getField(), "bhj");
  APFloat inf = APFloat::getInf(type.getFloatSemantics());
  Value out = filled("bhij", b.getFloatAttr(type, inf));
  return generic("bhijt", {{field, "bht"}, {last, "i"}}, {out, "bhij"},
                 [&](ValueRange x) -> Value {
                   Value least =
                       arith::MinimumFOp::create(b, clamp(x[0]), x[2]);
                   return select(isBetween(x[1]), least, x[2]);
                 });
}

/// z(i,j) = level_j - m(i,j).
Value Decomposition::excess(Value minimum) {
  if (!minimum)
    return Value();
  Value level = repeatHeads(op.getLevelOrField(), "bhj");
  Value out = init("bhij", type);
  return generic(
      "bhij", {{level, "bhj"}, {minimum, "bhij"}}, {out, "bhij"},
      [&](ValueRange x) -> Value { return subtract(clamp(x[0]), x[1]); });
}

/// beta, inside of a body.
Value Decomposition::smoothBeta() {
  if (Value operand = op.getBeta())
    return tensor::ExtractOp::create(b, operand, ValueRange());
  return real(op.getSmooth()->convertToDouble());
}

/// pen(i,j) = max(0, z), or its smooth form softplus(beta z) / beta, written so
/// that it cannot overflow.
Value Decomposition::penalty(Value z) {
  Value out = init("bhij", type);
  return generic(
      "bhij", {{z, "bhij"}}, {out, "bhij"}, [&](ValueRange x) -> Value {
        if (!op.isSmooth())
          return arith::MaximumFOp::create(b, x[0], real(0));
        Value beta = smoothBeta();
        Value z = multiply(x[0], beta);
        Value fall = arith::NegFOp::create(b, math::AbsFOp::create(b, z));
        Value tail = math::Log1pOp::create(b, math::ExpOp::create(b, fall));
        Value straight = arith::MaximumFOp::create(b, z, real(0));
        return arith::DivFOp::create(b, add(straight, tail), beta);
      });
}

/// s(i,j) = scale * <q_i, k_j> - pen(i,j) for first_i <= j <= last_i, else
/// -inf.
Value Decomposition::logits(Value z) {
  Value key = repeatHeads(op.getKey(), "bhjd");
  Value dot = generic("bhijd", {{op.getQuery(), "bhid"}, {key, "bhjd"}},
                      {zeros("bhij"), "bhij"}, [&](ValueRange x) -> Value {
                        return add(x[2], multiply(extend(x[0]), extend(x[1])));
                      });
  SmallVector<Indexed> ins = {{dot, "bhij"}, {first, "i"}, {last, "i"}};
  if (z)
    ins.push_back({penalty(z), "bhij"});
  Value factor = real(op.getScaleValue());
  Value out = init("bhij", type);
  return generic("bhij", ins, {out, "bhij"}, [&](ValueRange x) -> Value {
    Value s = multiply(x[0], factor);
    if (z)
      s = subtract(s, x[3]);
    return select(sees(x[1], x[2]), s, real(-INFINITY));
  });
}
