//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Two values that a loop carries, or that an op changes, may start from one
// empty tensor, which common subexpression elimination makes of two. Nothing is
// read of it, so that bufferization sees no conflict and puts both into one
// buffer.

#include "fpa/Dialect/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_SEPARATEINITS
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {
struct SeparateInits : public fpa::impl::SeparateInitsBase<SeparateInits> {
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
        separate(op, loop.getInitsMutable());
      else if (auto destinations = dyn_cast<DestinationStyleOpInterface>(op))
        for (OpOperand &init : destinations.getDpsInitsMutable())
          separate(op, MutableArrayRef<OpOperand>(&init, 1));
    });
  }

private:
  /// Clones empty tensors that `op` takes elsewhere too.
  void separate(Operation *op, MutableArrayRef<OpOperand> inits) {
    OpBuilder b(op);
    for (OpOperand &init : inits) {
      auto empty = init.get().getDefiningOp<tensor::EmptyOp>();
      if (!empty || llvm::count(op->getOperands(), init.get()) == 1)
        continue;
      init.set(b.clone(*empty)->getResult(0));
      ++numSeparated;
    }
  }
};
} // namespace
