//===- TraceSizes.cpp - Sizes of values from those of inputs --------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceSizes.h"
#include "fpa/ExecutionEngine/Signature.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
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

/// Whether `value` is an argument of the function itself.
static bool isInput(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
         argument.getOwner()->isEntryBlock();
}

/// Whether nothing in the function can write to a memref. What is computed from
/// a tensor of it may take its place only if `to_tensor` says so.
static bool isOnlyRead(Value buffer) {
  return llvm::all_of(buffer.getUses(), [](OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op))
      return !toTensor.getWritable();
    if (isa<memref::DimOp>(op))
      return true;
    if (isa<ViewLikeOpInterface>(op))
      return llvm::all_of(op->getResults(), isOnlyRead);
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    // Another op's memref may be the same memory.
    return effects &&
           !llvm::any_of(op->getResultTypes(),
                         llvm::IsaPred<BaseMemRefType>) &&
           effects.getEffectOnValue<MemoryEffects::Read>(use.get()) &&
           !effects.getEffectOnValue<MemoryEffects::Write>(use.get());
  });
}

SmallVector<int64_t> fpa::findWrittenInputs(func::FuncOp entry) {
  SmallVector<int64_t> written;
  for (BlockArgument argument : entry.getArguments())
    if (isa<BaseMemRefType>(argument.getType()) && !isOnlyRead(argument))
      written.push_back(argument.getArgNumber());
  return written;
}

std::optional<int64_t> fpa::findInput(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CastOp, bufferization::ToTensorOp>(op))
      break;
    value = op->getOperand(0);
  }
  if (!isInput(value) ||
      (isa<BaseMemRefType>(value.getType()) && !isOnlyRead(value)))
    return std::nullopt;
  return cast<BlockArgument>(value).getArgNumber();
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
  return SizeExpression::ofElement(*input, indices, op);
}

MaybeSize SizeTracer::traceIndex(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return SizeExpression::ofNumber(*constant);
  auto value = cast<Value>(index);
  auto [known, isNew] = indices.try_emplace(value);
  if (!isNew)
    return known->second;
  MaybeSize found;
  if (value.getDefiningOp())
    found = traceDefinition(value.getDefiningOp());
  return indices[value] = found ? found : SizeExpression::ofInteger(value);
}

MaybeSize SizeTracer::traceDefinition(Operation *op) {
  if (isa<tensor::DimOp, memref::DimOp>(op)) {
    // A dimension that is not there is undefined behaviour, not an error.
    std::optional<int64_t> dim = getConstantIntValue(op->getOperand(1));
    auto type = dyn_cast<ShapedType>(op->getOperand(0).getType());
    if (!dim || !type || !type.hasRank() || *dim < 0 || *dim >= type.getRank())
      return std::nullopt;
    return traceSize(op->getOperand(0), *dim);
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
template <typename Op>
static MaybeSize traceSlice(SizeTracer &tracer, Op op, int64_t dim) {
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

/// The size that both branches give, where they give the same.
static MaybeSize traceBranches(SizeTracer &tracer, scf::IfOp op,
                               unsigned result, int64_t dim) {
  MaybeSize yes = tracer.traceSize(op.thenYield().getOperand(result), dim);
  MaybeSize no = tracer.traceSize(op.elseYield().getOperand(result), dim);
  if (!yes || !no || !tracer.resolve(*yes).isSame(tracer.resolve(*no)))
    return std::nullopt;
  return yes;
}

/// The dynamic size of a result of `op`.
static MaybeSize traceResult(SizeTracer &tracer, OpResult value, int64_t dim) {
  Operation *op = value.getOwner();
  auto type = cast<ShapedType>(value.getType());
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
      .Case<memref::AllocOp, memref::AllocaOp>(
          [&](auto op) { return traceOperand(op.getDynamicSizes()); })
      .Case<tensor::CastOp, memref::CastOp, bufferization::ToTensorOp,
            bufferization::ToBufferOp, bufferization::CloneOp>(
          [&](auto op) { return tracer.traceSize(op->getOperand(0), dim); })
      .Case<tensor::ExtractSliceOp, memref::SubViewOp>(
          [&](auto op) { return traceSlice(tracer, op, dim); })
      .Case<tensor::InsertSliceOp, tensor::InsertOp>(
          [&](auto op) { return tracer.traceSize(op.getDest(), dim); })
      .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>([&](auto op) {
        return tracer.traceIndex(op.getMixedOutputShape()[dim]);
      })
      .Case<tensor::CollapseShapeOp, memref::CollapseShapeOp>([&](auto op) {
        return tracer.traceProduct(op.getSrc(),
                                   op.getReassociationIndices()[dim]);
      })
      .Case([&](scf::ForOp op) {
        return tracer.traceSize(op.getRegionIterArgs()[value.getResultNumber()],
                                dim);
      })
      .Case([&](scf::ForallOp op) {
        return tracer.traceSize(op.getOutputs()[value.getResultNumber()], dim);
      })
      .Case([&](scf::IfOp op) {
        return traceBranches(tracer, op, value.getResultNumber(), dim);
      })
      .Case(
          [&](tensor::ReshapeOp op) { return traceReshaped(tracer, op, dim); })
      .Case([&](tensor::PadOp op) { return tracePadded(tracer, op, dim); })
      .Case([&](tensor::ConcatOp op) { return traceJoined(tracer, op, dim); })
      .Case([&](DestinationStyleOpInterface op) {
        return tracer.traceSize(op.getTiedOpOperand(value)->get(), dim);
      })
      .Default([&](Operation *op) -> MaybeSize {
        if (op->hasTrait<OpTrait::Elementwise>())
          for (Value operand : op->getOperands())
            if (isa<RankedTensorType>(operand.getType()))
              return tracer.traceSize(operand, dim);
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

SizeExpression SizeTracer::resolve(const SizeExpression &size) const {
  return size.substitute([&](Value value, int64_t dim) -> MaybeSize {
    auto found = unchanged.find({value, dim});
    return found == unchanged.end() ? MaybeSize() : found->second;
  });
}

/// The size of an argument of a block other than the function's first.
MaybeSize SizeTracer::traceArgument(BlockArgument argument, int64_t dim) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto forall = dyn_cast<scf::ForallOp>(parent))
    if (OpOperand *init = forall.getTiedOpOperand(argument))
      return traceSize(init->get(), dim);
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop || argument == loop.getInductionVar())
    return std::nullopt;
  // By induction: if a turn hands on the size that it was given, or the one at
  // the start, every turn has the latter.
  SizeExpression own = SizeExpression::ofDimension(argument, dim);
  sizes[{argument, dim}] = own;
  MaybeSize start = traceSize(loop.getTiedLoopInit(argument)->get(), dim);
  MaybeSize next =
      traceSize(loop.getTiedLoopYieldedValue(argument)->get(), dim);
  if (!start || !next)
    return own;
  SizeExpression resolved = resolve(*next);
  if (resolved.isSame(own) || resolved.isSame(resolve(*start)))
    unchanged.insert({{argument, dim}, *start});
  return own;
}

MaybeSize SizeTracer::traceSize(Value value, int64_t dim) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!isa<RankedTensorType, MemRefType>(value.getType()) || dim < 0 ||
      dim >= type.getRank())
    return std::nullopt;
  if (isInput(value))
    return SizeExpression::ofInput(cast<BlockArgument>(value).getArgNumber(),
                                   dim);
  if (!type.isDynamicDim(dim))
    return SizeExpression::ofNumber(type.getDimSize(dim));
  auto [known, isNew] = sizes.try_emplace({value, dim});
  if (!isNew)
    return known->second;
  auto argument = dyn_cast<BlockArgument>(value);
  MaybeSize found = argument ? traceArgument(argument, dim)
                             : traceResult(*this, cast<OpResult>(value), dim);
  return sizes[{value, dim}] =
             found ? found : SizeExpression::ofDimension(value, dim);
}
