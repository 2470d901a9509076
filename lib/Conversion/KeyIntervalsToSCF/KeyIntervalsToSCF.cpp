//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/KeyIntervalsToSCF/KeyIntervalsToSCF.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_CONVERTFPAKEYINTERVALSTOSCF
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {
/// The rows [q0, q1) of a sequence and its keys [k0, k1), as i64.
struct Sequence {
  Value q0, q1, k0, k1;
};

/// Emits the loops of one op. All arithmetic is on i64, as the outputs are.
class IntervalEmitter {
public:
  IntervalEmitter(OpBuilder &b, KeyIntervalsOp op)
      : loc(op.getLoc()), op(op), firsts(op.getOuts()[0]),
        lasts(op.getOuts()[1]) {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    rowCount = b.createOrFold<memref::DimOp>(loc, firsts, zero);
    rows = toI64(b, rowCount);
    keys = toI64(b, op.getKeyLength());
  }

  void emitSerial(OpBuilder &b);
  void emitParallel(OpBuilder &b);

private:
  using Visit =
      function_ref<SmallVector<Value>(OpBuilder &, Sequence, ValueRange)>;
  SmallVector<Value> visitSequences(OpBuilder &b, ValueRange init, Visit visit);
  void
  emitRows(OpBuilder &b, Sequence s,
           function_ref<void(function_ref<void(OpBuilder &, Value)>)> loop);
  Value loadBoundary(OpBuilder &b, Value lengths, Value n, Value least,
                     Value most);

  Value i64(OpBuilder &b, int64_t value) {
    return arith::ConstantIntOp::create(b, loc, b.getI64Type(), value);
  }
  Value toI64(OpBuilder &b, Value index) {
    return b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), index);
  }
  Value toIndex(OpBuilder &b, Value value) {
    return b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), value);
  }

  Location loc;
  KeyIntervalsOp op;
  Value firsts, lasts, rowCount, rows, keys;
};
} // namespace

/// Calls `loop` with what writes row i of a sequence:
///   last_i  = k0 + max(-1, (i - q0) + (k1 - k0) - (q1 - q0))
///   first_i = max(k0, last_i - window + 1)
/// Without keys (k0 = k1) every row is empty: last_i = k0 - 1, first_i = k0.
void IntervalEmitter::emitRows(
    OpBuilder &b, Sequence s,
    function_ref<void(function_ref<void(OpBuilder &, Value)>)> loop) {
  Value shift = b.createOrFold<arith::SubIOp>(loc, s.k1, s.q1);
  Value none = b.createOrFold<arith::SubIOp>(loc, s.k0, i64(b, 1));
  loop([&](OpBuilder &b, Value i) {
    Value seen = arith::AddIOp::create(b, loc, toI64(b, i), shift);
    Value last = arith::MaxSIOp::create(b, loc, seen, none);
    Value first = s.k0;
    if (std::optional<int64_t> window = op.getWindow()) {
      Value start = arith::SubIOp::create(b, loc, last, i64(b, *window - 1));
      first = arith::MaxSIOp::create(b, loc, start, s.k0);
    }
    memref::StoreOp::create(b, loc, first, firsts, i);
    memref::StoreOp::create(b, loc, last, lasts, i);
  });
}

/// lengths[n], clamped to [least, most].
Value IntervalEmitter::loadBoundary(OpBuilder &b, Value lengths, Value n,
                                    Value least, Value most) {
  Value value = memref::LoadOp::create(b, loc, lengths, n);
  value = arith::MinSIOp::create(b, loc, value, most);
  return arith::MaxSIOp::create(b, loc, value, least);
}

/// Calls `visit`, which maps one carried value list to the next, for all
/// sequences in order. Sequence n ends at boundary n and begins where the one
/// before it ends. The rows before boundary 0 and after the last one belong to
/// no sequence: they are visited as sequences without keys.
SmallVector<Value>
IntervalEmitter::visitSequences(OpBuilder &b, ValueRange init, Visit visit) {
  Value start = i64(b, 0);
  if (!op.getCuSeqlensQ())
    return visit(b, {start, rows, start, keys}, init);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value countQ = b.createOrFold<memref::DimOp>(loc, op.getCuSeqlensQ(), zero);
  Value countK = b.createOrFold<memref::DimOp>(loc, op.getCuSeqlensK(), zero);
  Value count = b.createOrFold<arith::MinUIOp>(loc, countQ, countK);
  auto body = [&](OpBuilder &b, Location, Value n, ValueRange carry) {
    Value q1 = loadBoundary(b, op.getCuSeqlensQ(), n, carry[0], rows);
    Value k1 = loadBoundary(b, op.getCuSeqlensK(), n, carry[1], keys);
    Value outside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, n, zero);
    Value end = arith::SelectOp::create(b, loc, outside, carry[1], k1);
    SmallVector<Value> next = {q1, k1};
    next.append(visit(b, {carry[0], q1, carry[1], end}, carry.drop_front(2)));
    scf::YieldOp::create(b, loc, next);
  };
  SmallVector<Value> inits = {start, start};
  llvm::append_range(inits, init);
  auto loop = scf::ForOp::create(b, loc, zero, count, one, inits, body);
  ValueRange ends = loop.getResults();
  return visit(b, {ends[0], rows, ends[1], ends[1]}, ends.drop_front(2));
}

/// A loop over the rows of each sequence.
void IntervalEmitter::emitSerial(OpBuilder &b) {
  visitSequences(b, {}, [&](OpBuilder &b, Sequence s, ValueRange) {
    emitRows(b, s, [&](function_ref<void(OpBuilder &, Value)> emitRow) {
      auto body = [&](OpBuilder &b, Location, Value i, ValueRange) {
        emitRow(b, i);
        scf::YieldOp::create(b, loc);
      };
      Value step = arith::ConstantIndexOp::create(b, loc, 1);
      scf::ForOp::create(b, loc, toIndex(b, s.q0), toIndex(b, s.q1), step, {},
                         body);
    });
    return SmallVector<Value>();
  });
}

/// All rows at once: each looks for its sequence, the last that does not begin
/// after it. Empty sequences begin where the next one does, so the last of
/// those that begin at a row is its own.
void IntervalEmitter::emitParallel(OpBuilder &b) {
  auto body = [&](OpBuilder &b, Location, ValueRange ivs) {
    Value row = toI64(b, ivs[0]);
    auto visit = [&](OpBuilder &b, Sequence s, ValueRange found) {
      SmallVector<Value> own = {s.q1, s.k0, s.k1};
      if (!op.getCuSeqlensQ())
        return own;
      Value begun =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, s.q0, row);
      for (auto [mine, before] : llvm::zip_equal(own, found))
        mine = arith::SelectOp::create(b, loc, begun, mine, before);
      return own;
    };
    SmallVector<Value> none(3, i64(b, 0));
    SmallVector<Value> own = visitSequences(b, none, visit);
    emitRows(b, {Value(), own[0], own[1], own[2]},
             [&](function_ref<void(OpBuilder &, Value)> emitRow) {
               emitRow(b, ivs[0]);
             });
  };
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  scf::ParallelOp::create(b, loc, zero, rowCount, one, body);
}

LogicalResult mlir::fpa::convertKeyIntervalsToSCF(RewriterBase &rewriter,
                                                  KeyIntervalsOp op,
                                                  bool parallel) {
  if (!isa<MemRefType>(op.getOuts()[0].getType()))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  IntervalEmitter emitter(rewriter, op);
  if (parallel)
    emitter.emitParallel(rewriter);
  else
    emitter.emitSerial(rewriter);
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct ConvertFpaKeyIntervalsToSCF
    : public fpa::impl::ConvertFpaKeyIntervalsToSCFBase<
          ConvertFpaKeyIntervalsToSCF> {
  using ConvertFpaKeyIntervalsToSCFBase::ConvertFpaKeyIntervalsToSCFBase;

  void runOnOperation() override {
    SmallVector<KeyIntervalsOp> ops;
    getOperation()->walk([&](KeyIntervalsOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (KeyIntervalsOp op : ops) {
      if (failed(convertKeyIntervalsToSCF(rewriter, op, parallel))) {
        op.emitOpError("expected memref operands, got tensors; bufferize "
                       "before this pass");
        return signalPassFailure();
      }
    }
  }
};
} // namespace
