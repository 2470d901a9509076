//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Other people's matrix products become tile programs: a parallel loop over
// blocks of the result, each carried through the contracted dimension.

#include "KeyWalk.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_TILECONTRACTIONS
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

/// `value`, an argument of the body of `op`, or what it is widened from.
static BlockArgument getFactor(Value value) {
  if (auto widened = value.getDefiningOp<arith::ExtFOp>())
    value = widened.getIn();
  return dyn_cast<BlockArgument>(value);
}

/// True when the body of `op` adds the product of the two inputs to the result,
/// in f32 or f64.
static bool addsProduct(linalg::LinalgOp op) {
  Block &body = op->getRegion(0).front();
  Value yielded = body.getTerminator()->getOperand(0);
  auto sum = yielded.getDefiningOp<arith::AddFOp>();
  if (!sum || !(sum.getType().isF32() || sum.getType().isF64()))
    return false;
  BlockArgument before = body.getArgument(2);
  if (sum.getLhs() != before && sum.getRhs() != before)
    return false;
  Value other = sum.getLhs() == before ? sum.getRhs() : sum.getLhs();
  auto product = other.getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  BlockArgument x = getFactor(product.getLhs()),
                y = getFactor(product.getRhs());
  auto isInput = [&](BlockArgument factor, unsigned number) {
    return factor && factor.getOwner() == &body &&
           factor.getArgNumber() == number;
  };
  return (isInput(x, 0) && isInput(y, 1)) || (isInput(x, 1) && isInput(y, 0));
}

namespace {

/// The dimensions of the loops of a contraction: those that a block has, and
/// all others, which are walked one by one.
struct Dimensions {
  unsigned row, column, depth;
  SmallVector<unsigned> parallel, reduced;
};

class ContractionTiler {
public:
  ContractionTiler(RewriterBase &rewriter, linalg::LinalgOp op,
                   const Dimensions &dims, const ContractionTileSizes &sizes)
      : b(rewriter), loc(op.getLoc()), op(op), dims(dims),
        math{rewriter, op.getLoc()} {
    tile = {{dims.row, sizes.row},
            {dims.column, sizes.column},
            {dims.depth, sizes.depth}};
  }

  Value run();

private:
  /// Where the loops stand, by dimension.
  using Place = SmallVector<OpFoldResult>;

  void measure();
  bool isTiled(unsigned dim) const { return tile.count(dim); }
  Value slice(OpOperand *operand, Value source, const Place &place);
  SmallVector<unsigned> getDims(OpOperand *operand);
  VectorType getBlockType(OpOperand *operand);
  AffineMap getBlockMap(OpOperand *operand);
  SmallVector<bool> getInBounds(OpOperand *operand);
  Value read(OpOperand *operand, Value slice);
  Value addStep(const Place &place, Value block);
  Value walkDepth(Place &place, Value block, ArrayRef<unsigned> others);

  RewriterBase &b;
  Location loc;
  linalg::LinalgOp op;
  const Dimensions &dims;
  IndexMath math;
  DenseMap<unsigned, int64_t> tile;
  SmallVector<OpFoldResult> extents;
};

} // namespace

/// The extents of all loops, and blocks no larger than them. An extent of one
/// gets blocks of two: a row and a column of one element could not be told
/// apart.
void ContractionTiler::measure() {
  extents.resize(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    for (auto [axis, dim] : llvm::enumerate(getDims(&operand)))
      if (!extents[dim])
        extents[dim] = math.dim(operand.get(), axis);
  }
  for (auto &[dim, size] : tile)
    if (std::optional<int64_t> extent = getConstantIntValue(extents[dim]))
      size = std::max<int64_t>(2, std::min(size, *extent));
}

/// The dimension of the loops along each axis of an operand.
SmallVector<unsigned> ContractionTiler::getDims(OpOperand *operand) {
  SmallVector<unsigned> found;
  for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults())
    found.push_back(cast<AffineDimExpr>(expr).getPosition());
  return found;
}

/// The part of `source` that belongs to a block: its axes of the block's two
/// dimensions.
Value ContractionTiler::slice(OpOperand *operand, Value source,
                              const Place &place) {
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<int64_t> shape;
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  for (unsigned dim : getDims(operand)) {
    offsets.push_back(place[dim]);
    if (!isTiled(dim)) {
      sizes.push_back(b.getIndexAttr(1));
      continue;
    }
    int64_t size = tile[dim];
    std::optional<int64_t> extent = getConstantIntValue(extents[dim]);
    sizes.push_back(extent && *extent % size == 0
                        ? OpFoldResult(b.getIndexAttr(size))
                        : math.min({b.getAffineConstantExpr(size), d1 - d0},
                                   {place[dim], extents[dim]}));
    shape.push_back(
        getConstantIntValue(sizes.back()).value_or(ShapedType::kDynamic));
  }
  SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
  auto type = cast<RankedTensorType>(source.getType()).clone(shape);
  return tensor::ExtractSliceOp::create(b, loc, type, source, offsets, sizes,
                                        strides);
}

VectorType ContractionTiler::getBlockType(OpOperand *operand) {
  SmallVector<int64_t> shape;
  for (unsigned dim : getDims(operand))
    if (isTiled(dim))
      shape.push_back(tile.lookup(dim));
  return VectorType::get(shape, getElementTypeOrSelf(operand->get()));
}

/// A block's axes in terms of row, column and depth.
AffineMap ContractionTiler::getBlockMap(OpOperand *operand) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : getDims(operand))
    if (isTiled(dim))
      exprs.push_back(b.getAffineDimExpr(dim == dims.row      ? 0
                                         : dim == dims.column ? 1
                                                              : 2));
  return AffineMap::get(3, 0, exprs, b.getContext());
}

SmallVector<bool> ContractionTiler::getInBounds(OpOperand *operand) {
  SmallVector<bool> inBounds;
  for (unsigned dim : getDims(operand)) {
    if (!isTiled(dim))
      continue;
    std::optional<int64_t> extent = getConstantIntValue(extents[dim]);
    inBounds.push_back(extent && *extent % tile.lookup(dim) == 0);
  }
  return inBounds;
}

/// A block, with zeros where the operand has ended.
Value ContractionTiler::read(OpOperand *operand, Value slice) {
  VectorType type = getBlockType(operand);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  SmallVector<bool> inBounds = getInBounds(operand);
  Value block = vector::TransferReadOp::create(
      b, loc, type, slice, ValueRange{zero, zero}, padding, inBounds);
  Type sum = getElementTypeOrSelf(op.getDpsInits()[0]);
  if (type.getElementType() == sum)
    return block;
  return arith::ExtFOp::create(b, loc, type.clone(sum), block);
}

/// Adds one block of each factor.
Value ContractionTiler::addStep(const Place &place, Value block) {
  SmallVector<Value> factors;
  SmallVector<AffineMap> maps;
  for (OpOperand *factor : op.getDpsInputOperands()) {
    factors.push_back(read(factor, slice(factor, factor->get(), place)));
    maps.push_back(getBlockMap(factor));
  }
  maps.push_back(getBlockMap(op.getDpsInitOperand(0)));
  SmallVector<Attribute> kinds;
  for (auto kind :
       {vector::IteratorType::parallel, vector::IteratorType::parallel,
        vector::IteratorType::reduction})
    kinds.push_back(vector::IteratorTypeAttr::get(b.getContext(), kind));
  return vector::ContractionOp::create(b, loc, factors[0], factors[1], block,
                                       b.getAffineMapArrayAttr(maps),
                                       b.getArrayAttr(kinds));
}

/// Carries `block` through the contracted dimensions.
Value ContractionTiler::walkDepth(Place &place, Value block,
                                  ArrayRef<unsigned> others) {
  if (!others.empty())
    return createLoop(b, loc, math.value(extents[others.front()]), block,
                      [&](OpFoldResult at, ValueRange state) {
                        place[others.front()] = at;
                        return SmallVector<Value>{
                            walkDepth(place, state[0], others.drop_front())};
                      })[0];
  int64_t size = tile[dims.depth];
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult steps = math.apply(d0.ceilDiv(size), {extents[dims.depth]});
  return createLoop(b, loc, math.value(steps), block,
                    [&](OpFoldResult step, ValueRange state) {
                      place[dims.depth] = math.apply(d0 * size, {step});
                      return SmallVector<Value>{addStep(place, state[0])};
                    })[0];
}

Value ContractionTiler::run() {
  measure();
  AffineExpr d0 = b.getAffineDimExpr(0);
  SmallVector<OpFoldResult> bounds;
  for (unsigned dim : dims.parallel)
    bounds.push_back(extents[dim]);
  for (unsigned dim : {dims.row, dims.column})
    bounds.push_back(math.apply(d0.ceilDiv(tile[dim]), {extents[dim]}));
  OpOperand *init = op.getDpsInitOperand(0);
  auto forall = scf::ForallOp::create(b, loc, bounds, init->get(),
                                      createWorkItems(b, bounds));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forall.getBody());
  Place place(op.getNumLoops());
  SmallVector<Value> ids = forall.getInductionVars();
  for (auto [dim, id] : llvm::zip(dims.parallel, ids))
    place[dim] = id;
  place[dims.row] =
      math.apply(d0 * tile[dims.row], {OpFoldResult(ids[ids.size() - 2])});
  place[dims.column] =
      math.apply(d0 * tile[dims.column], {OpFoldResult(ids.back())});
  Value out = slice(init, forall.getRegionIterArgs()[0], place);
  Value block = walkDepth(place, read(init, out), dims.reduced);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<bool> inBounds = getInBounds(init);
  Value written = vector::TransferWriteOp::create(b, loc, block, out,
                                                  ValueRange{zero, zero},
                                                  ArrayRef<bool>(inBounds))
                      .getResult();
  insertInParallel(b, loc, forall, written, out);
  return forall.getResult(0);
}

/// The dimensions of a block and the others, or failure for what is no matrix
/// product. Of several rows, columns or depths the last one is the block's.
static FailureOr<Dimensions> findDimensions(linalg::LinalgOp op) {
  if (op->getParentOfType<scf::ForallOp>() || !op.hasPureTensorSemantics() ||
      !linalg::isaContractionOpInterface(op) || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || !addsProduct(op))
    return failure();
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return failure();
  FailureOr<linalg::ContractionDimensions> found =
      linalg::inferContractionDims(op);
  if (failed(found) || found->m.empty() || found->n.empty() || found->k.empty())
    return failure();
  Dimensions dims;
  dims.parallel.assign(found->batch.begin(), found->batch.end());
  dims.parallel.append(found->m.begin(), std::prev(found->m.end()));
  dims.parallel.append(found->n.begin(), std::prev(found->n.end()));
  dims.reduced.assign(found->k.begin(), std::prev(found->k.end()));
  dims.row = found->m.back();
  dims.column = found->n.back();
  dims.depth = found->k.back();
  return dims;
}

LogicalResult mlir::fpa::tileContraction(RewriterBase &rewriter,
                                         linalg::LinalgOp op,
                                         const ContractionTileSizes &sizes) {
  FailureOr<Dimensions> dims = findDimensions(op);
  if (failed(dims))
    return rewriter.notifyMatchFailure(op, "expected a matrix product");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, ContractionTiler(rewriter, op, *dims, sizes).run());
  return success();
}

namespace {
struct TileContractions
    : public fpa::impl::TileContractionsBase<TileContractions> {
  using TileContractionsBase::TileContractionsBase;

  void runOnOperation() override {
    std::pair<StringRef, int64_t> options[] = {{"row-tile", rowTile},
                                               {"column-tile", columnTile},
                                               {"depth-tile", depthTile}};
    for (auto [name, size] : options)
      if (size < 2) {
        getOperation()->emitError("expected ")
            << name << " to be at least 2, got " << size;
        return signalPassFailure();
      }
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      if (succeeded(
              tileContraction(rewriter, op, {rowTile, columnTile, depthTile})))
        ++numTiled;
  }
};
} // namespace
