//===- AxisAnalysis.cpp - Named axes of block vectors -----------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mlir::fpa;

vector::ContractionOp fpa::getContraction(Operation *op) {
  if (auto mask = dyn_cast<vector::MaskOp>(op))
    return dyn_cast_or_null<vector::ContractionOp>(mask.getMaskableOp());
  return dyn_cast<vector::ContractionOp>(op);
}

/// A shape_cast that only adds or drops unit dimensions.
static bool isUnitShapeCast(Operation *op) {
  auto cast = dyn_cast<vector::ShapeCastOp>(op);
  if (!cast)
    return false;
  auto withoutUnits = [](VectorType type) {
    SmallVector<int64_t> shape;
    llvm::copy_if(type.getShape(), std::back_inserter(shape),
                  [](int64_t size) { return size != 1; });
    return shape;
  };
  return withoutUnits(cast.getSourceVectorType()) ==
         withoutUnits(cast.getResultVectorType());
}

bool fpa::isAlias(Operation *op) {
  return isa<vector::BroadcastOp, vector::TransposeOp>(op) ||
         isUnitShapeCast(op);
}

Value fpa::stripAliases(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isAlias(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

TypedAttr fpa::getSplat(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return {};
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!dense || !dense.isSplat())
    return {};
  return cast<TypedAttr>(dense.getSplatValue<Attribute>());
}

bool fpa::holdsBlocks(scf::ForallOp forall) {
  return forall.getBody()
      ->walk<WalkOrder::PreOrder>([](Operation *op) {
        if (isa<scf::ForallOp>(op))
          return WalkResult::skip();
        return isa<vector::TransferReadOp, vector::TransferWriteOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A sum of which all but one place is left out, which is no walk along it.
static bool takesOne(vector::MultiDimReductionOp op) {
  auto select = op.getSource().getDefiningOp<arith::SelectOp>();
  if (!select)
    return false;
  auto place =
      stripAliases(select.getCondition()).getDefiningOp<arith::CmpIOp>();
  return place && place.getPredicate() == arith::CmpIPredicate::eq &&
         getSplat(place.getRhs()) && getSplat(select.getFalseValue());
}

SmallVector<scf::ForallOp> fpa::collectTilePrograms(Operation *root) {
  SmallVector<scf::ForallOp> programs;
  root->walk([&](scf::ForallOp forall) {
    if (holdsBlocks(forall))
      programs.push_back(forall);
  });
  return programs;
}

/// Vectors that take part in the analysis. Splat constants do not: one constant
/// may stand for unrelated blocks of the same shape.
static bool isBlock(Value value) {
  return isa<VectorType>(value.getType()) && !getSplat(value);
}

unsigned AxisAnalysis::getNode(Value value, int64_t dim) {
  auto type = cast<VectorType>(value.getType());
  auto [it, inserted] = firstNode.try_emplace(value, nodeExtents.size());
  if (inserted)
    for (int64_t size : type.getShape()) {
      classes.insert(nodeExtents.size());
      nodeExtents.push_back(size);
    }
  return it->second + dim;
}

void AxisAnalysis::unify(Value a, int64_t dimA, Value b, int64_t dimB) {
  if (isBlock(a) && isBlock(b))
    classes.unionSets(getNode(a, dimA), getNode(b, dimB));
}

void AxisAnalysis::unifyAll(Value a, Value b) {
  auto typeA = dyn_cast<VectorType>(a.getType());
  auto typeB = dyn_cast<VectorType>(b.getType());
  if (!typeA || !typeB || typeA.getShape() != typeB.getShape())
    return;
  for (int64_t dim = 0, rank = typeA.getRank(); dim < rank; ++dim)
    unify(a, dim, b, dim);
}

void AxisAnalysis::unifyContraction(vector::ContractionOp op, Value result) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<std::pair<Value, AffineMap>> operands = {{op.getLhs(), maps[0]},
                                                       {op.getRhs(), maps[1]},
                                                       {op.getAcc(), maps[2]},
                                                       {result, maps[2]}};
  for (auto [index, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    std::optional<std::pair<Value, int64_t>> previous;
    for (auto &[value, map] : operands) {
      if (!isBlock(value))
        continue;
      std::optional<unsigned> dim =
          map.getResultPosition(getAffineDimExpr(index, op.getContext()));
      if (!dim)
        continue;
      if (previous)
        unify(previous->first, previous->second, value, *dim);
      previous = {value, *dim};
      if (iterator == vector::IteratorType::reduction)
        reducedNodes.push_back(getNode(value, *dim));
    }
  }
}

LogicalResult AxisAnalysis::unifyOp(Operation *op) {
  if (auto contraction = getContraction(op)) {
    // A masked contraction is seen twice: the mask owns the result.
    bool inner = isa_and_nonnull<vector::MaskOp>(op->getParentOp());
    if (!inner)
      unifyContraction(contraction, op->getResult(0));
    if (auto mask = dyn_cast<vector::MaskOp>(op)) {
      unifyAll(contraction.getResult(), mask->getResult(0));
      // The mask runs over the iteration space.
      for (auto [value, map] :
           llvm::zip(ValueRange{contraction.getLhs(), contraction.getRhs()},
                     contraction.getIndexingMapsArray()))
        for (int64_t dim = 0, e = map.getNumResults(); dim < e; ++dim)
          unify(value, dim, mask.getMask(), map.getDimPosition(dim));
    }
    return success();
  }
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    auto source = dyn_cast<VectorType>(broadcast.getSourceType());
    if (!source)
      return success();
    VectorType type = broadcast.getResultVectorType();
    int64_t added = type.getRank() - source.getRank();
    for (int64_t dim = 0; dim < source.getRank(); ++dim)
      if (source.getDimSize(dim) == type.getDimSize(dim + added))
        unify(broadcast.getSource(), dim, broadcast.getResult(), dim + added);
    return success();
  }
  if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
    for (auto [dim, from] : llvm::enumerate(transpose.getPermutation()))
      unify(transpose.getVector(), from, transpose.getResult(), dim);
    return success();
  }
  if (isUnitShapeCast(op)) {
    auto cast = llvm::cast<vector::ShapeCastOp>(op);
    ArrayRef<int64_t> from = cast.getSourceVectorType().getShape();
    ArrayRef<int64_t> to = cast.getResultVectorType().getShape();
    for (size_t i = 0, j = 0; i < from.size() && j < to.size();) {
      // Which of several dimensions of one element is which cannot be known,
      // and does not matter.
      if (from[i] == to[j] && from[i] != 1)
        unify(cast.getSource(), i++, cast.getResult(), j++);
      else if (from[i] == 1)
        ++i;
      else
        ++j;
    }
    return success();
  }
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op)) {
    int64_t kept = 0;
    SmallVector<bool> mask = reduction.getReductionMask();
    for (auto [dim, reduced] : llvm::enumerate(mask)) {
      if (reduced) {
        // All of a line in one number is walked element by element.
        if (mask.size() == 1 || takesOne(reduction))
          continue;
        reducedNodes.push_back(getNode(reduction.getSource(), dim));
        continue;
      }
      unify(reduction.getSource(), dim, reduction.getDest(), kept);
      unify(reduction.getSource(), dim, reduction.getAcc(), kept++);
    }
    return success();
  }
  if (auto scan = dyn_cast<VectorScanOp>(op)) {
    unifyAll(scan.getSource(), scan.getScanned());
    if (scan.getReset())
      unifyAll(scan.getSource(), scan.getReset());
    unifyAll(scan.getInit(), scan.getTotal());
    int64_t axis = scan.getAxis(), kept = 0;
    int64_t rank = cast<VectorType>(scan.getSource().getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (dim == axis)
        scannedNodes.push_back(getNode(scan.getScanned(), dim));
      else {
        acrossNodes.push_back(getNode(scan.getScanned(), dim));
        unify(scan.getScanned(), dim, scan.getTotal(), kept++);
      }
    }
    unifyAll(scan.getTotal(), scan.getInit());
    return success();
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, arg, yielded, result] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(),
                   loop.getYieldedValues(), loop.getResults())) {
      unifyAll(arg, init);
      unifyAll(arg, yielded);
      unifyAll(arg, result);
      if (auto type = dyn_cast<VectorType>(arg.getType()))
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          carriedNodes.push_back(getNode(arg, dim));
    }
    return success();
  }
  if (auto choice = dyn_cast<scf::IfOp>(op)) {
    for (Region *region : {&choice.getThenRegion(), &choice.getElseRegion()})
      if (!region->empty())
        for (auto [yielded, result] :
             llvm::zip(region->front().getTerminator()->getOperands(),
                       choice.getResults()))
          unifyAll(yielded, result);
    return success();
  }
  if (OpTrait::hasElementwiseMappableTraits(op)) {
    Value result = op->getResult(0);
    for (Value operand : op->getOperands())
      unifyAll(result, operand);
    return success();
  }
  bool touchesBlocks = llvm::any_of(op->getResults(), isBlock);
  if (!touchesBlocks ||
      isa<vector::TransferReadOp, vector::StepOp, vector::MaskOp>(op))
    return success();
  return op->emitOpError(
      "cannot be distributed: expected an op that walks axes");
}

void AxisAnalysis::nameAxes() {
  DenseMap<unsigned, Axis> axisOfLeader;
  nodeAxis.resize(nodeExtents.size());
  for (unsigned node = 0; node < nodeExtents.size(); ++node) {
    unsigned leader = classes.getLeaderValue(node);
    auto [it, inserted] = axisOfLeader.try_emplace(leader, extents.size());
    if (inserted)
      extents.push_back(nodeExtents[node]);
    nodeAxis[node] = it->second;
  }
}

/// Lanes go to an axis that nothing reduces over, if there is one, rather to
/// one that fills registers; but blocks that a scan walks have no other lanes
/// than those it leaves. If each is reduced over somewhere, as in a backward
/// step, lanes must at least not be walked in order, by a scan; then what loops
/// carry decides: it is stored along lanes throughout, while a product that
/// reduces lanes only needs one of its operands in another form. Axes that no
/// blocks connect, as those of two loops that only share memory, have lanes of
/// their own.
void AxisAnalysis::chooseLanes() {
  auto count = [&](ArrayRef<unsigned> nodes) {
    SmallVector<int64_t> counts(extents.size(), 0);
    for (unsigned node : nodes)
      ++counts[nodeAxis[node]];
    return counts;
  };
  SmallVector<int64_t> scanned = count(scannedNodes);
  SmallVector<int64_t> across = count(acrossNodes);
  SmallVector<int64_t> reduced = count(reducedNodes);
  SmallVector<int64_t> carried = count(carriedNodes);
  SmallVector<int64_t> uses(extents.size(), 0);
  for (Axis axis : nodeAxis)
    ++uses[axis];
  llvm::IntEqClasses connected(extents.size());
  for (auto [value, node] : firstNode) {
    int64_t rank = cast<VectorType>(value.getType()).getRank();
    for (int64_t dim = 1; dim < rank; ++dim)
      connected.join(nodeAxis[node], nodeAxis[node + dim]);
  }
  connected.compress();

  struct Group {
    SmallVector<Axis> candidates, unreduced;
    bool isScanned = false;
  };
  SmallVector<Group> groups(connected.getNumClasses());
  for (Axis axis = 0; axis < static_cast<Axis>(extents.size()); ++axis) {
    Group &group = groups[connected[axis]];
    group.isScanned |= scanned[axis] > 0;
    if (scanned[axis] || extents[axis] == 1)
      continue;
    group.candidates.push_back(axis);
    if (!reduced[axis])
      group.unreduced.push_back(axis);
  }
  for (const Group &group : groups) {
    bool anyUnreduced = !group.unreduced.empty();
    // Of equals the longer one, which fills more registers.
    auto merit = [&](Axis axis) {
      bool isGood =
          group.isScanned ? across[axis] > 0 : extents[axis] >= kLeastLanes;
      return std::tuple(anyUnreduced ? int64_t(isGood) : carried[axis],
                        uses[axis], extents[axis]);
    };
    std::optional<Axis> best;
    for (Axis axis : anyUnreduced ? group.unreduced : group.candidates)
      if (!best || merit(axis) > merit(*best))
        best = axis;
    if (best)
      laneAxes.insert(*best);
  }
}

FailureOr<AxisAnalysis> AxisAnalysis::compute(Operation *root) {
  AxisAnalysis analysis;
  WalkResult result = root->walk([&](Operation *op) {
    for (Value value : op->getResults())
      if (isBlock(value))
        analysis.getNode(value, 0);
    return failed(analysis.unifyOp(op)) ? WalkResult::interrupt()
                                        : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  analysis.nameAxes();
  analysis.chooseLanes();
  return analysis;
}

SmallVector<Axis> AxisAnalysis::getAxes(Value value) const {
  auto it = firstNode.find(value);
  SmallVector<Axis> axes;
  if (it == firstNode.end())
    return axes;
  int64_t rank = cast<VectorType>(value.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    axes.push_back(nodeAxis[it->second + dim]);
  return axes;
}

SmallVector<Axis> AxisAnalysis::getStorageAxes(Value value) const {
  SmallVector<Axis> axes, lanes;
  for (Axis axis : getAxes(value))
    (isLaneAxis(axis) ? lanes : axes).push_back(axis);
  llvm::append_range(axes, lanes);
  return axes;
}
