//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Prefix ops on memrefs as tile programs: blocks of rows, or of columns, that
// walk along the axis and carry what they have passed in vectors.

#include "PrefixBlock.h"
#include "fpa/Dialect/IR/Tile/Layout.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_VECTORIZEPREFIX
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// One prefix op. A block is `across` rows or columns wide and goes along the
/// axis `along` elements at a time:
///   last axis    block [across, along] of (dimension before the axis, axis)
///   other axis   block [along, across] of (axis, last dimension)
class PrefixLoops {
public:
  PrefixLoops(OpBuilder &b, Operation *op, const PrefixTileSizes &sizes);

  void emit(OpBuilder &b);

private:
  void mergeColumns(OpBuilder &b);
  void chooseBlock(const PrefixTileSizes &sizes);
  Value viewed(OpBuilder &b, Value memref);
  void emitWalk(OpBuilder &b, ValueRange ivs);
  SmallVector<Value> emitChunk(OpBuilder &b, OpFoldResult at, OpFoldResult size,
                               ValueRange carry);
  Value slice(OpBuilder &b, Value memref, OpFoldResult at, OpFoldResult size);
  OpFoldResult apply(OpBuilder &b, AffineExpr expr,
                     ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  }
  OpFoldResult least(OpBuilder &b, AffineExpr x, AffineExpr y,
                     ArrayRef<OpFoldResult> operands) {
    AffineMap map = AffineMap::get(operands.size(), 0, {x, y}, b.getContext());
    return affine::makeComposedFoldedAffineMin(b, loc, map, operands);
  }
  Value toValue(OpBuilder &b, OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  }

  Location loc;
  PrefixScan scan;
  SmallVector<Value> memrefs;
  SmallVector<OpFoldResult> extents;
  std::optional<int64_t> segment;
  int64_t axis, acrossDim, along, across, warps;
  /// How walks see memory: what is behind the axis is one dimension if there
  /// are `merged` ones, and none for `unitDims` dimensions of one element; rank
  /// 1 is one row of rank 2. All that happens inside of the loop: what stands
  /// outside of it is left to the host.
  SmallVector<ReassociationIndices> merged;
  int64_t unitDims = 0;
  bool isRow;
  bool nested;

  /// Memory as the walk at hand sees it, where its block begins in all
  /// dimensions but the axis, and how wide it is.
  SmallVector<Value> views;
  SmallVector<OpFoldResult> origin;
  OpFoldResult width;
};

/// A memref without its last dimensions, which have one element each.
Value dropUnitDims(OpBuilder &b, Location loc, Value memref, int64_t count) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, loc, memref);
  Type dropped = memref::SubViewOp::inferRankReducedResultType(
      type.getShape().drop_back(count), type, offsets, sizes, strides);
  return memref::SubViewOp::create(b, loc, cast<MemRefType>(dropped), memref,
                                   offsets, sizes, strides);
}

/// A memref of rank 1 as one row.
Value asRow(OpBuilder &b, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<ReassociationIndices> groups = {{0, 1}};
  SmallVector<int64_t> shape = {1, type.getDimSize(0)};
  OpFoldResult size = memref::getMixedSize(b, loc, memref, 0);
  SmallVector<OpFoldResult> sizes = {b.getIndexAttr(1), size};
  auto row = memref::ExpandShapeOp::computeExpandedType(type, shape, groups);
  return memref::ExpandShapeOp::create(b, loc, *row, memref, groups, sizes);
}

} // namespace

PrefixLoops::PrefixLoops(OpBuilder &b, Operation *op,
                         const PrefixTileSizes &sizes)
    : loc(op->getLoc()), scan(op), memrefs(op->getOperands()), warps(sizes.rows) {
  if (auto min = dyn_cast<PrefixMinOp>(op)) {
    axis = min.getAxis();
    segment = min.getSegment();
  } else {
    axis = cast<PrefixSumOp>(op).getAxis();
    segment = cast<PrefixSumOp>(op).getSegment();
  }
  nested = bool(op->getParentOfType<scf::ForallOp>());
  extents = memref::getMixedSizes(b, loc, memrefs[0]);
  mergeColumns(b);
  // A scan along the one column there is goes along memory.
  for (; axis + 1 < int64_t(extents.size()) &&
         isConstantIntValue(extents.back(), 1);
       ++unitDims)
    extents.pop_back();
  isRow = extents.size() == 1;
  if (isRow) {
    axis = 1;
    extents.insert(extents.begin(), b.getIndexAttr(1));
  }
  chooseBlock(sizes);
}

/// The dimensions up to the axis, each alone, and those behind it.
static SmallVector<ReassociationIndices> groupBehind(int64_t axis,
                                                     int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim <= axis; ++dim)
    groups.push_back({dim});
  groups.push_back(llvm::to_vector(llvm::seq(axis + 1, rank)));
  return groups;
}

/// Columns of several dimensions behind the axis are neighbours in memory, and
/// one block's as far as it is wide, where none of them has gaps.
void PrefixLoops::mergeColumns(OpBuilder &b) {
  int64_t rank = extents.size();
  auto groups = groupBehind(axis, rank);
  auto canMerge = [&](Value memref) {
    return memref::CollapseShapeOp::isGuaranteedCollapsible(
        cast<MemRefType>(memref.getType()), groups);
  };
  if (rank <= axis + 2 || !llvm::all_of(memrefs, canMerge))
    return;
  merged = groups;
  while (int64_t(extents.size()) > axis + 2) {
    OpFoldResult last = extents.pop_back_val();
    std::optional<int64_t> x = getConstantIntValue(extents.back()),
                           y = getConstantIntValue(last);
    extents.back() = x && y ? OpFoldResult(b.getIndexAttr(*x * *y))
                            : OpFoldResult(b.createOrFold<arith::MulIOp>(
                                  loc, toValue(b, extents.back()),
                                  toValue(b, last)));
  }
}

/// Memory as walks see it.
Value PrefixLoops::viewed(OpBuilder &b, Value memref) {
  if (!merged.empty())
    memref = memref::CollapseShapeOp::create(b, loc, memref, merged);
  if (unitDims)
    memref = dropUnitDims(b, loc, memref, unitDims);
  return isRow ? asRow(b, loc, memref) : memref;
}

/// The least power of two that covers a size, if it is known, up to `most`.
static int64_t cover(std::optional<int64_t> size, int64_t most) {
  if (!size || *size >= most)
    return most;
  return llvm::PowerOf2Ceil(std::max<int64_t>(1, *size));
}

void PrefixLoops::chooseBlock(const PrefixTileSizes &sizes) {
  int64_t rank = extents.size();
  scan.axis = axis == rank - 1 ? 1 : 0;
  acrossDim = scan.axis == 1 ? rank - 2 : rank - 1;
  std::optional<int64_t> length = getConstantIntValue(extents[axis]);
  if (segment && (!length || *length > *segment))
    length = segment;
  else
    segment = std::nullopt;
  std::optional<int64_t> others = getConstantIntValue(extents[acrossDim]);
  if (scan.axis == 1) {
    along = cover(length, std::max<int64_t>(1, sizes.chunk / sizes.rows));
    across = cover(others, std::max<int64_t>(1, sizes.chunk / along));
    across = std::max(across, sizes.rows);
    scan.shape = {across, along};
  } else {
    across = cover(others, sizes.columns);
    along = cover(length, std::max<int64_t>(1, sizes.chunk / across));
    scan.shape = {along, across};
  }
}

/// An iteration for each place of the other dimensions, each block across, and
/// each segment.
void PrefixLoops::emit(OpBuilder &b) {
  AffineExpr d0 = b.getAffineDimExpr(0);
  SmallVector<OpFoldResult> bounds;
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (int64_t(dim) != axis)
      bounds.push_back(int64_t(dim) == acrossDim
                           ? apply(b, d0.ceilDiv(across), extent)
                           : extent);
  if (segment)
    bounds.push_back(apply(b, d0.ceilDiv(*segment), extents[axis]));
  if (nested) {
    SmallVector<Value> zeros(bounds.size(),
                             arith::ConstantIndexOp::create(b, loc, 0));
    SmallVector<Value> ones(bounds.size(),
                            arith::ConstantIndexOp::create(b, loc, 1));
    SmallVector<Value> ends;
    for (OpFoldResult bound : bounds)
      ends.push_back(toValue(b, bound));
    scf::buildLoopNest(
        b, loc, zeros, ends, ones,
        [&](OpBuilder &b, Location, ValueRange ivs) { emitWalk(b, ivs); });
    return;
  }
  SmallVector<Attribute> mapping;
  for (size_t dim = 0; dim < bounds.size(); ++dim)
    mapping.push_back(WorkItemAttr::get(b.getContext(), dim));
  auto loop = scf::ForallOp::create(
      b, loc, bounds, ValueRange(), b.getArrayAttr(mapping),
      [&](OpBuilder &b, Location, ValueRange ivs) {
        emitWalk(b, ivs);
        scf::InParallelOp::create(b, loc);
      });
  loop->setAttr(warpsAttrName, b.getI64IntegerAttr(warps));
}

/// One stretch of the axis: chunks that are full, and one that is not, which
/// stands at the end and so is the first of a walk from there.
void PrefixLoops::emitWalk(OpBuilder &b, ValueRange ivs) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1),
             d2 = b.getAffineDimExpr(2);
  OpFoldResult lo = b.getIndexAttr(0), length = extents[axis];
  if (segment) {
    OpFoldResult place = ivs.back();
    lo = apply(b, d0 * *segment, place);
    length = least(b, b.getAffineConstantExpr(*segment), d0 - d1 * *segment,
                   {length, place});
    ivs = ivs.drop_back();
  }
  views = memrefs;
  for (Value &view : views)
    view = viewed(b, view);
  origin.clear();
  for (int64_t dim = 0, e = extents.size(); dim < e; ++dim) {
    if (dim == axis) {
      origin.push_back(lo);
      continue;
    }
    OpFoldResult iv = ivs.front();
    ivs = ivs.drop_front();
    if (dim == acrossDim) {
      std::optional<int64_t> all = getConstantIntValue(extents[dim]);
      width = all && *all % across == 0
                  ? OpFoldResult(b.getIndexAttr(across))
                  : least(b, b.getAffineConstantExpr(across), d0 - d1 * across,
                          {extents[dim], iv});
      iv = apply(b, d0 * across, iv);
    }
    origin.push_back(iv);
  }

  // Full chunks have a size that is known, which makes for wide accesses.
  auto walk = [&](OpFoldResult count, auto place, OpFoldResult size,
                  SmallVector<Value> carry) {
    if (isConstantIntValue(count, 0))
      return carry;
    auto body = [&](OpBuilder &b, Location, Value k, ValueRange carry) {
      scf::YieldOp::create(b, loc, emitChunk(b, place(b, k), size, carry));
    };
    auto loop = scf::ForOp::create(
        b, loc, arith::ConstantIndexOp::create(b, loc, 0), toValue(b, count),
        arith::ConstantIndexOp::create(b, loc, 1), carry, body);
    return SmallVector<Value>(loop.getResults());
  };
  OpFoldResult full = apply(b, d0.floorDiv(along), length);
  OpFoldResult rest = apply(b, d0 % along, length);
  OpFoldResult partial =
      apply(b, d0.ceilDiv(along) - d0.floorDiv(along), length);
  auto walkFull = [&](SmallVector<Value> carry) {
    auto place = [&](OpBuilder &b, Value k) {
      return scan.reverse ? apply(b, d0 + (d1 - 1 - d2) * along, {lo, full, k})
                          : apply(b, d0 + d1 * along, {lo, k});
    };
    return walk(full, place, b.getIndexAttr(along), carry);
  };
  auto walkPartial = [&](SmallVector<Value> carry) {
    auto place = [&](OpBuilder &b, Value) {
      return apply(b, d0 + d1 * along, {lo, full});
    };
    return walk(partial, place, rest, carry);
  };
  scan.end = apply(b, d0 + d1 - 1, {lo, length});
  SmallVector<Value> carry = scan.initialCarry(b);
  if (scan.reverse)
    walkFull(walkPartial(carry));
  else
    walkPartial(walkFull(carry));
}

/// The block of `memref` at position `at` of the axis, as a memref of rank 2.
Value PrefixLoops::slice(OpBuilder &b, Value memref, OpFoldResult at,
                         OpFoldResult size) {
  SmallVector<OpFoldResult> offsets(origin);
  offsets[axis] = at;
  SmallVector<OpFoldResult> sizes(extents.size(), b.getIndexAttr(1));
  sizes[axis] = size;
  sizes[acrossDim] = width;
  SmallVector<OpFoldResult> strides(extents.size(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> kept = {sizes[std::min(axis, acrossDim)],
                                    sizes[std::max(axis, acrossDim)]};
  SmallVector<int64_t> shape;
  SmallVector<Value> unused;
  dispatchIndexOpFoldResults(kept, unused, shape);
  auto type = cast<MemRefType>(memref.getType());
  Type result = memref::SubViewOp::inferRankReducedResultType(
      shape, type, offsets, sizes, strides);
  return memref::SubViewOp::create(b, loc, cast<MemRefType>(result), memref,
                                   offsets, sizes, strides);
}

SmallVector<Value> PrefixLoops::emitChunk(OpBuilder &b, OpFoldResult at,
                                          OpFoldResult size, ValueRange carry) {
  SmallVector<Value> next;
  Value input = slice(b, views[0], at, size);
  SmallVector<Value> results =
      scan.emitStep(b, input, toValue(b, at), carry, next);
  for (auto [result, out] :
       llvm::zip_equal(results, ArrayRef(views).drop_front()))
    scan.write(b, result, slice(b, out, at, size));
  return next;
}

LogicalResult mlir::fpa::vectorizePrefix(RewriterBase &rewriter, Operation *op,
                                         const PrefixTileSizes &sizes) {
  if (!isa<PrefixMinOp, PrefixSumOp>(op) ||
      !isa<MemRefType>(op->getOperand(0).getType()))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  PrefixLoops(rewriter, op, sizes).emit(rewriter);
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct VectorizePrefix
    : public fpa::impl::VectorizePrefixBase<VectorizePrefix> {
  using VectorizePrefixBase::VectorizePrefixBase;

  void runOnOperation() override {
    for (auto [name, size] : {std::pair("chunk", chunk.getValue()),
                              std::pair("columns", columns.getValue()),
                              std::pair("rows", rows.getValue())})
      if (size < 1 || !llvm::isPowerOf2_64(size)) {
        emitError(getOperation()->getLoc(), "expected option ")
            << name << " to be a power of two, got " << size;
        return signalPassFailure();
      }
    FailureOr<int64_t> count = replacePrefixOps(
        getOperation(), [&](RewriterBase &rewriter, Operation *op) {
          return vectorizePrefix(rewriter, op, {chunk, columns, rows});
        });
    if (failed(count))
      return signalPassFailure();
    numVectorized += *count;
  }
};
} // namespace
