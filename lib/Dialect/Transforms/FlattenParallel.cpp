//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/PatternMatch.h"
#include <numeric>

namespace mlir::fpa {
#define GEN_PASS_DEF_FLATTENPARALLEL
#define GEN_PASS_DEF_PARALLELIZEHOST
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;

/// True for work that is nobody's but the host's: it stands in no loop that
/// runs on a device.
static bool isOnHost(Operation *op) {
  return !op->getParentOfType<scf::ParallelOp>() &&
         !op->getParentOfType<scf::ForallOp>() &&
         isa<FunctionOpInterface>(op->getParentOp());
}

/// True for a loop or a branch around kernels, made or to be made, which only
/// the host can start.
static bool startsKernels(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<mlir::gpu::LaunchFuncOp, scf::ForallOp, scf::ParallelOp>(
                   inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Puts `op` into a parallel loop of one iteration.
static void wrap(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  auto loop = scf::ParallelOp::create(rewriter, loc, ValueRange{zero},
                                      ValueRange{one}, ValueRange{one},
                                      [](OpBuilder &, Location, ValueRange) {});
  rewriter.moveOpBefore(op, loop.getBody()->getTerminator());
}

namespace {
struct ParallelizeHost
    : public fpa::impl::ParallelizeHostBase<ParallelizeHost> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](memref::CopyOp op) {
      if (!isOnHost(op) || !isa<MemRefType>(op.getSource().getType()) ||
          !isa<MemRefType>(op.getTarget().getType()))
        return;
      rewriter.setInsertionPoint(op);
      linalg::makeMemRefCopyOp(rewriter, op.getLoc(), op.getSource(),
                               op.getTarget());
      rewriter.eraseOp(op);
    });
    SmallVector<Operation *> alone;
    getOperation()->walk([&](Operation *op) {
      auto nest = dyn_cast<linalg::LinalgOp>(op);
      bool isSerial = isa<memref::StoreOp>(op) ||
                      (isa<scf::ForOp, scf::IfOp>(op) && !op->getNumResults() &&
                       !startsKernels(op)) ||
                      (nest && nest.hasPureBufferSemantics() &&
                       nest.getNumParallelLoops() == 0);
      if (isSerial && isOnHost(op))
        alone.push_back(op);
    });
    for (Operation *op : alone)
      wrap(rewriter, op);
    numWrapped += alone.size();
  }
};

struct FlattenParallel
    : public fpa::impl::FlattenParallelBase<FlattenParallel> {
  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    getOperation()->walk([&](scf::ParallelOp loop) {
      if (loop.getNumLoops() > 1 && !loop->getParentOfType<scf::ParallelOp>())
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ParallelOp loop : loops) {
      std::vector<unsigned> all(loop.getNumLoops());
      std::iota(all.begin(), all.end(), 0);
      rewriter.setInsertionPoint(loop);
      collapseParallelLoops(rewriter, loop, all);
      ++numFlattened;
    }
  }
};
} // namespace
