//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A cache by many threads, for GPUs: parallel loops one after the other, in
// each of which no iteration reads what another one writes. Elements are
// written and minima lowered by a thread each. Keys move to the left in place,
// so one after the other; but columns move without each other, neighbours in
// memory by neighbouring threads. Counts, which all loops read, change in the
// last one.

#include "CacheEmitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {
class ParallelEmitter : private CacheEmitter {
public:
  using CacheEmitter::CacheEmitter;

  void emit();

private:
  /// Keys that are walked at one go if none of them dies or moves.
  static constexpr int64_t kGroup = 64;

  Value createScratch(Value last, Type element);
  void append(Value from, Value to);
  void findDead();
  void countLiving();
  void noteAllDropped();
  Value walkGroups(
      Value end, Value state,
      function_ref<Value(Value begin, Value stop, Value alive, Value state)>
          body);
  Value moveLiving(Value end, function_ref<void(Value from, Value to)> move);
  void moveColumns(Value cached);
  void moveLines();

  Value isMarked(Value key) {
    Value mark = memref::LoadOp::create(b, dead, at(key));
    Value none = arith::ConstantIntOp::create(b, mark.getType(), 0);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, mark, none);
  }
  Value isBelow(Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x, y);
  }

  Value room;
  /// For each key 1 if it dies, else 0; how many of a group live.
  Value dead, living;
};
} // namespace

/// B x HK x last.
Value ParallelEmitter::createScratch(Value last, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> open;
  for (Value size : {dim(op.getKey(), 0), dim(op.getKey(), 1), last}) {
    std::optional<int64_t> known = getConstantIntValue(size);
    shape.push_back(known.value_or(ShapedType::kDynamic));
    if (!known)
      open.push_back(size);
  }
  return memref::AllocOp::create(b, MemRefType::get(shape, element), open);
}

/// Writes the new rows of `from` behind those of `to`.
void ParallelEmitter::append(Value from, Value to) {
  forHeads({dim(from, 2), dim(from, 3)},
           [&](const Counts &counts, ValueRange ids) {
             branch(isBelow(ids[0], counts.tokens), [&] {
               Value slot = arith::AddIOp::create(b, counts.held, ids[0]);
               Value element = memref::LoadOp::create(
                   b, from, ValueRange{batch, head, ids[0], ids[1]});
               memref::StoreOp::create(b, element, to,
                                       ValueRange{batch, head, slot, ids[1]});
             });
           });
}

/// minimum_j = min(minimum_j, fields that come after j), and level_j of the new
/// keys; marks keys that are dead then.
void ParallelEmitter::findDead() {
  forHeads({room}, [&](const Counts &counts, ValueRange ids) {
    Value key = ids[0];
    branch(isBelow(key, counts.end), [&] {
      Value isHeld = isBelow(key, counts.held);
      Value token = arith::SubIOp::create(b, key, counts.held);
      Value before =
          scf::IfOp::create(
              b, isHeld,
              [&](OpBuilder &nested, Location loc) {
                Value own = memref::LoadOp::create(
                    nested, loc, op.getCachedMinimum(), at(key));
                scf::YieldOp::create(nested, loc, own);
              },
              [&](OpBuilder &nested, Location loc) {
                Value own = memref::LoadOp::create(
                    nested, loc, getLevelOrField(), at(token));
                memref::StoreOp::create(nested, loc, own, op.getCachedLevel(),
                                        at(key));
                Value none = arith::ConstantOp::create(
                    nested, loc,
                    nested.getFloatAttr(
                        type, APFloat::getInf(type.getFloatSemantics())));
                scf::YieldOp::create(nested, loc, none);
              })
              .getResult(0);
      Value after = arith::AddIOp::create(b, token, index(1));
      Value first = arith::SelectOp::create(b, isHeld, index(0), after);
      Value minimum =
          loop(first, counts.tokens, before, [&](Value t, ValueRange smallest) {
            Value field = memref::LoadOp::create(b, op.getField(), at(t));
            return SmallVector<Value>{
                arith::MinimumFOp::create(b, smallest[0], field)};
          })[0];
      memref::StoreOp::create(b, minimum, op.getCachedMinimum(), at(key));
      Value mark = arith::ExtUIOp::create(b, b.getI32Type(),
                                          isDead(loadLevel(key), minimum));
      memref::StoreOp::create(b, mark, dead, at(key));
    });
  });
}

/// How many keys of each group live.
void ParallelEmitter::countLiving() {
  forHeads({dim(living, 2)}, [&](const Counts &counts, ValueRange ids) {
    Value begin = arith::MulIOp::create(b, ids[0], index(kGroup));
    Value stop = arith::MinSIOp::create(
        b, arith::AddIOp::create(b, begin, index(kGroup)), counts.end);
    Value alive = loop(begin, stop, index(0), [&](Value key, ValueRange count) {
      Value more = arith::AddIOp::create(b, count[0], index(1));
      return SmallVector<Value>{
          arith::SelectOp::create(b, isMarked(key), count[0], more)};
    })[0];
    memref::StoreOp::create(b, alive, living, at(ids[0]));
  });
}

/// Goes over the groups of the keys `[0, end)` and carries `state`.
Value ParallelEmitter::walkGroups(
    Value end, Value state,
    function_ref<Value(Value, Value, Value, Value)> body) {
  Value groups = arith::CeilDivUIOp::create(b, end, index(kGroup));
  return loop(index(0), groups, state, [&](Value group, ValueRange carried) {
    Value begin = arith::MulIOp::create(b, group, index(kGroup));
    Value stop = arith::MinSIOp::create(
        b, arith::AddIOp::create(b, begin, index(kGroup)), end);
    Value alive = memref::LoadOp::create(b, living, at(group));
    return SmallVector<Value>{body(begin, stop, alive, carried[0])};
  })[0];
}

/// What is known of the dead, before others take their places.
void ParallelEmitter::noteAllDropped() {
  if (!op.getDropped())
    return;
  forHeads(
      {},
      [&](const Counts &counts, ValueRange) {
        walkGroups(counts.end, index(0),
                   [&](Value begin, Value stop, Value alive, Value state) {
                     Value size = arith::SubIOp::create(b, stop, begin);
                     branch(isBelow(alive, size), [&] {
                       loop(begin, stop, {}, [&](Value key, ValueRange) {
                         branch(isMarked(key), [&] { noteDropped(key); });
                         return SmallVector<Value>();
                       });
                     });
                     return state;
                   });
      },
      [&] { noteOverflow(); });
}

/// Calls `move` for the places of each key that lives, of those that may have
/// to move. Returns how many live.
Value ParallelEmitter::moveLiving(Value end,
                                  function_ref<void(Value, Value)> move) {
  return walkGroups(
      end, index(0), [&](Value begin, Value stop, Value alive, Value kept) {
        Value next = arith::AddIOp::create(b, begin, alive);
        Value allLive =
            arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next, stop);
        Value inPlace =
            arith::CmpIOp::create(b, arith::CmpIPredicate::eq, kept, begin);
        Value stays = arith::AndIOp::create(b, allLive, inPlace);
        // A group that stays is walked from its end on.
        Value from = arith::SelectOp::create(b, stays, stop, begin);
        loop(from, stop, kept, [&](Value key, ValueRange to) {
          Value dies = isMarked(key);
          branch(dies, [] {}, [&] { move(key, to[0]); });
          Value more = arith::AddIOp::create(b, to[0], index(1));
          return SmallVector<Value>{
              arith::SelectOp::create(b, dies, to[0], more)};
        });
        return arith::AddIOp::create(b, kept, alive).getResult();
      });
}

void ParallelEmitter::moveColumns(Value cached) {
  forHeads({dim(cached, 3)}, [&](const Counts &counts, ValueRange ids) {
    moveLiving(counts.end, [&](Value from, Value to) {
      Value element = memref::LoadOp::create(
          b, cached, ValueRange{batch, head, from, ids[0]});
      memref::StoreOp::create(b, element, cached,
                              ValueRange{batch, head, to, ids[0]});
    });
  });
}

/// Level, minimum and count.
void ParallelEmitter::moveLines() {
  forHeads({}, [&](const Counts &counts, ValueRange) {
    Value left = moveLiving(counts.end, [&](Value from, Value to) {
      for (Value line : {op.getCachedLevel(), op.getCachedMinimum()}) {
        Value element = memref::LoadOp::create(b, line, at(from));
        memref::StoreOp::create(b, element, line, at(to));
      }
    });
    left = arith::IndexCastOp::create(b, b.getI64Type(), left);
    memref::StoreOp::create(b, left, op.getCount(), ValueRange{batch, head});
  });
}

void ParallelEmitter::emit() {
  room = dim(op.getCachedKey(), 2);
  dead = createScratch(room, b.getI32Type());
  Value groups = b.createOrFold<arith::CeilDivUIOp>(room, index(kGroup));
  living = createScratch(groups, b.getIndexType());
  append(op.getKey(), op.getCachedKey());
  append(op.getValue(), op.getCachedValue());
  findDead();
  countLiving();
  noteAllDropped();
  moveColumns(op.getCachedKey());
  moveColumns(op.getCachedValue());
  moveLines();
  memref::DeallocOp::create(b, living);
  memref::DeallocOp::create(b, dead);
}

void mlir::fpa::emitParallelUpdate(OpBuilder &builder, UpdateCacheOp op) {
  ParallelEmitter(builder, op).emit();
}
