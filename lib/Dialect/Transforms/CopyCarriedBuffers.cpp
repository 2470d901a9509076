//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A loop of a GPU's host program is the same instructions each time, so that
// what it carries has to stay in one place.

#include "fpa/Dialect/IR/MemoryAccess.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_COPYCARRIEDBUFFERS
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

/// Memory that can be made before the loop: its size cannot change on the way.
static bool canStay(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.hasStaticShape() && type.getLayout().isIdentity();
}

/// Memory that holds `init`, given to a loop, and is nobody else's.
static Value makePlace(OpBuilder &b, Location loc, Value init) {
  if (init.getDefiningOp<memref::AllocOp>() && init.hasOneUse())
    return init;
  Value place =
      memref::AllocOp::create(b, loc, cast<MemRefType>(init.getType()));
  memref::CopyOp::create(b, loc, init, place);
  return place;
}

static void copyCarried(scf::ForOp loop) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  SmallVector<std::pair<unsigned, Value>> carried;
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!canStay(argument) || yield.getOperand(i) == argument)
      continue;
    Value place = makePlace(b, loc, loop.getInitArgs()[i]);
    argument.replaceAllUsesWith(place);
    loop.getResult(i).replaceAllUsesWith(place);
    loop.getInitArgsMutable()[i].set(place);
    carried.push_back({i, place});
  }
  b.setInsertionPoint(yield);
  // All that is read before anything is written: two may change places.
  auto isPlace = [&](Value root) {
    return isa<BlockArgument>(root) ||
           llvm::is_contained(llvm::make_second_range(carried), root);
  };
  SmallVector<Value> sources;
  for (auto [i, place] : carried) {
    Value source = yield.getOperand(i);
    if (isPlace(getRoot(source))) {
      Value copy =
          memref::AllocOp::create(b, loc, cast<MemRefType>(place.getType()));
      memref::CopyOp::create(b, loc, source, copy);
      source = copy;
    }
    sources.push_back(source);
  }
  for (auto [entry, source] : llvm::zip_equal(carried, sources)) {
    memref::CopyOp::create(b, loc, source, entry.second);
    yield.setOperand(entry.first, entry.second);
  }
}

namespace {
struct CopyCarriedBuffers
    : public fpa::impl::CopyCarriedBuffersBase<CopyCarriedBuffers> {
  void runOnOperation() override {
    getOperation()->walk([](scf::ForOp loop) {
      if (!loop->getParentOfType<scf::ForallOp>() &&
          !loop->getParentOfType<scf::ParallelOp>())
        copyCarried(loop);
    });
  }
};
} // namespace
