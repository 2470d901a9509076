//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Head sizes that matrix instructions cannot take are filled up with zeros:
// they add nothing to a product, and what they give of the output is cut off.

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_PADHEADS
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {
class HeadPadding {
public:
  HeadPadding(RewriterBase &b, AttentionOp op, int64_t multiple)
      : b(b), loc(op.getLoc()), op(op), multiple(multiple) {}

  LogicalResult run();

private:
  static constexpr int64_t headDim = 3;

  int64_t getPadded(Value tensor) {
    int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(headDim);
    return llvm::alignTo(size, multiple);
  }
  bool isPadded(Value tensor) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    return !type || type.isDynamicDim(headDim) ||
           type.getDimSize(headDim) == getPadded(tensor);
  }
  RankedTensorType getPaddedType(Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[headDim] = getPadded(tensor);
    return type.clone(shape);
  }
  Value pad(Value tensor) {
    if (isPadded(tensor))
      return tensor;
    RankedTensorType type = getPaddedType(tensor);
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    SmallVector<OpFoldResult> low(type.getRank(), b.getIndexAttr(0)), high(low);
    high[headDim] = b.getIndexAttr(
        type.getDimSize(headDim) -
        cast<RankedTensorType>(tensor.getType()).getDimSize(headDim));
    return tensor::PadOp::create(b, loc, type, tensor, low, high, zero);
  }

  RewriterBase &b;
  Location loc;
  AttentionOp op;
  int64_t multiple;
};
} // namespace

LogicalResult HeadPadding::run() {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError("expected tensors, got operands of type ")
           << op.getQuery().getType();
  Value output = op.getOuts()[0];
  if (isPadded(op.getQuery()) && isPadded(op.getValue()))
    return success();
  // No rows, nothing to compute; and there are no slices of nothing.
  auto rows = cast<RankedTensorType>(output.getType()).getShape();
  if (llvm::is_contained(rows.take_front(headDim), 0)) {
    b.replaceOp(op, op.getOuts());
    return success();
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  // By place, not by value: one tensor may be query and output, say.
  SmallVector<std::pair<OpOperand *, Value>> wide;
  for (OpOperand *operand :
       {&op.getQueryMutable(), &op.getKeyMutable(), &op.getValueMutable()})
    wide.push_back({operand, pad(operand->get())});
  bool wider = !isPadded(output);
  if (wider) {
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, output);
    sizes[headDim] = b.getIndexAttr(getPadded(output));
    wide.push_back({&op.getOutsMutable()[0],
                    tensor::EmptyOp::create(
                        b, loc, sizes, getPaddedType(output).getElementType())
                        .getResult()});
  }
  auto padded = cast<AttentionOp>(b.clone(*op));
  for (auto [operand, value] : wide)
    padded->setOperand(operand->getOperandNumber(), value);
  // What the scale is by default follows from the size before.
  padded.setScaleAttr(b.getF64FloatAttr(op.getScaleValue()));
  SmallVector<Value> results(padded->getResults());
  if (wider) {
    results[0].setType(padded.getOuts()[0].getType());
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, output);
    SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0)),
        ones(sizes.size(), b.getIndexAttr(1));
    results[0] = tensor::ExtractSliceOp::create(
        b, loc, cast<RankedTensorType>(output.getType()), results[0], zeros,
        sizes, ones);
  }
  b.replaceOp(op, results);
  return success();
}

LogicalResult mlir::fpa::padHeads(RewriterBase &rewriter, AttentionOp op,
                                  int64_t multiple) {
  return HeadPadding(rewriter, op, multiple).run();
}

namespace {
struct PadHeads : public fpa::impl::PadHeadsBase<PadHeads> {
  using PadHeadsBase::PadHeadsBase;

  void runOnOperation() override {
    if (multiple < 1) {
      getOperation()->emitError(
          "expected option multiple to be at least 1, got ")
          << multiple.getValue();
      return signalPassFailure();
    }
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (AttentionOp op : ops)
      if (failed(padHeads(rewriter, op, multiple)))
        return signalPassFailure();
  }
};
} // namespace
