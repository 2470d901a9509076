//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What a function returns is memory without gaps between its rows, where its
// callers know of no strides, and each result's own.

#include "fpa/Dialect/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_COPYRETURNEDSLICES
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

/// The value that `value` shows in another shape; null if it shows none.
static Value getReshaped(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  return TypeSwitch<Operation *, Value>(op)
      .Case<tensor::CastOp, tensor::ReshapeOp>(
          [](auto op) { return op.getSource(); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [](auto op) { return op.getSrc(); })
      .Default(Value());
}

/// The value whose memory `value` may be, or a part of; null if it is new.
static Value getOrigin(Value value) {
  if (Value source = getReshaped(value))
    return source;
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  return TypeSwitch<Operation *, Value>(result.getOwner())
      .Case([](tensor::InsertSliceOp op) { return op.getDest(); })
      .Case([&](DestinationStyleOpInterface op) {
        return op.getTiedOpOperand(result)->get();
      })
      .Case(
          [&](scf::ForallOp op) { return op.getTiedOpOperand(result)->get(); })
      .Case([&](scf::ForOp op) { return op.getTiedLoopInit(result)->get(); })
      .Default(Value());
}

static bool mayBeSlice(Value value) {
  for (; value; value = getOrigin(value))
    if (value.getDefiningOp<tensor::ExtractSliceOp>())
      return true;
  return false;
}

static Value getUnshaped(Value value) {
  while (Value source = getReshaped(value))
    value = source;
  return value;
}

namespace {
struct CopyReturnedSlices
    : public fpa::impl::CopyReturnedSlicesBase<CopyReturnedSlices> {
  void runOnOperation() override {
    getOperation()->walk([](func::ReturnOp op) {
      OpBuilder b(op);
      llvm::DenseSet<Value> returned;
      for (OpOperand &operand : op->getOpOperands()) {
        auto type = dyn_cast<RankedTensorType>(operand.get().getType());
        if (!type)
          continue;
        bool isNew = returned.insert(getUnshaped(operand.get())).second;
        if (!isNew || mayBeSlice(operand.get()))
          operand.set(bufferization::AllocTensorOp::create(
              b, op.getLoc(), type, ValueRange(), operand.get()));
      }
    });
  }
};
} // namespace
