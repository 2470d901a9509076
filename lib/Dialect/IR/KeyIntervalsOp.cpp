//===- KeyIntervalsOp.cpp - The keys that each query row sees -------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandChecks.h"
#include "fpa/Dialect/IR/FpaOps.h"

using namespace mlir;
using namespace mlir::fpa;

// [K5] Results are checked by DestinationStyleOpInterface.
LogicalResult KeyIntervalsOp::verify() {
  // [K1]
  if (failed(verifyOutCount(*this, getOuts().size(), 2, 2, "first, last")))
    return failure();
  // [K2] containers, ranks, element types and sizes.
  Type index = IntegerType::get(getContext(), 64);
  OperandChecks checks(*this);
  checks.add("first", getOuts()[0], {"Lq"}, index);
  checks.add("last", getOuts()[1], {"Lq"}, index);
  checks.add("cu_seqlens_q", getCuSeqlensQ(), {"N + 1"}, index);
  checks.add("cu_seqlens_k", getCuSeqlensK(), {"N + 1"}, index);
  if (failed(checks.verify()))
    return failure();
  // [K3]
  if (failed(
          verifyCumulativeLengths(*this, getCuSeqlensQ(), getCuSeqlensK())) ||
      failed(checks.verifyAtLeast("N + 1", 1)))
    return failure();
  // [K4]
  return verifyWindow(*this, getWindow());
}
