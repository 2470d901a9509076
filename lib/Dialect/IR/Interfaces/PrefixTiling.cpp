//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tiling and indexing maps of the prefix ops. A scan needs what comes before
// its tile, so a part of the scanned axis is refused unless the scan starts
// anew there.

#include "TileSlices.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::fpa;

/// True when the tile needs nothing from outside of it along the scanned axis:
/// it is the whole axis, or whole segments.
static bool isSelfContained(PrefixMinBackwardOp op, Span tile) {
  return coversAxis(tile.size, op.getIndex(), op.getAxis());
}

template <typename Op> static bool isSelfContained(Op op, Span tile) {
  if (coversAxis(tile.size, op.getInput(), op.getAxis()))
    return true;
  // Indices count from the start of the axis, which a tile does not know.
  if (!op.getSegment() || op.getOuts().size() > 1)
    return false;
  int64_t segment = *op.getSegment();
  return getConstantIntValue(tile.size) &&
         isKnownMultiple(tile.size, segment) &&
         isKnownMultiple(tile.offset, segment);
}

static bool hasSegments(PrefixMinBackwardOp op) { return false; }
template <typename Op> static bool hasSegments(Op op) {
  return op.getSegment().has_value();
}

/// An operand of the shape that all have.
template <typename Op> static Value firstInput(Op op) {
  return op.getDpsInputOperand(0)->get();
}

template <typename Op> static int64_t rankOf(Op op) {
  return cast<ShapedType>(firstInput(op).getType()).getRank();
}

template <typename Op>
static SmallVector<utils::IteratorType> prefixIteratorTypes(Op op) {
  SmallVector<utils::IteratorType> types(rankOf(op),
                                         utils::IteratorType::parallel);
  if (!hasSegments(op))
    types[op.getAxis()] = utils::IteratorType::reduction;
  return types;
}

template <typename Op>
static SmallVector<Range> prefixIterationDomain(Op op, OpBuilder &b) {
  SmallVector<Range> domain;
  for (int64_t axis = 0, rank = rankOf(op); axis < rank; ++axis) {
    Span whole = wholeAxis(b, op.getLoc(), firstInput(op), axis);
    domain.push_back({whole.offset, whole.size, b.getIndexAttr(1)});
  }
  return domain;
}

template <typename Op> static ArrayAttr prefixIndexingMaps(Op op) {
  auto identity = AffineMapAttr::get(
      AffineMap::getMultiDimIdentityMap(rankOf(op), op.getContext()));
  SmallVector<Attribute> maps(op->getNumOperands(), identity);
  return ArrayAttr::get(op.getContext(), maps);
}

template <typename Op>
static FailureOr<TilingResult> tilePrefix(Op op, OpBuilder &b,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  SmallVector<Span> spans;
  for (auto [offset, size] : llvm::zip_equal(offsets, sizes))
    spans.push_back({offset, size});
  if (!isSelfContained(op, spans[op.getAxis()]))
    return failure();
  TiledOpBuilder tile(b, op);
  for (OpOperand &operand : op->getOpOperands())
    tile.addSlice(operand.get(), spans);
  return tile.build();
}

// Inputs, results and the iteration domain all have the same axes.
#define FPA_PREFIX_TILING(Op)                                                  \
  ArrayAttr Op::getIndexingMaps() { return prefixIndexingMaps(*this); }        \
  SmallVector<utils::IteratorType> Op::getLoopIteratorTypes() {                \
    return prefixIteratorTypes(*this);                                         \
  }                                                                            \
  SmallVector<Range> Op::getIterationDomain(OpBuilder &b) {                    \
    return prefixIterationDomain(*this, b);                                    \
  }                                                                            \
  FailureOr<TilingResult> Op::getTiledImplementation(                          \
      OpBuilder &b, ArrayRef<OpFoldResult> offsets,                            \
      ArrayRef<OpFoldResult> sizes) {                                          \
    return tilePrefix(*this, b, offsets, sizes);                               \
  }                                                                            \
  LogicalResult Op::getResultTilePosition(                                     \
      OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,                   \
      ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,  \
      SmallVector<OpFoldResult> &resultSizes) {                                \
    resultOffsets.assign(offsets.begin(), offsets.end());                      \
    resultSizes.assign(sizes.begin(), sizes.end());                            \
    return success();                                                          \
  }                                                                            \
  LogicalResult Op::getIterationDomainTileFromResultTile(                      \
      OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,                   \
      ArrayRef<OpFoldResult> sizes,                                            \
      SmallVectorImpl<OpFoldResult> &iterDomainOffsets,                        \
      SmallVectorImpl<OpFoldResult> &iterDomainSizes) {                        \
    iterDomainOffsets.assign(offsets.begin(), offsets.end());                  \
    iterDomainSizes.assign(sizes.begin(), sizes.end());                        \
    return success();                                                          \
  }                                                                            \
  FailureOr<TilingResult> Op::generateResultTileValue(                         \
      OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,     \
      ArrayRef<OpFoldResult> sizes) {                                          \
    return tileForResult(b, *this, resultNumber, offsets, sizes);              \
  }

FPA_PREFIX_TILING(PrefixMinOp)
FPA_PREFIX_TILING(PrefixSumOp)
FPA_PREFIX_TILING(PrefixMinBackwardOp)

#undef FPA_PREFIX_TILING
