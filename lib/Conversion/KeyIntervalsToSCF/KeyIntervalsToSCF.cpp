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
/// Emits the loops of one op. All arithmetic is on i64, as the outputs are.
class IntervalEmitter {
public:
  IntervalEmitter(OpBuilder &b, KeyIntervalsOp op)
      : loc(op.getLoc()), op(op), firsts(op.getOuts()[0]),
        lasts(op.getOuts()[1]) {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    rows = toI64(b, b.createOrFold<memref::DimOp>(loc, firsts, zero));
    keys = toI64(b, op.getKeyLength());
  }

  void emit(OpBuilder &b);

private:
  void emitPacked(OpBuilder &b);
  void emitRows(OpBuilder &b, Value q0, Value q1, Value k0, Value k1);
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
  Value firsts, lasts, rows, keys;
};
} // namespace

/// The rows [q0, q1) of a sequence that has the keys [k0, k1):
///   last_i  = k0 + max(-1, (i - q0) + (k1 - k0) - (q1 - q0))
///   first_i = max(k0, last_i - window + 1)
/// Without keys (k0 = k1) every row is empty: last_i = k0 - 1, first_i = k0.
void IntervalEmitter::emitRows(OpBuilder &b, Value q0, Value q1, Value k0,
                               Value k1) {
  Value shift = b.createOrFold<arith::SubIOp>(loc, k1, q1);
  Value none = b.createOrFold<arith::SubIOp>(loc, k0, i64(b, 1));
  auto body = [&](OpBuilder &b, Location, Value i, ValueRange) {
    Value seen = arith::AddIOp::create(b, loc, toI64(b, i), shift);
    Value last = arith::MaxSIOp::create(b, loc, seen, none);
    Value first = k0;
    if (std::optional<int64_t> window = op.getWindow()) {
      Value start = arith::SubIOp::create(b, loc, last, i64(b, *window - 1));
      first = arith::MaxSIOp::create(b, loc, start, k0);
    }
    memref::StoreOp::create(b, loc, first, firsts, i);
    memref::StoreOp::create(b, loc, last, lasts, i);
    scf::YieldOp::create(b, loc);
  };
  Value step = arith::ConstantIndexOp::create(b, loc, 1);
  scf::ForOp::create(b, loc, toIndex(b, q0), toIndex(b, q1), step, {}, body);
}

/// lengths[n], clamped to [least, most].
Value IntervalEmitter::loadBoundary(OpBuilder &b, Value lengths, Value n,
                                    Value least, Value most) {
  Value value = memref::LoadOp::create(b, loc, lengths, n);
  value = arith::MinSIOp::create(b, loc, value, most);
  return arith::MaxSIOp::create(b, loc, value, least);
}

/// Sequence n ends at boundary n and begins where the one before it ends. The
/// rows before boundary 0 and after the last one belong to no sequence: they
/// are written as sequences without keys.
void IntervalEmitter::emitPacked(OpBuilder &b) {
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
    emitRows(b, carry[0], q1, carry[1], end);
    scf::YieldOp::create(b, loc, ValueRange{q1, k1});
  };
  auto loop = scf::ForOp::create(b, loc, zero, count, one,
                                 ValueRange{i64(b, 0), i64(b, 0)}, body);
  emitRows(b, loop.getResult(0), rows, loop.getResult(1), loop.getResult(1));
}

void IntervalEmitter::emit(OpBuilder &b) {
  if (op.getCuSeqlensQ())
    return emitPacked(b);
  emitRows(b, i64(b, 0), rows, i64(b, 0), keys);
}

LogicalResult mlir::fpa::convertKeyIntervalsToSCF(RewriterBase &rewriter,
                                                  KeyIntervalsOp op) {
  if (!isa<MemRefType>(op.getOuts()[0].getType()))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  IntervalEmitter(rewriter, op).emit(rewriter);
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct ConvertFpaKeyIntervalsToSCF
    : public fpa::impl::ConvertFpaKeyIntervalsToSCFBase<
          ConvertFpaKeyIntervalsToSCF> {
  void runOnOperation() override {
    SmallVector<KeyIntervalsOp> ops;
    getOperation()->walk([&](KeyIntervalsOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (KeyIntervalsOp op : ops) {
      if (failed(convertKeyIntervalsToSCF(rewriter, op))) {
        op.emitOpError("expected memref operands, got tensors; bufferize "
                       "before this pass");
        return signalPassFailure();
      }
    }
  }
};
} // namespace
