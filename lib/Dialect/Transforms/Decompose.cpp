//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_DECOMPOSE
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;

FailureOr<SmallVector<Value>> fpa::decomposeAggregate(RewriterBase &rewriter,
                                                      Operation *op) {
  auto aggregate = dyn_cast<linalg::AggregatedOpInterface>(op);
  bool isOurs = isa_and_nonnull<FpaDialect>(op->getDialect());
  if (!aggregate || (!isOurs && !isa<linalg::SoftmaxOp>(op)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  FailureOr<SmallVector<Value>> values = aggregate.decomposeOperation(rewriter);
  if (failed(values))
    return failure();
  rewriter.replaceOp(op, *values);
  return values;
}

namespace {
struct Decompose : public fpa::impl::DecomposeBase<Decompose> {
  using DecomposeBase::DecomposeBase;

  bool isAskedFor(Operation *op) {
    if (isa<linalg::SoftmaxOp>(op))
      return cast<linalg::SoftmaxOp>(op).hasPureTensorSemantics();
    if (!isa_and_nonnull<fpa::FpaDialect>(op->getDialect()))
      return false;
    // Its decomposition is also its lowering.
    if (!loneOnline || isa<fpa::LiveKeysOp>(op))
      return true;
    return fpa::isStreamingOp(op) && !op->getParentOfType<scf::ForallOp>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](linalg::AggregatedOpInterface op) {
      if (isAskedFor(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops)
      if (failed(fpa::decomposeAggregate(rewriter, op))) {
        op->emitOpError("cannot be decomposed: expected tensors");
        return signalPassFailure();
      }
  }
};
} // namespace
