//===- CacheToSCF.cpp - fpa.update_cache to loops -------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/CacheToSCF/CacheToSCF.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_CONVERTFPACACHETOSCF
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// Emits the loops of one op.
class CacheEmitter {
public:
  CacheEmitter(OpBuilder &builder, UpdateCacheOp op)
      : b(op.getLoc(), builder), op(op),
        type(cast<FloatType>(getElementTypeOrSelf(op.getField().getType()))) {}

  void emit();

private:
  void emitHead();
  Value appendTokens(Value held, Value count);
  void copyRow(Value from, ValueRange fromRow, Value to, ValueRange toRow);
  Value lowerMinima(Value held, Value end, Value minimum);
  Value compact(Value dies, Value end);
  void noteDropped(Value key);
  Value loadMinimum(Value key) {
    return memref::LoadOp::create(b, op.getCachedMinimum(), at(key));
  }
  Value excess(Value key, Value minimum);
  Value isDead(Value excess);

  /// A loop that carries `state`.
  ValueRange loop(Value begin, Value end, ValueRange state,
                  function_ref<SmallVector<Value>(Value, ValueRange)> body);
  void branch(Value condition, function_ref<void()> then,
              function_ref<void()> otherwise = nullptr);

  /// A place of the head.
  SmallVector<Value> at(Value i) { return {batch, head, i}; }
  Value dim(Value buffer, int64_t axis) {
    return b.createOrFold<memref::DimOp>(buffer, axis);
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value real(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value constant(const APFloat &value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  }
  Value toF64(Value x) {
    return x.getType().isF64() ? x
                               : arith::ExtFOp::create(b, b.getF64Type(), x);
  }
  Value clamp(Value x);
  /// Data as an index from 0 to `most`.
  Value clampCount(Value data, Value most);

  ImplicitLocOpBuilder b;
  UpdateCacheOp op;
  FloatType type;
  Value batch, head;
};

} // namespace

ValueRange
CacheEmitter::loop(Value begin, Value end, ValueRange state,
                   function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(b, begin, end, index(1), state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  // A loop that carries nothing has its end already.
  if (!state.empty())
    scf::YieldOp::create(b, next);
  return loop.getResults();
}

void CacheEmitter::branch(Value condition, function_ref<void()> then,
                          function_ref<void()> otherwise) {
  auto choice = scf::IfOp::create(b, condition, bool(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&choice.getThenRegion().front());
  then();
  if (!otherwise)
    return;
  b.setInsertionPointToStart(&choice.getElseRegion().front());
  otherwise();
}

Value CacheEmitter::clamp(Value x) {
  APFloat largest = APFloat::getLargest(type.getFloatSemantics());
  x = arith::MinimumFOp::create(b, x, constant(largest));
  return arith::MaximumFOp::create(b, x, constant(neg(largest)));
}

Value CacheEmitter::clampCount(Value data, Value most) {
  Value count = arith::IndexCastOp::create(b, b.getIndexType(), data);
  count = arith::MinSIOp::create(b, count, most);
  return arith::MaxSIOp::create(b, count, index(0));
}

/// level_j - minimum_j, above 0 where the key is penalised.
Value CacheEmitter::excess(Value key, Value minimum) {
  Value level = memref::LoadOp::create(b, op.getCachedLevel(), at(key));
  return arith::SubFOp::create(b, clamp(level), clamp(minimum));
}

/// A NaN is no penalty that ends a key.
Value CacheEmitter::isDead(Value excess) {
  APFloat threshold = op.getEvictAbove();
  bool losesInfo;
  threshold.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, excess,
                               constant(threshold));
}

void CacheEmitter::copyRow(Value from, ValueRange fromRow, Value to,
                           ValueRange toRow) {
  loop(index(0), dim(to, 3), {}, [&](Value column, ValueRange) {
    SmallVector<Value> source(fromRow), target(toRow);
    source.push_back(column);
    target.push_back(column);
    Value element = memref::LoadOp::create(b, from, source);
    memref::StoreOp::create(b, element, to, target);
    return SmallVector<Value>();
  });
}

/// Writes the tokens behind the `held` keys, from right to left: minimum_t is
/// that of the fields after t. Returns the minimum of all of them.
Value CacheEmitter::appendTokens(Value held, Value count) {
  Value none = constant(APFloat::getInf(type.getFloatSemantics()));
  Value level = op.getLevel() ? op.getLevel() : op.getField();
  return loop(index(0), count, none, [&](Value i, ValueRange minimum) {
    Value token =
        arith::SubIOp::create(b, arith::SubIOp::create(b, count, index(1)), i);
    Value slot = arith::AddIOp::create(b, held, token);
    copyRow(op.getKey(), at(token), op.getCachedKey(), at(slot));
    copyRow(op.getValue(), at(token), op.getCachedValue(), at(slot));
    Value own = memref::LoadOp::create(b, level, at(token));
    memref::StoreOp::create(b, own, op.getCachedLevel(), at(slot));
    memref::StoreOp::create(b, minimum[0], op.getCachedMinimum(), at(slot));
    Value field = memref::LoadOp::create(b, op.getField(), at(token));
    return SmallVector<Value>{arith::MinimumFOp::create(b, minimum[0], field)};
  })[0];
}

/// minimum_j = min(minimum_j, minimum) for the held keys. Returns the first key
/// that is dead now, `end` where there is none.
Value CacheEmitter::lowerMinima(Value held, Value end, Value minimum) {
  auto earliest = [&](Value key, Value own, Value found) -> Value {
    Value candidate =
        arith::SelectOp::create(b, isDead(excess(key, own)), key, end);
    return arith::MinUIOp::create(b, found, candidate);
  };
  Value found = loop(index(0), held, end, [&](Value key, ValueRange found) {
    Value own = arith::MinimumFOp::create(b, loadMinimum(key), minimum);
    memref::StoreOp::create(b, own, op.getCachedMinimum(), at(key));
    return SmallVector<Value>{earliest(key, own, found[0])};
  })[0];
  return loop(held, end, found, [&](Value key, ValueRange found) {
    return SmallVector<Value>{earliest(key, loadMinimum(key), found[0])};
  })[0];
}

/// sum' = sum + exp(-penalty), norm' = max(norm, |k|), largest' =
/// max(largest, |v|), each rounded up. The factors are far above what the
/// operations before them lose.
void CacheEmitter::noteDropped(Value key) {
  Value dropped = op.getDropped();
  if (!dropped)
    return;
  Value slack = real(1 + 0x1p-40), step = real(1 + 0x1p-52);
  Value level = memref::LoadOp::create(b, op.getCachedLevel(), at(key));
  Value penalty = arith::SubFOp::create(b, toF64(clamp(level)),
                                        toF64(clamp(loadMinimum(key))));
  Value weight = math::ExpOp::create(b, arith::NegFOp::create(b, penalty));
  // What underflows is no less than nothing.
  weight = arith::AddFOp::create(b, arith::MulFOp::create(b, weight, slack),
                                 real(1e-300));
  auto element = [&](Value buffer, Value column) {
    SmallVector<Value> place = at(key);
    place.push_back(column);
    return toF64(memref::LoadOp::create(b, buffer, place));
  };
  Value squares = loop(index(0), dim(op.getCachedKey(), 3), real(0),
                       [&](Value column, ValueRange sum) {
                         Value x = element(op.getCachedKey(), column);
                         Value square = arith::MulFOp::create(b, x, x);
                         return SmallVector<Value>{
                             arith::AddFOp::create(b, sum[0], square)};
                       })[0];
  Value norm =
      arith::MulFOp::create(b, math::SqrtOp::create(b, squares), slack);
  Value largest = loop(
      index(0), dim(op.getCachedValue(), 3), real(0),
      [&](Value column, ValueRange found) {
        Value x = math::AbsFOp::create(b, element(op.getCachedValue(), column));
        return SmallVector<Value>{arith::MaximumFOp::create(b, found[0], x)};
      })[0];
  Value sum = memref::LoadOp::create(b, dropped, at(index(0)));
  sum = arith::MulFOp::create(b, arith::AddFOp::create(b, sum, weight), step);
  memref::StoreOp::create(b, sum, dropped, at(index(0)));
  for (auto [place, value] : {std::pair(1, norm), std::pair(2, largest)}) {
    Value before = memref::LoadOp::create(b, dropped, at(index(place)));
    memref::StoreOp::create(b, arith::MaximumFOp::create(b, before, value),
                            dropped, at(index(place)));
  }
}

/// Moves what lives of the keys `[dies, end)` to the left, from `dies` on,
/// which is dead. Returns how many keys there are then.
Value CacheEmitter::compact(Value dies, Value end) {
  return loop(dies, end, dies, [&](Value key, ValueRange kept) {
    Value minimum = loadMinimum(key);
    Value dead = isDead(excess(key, minimum));
    // Rows of two keys never overlap, so that they are copied in any order.
    branch(
        dead, [&] { noteDropped(key); },
        [&] {
          copyRow(op.getCachedKey(), at(key), op.getCachedKey(), at(kept[0]));
          copyRow(op.getCachedValue(), at(key), op.getCachedValue(),
                  at(kept[0]));
          Value level = memref::LoadOp::create(b, op.getCachedLevel(), at(key));
          memref::StoreOp::create(b, level, op.getCachedLevel(), at(kept[0]));
          memref::StoreOp::create(b, minimum, op.getCachedMinimum(),
                                  at(kept[0]));
        });
    Value more = arith::AddIOp::create(b, kept[0], index(1));
    return SmallVector<Value>{arith::SelectOp::create(b, dead, kept[0], more)};
  })[0];
}

void CacheEmitter::emitHead() {
  Value room = dim(op.getCachedKey(), 2);
  Value held = clampCount(
      memref::LoadOp::create(b, op.getCount(), ValueRange{batch, head}), room);
  Value count = dim(op.getKey(), 2);
  if (Value lengths = op.getLengths())
    count = clampCount(memref::LoadOp::create(b, lengths, batch), count);
  Value end = arith::AddIOp::create(b, held, count);
  Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, end, room);
  branch(
      fits,
      [&] {
        Value minimum = appendTokens(held, count);
        Value dies = lowerMinima(held, end, minimum);
        Value left = compact(dies, end);
        left = arith::IndexCastOp::create(b, b.getI64Type(), left);
        memref::StoreOp::create(b, left, op.getCount(),
                                ValueRange{batch, head});
      },
      [&] {
        if (op.getDropped())
          memref::StoreOp::create(b, real(INFINITY), op.getDropped(),
                                  at(index(0)));
      });
}

void CacheEmitter::emit() {
  SmallVector<OpFoldResult> bounds = {getAsOpFoldResult(dim(op.getKey(), 0)),
                                      getAsOpFoldResult(dim(op.getKey(), 1))};
  auto forall = scf::ForallOp::create(b, bounds, ValueRange(), std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forall.getBody());
  batch = forall.getInductionVar(0);
  head = forall.getInductionVar(1);
  emitHead();
}

LogicalResult mlir::fpa::convertUpdateCacheToSCF(RewriterBase &rewriter,
                                                 UpdateCacheOp op) {
  if (!op.hasPureBufferSemantics())
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  CacheEmitter(rewriter, op).emit();
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct ConvertFpaCacheToSCF
    : public fpa::impl::ConvertFpaCacheToSCFBase<ConvertFpaCacheToSCF> {
  void runOnOperation() override {
    SmallVector<UpdateCacheOp> ops;
    getOperation()->walk([&](UpdateCacheOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (UpdateCacheOp op : ops) {
      if (failed(convertUpdateCacheToSCF(rewriter, op))) {
        op.emitOpError("expected memref operands, got tensors; bufferize "
                       "before this pass");
        return signalPassFailure();
      }
    }
  }
};
} // namespace
