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
  /// `query` has the head size that the default of the scale follows from.
  HeadPadding(RewriterBase &b, Operation *op, Value query, double scale,
              int64_t multiple, int64_t most)
      : b(b), loc(op->getLoc()), op(op), query(query), scale(scale),
        multiple(multiple), most(most) {}

  LogicalResult run();

private:
  static constexpr int64_t headDim = 3;

  int64_t getPadded(Value tensor) {
    int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(headDim);
    return size <= most ? llvm::alignTo(size, multiple) : size;
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
  /// A tensor of the padded type, or itself.
  Value createWide(Value tensor) {
    if (isPadded(tensor))
      return tensor;
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, tensor);
    sizes[headDim] = b.getIndexAttr(getPadded(tensor));
    return tensor::EmptyOp::create(b, loc, sizes,
                                   getElementTypeOrSelf(tensor.getType()));
  }
  /// The results where there are no rows: an output has none, and gradients of
  /// what nothing depends on are 0.
  SmallVector<Value> getNothing(ValueRange outs) {
    if (isa<AttentionOp, CachedAttentionOp>(op))
      return outs;
    SmallVector<Value> zeros;
    for (Value out : outs) {
      Value zero = arith::ConstantOp::create(
          b, loc, b.getZeroAttr(getElementTypeOrSelf(out.getType())));
      zeros.push_back(linalg::FillOp::create(b, loc, zero, out).getResult(0));
    }
    return zeros;
  }

  RewriterBase &b;
  Location loc;
  Operation *op;
  Value query;
  double scale;
  int64_t multiple, most;
};
} // namespace

LogicalResult HeadPadding::run() {
  auto destination = cast<DestinationStyleOpInterface>(op);
  if (!destination.hasPureTensorSemantics())
    return op->emitOpError("expected tensors, got operands of type ")
           << query.getType();
  // Whatever has four dimensions ends with a head size.
  auto isBlock = [](Value value) {
    return cast<ShapedType>(value.getType()).getRank() == headDim + 1;
  };
  SmallVector<OpOperand *> blocks;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<ShapedType>(operand.get().getType()) && isBlock(operand.get()))
      blocks.push_back(&operand);
  if (llvm::all_of(blocks, [&](OpOperand *x) { return isPadded(x->get()); }))
    return success();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  // No rows, nothing to compute; and there are no slices of nothing. Only a
  // cache may be empty: new tokens see each other.
  if (llvm::any_of(blocks, [&](OpOperand *x) {
        return (!isa<CachedAttentionOp>(op) || x->get() == query) &&
               llvm::is_contained(
                   cast<ShapedType>(x->get().getType()).getShape(), 0);
      })) {
    b.replaceOp(op, getNothing(destination.getDpsInits()));
    return success();
  }
  // By place, not by value: one tensor may be query and output, say.
  SmallVector<std::pair<OpOperand *, Value>> wide;
  for (OpOperand *operand : blocks)
    wide.push_back({operand, destination.isDpsInit(operand)
                                 ? createWide(operand->get())
                                 : pad(operand->get())});
  Operation *padded = b.clone(*op);
  for (auto [operand, value] : wide)
    padded->setOperand(operand->getOperandNumber(), value);
  // What the scale is by default follows from the size before.
  padded->setAttr("scale", b.getF64FloatAttr(scale));
  SmallVector<Value> results(padded->getResults());
  auto outs = cast<DestinationStyleOpInterface>(padded).getDpsInits();
  for (auto [result, before, after] :
       llvm::zip_equal(results, destination.getDpsInits(), outs)) {
    if (before == after)
      continue;
    result.setType(after.getType());
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, before);
    SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0)),
        ones(sizes.size(), b.getIndexAttr(1));
    result = tensor::ExtractSliceOp::create(
        b, loc, cast<RankedTensorType>(before.getType()), result, zeros, sizes,
        ones);
  }
  b.replaceOp(op, results);
  return success();
}

LogicalResult mlir::fpa::padHeads(RewriterBase &rewriter,
                                  AttentionOpInterface op, int64_t multiple,
                                  int64_t most) {
  return HeadPadding(rewriter, op, op.getQuery(), op.getScaleValue(), multiple,
                     most)
      .run();
}

LogicalResult mlir::fpa::padHeads(RewriterBase &rewriter, CachedAttentionOp op,
                                  int64_t multiple, int64_t most) {
  return HeadPadding(rewriter, op, op.getQuery(),
                     op.getScale().convertToDouble(), multiple, most)
      .run();
}

namespace {
struct PadHeads : public fpa::impl::PadHeadsBase<PadHeads> {
  using PadHeadsBase::PadHeadsBase;

  void runOnOperation() override {
    if (multiple < 1) {
      emitError(getOperation()->getLoc(),
                "expected option multiple to be at least 1, got ")
          << multiple.getValue();
      return signalPassFailure();
    }
    if (most < 0) {
      emitError(getOperation()->getLoc(),
                "expected option most to be at least 0, got ")
          << most.getValue();
      return signalPassFailure();
    }
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<AttentionOpInterface, CachedAttentionOp>(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    int64_t largest = most == 0 ? INT64_MAX : most.getValue();
    for (Operation *op : ops) {
      auto cached = dyn_cast<CachedAttentionOp>(op);
      if (failed(cached ? padHeads(rewriter, cached, multiple, largest)
                        : padHeads(rewriter, cast<AttentionOpInterface>(op),
                                   multiple, largest)))
        return signalPassFailure();
    }
  }
};
} // namespace
