//===- BlockStorage.cpp - How blocks lie in memory --------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockStorage.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/MemoryAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::cpu;

/// The result of a product, which belongs to the mask around it if there is
/// one.
static Value getProduct(vector::ContractionOp contraction) {
  if (auto mask = dyn_cast<vector::MaskOp>(contraction->getParentOp()))
    return mask->getResult(0);
  return contraction.getResult();
}

BlockStorage::BlockStorage(Operation *root, const AxisAnalysis &axes,
                           const StorageForms &forms, RegisterFile file)
    : axes(axes), forms(forms), file(file) {
  padAxes(root);
}

SmallVector<Axis> BlockStorage::getOrder(Value value) const {
  auto form = forms.lastDim.find(value);
  if (form == forms.lastDim.end())
    return axes.getStorageAxes(value);
  SmallVector<Axis> order = axes.getAxes(value);
  Axis last = order[form->second];
  order.erase(order.begin() + form->second);
  order.push_back(last);
  return order;
}

int64_t BlockStorage::getDivisor(Axis axis) const {
  int64_t width = file.lanes;
  while (axes.getExtent(axis) % width != 0)
    width /= 2;
  return width;
}

int64_t BlockStorage::getWidth(Axis axis) const {
  if (!isPadded(axis))
    return getDivisor(axis);
  return std::min<int64_t>(file.lanes,
                           llvm::PowerOf2Ceil(axes.getExtent(axis)));
}

int64_t BlockStorage::getRowSize(Axis axis) const {
  return llvm::alignTo(axes.getExtent(axis), getWidth(axis));
}

/// Pads the axes along which products run that reduce the lane axis. An axis
/// along which something is reduced keeps its extent: what lies behind the end
/// of a row is no part of the block.
void BlockStorage::padAxes(Operation *root) {
  DenseSet<Axis> reduced;
  root->walk([&](Operation *op) {
    if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op)) {
      SmallVector<Axis> own = axes.getAxes(reduction.getSource());
      for (auto [axis, gone] : llvm::zip(own, reduction.getReductionMask()))
        if (gone)
          reduced.insert(axis);
    }
    auto product = dyn_cast<vector::ContractionOp>(op);
    if (!product)
      return;
    SmallVector<Axis> order = getOrder(getProduct(product));
    if (!order.empty() && !axes.isLaneAxis(order.back()) &&
        getDivisor(order.back()) < file.lanes &&
        !llvm::isPowerOf2_64(axes.getExtent(order.back())))
      padded.insert(order.back());
  });
  for (Axis axis : reduced)
    padded.erase(axis);
}

/// True when products alone read `value`, and none of them in runs.
bool BlockStorage::isReadByElement(Value value) const {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isAlias(user))
      return isReadByElement(user->getResult(0));
    auto product = dyn_cast<vector::ContractionOp>(user);
    return product && product.getAcc() != value &&
           !llvm::is_contained(axes.getAxes(value),
                               getOrder(getProduct(product)).back());
  });
}

/// True when memory that `read` reads is written between it and a use of
/// `value`, which is the read's result or an alias of it.
static bool isWrittenBeforeUse(vector::TransferReadOp read, Value value) {
  Block *block = read->getBlock();
  for (Operation *user : value.getUsers()) {
    if (isAlias(user) && isWrittenBeforeUse(read, user->getResult(0)))
      return true;
    // All of an op that the use is inside of: it may be a loop.
    Operation *last = block->findAncestorOpInBlock(*user);
    Block::iterator end(last);
    if (last != user)
      ++end;
    for (Operation &op :
         llvm::make_range(std::next(Block::iterator(read)), end))
      if (mayWrite(&op, read.getBase()))
        return true;
  }
  return false;
}

bool BlockStorage::isDirect(vector::TransferWriteOp write) const {
  auto type = dyn_cast<MemRefType>(write.getBase().getType());
  Value root = stripAliases(write.getVector());
  SmallVector<Axis> own = axes.getAxes(write.getVector());
  return type && !write.getMask() && !write.hasOutOfBoundsDim() &&
         write.getPermutationMap().isMinorIdentity() &&
         type.isLastDimUnitStride() && !own.empty() &&
         axes.getAxes(root).size() == own.size() && own == getOrder(root) &&
         !isPadded(own.back()) && !axes.isLaneAxis(own.back());
}

bool BlockStorage::isView(vector::TransferReadOp read) const {
  auto type = cast<MemRefType>(read.getBase().getType());
  if (read.getMask() || read.hasOutOfBoundsDim() ||
      !read.getPermutationMap().isMinorIdentity() ||
      !type.isLastDimUnitStride())
    return false;
  // Reading along lanes across rows of memory is a transposition, done once.
  SmallVector<Axis> order = getOrder(read.getResult());
  if (axes.getAxes(read.getResult()) != order)
    return false;
  // A run must not leave a row.
  if (!order.empty() && isPadded(order.back()) &&
      !isReadByElement(read.getResult()))
    return false;
  return !isWrittenBeforeUse(read, read.getResult());
}
