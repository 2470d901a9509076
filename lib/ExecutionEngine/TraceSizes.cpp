//===- TraceSizes.cpp - Sizes of values from those of inputs --------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceSizes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fpa;
using MaybeSize = std::optional<SizeExpression>;
using Operator = SizeExpression::Operator;

MaybeSize fpa::combineSizes(Operator op, const MaybeSize &lhs,
                            const MaybeSize &rhs) {
  if (!lhs || !rhs)
    return std::nullopt;
  return SizeExpression::combine(op, *lhs, *rhs);
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static std::optional<Operator> getOperator(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return Operator::Add;
  case AffineExprKind::Mul:
    return Operator::Multiply;
  case AffineExprKind::FloorDiv:
    return Operator::FloorDivide;
  case AffineExprKind::CeilDiv:
    return Operator::CeilDivide;
  default:
    return std::nullopt;
  }
}

static MaybeSize traceAffine(SizeTracer &tracer, AffineExpr expr,
                             unsigned numDims, ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return SizeExpression::ofNumber(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return tracer.traceIndex(OpFoldResult(operands[dim.getPosition()]));
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return tracer.traceIndex(
        OpFoldResult(operands[numDims + symbol.getPosition()]));
  auto binary = cast<AffineBinaryOpExpr>(expr);
  MaybeSize lhs = traceAffine(tracer, binary.getLHS(), numDims, operands);
  MaybeSize rhs = traceAffine(tracer, binary.getRHS(), numDims, operands);
  if (std::optional<Operator> op = getOperator(expr.getKind()))
    return combineSizes(*op, lhs, rhs);
  // x mod y = x - y floor(x / y)
  MaybeSize floor = combineSizes(Operator::FloorDivide, lhs, rhs);
  return combineSizes(Operator::Subtract, lhs,
                      combineSizes(Operator::Multiply, floor, rhs));
}

/// The least or greatest result of a map.
static MaybeSize traceResults(SizeTracer &tracer, AffineMap map,
                              ValueRange operands, Operator choice) {
  MaybeSize found =
      traceAffine(tracer, map.getResult(0), map.getNumDims(), operands);
  for (AffineExpr expr : map.getResults().drop_front())
    found = combineSizes(choice, found,
                         traceAffine(tracer, expr, map.getNumDims(), operands));
  return found;
}

static std::optional<Operator> getOperator(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Operator>>(op)
      .Case<arith::AddIOp>([](auto) { return Operator::Add; })
      .Case<arith::SubIOp>([](auto) { return Operator::Subtract; })
      .Case<arith::MulIOp>([](auto) { return Operator::Multiply; })
      .Case<arith::DivSIOp, arith::DivUIOp>(
          [](auto) { return Operator::Divide; })
      .Case<arith::FloorDivSIOp>([](auto) { return Operator::FloorDivide; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [](auto) { return Operator::CeilDivide; })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [](auto) { return Operator::Remainder; })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [](auto) { return Operator::Minimum; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [](auto) { return Operator::Maximum; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<int64_t> fpa::findInput(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CastOp, bufferization::ToTensorOp>(op))
      break;
    value = op->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()) ||
      !argument.getOwner()->isEntryBlock())
    return std::nullopt;
  return argument.getArgNumber();
}

/// An element of an input, at a constant place.
static MaybeSize traceElement(tensor::ExtractOp op) {
  std::optional<int64_t> input = findInput(op.getTensor());
  SmallVector<int64_t> indices;
  for (Value index : op.getIndices())
    if (std::optional<int64_t> constant = getConstantIntValue(index))
      indices.push_back(*constant);
  if (!input || indices.size() != op.getIndices().size() ||
      !op.getType().isIntOrIndex())
    return std::nullopt;
  return SizeExpression::ofElement(*input, indices);
}

MaybeSize SizeTracer::traceIndex(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return SizeExpression::ofNumber(*constant);
  auto value = cast<Value>(index);
  if (!value.getDefiningOp())
    return std::nullopt;
  auto [known, isNew] = indices.try_emplace(value);
  if (isNew) {
    MaybeSize found = traceDefinition(value.getDefiningOp());
    return indices[value] = found;
  }
  return known->second;
}

MaybeSize SizeTracer::traceDefinition(Operation *op) {
  if (auto dimOp = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> dim = dimOp.getConstantIndex();
    return dim ? traceSize(dimOp.getSource(), *dim) : std::nullopt;
  }
  if (auto element = dyn_cast<tensor::ExtractOp>(op))
    return traceElement(element);
  if (auto cast = dyn_cast<arith::IndexCastOp>(op))
    if (cast.getType().isIndex() || cast.getType().isInteger(64))
      return traceIndex(OpFoldResult(cast.getIn()));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return traceResults(*this, apply.getAffineMap(), apply.getMapOperands(),
                        Operator::Minimum);
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return traceResults(*this, least.getAffineMap(), least.getOperands(),
                        Operator::Minimum);
  if (auto most = dyn_cast<affine::AffineMaxOp>(op))
    return traceResults(*this, most.getAffineMap(), most.getOperands(),
                        Operator::Maximum);
  std::optional<Operator> known = getOperator(op);
  if (!known || !(op->getResult(0).getType().isIndex() ||
                  op->getResult(0).getType().isInteger(64)))
    return std::nullopt;
  return combineSizes(*known, traceIndex(OpFoldResult(op->getOperand(0))),
                      traceIndex(OpFoldResult(op->getOperand(1))));
}

MaybeSize SizeTracer::traceProduct(ArrayRef<OpFoldResult> indices) {
  MaybeSize product = SizeExpression::ofNumber(1);
  for (OpFoldResult index : indices)
    product = combineSizes(Operator::Multiply, product, traceIndex(index));
  return product;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

MaybeSize SizeTracer::traceProduct(Value value, ArrayRef<int64_t> dims) {
  MaybeSize product = SizeExpression::ofNumber(1);
  for (int64_t dim : dims)
    product = combineSizes(Operator::Multiply, product, traceSize(value, dim));
  return product;
}

/// The size of a slice in the `dim`-th dimension that is kept.
static MaybeSize traceSlice(SizeTracer &tracer, tensor::ExtractSliceOp op,
                            int64_t dim) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [d, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped.test(d) && dim-- == 0)
      return tracer.traceIndex(size);
  return std::nullopt;
}

static MaybeSize tracePadded(SizeTracer &tracer, tensor::PadOp op,
                             int64_t dim) {
  MaybeSize around =
      combineSizes(Operator::Add, tracer.traceIndex(op.getMixedLowPad()[dim]),
                   tracer.traceIndex(op.getMixedHighPad()[dim]));
  return combineSizes(Operator::Add, around,
                      tracer.traceSize(op.getSource(), dim));
}

static MaybeSize traceJoined(SizeTracer &tracer, tensor::ConcatOp op,
                             int64_t dim) {
  if (dim != int64_t(op.getDim()))
    return tracer.traceSize(op.getInputs().front(), dim);
  MaybeSize sum = SizeExpression::ofNumber(0);
  for (Value input : op.getInputs())
    sum = combineSizes(Operator::Add, sum, tracer.traceSize(input, dim));
  return sum;
}

static MaybeSize traceReshaped(SizeTracer &tracer, tensor::ReshapeOp op,
                               int64_t dim) {
  return tracer.traceShapeElement(op.getShape(), dim);
}

/// The dynamic size of a result of `op`.
static MaybeSize traceResult(SizeTracer &tracer, OpResult value, int64_t dim) {
  Operation *op = value.getOwner();
  auto type = cast<RankedTensorType>(value.getType());
  auto traceOperand = [&](ValueRange dynamicSizes) {
    return tracer.traceIndex(
        OpFoldResult(dynamicSizes[type.getDynamicDimIndex(dim)]));
  };
  return llvm::TypeSwitch<Operation *, MaybeSize>(op)
      .Case<tensor::EmptyOp, tensor::SplatOp>(
          [&](auto op) { return traceOperand(op.getDynamicSizes()); })
      .Case([&](tensor::GenerateOp op) {
        return traceOperand(op.getDynamicExtents());
      })
      .Case([&](tensor::CastOp op) {
        return tracer.traceSize(op.getSource(), dim);
      })
      .Case([&](bufferization::ToTensorOp op) -> MaybeSize {
        if (std::optional<int64_t> input = findInput(op.getBuffer()))
          return SizeExpression::ofInput(*input, dim);
        return std::nullopt;
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return traceSlice(tracer, op, dim);
      })
      .Case<tensor::InsertSliceOp, tensor::InsertOp>(
          [&](auto op) { return tracer.traceSize(op.getDest(), dim); })
      .Case([&](tensor::ExpandShapeOp op) {
        return tracer.traceIndex(op.getMixedOutputShape()[dim]);
      })
      .Case([&](tensor::CollapseShapeOp op) {
        return tracer.traceProduct(op.getSrc(),
                                   op.getReassociationIndices()[dim]);
      })
      .Case(
          [&](tensor::ReshapeOp op) { return traceReshaped(tracer, op, dim); })
      .Case([&](tensor::PadOp op) { return tracePadded(tracer, op, dim); })
      .Case([&](tensor::ConcatOp op) { return traceJoined(tracer, op, dim); })
      .Case([&](DestinationStyleOpInterface op) {
        return tracer.traceSize(op.getTiedOpOperand(value)->get(), dim);
      })
      .Default([&](Operation *op) -> MaybeSize {
        if (op->hasTrait<OpTrait::Elementwise>() && op->getNumOperands() > 0)
          return tracer.traceSize(op->getOperand(0), dim);
        return std::nullopt;
      });
}

MaybeSize SizeTracer::traceShapeElement(Value tensor, int64_t place) {
  if (auto elements = tensor.getDefiningOp<tensor::FromElementsOp>())
    return traceIndex(OpFoldResult(elements.getElements()[place]));
  DenseIntElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)))
    return SizeExpression::ofNumber(
        constant.getValues<APInt>()[place].getSExtValue());
  if (std::optional<int64_t> input = findInput(tensor))
    return SizeExpression::ofElement(*input, {place});
  return std::nullopt;
}

MaybeSize SizeTracer::traceSize(Value value, int64_t dim) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || dim < 0 || dim >= type.getRank())
    return std::nullopt;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!findInput(argument))
      return std::nullopt;
    return SizeExpression::ofInput(argument.getArgNumber(), dim);
  }
  if (!type.isDynamicDim(dim))
    return SizeExpression::ofNumber(type.getDimSize(dim));
  auto [known, isNew] = sizes.try_emplace({value, dim});
  if (isNew) {
    MaybeSize found = traceResult(*this, cast<OpResult>(value), dim);
    return sizes[{value, dim}] = found;
  }
  return known->second;
}
