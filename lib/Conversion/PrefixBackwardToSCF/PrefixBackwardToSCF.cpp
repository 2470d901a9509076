//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_CONVERTFPAPREFIXBACKWARDTOSCF
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {

class BackwardEmitter {
public:
  BackwardEmitter(OpBuilder &b, PrefixMinBackwardOp op)
      : b(b), loc(op.getLoc()), op(op), output(op.getOuts()[0]),
        zero(arith::ConstantIndexOp::create(b, loc, 0)),
        one(arith::ConstantIndexOp::create(b, loc, 1)) {}

  void emit(bool parallel);

private:
  void emitLine(ValueRange line);
  Value size(int64_t axis) {
    return b.createOrFold<memref::DimOp>(loc, op.getIndex(), axis);
  }
  /// Element `t` of a line, which is its place along all other axes.
  SmallVector<Value> at(ValueRange line, Value t) {
    SmallVector<Value> indices(line);
    indices.insert(indices.begin() + op.getAxis(), t);
    return indices;
  }

  OpBuilder &b;
  Location loc;
  PrefixMinBackwardOp op;
  Value output, zero, one;
};

} // namespace

/// output = 0; for u in order: output[index[u]] += gradient[u]
void BackwardEmitter::emitLine(ValueRange line) {
  Type element = getElementTypeOrSelf(output.getType());
  Value length = size(op.getAxis());
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  auto clear = scf::ForOp::create(b, loc, zero, length, one);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(clear.getBody());
    memref::StoreOp::create(b, loc, none, output,
                            at(line, clear.getInductionVar()));
  }
  auto add = scf::ForOp::create(b, loc, zero, length, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(add.getBody());
  SmallVector<Value> from = at(line, add.getInductionVar());
  Value place = memref::LoadOp::create(b, loc, op.getIndex(), from);
  Value t = arith::IndexCastOp::create(b, loc, b.getIndexType(), place);
  // One comparison for both ends: -1 is the largest of all unsigned numbers.
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, t, length);
  auto choice = scf::IfOp::create(b, loc, inside, /*withElseRegion=*/false);
  b.setInsertionPointToStart(choice.thenBlock());
  SmallVector<Value> to = at(line, t);
  Value before = memref::LoadOp::create(b, loc, output, to);
  Value gradient = memref::LoadOp::create(b, loc, op.getGradient(), from);
  Value sum = arith::AddFOp::create(b, loc, before, gradient);
  memref::StoreOp::create(b, loc, sum, output, to);
}

/// Lines are independent of each other.
void BackwardEmitter::emit(bool parallel) {
  SmallVector<Value> sizes;
  int64_t rank = op.getIndexType().getRank();
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis != int64_t(op.getAxis()))
      sizes.push_back(size(axis));
  OpBuilder::InsertionGuard guard(b);
  if (parallel && sizes.empty())
    sizes.push_back(one);
  if (sizes.empty())
    return emitLine({});
  SmallVector<Value> lower(sizes.size(), zero), steps(sizes.size(), one);
  ValueRange line;
  if (parallel) {
    auto loop = scf::ParallelOp::create(b, loc, lower, sizes, steps);
    b.setInsertionPointToStart(loop.getBody());
    line = loop.getInductionVars();
  } else if (op->getParentOfType<scf::ForallOp>()) {
    // The threads are taken.
    scf::LoopNest nest = scf::buildLoopNest(b, loc, lower, sizes, steps);
    SmallVector<Value> ivs;
    for (scf::ForOp loop : nest.loops)
      ivs.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(nest.loops.back().getBody());
    return emitLine(ivs);
  } else {
    auto loop = scf::ForallOp::create(b, loc, getAsOpFoldResult(sizes),
                                      ValueRange(), std::nullopt);
    b.setInsertionPointToStart(loop.getBody());
    line = loop.getInductionVars();
  }
  emitLine(rank == 1 ? ValueRange() : line);
}

namespace {
struct ConvertFpaPrefixBackwardToSCF
    : public fpa::impl::ConvertFpaPrefixBackwardToSCFBase<
          ConvertFpaPrefixBackwardToSCF> {
  using ConvertFpaPrefixBackwardToSCFBase::ConvertFpaPrefixBackwardToSCFBase;

  void runOnOperation() override {
    SmallVector<PrefixMinBackwardOp> ops;
    getOperation()->walk([&](PrefixMinBackwardOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (PrefixMinBackwardOp op : ops) {
      if (!op.hasPureBufferSemantics()) {
        op.emitOpError("expected memref operands, got tensors; bufferize "
                       "before this pass");
        return signalPassFailure();
      }
      rewriter.setInsertionPoint(op);
      BackwardEmitter(rewriter, op).emit(parallel);
      rewriter.eraseOp(op);
    }
  }
};
} // namespace
