//===- MapBlock.cpp - Items in order, loops, scratch memory -----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileToCPU.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::cpu;

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

Value TileMapper::index(int64_t value) {
  Value &known = indexConstants[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(scratchBlock);
    known = arith::ConstantIndexOp::create(builder, loc(), value);
  }
  return known;
}

void TileMapper::forEach(Value count, function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(builder, loc(), index(0), count, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

/// Scratch memory for a block.
Value TileMapper::allocate(Value block) {
  SmallVector<int64_t> shape;
  SmallVector<Axis> order = storage.getOrder(block);
  for (Axis axis : order)
    shape.push_back(axes.getExtent(axis));
  if (!order.empty())
    shape.back() = storage.getRowSize(order.back());
  return allocate(MemRefType::get(
      shape, cast<VectorType>(block.getType()).getElementType()));
}

/// Scratch memory on the stack of whoever runs the body.
Value TileMapper::allocate(MemRefType type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(scratchBlock);
  return memref::AllocaOp::create(builder, loc(), type,
                                  builder.getI64IntegerAttr(64));
}

/// Fills `buffer`, whose dimensions are the axes `order`, with what `load`
/// gives for each run along the last of them.
void TileMapper::fill(Value buffer, ArrayRef<Axis> order,
                      function_ref<Value(const Point &)> load) {
  Axis inner = order.back();
  int64_t width = storage.getWidth(inner);
  auto fillRow = [&](Value row) {
    auto loop =
        scf::ForOp::create(builder, loc(), index(0),
                           index(storage.getRowSize(inner)), index(width));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Run run(order, row, loop.getInductionVar(), width);
    vector::StoreOp::create(builder, loc(), load(run.point), buffer, run.at);
  };
  if (order.size() == 1)
    return fillRow({});
  forEach(index(axes.getExtent(order.front())), fillRow);
}

/// Writes all of `source` into `buffer`, which is laid out as `like` is stored.
void TileMapper::copyInto(Value source, Value like, Value buffer) {
  SmallVector<Axis> order = storage.getOrder(like);
  if (!order.empty())
    fill(buffer, order, [&](const Point &point) {
      return evaluate(source, point, Registers());
    });
}

/// True when `value`, defined by item `item`, is read outside of that item.
bool TileMapper::needsBuffer(Value value, unsigned item, const TilePlan &plan,
                             Block &block) const {
  if (llvm::any_of(plan.getUsers(value),
                   [&](unsigned user) { return user != item; }))
    return true;
  return isYielded(value, block);
}

/// True when every use of `value` lies in items no later than `item`, and
/// those in `item` itself look at one point only.
static bool diesIn(Value value, unsigned item, TilePlan &plan,
                   ArrayRef<unsigned> position) {
  for (unsigned user : plan.getUsers(value)) {
    if (position[user] > position[item])
      return false;
    if (user != item)
      continue;
    for (Operation *op : plan.getItems()[user].ops) {
      if (plan.getItems()[user].kind != Item::Kind::Nest)
        return false;
      bool whole = false;
      for (Value operand : op->getOperands())
        forEachLeaf(operand, [&](Value leaf) { whole |= leaf == value; });
      if (auto contraction = getContraction(op))
        if (contraction != op)
          for (Value operand : contraction->getOperands())
            forEachLeaf(operand, [&](Value leaf) { whole |= leaf == value; });
      if (whole && TilePlan::usesWhole(op, value))
        return false;
    }
  }
  return true;
}

/// Lets yielded blocks be computed straight into the loop's memory, where the
/// old state is not needed any more.
void TileMapper::placeYields(TilePlan &plan, ArrayRef<unsigned> position,
                             Block &block) {
  auto loop = dyn_cast<scf::ForOp>(block.getParentOp());
  if (!loop)
    return;
  for (auto [arg, yielded] :
       llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!isVector(arg))
      continue;
    std::optional<unsigned> item = plan.getItem(yielded);
    if (!item || plan.getItems()[*item].kind != Item::Kind::Nest ||
        llvm::count(loop.getYieldedValues(), yielded) != 1 ||
        llvm::is_contained(loop.getYieldedValues(), arg) ||
        !diesIn(arg, *item, plan, position))
      continue;
    buffers[yielded] = buffers.lookup(arg);
  }
}

/// Gives memory to every block that outlives its item. A block may take over
/// the memory of one that dies where it is born.
void TileMapper::planStorage(TilePlan &plan, ArrayRef<unsigned> order,
                             Block &block) {
  SmallVector<unsigned> position(order.size());
  for (auto [place, item] : llvm::enumerate(order))
    position[item] = place;
  placeYields(plan, position, block);
  SmallVector<Value> temporaries;
  for (unsigned index : order) {
    Item &item = plan.getItems()[index];
    if (item.kind != Item::Kind::Nest && item.kind != Item::Kind::Read)
      continue;
    for (Operation *op : item.ops)
      for (Value result : op->getResults()) {
        if (!isVector(result) || buffers.count(result) ||
            !needsBuffer(result, index, plan, block))
          continue;
        Value *reuse = llvm::find_if(temporaries, [&](Value old) {
          return item.kind == Item::Kind::Nest && old.getDefiningOp() != op &&
                 plan.getItem(old) != index &&
                 getElementTypeOrSelf(old) == getElementTypeOrSelf(result) &&
                 storage.getOrder(old) == storage.getOrder(result) &&
                 !isYielded(old, block) && diesIn(old, index, plan, position) &&
                 llvm::is_contained(plan.getUsers(old), index);
        });
        if (reuse == temporaries.end()) {
          buffers[result] = allocate(result);
          temporaries.push_back(result);
        } else {
          buffers[result] = buffers.lookup(*reuse);
          *reuse = result;
        }
      }
  }
}

bool TileMapper::isYielded(Value value, Block &block) {
  bool yielded = false;
  for (Value operand : block.getTerminator()->getOperands())
    if (isVector(operand))
      forEachLeaf(operand, [&](Value leaf) { yielded |= leaf == value; });
  return yielded;
}

/// Copies what was not computed in place. Blocks that are another state of the
/// same loop go through a temporary, since all states change at once.
void TileMapper::storeYields(scf::ForOp loop) {
  SmallVector<std::tuple<Value, Value, Value>> delayed;
  for (auto [arg, yielded] :
       llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!isVector(arg))
      continue;
    Value target = buffers.lookup(arg), root = stripAliases(yielded);
    if (buffers.lookup(root) == target)
      continue;
    if (!llvm::is_contained(loop.getRegionIterArgs(), root)) {
      copyInto(yielded, arg, target);
      continue;
    }
    Value temporary = allocate(arg);
    copyInto(yielded, arg, temporary);
    delayed.push_back({arg, temporary, target});
  }
  for (auto [arg, temporary, target] : delayed) {
    Value own = buffers.lookup(arg);
    buffers[arg] = temporary;
    copyInto(arg, arg, target);
    buffers[arg] = own;
  }
}

/// True when `init` is state of the loop around `loop`, which has no other use
/// for it than to let `loop` carry it on.
static bool isCarriedOn(scf::ForOp loop, Value init, Value result) {
  auto outer = dyn_cast<scf::ForOp>(loop->getParentOp());
  auto arg = dyn_cast<BlockArgument>(init);
  return outer && arg && arg.getOwner() == outer.getBody() &&
         arg != outer.getInductionVar() &&
         outer.getTiedLoopYieldedValue(arg)->get() == result;
}

LogicalResult TileMapper::mapLoop(scf::ForOp loop, const TilePlan &plan) {
  SmallVector<Value> inits;
  for (auto [init, arg, result] : llvm::zip(
           loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults())) {
    if (!isVector(init)) {
      inits.push_back(mapping.lookupOrDefault(init));
      continue;
    }
    // State that nobody else looks at is taken over with its memory.
    Value buffer = buffers.lookup(init);
    if (!buffer || !init.hasOneUse() ||
        (!plan.getItem(init) && !isCarriedOn(loop, init, result))) {
      buffer = allocate(arg);
      copyInto(init, arg, buffer);
    }
    buffers[arg] = buffer;
    buffers[result] = buffer;
  }
  auto mapped = scf::ForOp::create(
      builder, loc(), mapping.lookupOrDefault(loop.getLowerBound()),
      mapping.lookupOrDefault(loop.getUpperBound()),
      mapping.lookupOrDefault(loop.getStep()), inits);
  mapped->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  mapping.map(loop.getInductionVar(), mapped.getInductionVar());
  unsigned scalars = 0;
  for (auto [arg, result] :
       llvm::zip(loop.getRegionIterArgs(), loop.getResults())) {
    if (isVector(arg))
      continue;
    mapping.map(arg, mapped.getRegionIterArgs()[scalars]);
    mapping.map(result, mapped.getResult(scalars++));
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(mapped.getBody());
  if (failed(mapBlock(*loop.getBody())))
    return failure();
  storeYields(loop);
  if (inits.empty())
    return success();
  SmallVector<Value> yields;
  for (Value yielded : loop.getYieldedValues())
    if (!isVector(yielded))
      yields.push_back(mapping.lookupOrDefault(yielded));
  scf::YieldOp::create(builder, loc(), yields);
  return success();
}

/// All of a line in one number: registers along it, then their lanes.
void TileMapper::mapLineReduction(vector::MultiDimReductionOp op) {
  Axis axis = axes.getAxes(stripAliases(op.getSource())).front();
  int64_t width = storage.getDivisor(axis);
  auto read = [&](Value offset) {
    Run run({axis}, {}, offset, width);
    return evaluate(op.getSource(), run.point, Registers());
  };
  auto loop = scf::ForOp::create(builder, loc(), index(width),
                                 index(axes.getExtent(axis)), index(width),
                                 read(index(0)));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value next = vector::makeArithReduction(builder, loc(), op.getKind(),
                                            loop.getRegionIterArgs()[0],
                                            read(loop.getInductionVar()));
    scf::YieldOp::create(builder, loc(), next);
  }
  mapping.map(op.getResult(),
              vector::ReductionOp::create(
                  builder, loc(), op.getKind(), loop.getResult(0),
                  mapping.lookupOrDefault(op.getAcc())));
}

/// Ops without block results: one element of a block, all of a line, or a
/// plain clone.
LogicalResult TileMapper::mapScalar(Operation *op) {
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op);
      reduction && reduction.getSourceVectorType().getRank() == 1 &&
      !axes.getAxes(stripAliases(reduction.getSource())).empty()) {
    mapLineReduction(reduction);
    return success();
  }
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    SmallVector<Axis> own = axes.getAxes(stripAliases(extract.getSource()));
    if (own.size() == extract.getMixedPosition().size()) {
      Point point;
      for (auto [axis, at] : llvm::zip(own, extract.getMixedPosition())) {
        if (auto constant = getConstantIntValue(at))
          point.scalars.push_back({axis, index(*constant)});
        else
          point.scalars.push_back(
              {axis, mapping.lookupOrDefault(cast<Value>(at))});
      }
      mapping.map(op->getResult(0), evaluateScalar(extract.getSource(), point));
      return success();
    }
  }
  WalkResult vectors = op->walk([](Operation *nested) {
    return llvm::any_of(nested->getOperands(), isVector) ||
                   llvm::any_of(nested->getResults(), isVector)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (vectors.wasInterrupted())
    return op->emitOpError("cannot be mapped to register tiles: expected no "
                           "block vectors in it");
  builder.clone(*op, mapping);
  return success();
}

LogicalResult TileMapper::mapBlock(Block &block) {
  TilePlan plan(block, axes, storage);
  if (failed(plan.build()))
    return failure();
  SmallVector<unsigned> order = plan.getOrder();
  planStorage(plan, order, block);
  for (unsigned index : order) {
    const Item &item = plan.getItems()[index];
    Operation *op = item.ops.front();
    location = op->getLoc();
    LogicalResult result = success();
    switch (item.kind) {
    case Item::Kind::Nest:
      result = mapNest(item);
      break;
    case Item::Kind::Read:
      result = mapRead(cast<vector::TransferReadOp>(op));
      break;
    case Item::Kind::Write:
      result = mapWrite(cast<vector::TransferWriteOp>(op));
      break;
    case Item::Kind::Loop:
      result = mapLoop(cast<scf::ForOp>(op), plan);
      break;
    case Item::Kind::Scalar:
      result = mapScalar(op);
      break;
    }
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult TileMapper::mapBody(Block &block) {
  scratchBlock = &block;
  location = block.getParentOp()->getLoc();
  SmallVector<Operation *> old;
  for (Operation &op : block.without_terminator())
    old.push_back(&op);
  if (old.empty())
    return success();
  builder.setInsertionPoint(old.front());
  if (failed(mapBlock(block)))
    return failure();
  for (Operation *op : llvm::reverse(old))
    op->erase();
  return success();
}
