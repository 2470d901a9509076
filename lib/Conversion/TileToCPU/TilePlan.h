//===- TilePlan.h - Fusing block ops into loop nests ------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of one IR block become items: loop nests that hold several block ops
// walking the same axes, and single ops (loads, stores, loops, scalars). An op
// joins a nest when all it needs is there at the same point of the walk.
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOCPU_TILEPLAN_H
#define FPA_LIB_CONVERSION_TILETOCPU_TILEPLAN_H

#include "BlockStorage.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::fpa::cpu {

struct Item {
  enum class Kind { Nest, Read, Write, Loop, Scalar };
  Kind kind;
  SmallVector<Operation *> ops;
  llvm::SmallSetVector<unsigned, 4> deps;

  // The rest is of nests.
  /// The axis walked by the outer loop, if the nest has two axes.
  std::optional<Axis> outer;
  /// The axis along vector registers.
  Axis inner = -1;
  /// The contraction (or the mask around it), if the nest has one.
  Operation *contraction = nullptr;
  /// Writes of what the nest computes, done as it goes by.
  SmallVector<Operation *> writes;
  /// Set when a scan fixes the direction of the outer loop.
  std::optional<bool> reverse;
};

/// True for values that are computed anew wherever they are needed instead of
/// being kept: masks, iotas and constants.
bool isRematerialized(Value value);

/// Calls `visit` on every value that the evaluation of `value` starts from.
void forEachLeaf(Value value, function_ref<void(Value)> visit);

class TilePlan {
public:
  TilePlan(Block &block, const AxisAnalysis &axes, const BlockStorage &storage)
      : block(block), axes(axes), storage(storage) {}

  LogicalResult build();

  MutableArrayRef<Item> getItems() { return items; }
  /// Item indices in an order that respects all dependencies.
  SmallVector<unsigned> getOrder() const;
  /// The item that defines `value`, if it is of this block.
  std::optional<unsigned> getItem(Value value) const;
  /// All items with an op that uses `value`, through aliases and
  /// rematerialised values too.
  SmallVector<unsigned> getUsers(Value value) const;
  /// True when op's use of `value` needs all of it, not one point.
  static bool usesWhole(Operation *op, Value value);

private:
  LogicalResult addOp(Operation *op);
  LogicalResult addNestOp(Operation *op);
  bool tryFuseWrite(vector::TransferWriteOp write);
  bool meets(Operation *op, const Item &nest) const;
  bool tryJoin(unsigned index, Operation *op, const Item &wanted,
               ArrayRef<unsigned> deps);
  SmallVector<unsigned> collectDeps(Operation *op);
  bool reaches(unsigned from, unsigned to) const;
  void append(Item item, Operation *op, ArrayRef<unsigned> deps);
  FailureOr<Item> describeNest(Operation *op);
  void noteUses(unsigned index, Operation *op);

  Block &block;
  const AxisAnalysis &axes;
  const BlockStorage &storage;
  SmallVector<Item> items;
  DenseMap<Value, unsigned> itemOfValue;
  DenseMap<Value, llvm::SmallSetVector<unsigned, 4>> users;
  /// Items that access memory, which is null where it may be any.
  SmallVector<std::pair<unsigned, Value>> reads, writes;
};

} // namespace mlir::fpa::cpu

#endif // FPA_LIB_CONVERSION_TILETOCPU_TILEPLAN_H
