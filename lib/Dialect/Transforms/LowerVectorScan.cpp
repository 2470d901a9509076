//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/Transforms/LowerVectorScan.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/ScanRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_LOWERVECTORSCAN
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

int64_t mlir::fpa::getLanesOf(Type type, int64_t lanes) {
  return std::max<int64_t>(1, lanes * 32 / type.getIntOrFloatBitWidth());
}

LogicalResult mlir::fpa::verifyLanes(Operation *op, int64_t lanes,
                                     std::optional<int64_t> most) {
  if (lanes >= 1 && llvm::isPowerOf2_64(lanes) && lanes <= most.value_or(lanes))
    return success();
  // Not of the op, whose text would follow.
  InFlightDiagnostic error =
      emitError(op->getLoc(), "expected option lanes to be a power of two");
  if (most)
    error << " of at most " << *most;
  return error << ", got " << lanes;
}

static ScanRules rulesOf(VectorScanOp op) {
  ScanRules rules;
  rules.kind = op.getKind();
  rules.reverse = op.getReverse();
  return rules;
}

/// What goes past a position whose source is `own` and whose reset is `reset`,
/// where without it `after` would.
static Value afterReset(OpBuilder &b, VectorScanOp op, Value reset, Value own,
                        Value after) {
  if (!op.getExclusive()) {
    TypedAttr neutral = op.getNeutral();
    if (auto type = dyn_cast<VectorType>(after.getType()))
      neutral = DenseElementsAttr::get(type, neutral);
    own = arith::ConstantOp::create(b, op.getLoc(), neutral);
  }
  return arith::SelectOp::create(b, op.getLoc(), reset, own, after);
}

static bool isScalable(VectorScanOp op) {
  return cast<VectorType>(op.getSource().getType()).isScalable();
}

namespace {
/// A scan along the leading axis of rows of any rank, or with a reset: row
/// after row.
struct LowerLeadingAxis : public OpRewritePattern<VectorScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VectorScanOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<VectorType>(op.getSource().getType());
    if ((type.getRank() < 2 && !op.getReset()) || op.getAxis() != 0 ||
        isScalable(op))
      return rewriter.notifyMatchFailure(op, "not a scan of rows");
    Location loc = op.getLoc();
    ScanRules rules = rulesOf(op);
    Value scanned =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    bool scalar = type.getRank() == 1;
    ScanState carry = {op.getInit()};
    if (scalar)
      carry = {vector::ExtractOp::create(rewriter, loc, op.getInit())};
    int64_t rows = type.getDimSize(0);
    for (int64_t k = 0; k < rows; ++k) {
      int64_t row = rules.reverse ? rows - 1 - k : k;
      Value own = vector::ExtractOp::create(rewriter, loc, op.getSource(), row);
      ScanState before = carry;
      carry = rules.combine(rewriter, loc, carry, own);
      Value out = op.getExclusive() ? before[0] : carry[0];
      scanned = vector::InsertOp::create(rewriter, loc, out, scanned, row);
      if (Value reset = op.getReset()) {
        reset = vector::ExtractOp::create(rewriter, loc, reset, row);
        carry = {afterReset(rewriter, op, reset, own, carry[0])};
      }
    }
    Value total = carry[0];
    if (scalar)
      total = vector::BroadcastOp::create(rewriter, loc, op.getInit().getType(),
                                          total);
    rewriter.replaceOp(op, {scanned, total});
    return success();
  }
};

/// A scan along an inner axis: one scan per slice of the leading axis.
struct UnrollLeadingAxis : public OpRewritePattern<VectorScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VectorScanOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<VectorType>(op.getSource().getType());
    if (op.getAxis() == 0 || isScalable(op))
      return rewriter.notifyMatchFailure(op, "not a scan along an inner axis");
    Location loc = op.getLoc();
    Value scanned =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    Value total = op.getInit();
    VectorType sliceType =
        VectorType::get(type.getShape().drop_front(), type.getElementType());
    VectorType initType = VectorType::get(
        cast<VectorType>(total.getType()).getShape().drop_front(),
        type.getElementType());
    for (int64_t i = 0; i < type.getDimSize(0); ++i) {
      Value slice = vector::ExtractOp::create(rewriter, loc, op.getSource(), i);
      Value init = vector::ExtractOp::create(rewriter, loc, op.getInit(), i);
      if (initType.getRank() == 0)
        init = vector::BroadcastOp::create(rewriter, loc, initType, init);
      Value reset = op.getReset();
      if (reset)
        reset = vector::ExtractOp::create(rewriter, loc, reset, i);
      auto scan = VectorScanOp::create(
          rewriter, loc, TypeRange{sliceType, initType}, op.getKind(), slice,
          init, reset, op.getAxis() - 1, op.getReverse(), op.getExclusive());
      Value end = scan.getTotal();
      if (initType.getRank() == 0)
        end = vector::ExtractOp::create(rewriter, loc, end);
      scanned = vector::InsertOp::create(rewriter, loc, scan.getScanned(),
                                         scanned, i);
      total = vector::InsertOp::create(rewriter, loc, end, total, i);
    }
    rewriter.replaceOp(op, {scanned, total});
    return success();
  }
};

/// A scan of a vector of rank 1: lane scans, chained by a carry.
struct LowerLanes : public OpRewritePattern<VectorScanOp> {
  LowerLanes(MLIRContext *context, int64_t lanes)
      : OpRewritePattern(context), lanes(lanes) {}

  LogicalResult matchAndRewrite(VectorScanOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<VectorType>(op.getSource().getType());
    if (type.getRank() != 1 || op.getReset() || isScalable(op))
      return rewriter.notifyMatchFailure(op, "not a vector of rank 1");
    Location loc = op.getLoc();
    ScanRules rules = rulesOf(op);
    Value init = vector::ExtractOp::create(rewriter, loc, op.getInit());
    Value scanned =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    int64_t size = type.getDimSize(0);
    int64_t width = getLanesOf(type.getElementType(), lanes);
    int64_t pieces = llvm::divideCeil(size, width);
    Value carried = init;
    for (int64_t k = 0; k < pieces; ++k) {
      int64_t start = (rules.reverse ? pieces - 1 - k : k) * width;
      int64_t count = std::min(width, size - start);
      VectorType piece = VectorType::get(count, type.getElementType());
      ScanState carry = {resize(rewriter, loc, carried, piece)};
      Value own = vector::ExtractStridedSliceOp::create(
          rewriter, loc, op.getSource(), start, count, 1);
      ScanState out = scanVectors(rewriter, loc, rules, op.getExclusive(),
                                  {{own}}, carry)[0];
      scanned = vector::InsertStridedSliceOp::create(rewriter, loc, out[0],
                                                     scanned, start, 1);
      carried = carry[0];
    }
    Value total =
        vector::BroadcastOp::create(rewriter, loc, op.getInit().getType(),
                                    firstLane(rewriter, loc, carried));
    rewriter.replaceOp(op, {scanned, total});
    return success();
  }

private:
  static Value firstLane(OpBuilder &b, Location loc, Value splat) {
    if (!isa<VectorType>(splat.getType()))
      return splat;
    return vector::ExtractOp::create(b, loc, splat, 0);
  }

  /// The splat `carried` as a vector of type `piece`.
  static Value resize(OpBuilder &b, Location loc, Value carried,
                      VectorType piece) {
    if (carried.getType() == piece)
      return carried;
    return vector::BroadcastOp::create(b, loc, piece,
                                       firstLane(b, loc, carried));
  }

  int64_t lanes;
};

struct LowerVectorScan
    : public fpa::impl::LowerVectorScanBase<LowerVectorScan> {
  using LowerVectorScanBase::LowerVectorScanBase;

  void runOnOperation() override {
    if (failed(verifyLanes(getOperation(), lanes)))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateLowerVectorScanPatterns(patterns, lanes);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void mlir::fpa::populateLowerVectorScanPatterns(RewritePatternSet &patterns,
                                                int64_t lanes) {
  patterns.add<LowerLeadingAxis, UnrollLeadingAxis>(patterns.getContext());
  patterns.add<LowerLanes>(patterns.getContext(), lanes);
}
