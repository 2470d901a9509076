//===- OutlineParallel.cpp - From scf.forall to threads ---------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_OUTLINEPARALLEL
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;

namespace {

/// The number of iterations of each dimension of `forall`.
SmallVector<Value> getTripCounts(OpBuilder &b, scf::ForallOp forall) {
  SmallVector<Value> counts;
  Location loc = forall.getLoc();
  for (auto [lower, upper, step] :
       llvm::zip(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                 forall.getMixedStep())) {
    auto first = getConstantIntValue(lower), last = getConstantIntValue(upper),
         stride = getConstantIntValue(step);
    if (first && last && stride) {
      int64_t count =
          llvm::divideCeilSigned(std::max<int64_t>(*last - *first, 0), *stride);
      counts.push_back(arith::ConstantIndexOp::create(b, loc, count));
      continue;
    }
    Value low = getValueOrCreateConstantIndexOp(b, loc, lower);
    Value high = getValueOrCreateConstantIndexOp(b, loc, upper);
    Value by = getValueOrCreateConstantIndexOp(b, loc, step);
    Value length = arith::SubIOp::create(b, loc, high, low);
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    length = arith::MaxSIOp::create(b, loc, length, none);
    counts.push_back(arith::CeilDivSIOp::create(b, loc, length, by));
  }
  return counts;
}

/// Moves the body of `forall` into a function of the flat index and all that
/// the body takes from outside. Constants are copied instead of passed.
func::FuncOp outlineBody(scf::ForallOp forall, ValueRange counts,
                         StringRef name, SmallVectorImpl<Value> &captured) {
  MLIRContext *context = forall.getContext();
  Location loc = forall.getLoc();
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(forall.getRegion(), above);
  for (Value operand : forall->getOperands())
    above.insert(operand);
  for (Value count : counts)
    above.insert(count);
  SmallVector<Operation *> constants;
  SmallVector<Type> types = {IndexType::get(context)};
  for (Value value : above) {
    Operation *def = value.getDefiningOp();
    if (def && matchPattern(def, m_Constant())) {
      constants.push_back(def);
      continue;
    }
    captured.push_back(value);
    types.push_back(value.getType());
  }
  OpBuilder b(forall->getParentOfType<FunctionOpInterface>());
  auto function =
      func::FuncOp::create(b, loc, name, FunctionType::get(context, types, {}));
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  IRMapping mapping;
  for (Operation *constant : constants)
    b.clone(*constant, mapping);
  for (auto [value, argument] :
       llvm::zip(captured, entry->getArguments().drop_front()))
    mapping.map(value, argument);

  SmallVector<Value> basis;
  for (Value count : counts)
    basis.push_back(mapping.lookupOrDefault(count));
  auto place = affine::AffineDelinearizeIndexOp::create(
      b, loc, entry->getArgument(0), basis, /*hasOuterBound=*/true);
  for (auto [dim, variable] : llvm::enumerate(forall.getInductionVars())) {
    auto lookup = [&](OpFoldResult bound) {
      if (auto value = dyn_cast<Value>(bound))
        return mapping.lookupOrDefault(value);
      return getValueOrCreateConstantIndexOp(b, loc, bound);
    };
    Value scaled = arith::MulIOp::create(b, loc, place.getResult(dim),
                                         lookup(forall.getMixedStep()[dim]));
    mapping.map(variable,
                arith::AddIOp::create(
                    b, loc, scaled, lookup(forall.getMixedLowerBound()[dim])));
  }
  for (Operation &op : forall.getBody()->without_terminator())
    b.clone(op, mapping);
  func::ReturnOp::create(b, loc);
  return function;
}

/// Moves the stack memory of an inner parallel loop, which is about to become a
/// plain one, to where the function it ends up in begins: in a loop it would
/// grow the stack with every iteration.
void hoistScratch(scf::ForallOp inner) {
  auto outermost = inner->getParentOfType<scf::ForallOp>();
  while (auto above = outermost->getParentOfType<scf::ForallOp>())
    outermost = above;
  SmallVector<memref::AllocaOp> scratch;
  inner->walk([&](memref::AllocaOp alloca) {
    if (alloca->getNumOperands() == 0)
      scratch.push_back(alloca);
  });
  for (memref::AllocaOp alloca : scratch)
    alloca->moveBefore(&outermost.getBody()->front());
}

struct OutlineParallel
    : public fpa::impl::OutlineParallelBase<OutlineParallel> {
  void runOnOperation() override {
    SmallVector<scf::ForallOp> outer, inner;
    getOperation()->walk([&](scf::ForallOp forall) {
      bool nested = bool(forall->getParentOfType<scf::ForallOp>());
      (nested ? inner : outer).push_back(forall);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp forall : inner) {
      hoistScratch(forall);
      rewriter.setInsertionPoint(forall);
      if (failed(scf::forallToForLoop(rewriter, forall)))
        return signalPassFailure();
    }
    SymbolTable symbols(getOperation());
    for (scf::ForallOp forall : outer) {
      if (forall.getNumResults() != 0) {
        forall.emitOpError("expected a bufferized loop, got ")
            << forall.getNumResults() << " tensor results";
        return signalPassFailure();
      }
      auto parent = forall->getParentOfType<FunctionOpInterface>();
      std::string name = (parent.getName() + "_parallel").str();
      OpBuilder b(forall);
      SmallVector<Value> counts = getTripCounts(b, forall), captured;
      // Nothing to do, and no index to take apart.
      if (llvm::any_of(counts, [](Value count) {
            return getConstantIntValue(count) == 0;
          })) {
        forall.erase();
        continue;
      }
      func::FuncOp function = outlineBody(forall, counts, name, captured);
      function->remove();
      symbols.insert(function, Block::iterator(parent));
      Value total = arith::ConstantIndexOp::create(b, forall.getLoc(), 1);
      for (Value count : counts)
        total = arith::MulIOp::create(b, forall.getLoc(), total, count);
      fpa::ParallelCallOp::create(b, forall.getLoc(), function.getSymName(),
                                  total, captured);
      forall.erase();
      ++numOutlined;
    }
  }
};

} // namespace
