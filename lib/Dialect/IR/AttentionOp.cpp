//===- AttentionOp.cpp - Attention on whole tensors -----------------------===//
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

FloatType AttentionOp::getAccumulatorType() {
  Type element = getElementTypeOrSelf(getQuery());
  if (element.isF64())
    return cast<FloatType>(element);
  return Float32Type::get(getContext());
}

/// The static head size, known from query or key.
static int64_t getHeadSize(AttentionOp op) {
  int64_t size = op.getQueryType().getDimSize(3);
  return ShapedType::isDynamic(size) ? op.getKeyType().getDimSize(3) : size;
}

double AttentionOp::getScaleValue() {
  if (auto scale = getScale())
    return scale->convertToDouble();
  return 1.0 / std::sqrt(double(getHeadSize(*this)));
}

/// [A6] HQ is a multiple of HK; [A7] field and level have HK or HQ heads.
static LogicalResult verifyHeads(AttentionOp op, const OperandChecks &checks) {
  int64_t query = checks.getSize("HQ"), key = checks.getSize("HK");
  bool knowsQuery = !ShapedType::isDynamic(query);
  bool knowsKey = !ShapedType::isDynamic(key);
  if (failed(checks.verifyAtLeast("HK", 1)))
    return failure();
  if (knowsQuery && knowsKey && query % key != 0)
    return op.emitOpError("expected query dimension 1 (HQ) to be a multiple of "
                          "key dimension 1 (HK) of size ")
           << key << ", got " << query;
  int64_t field = checks.getSize("HF");
  if (ShapedType::isDynamic(field))
    return success();
  bool mayBeKey = !knowsKey || field == key;
  bool mayBeQuery = knowsQuery ? field == query : !knowsKey || field % key == 0;
  if (mayBeKey || mayBeQuery)
    return success();
  auto diagnostic = op.emitOpError("expected field dimension 1 (HF) of size ")
                    << key << " (HK)";
  if (knowsQuery)
    return diagnostic << " or " << query << " (HQ), got " << field;
  return diagnostic << " or a multiple of it (HQ), got " << field;
}

/// [A13] The scale is finite, and given where it has no default.
static LogicalResult verifyAttentionScale(AttentionOp op) {
  if (op.getScale())
    return verifyScale(op, op.getScale());
  int64_t headSize = getHeadSize(op);
  if (ShapedType::isDynamic(headSize))
    return op.emitOpError(
        "expected scale where query dimension 3 (D) is dynamic, got none");
  if (headSize == 0)
    return op.emitOpError(
        "expected scale where query dimension 3 (D) is 0, got none");
  return success();
}

// [A14] Results are checked by DestinationStyleOpInterface.
LogicalResult AttentionOp::verify() {
  // [A3]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 2, "output, lse")))
    return failure();
  // [A4] The types below are meaningful once the query's has been checked,
  // which OperandChecks does first.
  Type element = getElementTypeOrSelf(getQuery());
  Type accumulator = getAccumulatorType();
  Type index = IntegerType::get(getContext(), 64);
  // [A1] containers, [A2] ranks, [A4] element types, [A5] sizes.
  OperandChecks checks(*this);
  checks.add("query", getQuery(), {"B", "HQ", "Lq", "D"},
             getFloatTypes(getContext()));
  checks.add("key", getKey(), {"B", "HK", "Lk", "D"}, element);
  checks.add("value", getValue(), {"B", "HK", "Lk", "Dv"}, element);
  checks.add("field", getField(), {"B", "HF", "Lk"}, accumulator);
  checks.add("level", getLevel(), {"B", "HF", "Lk"}, accumulator);
  checks.add("cu_seqlens_q", getCuSeqlensQ(), {"N + 1"}, index);
  checks.add("cu_seqlens_k", getCuSeqlensK(), {"N + 1"}, index);
  checks.add("output", getOutput(), {"B", "HQ", "Lq", "Dv"}, element);
  checks.add("lse", getLse(), {"B", "HQ", "Lq"}, accumulator);
  if (failed(checks.verify()) || failed(verifyHeads(*this, checks)))
    return failure();
  // [A8] [A9]
  if (failed(verifyWindow(*this, getWindow())) ||
      failed(verifySmooth(*this, getSmooth())))
    return failure();
  // [A10] [A11]
  if (failed(verifyNonIncreasing(*this, getNonIncreasing(), getField(),
                                 getLevel())))
    return failure();
  // [A12]
  if (failed(
          verifyCumulativeLengths(*this, getCuSeqlensQ(), getCuSeqlensK())) ||
      failed(checks.verifyAtLeast("N + 1", 1)))
    return failure();
  int64_t batch = checks.getSize("B");
  if (isPacked() && !ShapedType::isDynamic(batch) && batch != 1)
    return emitOpError("expected query dimension 0 (B) of size 1 where "
                       "cu_seqlens_q is given, got ")
           << batch;
  return verifyAttentionScale(*this);
}
