//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileSlices.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::fpa;

Span mlir::fpa::wholeAxis(OpBuilder &builder, Location loc, Value shaped,
                          int64_t axis) {
  return {builder.getIndexAttr(0),
          linalg::createFoldedDimOp(builder, loc, shaped, axis)};
}

bool mlir::fpa::coversAxis(OpFoldResult size, Value shaped, int64_t axis) {
  auto type = cast<ShapedType>(shaped.getType());
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return !type.isDynamicDim(axis) && *constant == type.getDimSize(axis);
  FailureOr<bool> isEqual = ValueBoundsConstraintSet::areEqual(
      {size}, ValueBoundsConstraintSet::Variable(shaped, axis));
  return succeeded(isEqual) && *isEqual;
}

/// An expression is a multiple when it is one after each operand known to be a
/// multiple has been written as factor times something.
static bool isKnownMultiple(AffineMap map, ValueRange operands,
                            int64_t factor) {
  SmallVector<AffineExpr> dims, symbols;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    bool isDim = i < map.getNumDims();
    AffineExpr expr =
        isDim ? getAffineDimExpr(i, map.getContext())
              : getAffineSymbolExpr(i - map.getNumDims(), map.getContext());
    if (mlir::fpa::isKnownMultiple(OpFoldResult(operand), factor))
      expr = expr * factor;
    (isDim ? dims : symbols).push_back(expr);
  }
  return llvm::all_of(map.getResults(), [&](AffineExpr result) {
    return result.replaceDimsAndSymbols(dims, symbols).isMultipleOf(factor);
  });
}

bool mlir::fpa::isKnownMultiple(OpFoldResult value, int64_t factor) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant % factor == 0;
  auto ssa = cast<Value>(value);
  Operation *definition = ssa.getDefiningOp();
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(definition))
    return ::isKnownMultiple(apply.getAffineMap(), apply.getOperands(), factor);
  if (auto min = dyn_cast_or_null<affine::AffineMinOp>(definition))
    return ::isKnownMultiple(min.getAffineMap(), min.getOperands(), factor);

  auto argument = dyn_cast<BlockArgument>(ssa);
  if (!argument)
    return false;
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (!loop)
    return false;
  std::optional<SmallVector<Value>> ivs = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> starts = loop.getLoopLowerBounds();
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  if (!ivs || !starts || !steps)
    return false;
  for (auto [iv, start, step] : llvm::zip_equal(*ivs, *starts, *steps))
    if (iv == ssa)
      return isKnownMultiple(start, factor) && isKnownMultiple(step, factor);
  return false;
}

Value TiledOpBuilder::addSlice(Value operand, ArrayRef<Span> spans) {
  if (!operand)
    return Value();
  SmallVector<OpFoldResult> offsets, sizes;
  for (const Span &span : spans) {
    offsets.push_back(span.offset);
    sizes.push_back(span.size);
  }
  SmallVector<OpFoldResult> strides(spans.size(), builder.getIndexAttr(1));
  Location loc = op.getLoc();
  Operation *slice;
  if (isa<RankedTensorType>(operand.getType()))
    slice = tensor::ExtractSliceOp::create(builder, loc, operand, offsets,
                                           sizes, strides);
  else
    slice = memref::SubViewOp::create(builder, loc, operand, offsets, sizes,
                                      strides);
  slices.push_back(slice);
  return operands.emplace_back(slice->getResult(0));
}

void TiledOpBuilder::addWhole(Value operand) {
  if (operand)
    operands.push_back(operand);
}

TilingResult TiledOpBuilder::build() {
  SmallVector<Type> types;
  for (OpResult result : op->getResults())
    types.push_back(
        operands[op.getTiedOpOperand(result)->getOperandNumber()].getType());
  Operation *tiled = clone(builder, op, types, operands);
  return TilingResult{{tiled}, SmallVector<Value>(tiled->getResults()), slices};
}

FailureOr<TilingResult> mlir::fpa::tileForResult(OpBuilder &builder,
                                                 TilingInterface op,
                                                 unsigned resultNumber,
                                                 ArrayRef<OpFoldResult> offsets,
                                                 ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> domainOffsets, domainSizes;
  if (failed(op.getIterationDomainTileFromResultTile(
          builder, resultNumber, offsets, sizes, domainOffsets, domainSizes)))
    return failure();
  FailureOr<TilingResult> tile =
      op.getTiledImplementation(builder, domainOffsets, domainSizes);
  if (failed(tile))
    return failure();
  tile->tiledValues = {tile->tiledValues[resultNumber]};
  return tile;
}
