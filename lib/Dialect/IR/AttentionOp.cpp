//===- AttentionOp.cpp - Attention on whole tensors, and its backward -----===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandChecks.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

constexpr StringRef rowDims[] = {"B", "HQ", "Lq"};
constexpr StringRef outputDims[] = {"B", "HQ", "Lq", "Dv"};
constexpr StringRef queryDims[] = {"B", "HQ", "Lq", "D"};
constexpr StringRef keyDims[] = {"B", "HK", "Lk", "D"};
constexpr StringRef valueDims[] = {"B", "HK", "Lk", "Dv"};
constexpr StringRef fieldDims[] = {"B", "HF", "Lk"};

/// Checks what attention and its backward have in common.
class AttentionChecks {
public:
  explicit AttentionChecks(AttentionOpInterface op)
      : op(op), element(getElementTypeOrSelf(op.getQuery())),
        accumulator(op.getAccumulatorType()), operands(op) {
    // [A4] The types below are meaningful once the query's has been checked,
    // which OperandChecks does first.
    Type index = IntegerType::get(op->getContext(), 64);
    operands.add("query", op.getQuery(), queryDims,
                 getFloatTypes(op->getContext()));
    addLikeQuery("key", op.getKey(), keyDims);
    addLikeQuery("value", op.getValue(), valueDims);
    addLikeField("field", op.getField(), fieldDims);
    addLikeField("level", op.getLevel(), fieldDims);
    operands.add("cu_seqlens_q", op.getCuSeqlensQ(), {"N + 1"}, index);
    operands.add("cu_seqlens_k", op.getCuSeqlensK(), {"N + 1"}, index);
    addLikeField("smooth", op.getBeta(), {});
  }

  /// Declares an operand of the query's element type.
  void addLikeQuery(StringRef name, Value value, ArrayRef<StringRef> dims) {
    operands.add(name, value, dims, element);
  }
  /// Declares an operand of the type of sums, field and lse.
  void addLikeField(StringRef name, Value value, ArrayRef<StringRef> dims) {
    operands.add(name, value, dims, accumulator);
  }
  /// Declares an operand of numbers of keys.
  void addCount(StringRef name, Value value, ArrayRef<StringRef> dims) {
    operands.add(name, value, dims, IntegerType::get(op->getContext(), 64));
  }

  LogicalResult verify(bool nonIncreasing);

private:
  LogicalResult verifyHeads();
  LogicalResult verifyPacking();
  LogicalResult verifyScaleOrDefault();

  AttentionOpInterface op;
  Type element, accumulator;
  OperandChecks operands;
};

} // namespace

LogicalResult AttentionChecks::verify(bool nonIncreasing) {
  // [A1] containers, [A2] ranks, [A4] element types, [A5] sizes.
  if (failed(operands.verify()) || failed(verifyHeads()))
    return failure();
  // [A8] [A9]
  if (failed(verifyWindow(op, op.getWindow())) ||
      failed(verifySmooth(op, op.getSmooth(), op.getBeta(), accumulator)))
    return failure();
  // [A15]
  if (failed(verifyPruneEps(op, op.getPruneEps())))
    return failure();
  // [A10] [A11]
  if (failed(
          verifyNonIncreasing(op, nonIncreasing, op.getField(), op.getLevel())))
    return failure();
  return success(succeeded(verifyPacking()) &&
                 succeeded(verifyScaleOrDefault()));
}

/// [A6] Nothing is empty that others divide by or go over, and HQ is a multiple
/// of HK; [A7] field and level have HK or HQ heads.
LogicalResult AttentionChecks::verifyHeads() {
  int64_t query = operands.getSize("HQ"), key = operands.getSize("HK");
  bool knowsQuery = !ShapedType::isDynamic(query);
  bool knowsKey = !ShapedType::isDynamic(key);
  for (StringRef dim : {"HK", "D", "Dv"})
    if (failed(operands.verifyAtLeast(dim, 1)))
      return failure();
  if (knowsQuery && knowsKey && query % key != 0)
    return op->emitOpError("expected query dimension 1 (HQ) to be a multiple "
                           "of key dimension 1 (HK) of size ")
           << key << ", got " << query;
  int64_t field = operands.getSize("HF");
  if (ShapedType::isDynamic(field))
    return success();
  bool mayBeKey = !knowsKey || field == key;
  bool mayBeQuery = knowsQuery ? field == query : !knowsKey || field % key == 0;
  if (mayBeKey || mayBeQuery)
    return success();
  auto diagnostic = op->emitOpError("expected field dimension 1 (HF) of size ")
                    << key << " (HK)";
  if (knowsQuery)
    return diagnostic << " or " << query << " (HQ), got " << field;
  return diagnostic << " or a multiple of it (HQ), got " << field;
}

/// [A12] Both cumulative lengths or neither, of one batch.
LogicalResult AttentionChecks::verifyPacking() {
  if (failed(verifyCumulativeLengths(op, op.getCuSeqlensQ(),
                                     op.getCuSeqlensK())) ||
      failed(operands.verifyAtLeast("N + 1", 1)))
    return failure();
  int64_t batch = operands.getSize("B");
  if (op.isPacked() && !ShapedType::isDynamic(batch) && batch != 1)
    return op->emitOpError("expected query dimension 0 (B) of size 1 where "
                           "cu_seqlens_q is given, got ")
           << batch;
  return success();
}

/// [A13] The scale is finite, and given where it has no default.
LogicalResult AttentionChecks::verifyScaleOrDefault() {
  if (op.getScale())
    return verifyScale(op, op.getScale(), accumulator);
  int64_t headSize = op.getHeadSize();
  if (ShapedType::isDynamic(headSize))
    return op->emitOpError(
        "expected scale where query dimension 3 (D) is dynamic, got none");
  return success();
}

// [A14] Results are checked by DestinationStyleOpInterface.
LogicalResult AttentionOp::verify() {
  // [A3]
  size_t count = getOuts().size();
  if (count < 1 || count == 4 || count > 5)
    return emitOpError("expected 1, 2, 3 or 5 outs (output, lse, dropped, "
                       "skipped, ended), got ")
           << count;
  // [A16]
  if (getDropped() && !getPruneEps())
    return emitOpError("expected prune_eps where dropped is wanted, got none");
  AttentionChecks checks(*this);
  checks.addLikeQuery("output", getOutput(), outputDims);
  checks.addLikeField("lse", getLse(), rowDims);
  checks.addLikeField("dropped", getDropped(), rowDims);
  checks.addCount("skipped", getSkipped(), rowDims);
  checks.addCount("ended", getEnded(), rowDims);
  return checks.verify(getNonIncreasing());
}

/// [B2] Gradients of field and level are asked for as the two are given.
static LogicalResult verifyFieldOuts(AttentionBackwardOp op) {
  size_t count = op.getGradients().size();
  if (count > 3 && !op.getField())
    return op.emitOpError("expected 3 outs where no field is given, got ")
           << count;
  if (count == 4 && op.getLevel())
    return op.emitOpError("expected 3 or 5 outs where level is given, got 4");
  if (count == 5 && !op.getLevel())
    return op.emitOpError(
        "expected 3 or 4 outs where no level is given, got 5");
  return success();
}

// [B6] Results are checked by DestinationStyleOpInterface.
LogicalResult AttentionBackwardOp::verify() {
  // [B7] They come after three gradients at least.
  if (getCounts() &&
      failed(verifyOutCount(*this, getOuts().size(), 5, 7,
                            "gradients of query, key, value, field, level, "
                            "then skipped, ended")))
    return failure();
  if (getCounts() && !getPruneEps())
    return emitOpError("expected prune_eps where counts are wanted, got none");
  // [B1]
  if (failed(verifyOutCount(*this, getGradients().size(), 3, 5,
                            "gradients of query, key, value, field, level")) ||
      failed(verifyFieldOuts(*this)))
    return failure();
  // [B3] what was saved and its gradients, [B4] gradients of operands,
  // [B5] operands and options of the forward.
  AttentionChecks checks(*this);
  checks.addLikeQuery("output", getOutput(), outputDims);
  checks.addLikeField("lse", getLse(), rowDims);
  checks.addLikeQuery("output_gradient", getOutputGradient(), outputDims);
  checks.addLikeField("lse_gradient", getLseGradient(), rowDims);
  checks.addLikeQuery("gradient of query", getQueryGradient(), queryDims);
  checks.addLikeQuery("gradient of key", getKeyGradient(), keyDims);
  checks.addLikeQuery("gradient of value", getValueGradient(), valueDims);
  checks.addLikeField("gradient of field", getFieldGradient(), fieldDims);
  checks.addLikeField("gradient of level", getLevelGradient(), fieldDims);
  if (getCounts()) {
    checks.addCount("skipped", getNumbers()[0], rowDims);
    checks.addCount("ended", getNumbers()[1], rowDims);
  }
  return checks.verify(/*nonIncreasing=*/false);
}
