//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A head's cache by one thread, from the new tokens to the count.

#include "CacheEmitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {
class SerialEmitter : private CacheEmitter {
public:
  using CacheEmitter::CacheEmitter;

  void emit();

private:
  Value appendTokens(Value held, Value count);
  Value lowerMinima(Value held, Value end, Value minimum);
  Value compact(Value dies, Value end);
};
} // namespace

/// Writes the tokens behind the `held` keys, from right to left: minimum_t is
/// that of the fields after t. Returns the minimum of all of them.
Value SerialEmitter::appendTokens(Value held, Value count) {
  Value none = infinity(), level = getLevelOrField();
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
Value SerialEmitter::lowerMinima(Value held, Value end, Value minimum) {
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

/// Moves what lives of the keys `[dies, end)` to the left, from `dies` on,
/// which is dead. Returns how many keys there are then.
Value SerialEmitter::compact(Value dies, Value end) {
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

void SerialEmitter::emit() {
  forHeads(
      {},
      [&](const Counts &counts, ValueRange) {
        Value minimum = appendTokens(counts.held, counts.tokens);
        Value dies = lowerMinima(counts.held, counts.end, minimum);
        Value left = compact(dies, counts.end);
        left = arith::IndexCastOp::create(b, b.getI64Type(), left);
        memref::StoreOp::create(b, left, op.getCount(),
                                ValueRange{batch, head});
      },
      [&] { noteOverflow(); });
}

void mlir::fpa::emitSerialUpdate(OpBuilder &builder, UpdateCacheOp op) {
  SerialEmitter(builder, op).emit();
}
