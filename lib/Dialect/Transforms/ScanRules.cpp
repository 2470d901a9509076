//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/Transforms/ScanRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fpa;

/// (before, at) o (own, at'): the later index of equal minima stays. Forward,
/// `own` is the later one.
static ScanState minWithIndex(OpBuilder &b, Location loc, bool reverse,
                              ValueRange before, ValueRange own) {
  arith::CmpIPredicate keep =
      reverse ? arith::CmpIPredicate::sle : arith::CmpIPredicate::slt;
  Value take = arith::CmpIOp::create(b, loc, keep, before[0], own[0]);
  ScanState result;
  for (auto [old, mine] : llvm::zip_equal(before, own))
    result.push_back(arith::SelectOp::create(b, loc, take, old, mine));
  return result;
}

/// The minimum of floats lets a NaN win and takes either of two zeros, which
/// spares ordering them by sign; that of integers is signed.
static Value minimum(OpBuilder &b, Location loc, bool noNaN, Value lhs,
                     Value rhs) {
  if (isa<IntegerType>(getElementTypeOrSelf(lhs)))
    return arith::MinSIOp::create(b, loc, lhs, rhs);
  arith::FastMathFlags flags = arith::FastMathFlags::nsz;
  if (noNaN)
    flags = flags | arith::FastMathFlags::nnan;
  return arith::MinimumFOp::create(b, loc, lhs, rhs, flags);
}

ScanState ScanRules::combine(OpBuilder &b, Location loc, ValueRange before,
                             ValueRange own) const {
  if (withIndex)
    return minWithIndex(b, loc, reverse, before, own);
  if (kind == ScanKind::Min)
    return {minimum(b, loc, noNaN, before[0], own[0])};
  if (isa<IntegerType>(getElementTypeOrSelf(own[0])))
    return {arith::AddIOp::create(b, loc, before[0], own[0])};
  return {arith::AddFOp::create(b, loc, before[0], own[0])};
}

ScanState ScanRules::advance(OpBuilder &b, Location loc, ValueRange carry,
                             ValueRange total) const {
  if (!compensated)
    return combine(b, loc, carry, total);
  // sum + t = next + slip exactly; a sum that is not finite slips by NaN, which
  // must not reach later elements.
  Value sum = carry[0], t = total[0];
  Value next = arith::AddFOp::create(b, loc, sum, t);
  Value added = arith::SubFOp::create(b, loc, next, sum);
  Value kept = arith::SubFOp::create(b, loc, next, added);
  Value slipSum = arith::SubFOp::create(b, loc, sum, kept);
  Value slipT = arith::SubFOp::create(b, loc, t, added);
  Value slip = arith::AddFOp::create(b, loc, slipSum, slipT);
  Value finite =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, slip, slip);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(t.getType()));
  slip = arith::SelectOp::create(b, loc, finite, slip, zero);
  return {next, arith::AddFOp::create(b, loc, carry[1], slip)};
}

ScanState ScanRules::valueOf(OpBuilder &b, Location loc,
                             ValueRange carry) const {
  if (!compensated)
    return ScanState(carry);
  return {arith::AddFOp::create(b, loc, carry[0], carry[1])};
}

ScanState ScanRules::apply(OpBuilder &b, Location loc, ValueRange carry,
                           ValueRange local) const {
  if (!compensated)
    return combine(b, loc, carry, local);
  Value small = arith::AddFOp::create(b, loc, carry[1], local[0]);
  return {arith::AddFOp::create(b, loc, carry[0], small)};
}

static int64_t laneCount(Value vector) {
  return cast<VectorType>(vector.getType()).getDimSize(0);
}

ScanState mlir::fpa::scanLanes(OpBuilder &b, Location loc,
                               const ScanRules &rules, ValueRange vectors) {
  int64_t lanes = laneCount(vectors[0]);
  bool idempotent = rules.kind == ScanKind::Min;
  ScanState state(vectors);
  for (int64_t step = 1; step < lanes; step *= 2) {
    // Lane i meets the lane `step` before it. Where there is none a minimum
    // meets itself, and a sum meets zero.
    SmallVector<int64_t> from;
    for (int64_t i = 0; i < lanes; ++i) {
      int64_t other = rules.reverse ? i + step : i - step;
      bool inside = other >= 0 && other < lanes;
      from.push_back(inside ? other : (idempotent ? i : lanes));
    }
    ScanState before;
    for (Value v : state) {
      Value fill = v;
      if (!idempotent)
        fill = arith::ConstantOp::create(b, loc, b.getZeroAttr(v.getType()));
      before.push_back(vector::ShuffleOp::create(b, loc, v, fill, from));
    }
    state = rules.combine(b, loc, before, state);
  }
  return state;
}

ScanState mlir::fpa::splatLastLane(OpBuilder &b, Location loc, bool reverse,
                                   ValueRange vectors) {
  ScanState result;
  for (Value v : vectors) {
    int64_t lanes = laneCount(v);
    SmallVector<int64_t> from(lanes, reverse ? 0 : lanes - 1);
    result.push_back(vector::ShuffleOp::create(b, loc, v, v, from));
  }
  return result;
}

ScanState mlir::fpa::shiftLanes(OpBuilder &b, Location loc, bool reverse,
                                ValueRange vectors, ValueRange before) {
  ScanState result;
  for (auto [v, fill] : llvm::zip_equal(vectors, before)) {
    int64_t lanes = laneCount(v);
    SmallVector<int64_t> from;
    for (int64_t i = 0; i < lanes; ++i) {
      int64_t other = reverse ? i + 1 : i - 1;
      bool inside = other >= 0 && other < lanes;
      int64_t last = reverse ? lanes : 2 * lanes - 1;
      from.push_back(inside ? other : last);
    }
    result.push_back(vector::ShuffleOp::create(b, loc, v, fill, from));
  }
  return result;
}

/// local_k becomes local_0 o ... o local_k, for vectors along the walk; the
/// combination of all of them is returned in every lane.
static ScanState chainVectors(OpBuilder &b, Location loc,
                              const ScanRules &rules,
                              SmallVector<ScanState> &locals) {
  ScanState total;
  for (auto [k, local] : llvm::enumerate(locals)) {
    ScanState own = splatLastLane(b, loc, rules.reverse, local);
    if (k == 0) {
      total = own;
      continue;
    }
    local = rules.combine(b, loc, total, local);
    total = rules.combine(b, loc, total, own);
  }
  return total;
}

SmallVector<ScanState>
mlir::fpa::scanVectors(OpBuilder &b, Location loc, const ScanRules &rules,
                       bool exclusive, ArrayRef<ScanState> vectors,
                       ScanState &carry,
                       function_ref<ScanState(int64_t, ScanState)> widen) {
  SmallVector<ScanState> scanned;
  for (auto [k, v] : llvm::enumerate(vectors)) {
    ScanState local = scanLanes(b, loc, rules, v);
    scanned.push_back(widen ? widen(k, local) : local);
  }
  ScanState total = chainVectors(b, loc, rules, scanned);
  for (ScanState &local : scanned)
    local = rules.apply(b, loc, carry, local);
  if (exclusive) {
    SmallVector<ScanState> inclusive = scanned;
    ScanState before = rules.valueOf(b, loc, carry);
    for (auto [out, own] : llvm::zip_equal(scanned, inclusive)) {
      out = shiftLanes(b, loc, rules.reverse, own, before);
      before = own;
    }
  }
  carry = rules.advance(b, loc, carry, total);
  return scanned;
}

FailureOr<int64_t> fpa::replacePrefixOps(
    Operation *root,
    function_ref<LogicalResult(RewriterBase &, Operation *)> replace) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<PrefixMinOp, PrefixSumOp>(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (Operation *op : ops)
    if (failed(replace(rewriter, op)))
      return op->emitOpError("expected memref operands, got tensors; bufferize "
                             "before this pass");
  return ops.size();
}
