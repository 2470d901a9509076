//===- LinalgGradient.cpp - Gradients of linalg ops -----------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linalg op adds f(x, ...) to each element of its out, in loops along which
// the out may stand still. The gradient of x is the sum, over the loops along
// which x stands still, of df/dx times the out's gradient: a linalg op over the
// same loops. Its body is that of the op, followed by its derivative.
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// Reverse mode through the straight-line float code of a body.
class ScalarGradients {
public:
  /// `clones` maps the original body to the one that is being written.
  ScalarGradients(OpBuilder &b, Location loc, IRMapping &clones)
      : b(b), loc(loc), clones(clones) {}

  void add(Value value, Value gradient) {
    Value &sum = known[value];
    sum = sum ? arith::AddFOp::create(b, loc, sum, gradient) : gradient;
  }
  Value lookup(Value value) const { return known.lookup(value); }

  /// Adds the gradients of the operands of `op`. False where it has no rule.
  bool visit(Operation *op);

private:
  Value product(Value x, Value y) {
    return arith::MulFOp::create(b, loc, x, y);
  }
  Value quotient(Value x, Value y) {
    return arith::DivFOp::create(b, loc, x, y);
  }
  Value negative(Value x) { return arith::NegFOp::create(b, loc, x); }
  Value constant(Type type, double value) {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  }

  OpBuilder &b;
  Location loc;
  IRMapping &clones;
  llvm::DenseMap<Value, Value> known;
};

bool ScalarGradients::visit(Operation *op) {
  Value d = lookup(op->getResult(0));
  auto original = [&](unsigned i) { return op->getOperand(i); };
  auto value = [&](unsigned i) { return clones.lookupOrDefault(original(i)); };
  Value result = clones.lookup(op->getResult(0));
  if (isa<arith::AddFOp>(op)) {
    add(original(0), d);
    add(original(1), d);
  } else if (isa<arith::SubFOp>(op)) {
    add(original(0), d);
    add(original(1), negative(d));
  } else if (isa<arith::MulFOp>(op)) {
    add(original(0), product(d, value(1)));
    add(original(1), product(d, value(0)));
  } else if (isa<arith::DivFOp>(op)) {
    add(original(0), quotient(d, value(1)));
    add(original(1), negative(product(quotient(d, value(1)), result)));
  } else if (isa<arith::NegFOp>(op)) {
    add(original(0), negative(d));
  } else if (isa<arith::ExtFOp>(op)) {
    add(original(0), arith::TruncFOp::create(b, loc, original(0).getType(), d));
  } else if (isa<arith::TruncFOp>(op)) {
    add(original(0), arith::ExtFOp::create(b, loc, original(0).getType(), d));
  } else if (isa<arith::SelectOp>(op)) {
    Value zero = constant(d.getType(), 0);
    add(original(1), arith::SelectOp::create(b, loc, value(0), d, zero));
    add(original(2), arith::SelectOp::create(b, loc, value(0), zero, d));
  } else if (isa<math::ExpOp>(op)) {
    add(original(0), product(d, result));
  } else if (isa<math::LogOp>(op)) {
    add(original(0), quotient(d, value(0)));
  } else if (isa<math::Log1pOp>(op)) {
    Value one = constant(d.getType(), 1);
    add(original(0), quotient(d, arith::AddFOp::create(b, loc, one, value(0))));
  } else {
    return false;
  }
  return true;
}

/// The gradient of one linalg op.
class LinalgGradient {
public:
  LinalgGradient(linalg::LinalgOp op, Gradients &gradients)
      : op(op), gradients(gradients), rewriter(gradients.rewriter) {}

  LogicalResult run();

private:
  LogicalResult check();
  LogicalResult findSummand();
  llvm::DenseSet<Value> dependents(BlockArgument argument);
  LogicalResult addGradient(OpOperand &operand);
  Value buildBody(OpBuilder &b, Location loc, ValueRange arguments,
                  BlockArgument target);
  Value narrow(Value sum, Value like);

  linalg::LinalgOp op;
  Gradients &gradients;
  RewriterBase &rewriter;
  /// What the body adds to the out's element, or the element's new value where
  /// no loop reduces.
  Value summand;
  /// Set where the body adds to the out's element.
  Operation *addition = nullptr;
};

LogicalResult LinalgGradient::check() {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1)
    return op->emitOpError("expected one tensor result to differentiate, got ")
           << op->getNumResults();
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return op->emitOpError("expected indexing maps to differentiate to be "
                             "projected permutations, got ")
             << AffineMapAttr::get(map);
  return success();
}

/// Finds what the body adds to the out's element.
LogicalResult LinalgGradient::findSummand() {
  Block *body = op.getBlock();
  summand = body->getTerminator()->getOperand(0);
  if (op.getNumReductionLoops() == 0)
    return success();
  BlockArgument element = body->getArguments().back();
  addition = summand.getDefiningOp<arith::AddFOp>();
  if (!addition || !element.hasOneUse() ||
      *element.getUsers().begin() != addition)
    return op->emitOpError("expected a reduction to differentiate to be a sum, "
                           "got another one");
  summand = addition->getOperand(addition->getOperand(0) == element ? 1 : 0);
  return success();
}

/// What of the body depends on `argument`.
llvm::DenseSet<Value> LinalgGradient::dependents(BlockArgument argument) {
  llvm::DenseSet<Value> seeds;
  seeds.insert(argument);
  return findVaried(*op.getBlock(), seeds);
}

/// Writes the body once more and its derivative behind it; returns the gradient
/// of `target`. The last two of `arguments` are the gradient and the element of
/// the new op's out.
Value LinalgGradient::buildBody(OpBuilder &b, Location loc,
                                ValueRange arguments, BlockArgument target) {
  Block *body = op.getBlock();
  IRMapping clones;
  clones.map(body->getArguments(),
             arguments.take_front(body->getNumArguments()));
  SmallVector<Operation *> originals;
  for (Operation &nested : body->without_terminator()) {
    if (&nested == addition)
      continue;
    b.clone(nested, clones);
    originals.push_back(&nested);
  }
  ScalarGradients scalars(b, loc, clones);
  scalars.add(summand, arguments[body->getNumArguments()]);
  llvm::DenseSet<Value> onPath = dependents(target);
  auto isOnPath = [&](Value value) { return onPath.contains(value); };
  for (Operation *nested : llvm::reverse(originals)) {
    if (llvm::none_of(nested->getResults(), [&](Value result) {
          return isOnPath(result) && scalars.lookup(result);
        }))
      continue;
    bool isHidden = llvm::any_of(nested->getOperands(), [&](Value operand) {
      return isOnPath(operand) && !isa<FloatType>(operand.getType());
    });
    if (isHidden || nested->getNumResults() != 1 || !scalars.visit(nested)) {
      nested->emitOpError("expected a scalar op that can be differentiated, "
                          "got this one");
      return Value();
    }
  }
  return scalars.lookup(target);
}

/// `sum` in the element type of `like`.
Value LinalgGradient::narrow(Value sum, Value like) {
  if (sum.getType() == like.getType())
    return sum;
  Type element = getElementTypeOrSelf(like);
  int64_t rank = cast<RankedTensorType>(like.getType()).getRank();
  AffineMap map = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, op.getLoc(), like.getType(), sum,
             gradients.emptyLike(sum, element), ArrayRef<AffineMap>{map, map},
             kinds,
             [&](OpBuilder &b, Location loc, ValueRange x) {
               Value y = arith::TruncFOp::create(b, loc, element, x[0]);
               linalg::YieldOp::create(b, loc, y);
             })
      .getResult(0);
}

LogicalResult LinalgGradient::addGradient(OpOperand &operand) {
  BlockArgument target = op.getMatchingBlockArgument(&operand);
  if (!dependents(target).contains(summand))
    return success();
  OpOperand *out = op.getDpsInitOperand(0);
  AffineMap own = op.getMatchingIndexingMap(&operand);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand &input : op->getOpOperands()) {
    inputs.push_back(input.get());
    maps.push_back(op.getMatchingIndexingMap(&input));
  }
  inputs.push_back(gradients.lookup(op->getResult(0)));
  maps.push_back(op.getMatchingIndexingMap(out));
  maps.push_back(own);

  // Sums of narrow floats are formed in f32.
  bool reduces = own.getNumResults() < own.getNumDims();
  Type element = getElementTypeOrSelf(operand.get());
  Type type = reduces && element.getIntOrFloatBitWidth() < 32
                  ? Type(rewriter.getF32Type())
                  : element;
  Value init = reduces ? gradients.zerosLike(operand.get(), type)
                       : gradients.emptyLike(operand.get());
  SmallVector<utils::IteratorType> kinds(own.getNumDims(),
                                         utils::IteratorType::reduction);
  for (AffineExpr expr : own.getResults())
    kinds[cast<AffineDimExpr>(expr).getPosition()] =
        utils::IteratorType::parallel;
  bool failedInside = false;
  auto generic = linalg::GenericOp::create(
      rewriter, op.getLoc(), init.getType(), inputs, init, maps, kinds,
      [&](OpBuilder &b, Location loc, ValueRange x) {
        Value gradient = buildBody(b, loc, x, target);
        failedInside = !gradient;
        if (!gradient)
          gradient = x.back();
        else if (gradient.getType() != type)
          gradient = arith::ExtFOp::create(b, loc, type, gradient);
        if (reduces && !failedInside)
          gradient = arith::AddFOp::create(b, loc, x.back(), gradient);
        linalg::YieldOp::create(b, loc, gradient);
      });
  if (failedInside)
    return failure();
  gradients.add(operand.get(), narrow(generic.getResult(0), operand.get()));
  return success();
}

LogicalResult LinalgGradient::run() {
  if (failed(check()) || failed(findSummand()))
    return failure();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!gradients.isWanted(operand.get()))
      continue;
    if (addition && op.isDpsInit(&operand))
      gradients.add(operand.get(), gradients.lookup(op->getResult(0)));
    else if (failed(addGradient(operand)))
      return failure();
  }
  return success();
}

} // namespace

LogicalResult fpa::differentiateLinalg(linalg::LinalgOp op,
                                       Gradients &gradients) {
  return LinalgGradient(op, gradients).run();
}
