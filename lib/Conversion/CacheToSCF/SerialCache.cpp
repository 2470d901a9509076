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
  /// Keys whose minima are lowered at one go.
  static constexpr int64_t kGroup = 64;

  Value appendTokens(Value held, Value count);
  Value findDead(Value begin, Value end, Value found,
                 function_ref<Value(Value key)> getMinimum);
  Value lowerGroup(Value begin, Value minimum, Value found);
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

/// The first of the keys `[begin, end)` that is dead if its minimum is what
/// `getMinimum` says, `found` where there is none or an earlier one was found.
Value SerialEmitter::findDead(Value begin, Value end, Value found,
                              function_ref<Value(Value key)> getMinimum) {
  return loop(begin, end, found, [&](Value key, ValueRange found) {
    Value dead = isDead(loadLevel(key), getMinimum(key));
    Value first = arith::MinUIOp::create(b, found[0], key);
    return SmallVector<Value>{
        arith::SelectOp::create(b, dead, first, found[0])};
  })[0];
}

/// Lowers the minima of a group of held keys from `begin` on. Most steps change
/// few, and what is not written need not be written back to memory; dead keys
/// are looked for only where there is one.
Value SerialEmitter::lowerGroup(Value begin, Value minimum, Value found) {
  auto keys = VectorType::get({kGroup}, type);
  auto isAny = [&](Value x) -> Value {
    return vector::ReductionOp::create(b, vector::CombiningKind::OR, x);
  };
  Value before =
      vector::LoadOp::create(b, keys, op.getCachedMinimum(), at(begin));
  Value own = arith::MinimumFOp::create(
      b, before, vector::BroadcastOp::create(b, keys, minimum));
  branch(
      isAny(arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, own, before)),
      [&] {
        vector::StoreOp::create(b, own, op.getCachedMinimum(), at(begin));
      });
  Value level = vector::LoadOp::create(b, keys, op.getCachedLevel(), at(begin));
  auto choice = scf::IfOp::create(b, found.getType(), isAny(isDead(level, own)),
                                  /*else=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&choice.getThenRegion().front());
  Value end = arith::AddIOp::create(b, begin, index(kGroup));
  scf::YieldOp::create(b, findDead(begin, end, found, [&](Value key) {
                         return loadMinimum(key);
                       }));
  b.setInsertionPointToStart(&choice.getElseRegion().front());
  scf::YieldOp::create(b, found);
  return choice.getResult(0);
}

/// minimum_j = min(minimum_j, minimum) for the held keys. Returns the first key
/// that is dead now, `end` where there is none.
Value SerialEmitter::lowerMinima(Value held, Value end, Value minimum) {
  Value grouped = index(0), found = end;
  bool areRuns = llvm::all_of(
      ArrayRef<Value>{op.getCachedLevel(), op.getCachedMinimum()},
      [](Value line) {
        return cast<MemRefType>(line.getType()).isLastDimUnitStride();
      });
  if (areRuns) {
    Value groups = arith::DivUIOp::create(b, held, index(kGroup));
    grouped = arith::MulIOp::create(b, groups, index(kGroup));
    found = loop(index(0), groups, found, [&](Value group, ValueRange found) {
      Value begin = arith::MulIOp::create(b, group, index(kGroup));
      return SmallVector<Value>{lowerGroup(begin, minimum, found[0])};
    })[0];
  }
  found = findDead(grouped, held, found, [&](Value key) {
    Value own = arith::MinimumFOp::create(b, loadMinimum(key), minimum);
    memref::StoreOp::create(b, own, op.getCachedMinimum(), at(key));
    return own;
  });
  return findDead(held, end, found,
                  [&](Value key) { return loadMinimum(key); });
}

/// Moves what lives of the keys `[dies, end)` to the left, from `dies` on,
/// which is dead. Returns how many keys there are then.
Value SerialEmitter::compact(Value dies, Value end) {
  return loop(dies, end, dies, [&](Value key, ValueRange kept) {
    Value minimum = loadMinimum(key);
    Value dead = isDead(loadLevel(key), minimum);
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
