//===- CacheToSCF.cpp - fpa.update_cache to loops -------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/CacheToSCF/CacheToSCF.h"
#include "CacheEmitter.h"
#include "fpa/Conversion/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_CONVERTFPACACHETOSCF
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

LogicalResult mlir::fpa::convertUpdateCacheToSCF(RewriterBase &rewriter,
                                                 UpdateCacheOp op,
                                                 bool parallel) {
  if (!op.hasPureBufferSemantics())
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  (parallel ? emitParallelUpdate : emitSerialUpdate)(rewriter, op);
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct ConvertFpaCacheToSCF
    : public fpa::impl::ConvertFpaCacheToSCFBase<ConvertFpaCacheToSCF> {
  using ConvertFpaCacheToSCFBase::ConvertFpaCacheToSCFBase;

  void runOnOperation() override {
    SmallVector<UpdateCacheOp> ops;
    getOperation()->walk([&](UpdateCacheOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (UpdateCacheOp op : ops) {
      if (failed(convertUpdateCacheToSCF(rewriter, op, parallel))) {
        op.emitOpError("expected memref operands, got tensors; bufferize "
                       "before this pass");
        return signalPassFailure();
      }
    }
  }
};
} // namespace
