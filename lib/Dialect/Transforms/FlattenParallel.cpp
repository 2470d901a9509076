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

static bool isParallelNest(Operation *op) {
  auto nest = dyn_cast<linalg::LinalgOp>(op);
  return nest && nest.hasPureBufferSemantics() && nest.getNumParallelLoops();
}

/// True for a loop or a branch around kernels, made or to be made, which only
/// the host can start. Nests and memory of its own are no reason where `op`
/// looks at data besides, which the host cannot.
static bool startsKernels(Operation *op) {
  bool hasKernels = false, hasNests = false, looksAtData = false;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    hasKernels |=
        isa<mlir::gpu::LaunchFuncOp, scf::ForallOp, scf::ParallelOp>(inner);
    hasNests |=
        isParallelNest(inner) || isa<memref::CopyOp, memref::AllocOp>(inner);
    looksAtData |= isa<memref::LoadOp>(inner);
    bool isDevice =
        isa<scf::ForallOp, scf::ParallelOp, linalg::LinalgOp>(inner);
    return isDevice ? WalkResult::skip() : WalkResult::advance();
  });
  return hasKernels || (hasNests && !looksAtData);
}

/// True for work that is nobody's but the host's: it stands in no loop that
/// runs on a device, at most in loops around kernels.
static bool isOnHost(Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa<scf::ForOp>(parent) && startsKernels(parent))
    parent = parent->getParentOp();
  return isa<FunctionOpInterface>(parent);
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
