//===- OnlineOps.cpp - Attention one key tile at a time -------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileChecks.h"
#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

/// [O6] A minimum of all rows: what it is of, and where there is none.
static LogicalResult verifyCommon(OnlineAttentionOp op) {
  Value common = op.getCommon();
  if (!common)
    return success();
  if (!op.getField())
    return op.emitOpError("expected field where common is given, got none");
  if (op.isEdge())
    return op.emitOpError("expected common without interval, got both");
  if (op.getNonIncreasing())
    return op.emitOpError("expected common without non_increasing, got both");
  Type type = getElementTypeOrSelf(op.getMinimum());
  if (common.getType() != type)
    return op.emitOpError("expected common of type ")
           << type << ", as minimum, got " << common.getType();
  return success();
}

// [O11] Results are checked by DestinationStyleOpInterface.
LogicalResult OnlineAttentionOp::verify() {
  // [O1]
  if (failed(verifyOutCount(*this, getOuts().size(), 4, 4,
                            "accumulator, maximum, sum, minimum")))
    return failure();
  Type accumulator = getAccumulatorType(getElementTypeOrSelf(getQuery()));
  // [O2] containers and ranks, [O3] element types and sizes.
  OperandChecks checks(*this);
  addProductOperands(checks, *this);
  addPenaltyOperands(checks, *this);
  addIntervalOperands(checks, *this);
  checks.add("accumulator", getAccumulator(), {"S", "Dv"}, accumulator);
  checks.add("maximum", getMaximum(), {"S"}, accumulator);
  checks.add("sum", getSum(), {"S"}, accumulator);
  checks.add("minimum", getMinimum(), {"S"}, accumulator);
  // [O4], [O5]
  if (failed(checks.verify()) || failed(checks.verifySpare("M", "S")) ||
      failed(verifyTileInterval(*this)))
    return failure();
  // [O6]
  if (failed(verifyNonIncreasing(*this, getNonIncreasing(), getField(),
                                 getLevel())))
    return failure();
  if (getSuffix() && !getField())
    return emitOpError("expected field where suffix is given, got none");
  if (failed(verifyCommon(*this)))
    return failure();
  // [O7]
  if (failed(verifyScale(*this, getScale(), accumulator)))
    return failure();
  return verifySmooth(*this, getSmooth(), getBeta(), accumulator);
}

LogicalResult OnlineFinalizeOp::verify() {
  // [O8]
  if (failed(verifyOutCount(*this, getOuts().size(), 1, 2, "output, lse")))
    return failure();
  // [O9] containers, ranks, element types and sizes.
  Type accumulator = getElementTypeOrSelf(getAccumulator());
  OperandChecks checks(*this);
  checks.add("accumulator", getAccumulator(), {"S", "Dv"},
             getAccumulatorTypes(getContext()));
  checks.add("maximum", getMaximum(), {"S"}, accumulator);
  checks.add("sum", getSum(), {"S"}, accumulator);
  checks.add("output", getOuts()[0], {"M", "Dv"}, getFloatTypes(getContext()));
  if (getOuts().size() == 2)
    checks.add("lse", getOuts()[1], {"M"}, accumulator);
  if (failed(checks.verify()))
    return failure();
  // [O10] O4 for this op.
  return checks.verifySpare("M", "S");
}
