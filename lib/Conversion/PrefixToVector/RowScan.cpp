//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowScan.h"
#include "LaneTurn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fpa;

/// Vectors per turn of the lane loop: enough lane scans at once to hide the
/// latency of their shuffles.
static constexpr int64_t kVectorsPerTurn = 4;
static constexpr int64_t kCacheLine = 64;

static Value indexConstant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

static Value add(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

static Value sub(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  return b.createOrFold<arith::SubIOp>(loc, lhs, rhs);
}

namespace {
/// One stretch [lo, hi) of a row. Loops run over u = 0, 1, ... along the walk.
class RowScan {
public:
  RowScan(const PrefixElements &elements, ValueRange at, Value lo, Value hi)
      : elements(elements), at(at), lo(lo), hi(hi) {}

  /// Scalars (width 0) or vectors of columns, u in [from, to).
  ScanState serialLoop(OpBuilder &b, Location loc, Value from, Value to,
                       int64_t width, ScanState carry);

  /// `turn` vectors of `width` at a time, u in [from, to).
  ScanState laneLoop(OpBuilder &b, Location loc, Value from, Value to,
                     int64_t width, int64_t turn, bool nontemporal,
                     ScanState carry);

  /// The least u at which the output's address ends a walk's cache line.
  Value stepsToLine(OpBuilder &b, Location loc, Value size);

private:
  /// The lowest position of `count` elements that start at step u of the walk.
  Value position(OpBuilder &b, Location loc, Value u, int64_t count) {
    if (!elements.rules.reverse)
      return add(b, loc, lo, u);
    return sub(b, loc, sub(b, loc, hi, u), indexConstant(b, loc, count));
  }

  SmallVector<Value> indices(Value t) {
    SmallVector<Value> result(at);
    result[elements.axis] = t;
    return result;
  }

  Value address(OpBuilder &b, Location loc, Value t);

  const PrefixElements &elements;
  SmallVector<Value> at;
  Value lo, hi;
};
} // namespace

ScanState RowScan::serialLoop(OpBuilder &b, Location loc, Value from, Value to,
                              int64_t width, ScanState carry) {
  auto body = [&](OpBuilder &b, Location loc, Value u, ValueRange carry) {
    Value t = position(b, loc, u, 1);
    Value floats = elements.loadFloats(b, loc, indices(t), width);
    ScanState own = {elements.encode(b, loc, floats)};
    if (elements.rules.withIndex) {
      Value place = arith::IndexCastOp::create(b, loc, b.getI64Type(), t);
      if (width)
        place = vector::BroadcastOp::create(
            b, loc, VectorType::get(width, b.getI64Type()), place);
      own.push_back(place);
    }
    ScanState next = elements.rules.advance(b, loc, carry, own);
    ScanState out = elements.rules.valueOf(
        b, loc, elements.exclusive ? ScanState(carry) : next);
    elements.store(b, loc, out, indices(t), width, /*nontemporal=*/false);
    scf::YieldOp::create(b, loc, next);
  };
  auto loop = scf::ForOp::create(b, loc, from, to, indexConstant(b, loc, 1),
                                 carry, body);
  return ScanState(loop.getResults());
}

ScanState RowScan::laneLoop(OpBuilder &b, Location loc, Value from, Value to,
                            int64_t width, int64_t turn, bool nontemporal,
                            ScanState carry) {
  LaneTurn lanes(elements, at, width, turn, nontemporal);
  carry = lanes.begin(b, loc, carry);
  auto body = [&](OpBuilder &b, Location loc, Value u, ValueRange carry) {
    Value start = position(b, loc, u, width * turn);
    scf::YieldOp::create(b, loc, lanes.emit(b, loc, start, ScanState(carry)));
  };
  Value step = indexConstant(b, loc, width * turn);
  auto loop = scf::ForOp::create(b, loc, from, to, step, carry, body);
  return lanes.end(b, loc, ScanState(loop.getResults()));
}

/// The address of the output's element at position t.
Value RowScan::address(OpBuilder &b, Location loc, Value t) {
  auto metadata =
      memref::ExtractStridedMetadataOp::create(b, loc, elements.output);
  Value offset = metadata.getOffset();
  for (auto [i, stride] : llvm::zip_equal(indices(t), metadata.getStrides()))
    offset = add(b, loc, offset, b.createOrFold<arith::MulIOp>(loc, i, stride));
  Value bytes = arith::MulIOp::create(
      b, loc, offset, indexConstant(b, loc, elements.getElementBytes()));
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, elements.output);
  return add(b, loc, base, bytes);
}

Value RowScan::stepsToLine(OpBuilder &b, Location loc, Value size) {
  Value mask = indexConstant(b, loc, kCacheLine - 1);
  Value bytes;
  if (elements.rules.reverse)
    bytes = address(b, loc, hi);
  else
    bytes = sub(b, loc, indexConstant(b, loc, 0), address(b, loc, lo));
  bytes = arith::AndIOp::create(b, loc, bytes, mask);
  Value steps = arith::DivUIOp::create(
      b, loc, bytes, indexConstant(b, loc, elements.getElementBytes()));
  return arith::MinUIOp::create(b, loc, steps, size);
}

/// from plus the largest multiple of `step` that fits below `to`.
static Value wholeSteps(OpBuilder &b, Location loc, Value from, Value to,
                        int64_t step) {
  Value size = sub(b, loc, to, from);
  Value rest =
      b.createOrFold<arith::RemUIOp>(loc, size, indexConstant(b, loc, step));
  return sub(b, loc, to, rest);
}

void mlir::fpa::emitSerialScan(OpBuilder &b, Location loc,
                               const PrefixElements &elements, ValueRange at,
                               Value lo, Value hi, int64_t width) {
  ScanState carry = elements.initialCarry(b, loc);
  if (width)
    carry = elements.splat(b, loc, carry, width);
  RowScan(elements, at, lo, hi)
      .serialLoop(b, loc, indexConstant(b, loc, 0), sub(b, loc, hi, lo), width,
                  carry);
}

void mlir::fpa::emitLaneScan(OpBuilder &b, Location loc,
                             const PrefixElements &elements, ValueRange at,
                             Value lo, Value hi, int64_t width,
                             bool nontemporal) {
  RowScan row(elements, at, lo, hi);
  Value zero = indexConstant(b, loc, 0);
  Value size = sub(b, loc, hi, lo);
  ScanState carry = elements.initialCarry(b, loc);
  Value from = zero;
  if (nontemporal) {
    from = row.stepsToLine(b, loc, size);
    carry = row.serialLoop(b, loc, zero, from, /*width=*/0, carry);
  }
  for (int64_t turn : {kVectorsPerTurn, int64_t(1)}) {
    Value to = wholeSteps(b, loc, from, size, turn * width);
    carry = row.laneLoop(b, loc, from, to, width, turn, nontemporal, carry);
    from = to;
  }
  row.serialLoop(b, loc, from, size, /*width=*/0, carry);
}
