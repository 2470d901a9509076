//===- TilePlan.cpp - Fusing block ops into loop nests ----------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/MemoryAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::cpu;

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

/// A wider form of an operand of which a product with few rows takes each
/// element once, or twice where registers are few, which is less than to store
/// it and load it again.
static bool isWidenedOnce(Operation *op) {
  if (!isa<arith::ExtFOp>(op) || !op->hasOneUse())
    return false;
  auto product = dyn_cast<vector::ContractionOp>(*op->user_begin());
  if (!product || product.getRhs() != op->getResult(0))
    return false;
  auto result = dyn_cast<VectorType>(product.getResultType());
  return result && result.getRank() == 2 && result.getDimSize(0) <= 4;
}

bool cpu::isRematerialized(Value value) {
  if (!isVector(value))
    return false;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<vector::StepOp>(op) || getSplat(value) || isWidenedOnce(op))
    return true;
  // Masks are a compare away from what they come from, and have no good form
  // in memory.
  bool isMask = cast<VectorType>(value.getType()).getElementType().isInteger(1);
  return isMask && OpTrait::hasElementwiseMappableTraits(op);
}

void cpu::forEachLeaf(Value value, function_ref<void(Value)> visit) {
  value = stripAliases(value);
  if (!isRematerialized(value))
    return visit(value);
  for (Value operand : value.getDefiningOp()->getOperands())
    forEachLeaf(operand, visit);
}

/// Calls `visit` for the leaves of all operands of `op` and of ops inside it.
static void forEachOperandLeaf(Operation *op, function_ref<void(Value)> visit) {
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      forEachLeaf(operand, visit);
  });
}

bool TilePlan::usesWhole(Operation *op, Value value) {
  if (auto contraction = getContraction(op))
    return stripAliases(contraction.getLhs()) == value ||
           stripAliases(contraction.getRhs()) == value;
  return !OpTrait::hasElementwiseMappableTraits(op) &&
         !isa<vector::MultiDimReductionOp, VectorScanOp>(op);
}

std::optional<unsigned> TilePlan::getItem(Value value) const {
  auto it = itemOfValue.find(value);
  if (it == itemOfValue.end())
    return std::nullopt;
  return it->second;
}

SmallVector<unsigned> TilePlan::getUsers(Value value) const {
  auto it = users.find(value);
  if (it == users.end())
    return {};
  return SmallVector<unsigned>(it->second.begin(), it->second.end());
}

/// True for ops with effects that do not write.
static bool isRead(Operation *op) {
  return isa<vector::TransferReadOp>(op) ||
         hasSingleEffect<MemoryEffects::Read>(op);
}

/// The memory that an op accesses, or null.
static Value getMemory(Operation *op) {
  auto transfer = dyn_cast<VectorTransferOpInterface>(op);
  return transfer ? transfer.getBase() : Value();
}

SmallVector<unsigned> TilePlan::collectDeps(Operation *op) {
  llvm::SmallSetVector<unsigned, 8> deps;
  auto insertOverlapping = [&](ArrayRef<std::pair<unsigned, Value>> accesses,
                               Value memory) {
    for (auto [item, other] : accesses)
      if (mayOverlap(other, memory))
        deps.insert(item);
  };
  std::function<void(Value)> visit = [&](Value leaf) {
    if (auto item = getItem(leaf))
      deps.insert(*item);
    // A view is read where it is used, so its addresses are needed there.
    auto read = leaf.getDefiningOp<vector::TransferReadOp>();
    if (read && !getItem(leaf)) {
      for (Value operand : read->getOperands())
        forEachLeaf(operand, visit);
      if (read->getBlock() == &block)
        insertOverlapping(writes, read.getBase());
    }
  };
  forEachOperandLeaf(op, visit);
  if (isMemoryEffectFree(op))
    return deps.takeVector();
  insertOverlapping(writes, getMemory(op));
  if (!isRead(op))
    insertOverlapping(reads, getMemory(op));
  return deps.takeVector();
}

bool TilePlan::reaches(unsigned from, unsigned to) const {
  SmallVector<unsigned> stack = {from};
  DenseSet<unsigned> seen;
  while (!stack.empty()) {
    unsigned index = stack.pop_back_val();
    if (index == to)
      return true;
    if (!seen.insert(index).second)
      continue;
    llvm::append_range(stack, items[index].deps);
  }
  return false;
}

void TilePlan::noteUses(unsigned index, Operation *op) {
  forEachOperandLeaf(op, [&](Value leaf) {
    users[leaf].insert(index);
    auto read = leaf.getDefiningOp<vector::TransferReadOp>();
    if (read && !getItem(leaf) && read->getBlock() == &block)
      reads.push_back({index, read.getBase()});
  });
}

void TilePlan::append(Item item, Operation *op, ArrayRef<unsigned> deps) {
  unsigned index = items.size();
  item.ops.push_back(op);
  item.deps.insert(deps.begin(), deps.end());
  items.push_back(std::move(item));
  for (Value result : op->getResults())
    itemOfValue[result] = index;
  noteUses(index, op);
  if (!isMemoryEffectFree(op))
    (isRead(op) ? reads : writes).push_back({index, getMemory(op)});
}

/// True when `op` reads in the nest what the nest writes.
bool TilePlan::meets(Operation *op, const Item &nest) const {
  bool found = false;
  forEachOperandLeaf(op, [&](Value leaf) {
    auto read = leaf.getDefiningOp<vector::TransferReadOp>();
    if (!read || getItem(leaf))
      return;
    for (Operation *write : nest.writes)
      found |= mayOverlap(read.getBase(), getMemory(write));
  });
  return found;
}

/// Lets the nest that computes a block write it to memory, if nothing between
/// the two is in the way. The nest itself may read that memory, but each
/// element only where it is written.
bool TilePlan::tryFuseWrite(vector::TransferWriteOp write) {
  std::optional<unsigned> index = getItem(stripAliases(write.getVector()));
  if (!index || items[*index].kind != Item::Kind::Nest ||
      !storage.isDirect(write))
    return false;
  Item &nest = items[*index];
  SmallVector<unsigned> deps = collectDeps(write);
  for (unsigned dep : deps)
    if (dep != *index && reaches(dep, *index))
      return false;
  for (Operation *op : nest.ops) {
    bool apart = true;
    forEachOperandLeaf(op, [&](Value leaf) {
      auto read = leaf.getDefiningOp<vector::TransferReadOp>();
      if (!read || getItem(leaf) ||
          !mayOverlap(read.getBase(), write.getBase()))
        return;
      apart &= read.getBase() == write.getBase() &&
               read.getIndices() == write.getIndices() &&
               axes.getAxes(leaf) == axes.getAxes(write.getVector()) &&
               !usesWhole(op, leaf);
    });
    if (!apart || llvm::any_of(nest.writes, [&](Operation *other) {
          return mayOverlap(getMemory(other), write.getBase());
        }))
      return false;
  }
  nest.writes.push_back(write);
  for (unsigned dep : deps)
    if (dep != *index)
      nest.deps.insert(dep);
  writes.push_back({*index, write.getBase()});
  noteUses(*index, write);
  return true;
}

/// A sum, or a kind to which a value may count more than once.
static bool isReducibleAlongLanes(vector::CombiningKind kind) {
  return kind != vector::CombiningKind::MUL &&
         kind != vector::CombiningKind::XOR;
}

/// The axes that `op` walks, and what it asks of the nest it is put in.
FailureOr<Item> TilePlan::describeNest(Operation *op) {
  Item item;
  item.kind = Item::Kind::Nest;
  Value walked = op->getResult(0);
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
    walked = reduction.getSource();
  if (getContraction(op))
    item.contraction = op;
  SmallVector<Axis> own = storage.getOrder(walked);
  if (own.empty())
    if (Value source = stripAliases(walked); isVector(source))
      own = storage.getOrder(source);
  if (own.empty() || own.size() > 2)
    return op->emitOpError("cannot be mapped to register tiles: expected a "
                           "vector of rank 1 or 2, got ")
           << walked.getType();
  if (own.size() == 2 && own[0] == own[1])
    return op->emitOpError("cannot be mapped to register tiles: expected two "
                           "different axes, got one axis twice");
  item.inner = own.back();
  if (own.size() == 2)
    item.outer = own.front();
  if (auto scan = dyn_cast<VectorScanOp>(op)) {
    Axis scanned = axes.getAxes(scan.getScanned())[scan.getAxis()];
    if (item.outer != scanned)
      return op->emitOpError("cannot be mapped to register tiles: expected a "
                             "scan across lanes, got one along them");
    item.reverse = scan.getReverse();
  }
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op)) {
    if (own.size() != 2 || llvm::count(reduction.getReductionMask(), true) != 1)
      return op->emitOpError("cannot be mapped to register tiles: expected a "
                             "reduction of one of two axes");
    if (!isReducibleAlongLanes(reduction.getKind()) &&
        axes.getAxes(reduction.getDest()) != ArrayRef(own.back()))
      return op->emitOpError("cannot be mapped to register tiles: expected a "
                             "sum, a minimum or a maximum along lanes");
  }
  return item;
}

/// A function that becomes many instructions. A product's tile has dozens of
/// registers, and each would get a copy of them.
static bool isLong(Operation *op) {
  return isa<math::Exp2Op, math::Log2Op>(op);
}

bool TilePlan::tryJoin(unsigned index, Operation *op, const Item &wanted,
                       ArrayRef<unsigned> deps) {
  Item &nest = items[index];
  if (nest.kind != Item::Kind::Nest || nest.outer != wanted.outer ||
      nest.inner != wanted.inner)
    return false;
  if (nest.reverse && wanted.reverse && *nest.reverse != *wanted.reverse)
    return false;
  for (unsigned dep : deps)
    if (dep != index && reaches(dep, index))
      return false;
  if (meets(op, nest))
    return false;
  if (nest.contraction && isLong(op))
    return false;
  // What the nest itself defines must be there at each point, not only after
  // the last.
  bool pointwise = true;
  forEachOperandLeaf(op, [&](Value leaf) {
    if (getItem(leaf) != index)
      return;
    pointwise &= !usesWhole(op, leaf);
    Operation *def = leaf.getDefiningOp();
    pointwise &= !isa<vector::MultiDimReductionOp>(def);
    if (auto scan = dyn_cast<VectorScanOp>(def))
      pointwise &= leaf == scan.getScanned();
  });
  if (!pointwise)
    return false;
  if (wanted.contraction) {
    // A contraction takes over a nest only to have its accumulator prepared
    // there; anything else would be kept in registers throughout.
    Value acc = stripAliases(getContraction(op).getAcc());
    if (nest.contraction || nest.reverse || getItem(acc) != index)
      return false;
    nest.contraction = op;
  }
  if (wanted.reverse)
    nest.reverse = wanted.reverse;
  for (unsigned dep : deps)
    if (dep != index)
      nest.deps.insert(dep);
  nest.ops.push_back(op);
  for (Value result : op->getResults())
    itemOfValue[result] = index;
  noteUses(index, op);
  return true;
}

LogicalResult TilePlan::addNestOp(Operation *op) {
  FailureOr<Item> wanted = describeNest(op);
  if (failed(wanted))
    return failure();
  SmallVector<unsigned> deps = collectDeps(op);
  for (unsigned index = items.size(); index-- > 0;)
    if (tryJoin(index, op, *wanted, deps))
      return success();
  append(*wanted, op, deps);
  return success();
}

LogicalResult TilePlan::addOp(Operation *op) {
  if (isAlias(op) ||
      (op->getNumResults() == 1 && isRematerialized(op->getResult(0))))
    return success();
  Item item;
  if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    if (storage.isView(read))
      return success();
    item.kind = Item::Kind::Read;
  } else if (auto write = dyn_cast<vector::TransferWriteOp>(op)) {
    if (tryFuseWrite(write))
      return success();
    item.kind = Item::Kind::Write;
  } else if (isa<scf::ForOp>(op)) {
    item.kind = Item::Kind::Loop;
  } else if (llvm::any_of(op->getResults(), isVector)) {
    return addNestOp(op);
  } else {
    item.kind = Item::Kind::Scalar;
  }
  append(item, op, collectDeps(op));
  return success();
}

LogicalResult TilePlan::build() {
  for (Operation &op : block.without_terminator())
    if (failed(addOp(&op)))
      return failure();
  return success();
}

SmallVector<unsigned> TilePlan::getOrder() const {
  SmallVector<unsigned> order;
  SmallVector<bool> done(items.size(), false);
  // Items are few; the earliest one that is ready goes next.
  while (order.size() < items.size()) {
    for (unsigned index = 0; index < items.size(); ++index) {
      if (done[index] || !llvm::all_of(items[index].deps,
                                       [&](unsigned dep) { return done[dep]; }))
        continue;
      done[index] = true;
      order.push_back(index);
      break;
    }
  }
  return order;
}
