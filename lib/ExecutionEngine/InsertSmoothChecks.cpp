//===- InsertSmoothChecks.cpp - Checks of a beta that is computed ---------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckFailure.h"
#include "TraceSizes.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/ExecutionEngine/Signature.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

/// The one element of beta as f64, which holds it exactly.
static Value loadBeta(OpBuilder &b, Location loc, Value beta) {
  Value number;
  if (isa<MemRefType>(beta.getType()))
    number = memref::LoadOp::create(b, loc, beta);
  else
    number = tensor::ExtractOp::create(b, loc, beta);
  Type f64 = b.getF64Type();
  return number.getType() == f64 ? number
                                 : arith::ExtFOp::create(b, loc, f64, number);
}

/// [A9] of docs/Spec.md; NaN breaks it, too.
static Value isBroken(OpBuilder &b, Location loc, Value beta, bool isF64) {
  auto [least, most] = getSmoothRange(isF64);
  auto isOutside = [&](arith::CmpFPredicate predicate, double bound) {
    Value number =
        arith::ConstantOp::create(b, loc, b.getF64FloatAttr(bound));
    return arith::CmpFOp::create(b, loc, predicate, beta, number).getResult();
  };
  return arith::OrIOp::create(b, loc,
                              isOutside(arith::CmpFPredicate::ULT, least),
                              isOutside(arith::CmpFPredicate::UGT, most));
}

SmallVector<SmoothCheck> mlir::fpa::insertSmoothChecks(func::FuncOp entry,
                                                       int64_t first) {
  SmallVector<SmoothCheck> checks;
  entry.walk([&](AttentionOpInterface op) {
    if (!op.getBeta() || findInput(op.getBeta()))
      return;
    OpBuilder b(op);
    Location loc = op.getLoc();
    SmoothCheck check{op->getName().getStringRef().str(),
                      op.getAccumulatorType().isF64()};
    Value beta = loadBeta(b, loc, op.getBeta());
    Value bits = arith::IndexCastOp::create(
        b, loc, b.getIndexType(),
        arith::BitcastOp::create(b, loc, b.getI64Type(), beta));
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    emitCheckFailure(b, loc, entry->getParentOfType<ModuleOp>(),
                     isBroken(b, loc, beta, check.isF64),
                     first + int64_t(checks.size()), {bits, none, none});
    checks.push_back(std::move(check));
  });
  return checks;
}
