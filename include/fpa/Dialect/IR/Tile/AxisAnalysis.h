//===- AxisAnalysis.h - Named axes of block vectors -------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile program relates few axes (query rows, keys, head dimensions) through
// many block vectors. The analysis finds them: two dimensions are one axis when
// some op walks them together. Transposes and broadcasts then cost nothing,
// they only rename; and a machine's lanes can be given to whole axes.
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_TILE_AXISANALYSIS_H
#define FPA_DIALECT_IR_TILE_AXISANALYSIS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace mlir::fpa {

/// An axis; axes of different ids are independent.
using Axis = int;

/// The contraction of `op`, which is a contraction or a vector.mask around one.
vector::ContractionOp getContraction(Operation *op);

/// True for ops that only rename axes: broadcast, transpose, unit shape_cast.
bool isAlias(Operation *op);

/// Follows aliases to the value that holds the data; a scalar if broadcast from
/// one.
Value stripAliases(Value value);

/// The splat value of a constant vector, or null.
TypedAttr getSplat(Value value);

/// True when blocks are read or written in `forall` itself, not only in another
/// parallel loop inside of it.
bool holdsBlocks(scf::ForallOp forall);

/// The parallel loops inside of `root` that hold blocks, innermost first.
SmallVector<scf::ForallOp> collectTilePrograms(Operation *root);

/// An axis of fewer elements fills no register: lanes go to another one if they
/// can.
constexpr int64_t kLeastLanes = 8;

class AxisAnalysis {
public:
  /// Analyses all block vectors inside `root`. Fails with an error on an op
  /// that has no meaning as a walk over axes.
  static FailureOr<AxisAnalysis> compute(Operation *root);

  /// The axes of `value`, one per dimension.
  SmallVector<Axis> getAxes(Value value) const;

  /// True for an axis that runs along lanes: never reduced over if there is
  /// such an axis among those that blocks connect, in the most values.
  bool isLaneAxis(Axis axis) const { return laneAxes.contains(axis); }

  int64_t getExtent(Axis axis) const { return extents[axis]; }

  /// The axes of `value` in the order in which it is stored: the lane axis
  /// last.
  SmallVector<Axis> getStorageAxes(Value value) const;

  /// Makes known that `copy`, new in the program, has the axes of `value`.
  void copyAxes(Value value, Value copy) {
    firstNode[copy] = firstNode.lookup(value);
  }

private:
  LogicalResult unifyOp(Operation *op);
  void unify(Value a, int64_t dimA, Value b, int64_t dimB);
  void unifyAll(Value a, Value b);
  unsigned getNode(Value value, int64_t dim);
  void unifyContraction(vector::ContractionOp op, Value result);
  void nameAxes();
  void chooseLanes();

  llvm::EquivalenceClasses<unsigned> classes;
  DenseMap<Value, unsigned> firstNode;
  SmallVector<int64_t> nodeExtents;
  SmallVector<unsigned> reducedNodes, scannedNodes, acrossNodes, carriedNodes;
  SmallVector<Axis> nodeAxis;
  SmallVector<int64_t> extents;
  llvm::SmallDenseSet<Axis> laneAxes;
};

/// The axes of the tile program in `forall`. Gives steps, and where one block
/// stands for both sides of a product those too, a value for each use first.
FailureOr<AxisAnalysis> analyzeTileProgram(scf::ForallOp forall);

} // namespace mlir::fpa

#endif // FPA_DIALECT_IR_TILE_AXISANALYSIS_H
