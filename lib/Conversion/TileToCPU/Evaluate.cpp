//===- Evaluate.cpp - The value of a block at a point -----------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileToCPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::cpu;

static Value addIndices(OpBuilder &b, Location loc, Value x, Value y) {
  if (isConstantIntValue(x, 0))
    return y;
  if (isConstantIntValue(y, 0))
    return x;
  return arith::AddIOp::create(b, loc, x, y);
}

/// `base` plus the point's place along the axes `order`, those of memory's last
/// dimensions; `innerDim` is which of these is the point's inner axis, if any.
SmallVector<Value> TileMapper::locate(ValueRange base, ArrayRef<Axis> order,
                                      const Point &point,
                                      std::optional<size_t> &innerDim) {
  SmallVector<Value> indices(base);
  size_t leading = indices.size() - order.size();
  for (auto [dim, axis] : llvm::enumerate(order)) {
    Value at = point.getScalar(axis);
    if (axis == point.inner && !at) {
      innerDim = leading + dim;
      at = point.offset;
    }
    // A cast may have dropped an axis of one element.
    if (!at && axes.getExtent(axis) == 1)
      at = index(0);
    assert(at && "the point does not say where it is along an axis");
    indices[leading + dim] =
        addIndices(builder, loc(), indices[leading + dim], at);
  }
  return indices;
}

/// Loads from `memory` at the point's place: a run along the point's inner axis
/// if memory has it, else one element for all lanes.
Value TileMapper::loadAt(Value memory, ValueRange base, ArrayRef<Axis> order,
                         const Point &point, Type element) {
  std::optional<size_t> innerDim;
  SmallVector<Value> indices = locate(base, order, point, innerDim);
  auto type = VectorType::get({point.width}, element);
  if (!innerDim) {
    Value scalar = memref::LoadOp::create(builder, loc(), memory, indices);
    if (point.inner < 0)
      return scalar;
    return vector::BroadcastOp::create(builder, loc(), type, scalar);
  }
  if (*innerDim + 1 == indices.size() &&
      cast<MemRefType>(memory.getType()).isLastDimUnitStride())
    return vector::LoadOp::create(builder, loc(), type, memory, indices);
  // The run goes across rows of memory, or steps over elements.
  SmallVector<Value> elements;
  Value start = indices[*innerDim];
  for (int64_t i = 0; i < point.width; ++i) {
    indices[*innerDim] = addIndices(builder, loc(), start, index(i));
    elements.push_back(memref::LoadOp::create(builder, loc(), memory, indices));
  }
  return vector::FromElementsOp::create(builder, loc(), type, elements);
}

Value TileMapper::evaluateStep(vector::StepOp step, const Point &point) {
  Axis axis = axes.getAxes(step.getResult())[0];
  if (point.inner < 0)
    return point.getScalar(axis);
  auto type = VectorType::get({point.width}, builder.getIndexType());
  if (Value at = point.getScalar(axis))
    return vector::BroadcastOp::create(builder, loc(), type, at);
  Value lanes = vector::StepOp::create(builder, loc(), type);
  Value offset =
      vector::BroadcastOp::create(builder, loc(), type, point.offset);
  return arith::AddIOp::create(builder, loc(), lanes, offset);
}

/// Clones an elementwise op with its operands as they are at `point`.
Value TileMapper::cloneAt(Operation *op, const Point &point,
                          const Registers &registers) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(evaluate(operand, point, registers));
  Type type = cast<VectorType>(op->getResult(0).getType()).getElementType();
  if (point.inner >= 0)
    type = VectorType::get({point.width}, type);
  OperationState state(loc(), op->getName(), operands, {type}, op->getAttrs());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}

/// The value of a block (or a scalar) at `point`: a vector of the point's
/// width, or one element when the point has no inner axis.
Value TileMapper::evaluate(Value value, const Point &point,
                           const Registers &registers) {
  auto type = dyn_cast<VectorType>(value.getType());
  Value root = stripAliases(value);
  if (!type)
    return mapping.lookupOrDefault(value);
  if (Value known = registers.lookup(root))
    return known;
  Type element = type.getElementType();
  auto runType = VectorType::get({point.width}, element);
  if (TypedAttr splat = getSplat(root)) {
    if (point.inner < 0)
      return arith::ConstantOp::create(builder, loc(), splat);
    return arith::ConstantOp::create(
        builder, loc(), DenseElementsAttr::get(runType, Attribute(splat)));
  }
  if (!isa<VectorType>(root.getType())) {
    Value scalar = mapping.lookupOrDefault(root);
    if (point.inner < 0)
      return scalar;
    return vector::BroadcastOp::create(builder, loc(), runType, scalar);
  }
  if (Value buffer = buffers.lookup(root)) {
    SmallVector<Axis> order = storage.getOrder(root);
    SmallVector<Value> base(order.size(), index(0));
    return loadAt(buffer, base, order, point, element);
  }
  if (auto step = root.getDefiningOp<vector::StepOp>())
    return evaluateStep(step, point);
  if (isRematerialized(root))
    return cloneAt(root.getDefiningOp(), point, registers);
  auto read = cast<vector::TransferReadOp>(root.getDefiningOp());
  return loadAt(mapping.lookupOrDefault(read.getBase()), getBase(read),
                axes.getAxes(root), point, element);
}

/// Where a read of the caller's memory begins.
SmallVector<Value> TileMapper::getBase(vector::TransferReadOp read) {
  return llvm::map_to_vector(
      read.getIndices(), [&](Value at) { return mapping.lookupOrDefault(at); });
}

/// One element of a block.
Value TileMapper::evaluateScalar(Value value, const Point &point) {
  Point single = point;
  single.inner = -1;
  single.offset = {};
  single.width = 1;
  return evaluate(value, single, Registers());
}
