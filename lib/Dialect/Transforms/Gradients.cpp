//===- Gradients.cpp - Gradients of the ops of a graph --------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fpa;

bool fpa::isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

bool fpa::usesAny(Operation *op, const llvm::DenseSet<Value> &values) {
  return op
      ->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (values.contains(operand))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the body of `op`, some of whose operands or outer values are in
/// `varied`, passes them on to result `number`.
static bool bodyVaries(linalg::LinalgOp op, unsigned number,
                       const llvm::DenseSet<Value> &varied) {
  llvm::DenseSet<Value> seeds = varied;
  for (OpOperand &operand : op->getOpOperands())
    if (varied.contains(operand.get()))
      seeds.insert(op.getMatchingBlockArgument(&operand));
  Value yielded = op.getBlock()->getTerminator()->getOperand(number);
  return findVaried(*op.getBlock(), seeds).contains(yielded);
}

/// Whether `result` of an op that uses values of `varied` is one of them.
static bool isVariedResult(OpResult result,
                           const llvm::DenseSet<Value> &varied) {
  Operation *op = result.getOwner();
  Type type = result.getType();
  if (isa<BaseMemRefType>(type) || !getElementTypeOrSelf(type).isIntOrIndex())
    return true;
  if (isa<tensor::DimOp, tensor::RankOp, arith::CmpFOp, arith::FPToSIOp,
          arith::FPToUIOp, math::IsFiniteOp, math::IsInfOp, math::IsNaNOp,
          math::IsNormalOp, KeyIntervalsOp>(op))
    return false;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return bodyVaries(linalgOp, result.getResultNumber(), varied);
  return true;
}

llvm::DenseSet<Value> fpa::findVaried(Block &block,
                                      const llvm::DenseSet<Value> &seeds) {
  llvm::DenseSet<Value> varied = seeds;
  for (Operation &op : block)
    if (usesAny(&op, varied))
      for (OpResult result : op.getResults())
        if (isVariedResult(result, varied))
          varied.insert(result);
  return varied;
}

Value Gradients::emptyLike(Value value, Type element) {
  Location loc = value.getLoc();
  return tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, value),
      element ? element : getElementTypeOrSelf(value));
}

Value Gradients::zerosLike(Value value, Type element) {
  Location loc = value.getLoc();
  Value empty = emptyLike(value, element);
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(getElementTypeOrSelf(empty)));
  return linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
}

void Gradients::add(Value value, Value gradient) {
  if (!isWanted(value))
    return;
  Value &sum = known[value];
  sum = sum ? linalg::AddOp::create(rewriter, gradient.getLoc(),
                                    ValueRange{sum, gradient}, emptyLike(sum))
                  .getResult(0)
            : gradient;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

void fpa::addLse(AttentionOp op, RewriterBase &rewriter) {
  if (op.getLse())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getOutput());
  sizes.pop_back();
  Value lse =
      tensor::EmptyOp::create(rewriter, loc, sizes, op.getAccumulatorType());
  SmallVector<Value> outs = {op.getOutput(), lse};
  auto result = AttentionOp::create(
      rewriter, loc, ValueRange(outs).getTypes(), op.getQuery(), op.getKey(),
      op.getValue(), op.getField(), op.getLevel(), op.getCuSeqlensQ(),
      op.getCuSeqlensK(), op.getBeta(), outs, op.getScaleAttr(),
      op.getWindowAttr(), op.getSmoothAttr(), op.getNonIncreasingAttr(),
      op.getPruneEpsAttr());
  rewriter.replaceOp(op, result.getResults().take_front());
}

static LogicalResult differentiate(AttentionOp op, Gradients &gradients) {
  RewriterBase &rewriter = gradients.rewriter;
  Value output = op.getResults()[0], lse = op.getResults()[1];
  Value outputGradient = gradients.lookup(output);
  Value lseGradient = gradients.lookup(lse);
  if (op.getDropped() && gradients.lookup(op.getResults()[2]))
    return op.emitOpError("expected a result that does not depend on dropped, "
                          "which has no gradient");
  if (gradients.isWanted(op.getBeta()))
    return op.emitOpError(
        "expected smooth to be an argument by itself or to "
        "depend on no tensor argument, as it has no gradient");
  if (!outputGradient)
    outputGradient = gradients.zerosLike(output);

  Value field = op.getField(), level = op.getLevel();
  if (level == field)
    level = Value();
  SmallVector<Value> operands = {op.getQuery(), op.getKey(), op.getValue()};
  if (gradients.isWanted(field) || gradients.isWanted(level))
    operands.push_back(field);
  if (operands.size() > 3 && level)
    operands.push_back(level);
  SmallVector<Value> outs;
  for (Value operand : operands)
    outs.push_back(gradients.emptyLike(operand));
  auto backward = AttentionBackwardOp::create(
      rewriter, op.getLoc(), ValueRange(outs).getTypes(), op.getQuery(),
      op.getKey(), op.getValue(), field, level, op.getCuSeqlensQ(),
      op.getCuSeqlensK(), op.getBeta(), output, lse, outputGradient,
      lseGradient, outs, op.getScaleAttr(), op.getWindowAttr(),
      op.getSmoothAttr(), op.getPruneEpsAttr(), /*counts=*/UnitAttr());
  for (auto [operand, gradient] : llvm::zip(operands, backward.getResults()))
    gradients.add(operand, gradient);
  return success();
}

/// The sum from the other side.
static LogicalResult differentiate(PrefixSumOp op, Gradients &gradients) {
  RewriterBase &rewriter = gradients.rewriter;
  Value gradient = gradients.lookup(op.getResults()[0]);
  Value out = gradients.emptyLike(op.getInput());
  auto sum = PrefixSumOp::create(rewriter, op.getLoc(), out.getType(), gradient,
                                 out, op.getAxis(), !op.getReverse(),
                                 op.getExclusive(), op.getSegmentAttr());
  gradients.add(op.getInput(), sum.getResults()[0]);
  return success();
}

static LogicalResult differentiate(tensor::ExpandShapeOp op,
                                   Gradients &gradients) {
  gradients.add(op.getSrc(),
                tensor::CollapseShapeOp::create(
                    gradients.rewriter, op.getLoc(), op.getSrcType(),
                    gradients.lookup(op), op.getReassociationIndices()));
  return success();
}

static LogicalResult differentiate(tensor::CollapseShapeOp op,
                                   Gradients &gradients) {
  RewriterBase &rewriter = gradients.rewriter;
  gradients.add(op.getSrc(),
                tensor::ExpandShapeOp::create(
                    rewriter, op.getLoc(), op.getSrcType(),
                    gradients.lookup(op), op.getReassociationIndices(),
                    tensor::getMixedSizes(rewriter, op.getLoc(), op.getSrc())));
  return success();
}

static LogicalResult differentiate(tensor::CastOp op, Gradients &gradients) {
  gradients.add(op.getSource(),
                tensor::CastOp::create(gradients.rewriter, op.getLoc(),
                                       op.getSource().getType(),
                                       gradients.lookup(op)));
  return success();
}

/// Refuses a dependence that no gradient can follow: through an operand that is
/// no ranked tensor of floats, or from outside a region.
LogicalResult Gradients::checkOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (isVaried(value) && !isFloatTensor(value.getType()))
      return op->emitOpError("expected operands that depend on a tensor "
                             "argument to be ranked tensors of floats, got ")
             << value.getType() << " as operand " << operand.getOperandNumber();
  }
  auto checkNested = [&](Operation *nested) {
    if (nested == op || llvm::none_of(nested->getOperands(), [&](Value value) {
          return isVaried(value);
        }))
      return WalkResult::advance();
    nested->emitOpError("expected the body to use no outer value that depends "
                        "on a tensor argument, got one");
    return WalkResult::interrupt();
  };
  return failure(op->walk(checkNested).wasInterrupted());
}

LogicalResult Gradients::visit(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<AttentionOp, PrefixSumOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, tensor::CastOp>(
          [&](auto op) -> LogicalResult {
            return failure(failed(checkOperands(op)) ||
                           failed(differentiate(op, *this)));
          })
      .Case([&](linalg::LinalgOp op) -> LogicalResult {
        return failure(failed(checkOperands(op)) ||
                       failed(differentiateLinalg(op, *this)));
      })
      .Default([](Operation *op) -> LogicalResult {
        return op->emitOpError(
            "expected an op that can be differentiated between a tensor "
            "argument and a result, got this one");
      });
}
