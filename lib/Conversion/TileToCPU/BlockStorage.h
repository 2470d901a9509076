//===- BlockStorage.h - How blocks lie in memory ----------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is stored with the lane axis last, or with its own last axis if it
// has no lane axis. A product that reduces the lane axis runs along another
// axis of its result, and what it reads in runs must be stored along that one
// too: such blocks are named by `StorageForms`.
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOCPU_BLOCKSTORAGE_H
#define FPA_LIB_CONVERSION_TILETOCPU_BLOCKSTORAGE_H

#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"

namespace mlir::fpa::cpu {

/// What the mapping needs to know of the machine.
struct RegisterFile {
  /// f32 elements of a vector register.
  int64_t lanes;
  /// Number of vector registers.
  int64_t count;
};

/// Blocks that are stored along another axis than lanes.
struct StorageForms {
  /// The dimension that is stored last, by block.
  DenseMap<Value, int64_t> lastDim;
};

/// Gives every product operand that is read in runs along an axis other than
/// lanes, but stored along lanes, a form of its own where it can be computed
/// again: reads, and elementwise ops on them. Other operands stay as they are
/// and are gathered.
StorageForms splitForms(Operation *root, AxisAnalysis &axes);

class BlockStorage {
public:
  BlockStorage(Operation *root, const AxisAnalysis &axes,
               const StorageForms &forms, RegisterFile file);

  /// The axes of `value` in the order in which it is stored.
  SmallVector<Axis> getOrder(Value value) const;

  /// Elements of a run along the axis: a power of two, which divides the axis
  /// or, if the axis is padded, its padded extent.
  int64_t getWidth(Axis axis) const;
  /// The largest power of two of at most a register that divides the axis.
  int64_t getDivisor(Axis axis) const;
  /// Elements of a row along the axis in scratch memory.
  int64_t getRowSize(Axis axis) const;
  bool isPadded(Axis axis) const { return padded.contains(axis); }

  /// True for a read that nests can do themselves, straight from memory.
  bool isView(vector::TransferReadOp read) const;
  /// True for a write that the nest which computes its block can do itself, in
  /// runs that are not along lanes: rows of the block are rows of memory.
  bool isDirect(vector::TransferWriteOp write) const;

private:
  bool isReadByElement(Value value) const;
  void padAxes(Operation *root);

  const AxisAnalysis &axes;
  StorageForms forms;
  RegisterFile file;
  /// Axes of an awkward length along which products run: rows of scratch memory
  /// are whole registers.
  DenseSet<Axis> padded;
};

} // namespace mlir::fpa::cpu

#endif // FPA_LIB_CONVERSION_TILETOCPU_BLOCKSTORAGE_H
