//===- RaiseAttention.cpp - Find attention that is written out ------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"
#include "fpa/Dialect/IR/FpaDialect.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_RAISEATTENTION
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

/// Removes what nobody needs any more, from `last` upwards.
static void eraseUnused(RewriterBase &rewriter, Operation *last) {
  for (Operation *op = last; op;) {
    Operation *previous = op->getPrevNode();
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
    op = previous;
  }
}

LogicalResult fpa::raiseAttention(RewriterBase &rewriter,
                                  linalg::LinalgOp product,
                                  std::string &reason) {
  OpBuilder::InsertionGuard guard(rewriter);
  raise::Candidate candidate(product);
  bool isRaised =
      succeeded(candidate.match()) && succeeded(candidate.rewrite(rewriter));
  reason = candidate.getReason();
  if (isRaised)
    eraseUnused(rewriter, candidate.getLastOp());
  return success(isRaised);
}

namespace {
/// The ops that a rewriter has erased.
struct Erased : public RewriterBase::Listener {
  void notifyOperationErased(Operation *op) override { ops.insert(op); }
  llvm::SmallPtrSet<Operation *, 8> ops;
};

struct RaiseAttention : public fpa::impl::RaiseAttentionBase<RaiseAttention> {
  using RaiseAttentionBase::RaiseAttentionBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> products;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() == 1)
        products.push_back(op);
    });
    // What a product makes superfluous may be one of those that follow: the sum
    // by which its result is divided.
    Erased erased;
    IRRewriter rewriter(&getContext(), &erased);
    for (linalg::LinalgOp product : products) {
      if (erased.ops.contains(product))
        continue;
      std::string reason;
      if (succeeded(fpa::raiseAttention(rewriter, product, reason)))
        ++numRaised;
      else if (!reason.empty())
        product->emitRemark("not raised to fpa.attention: ") << reason;
    }
  }
};
} // namespace
