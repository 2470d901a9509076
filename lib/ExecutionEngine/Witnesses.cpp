//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Witnesses.h"
#include "RuleBuilder.h"
#include "fpa/Support/Diagnostics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Error;
using llvm::Expected;

namespace {
/// Emits in front of one update of a cache.
class RoomEmitter {
public:
  explicit RoomEmitter(UpdateCacheOp op) : op(op), b(op), loc(op.getLoc()) {}

  /// B x HK x 2 of i64: the keys that a head would hold, and how many it may.
  Value emit();

private:
  Value getSize(Value shaped, int64_t dim) {
    if (isa<MemRefType>(shaped.getType()))
      return memref::DimOp::create(b, loc, shaped, dim);
    return tensor::DimOp::create(b, loc, shaped, dim);
  }
  Value toI64(Value index) {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  }
  Value toTensor(Value shaped) {
    auto memref = dyn_cast<MemRefType>(shaped.getType());
    if (!memref)
      return shaped;
    return bufferization::ToTensorOp::create(
        b, loc, memref::getTensorTypeFromMemRefType(memref), shaped,
        /*restrict=*/true);
  }

  UpdateCacheOp op;
  OpBuilder b;
  Location loc;
};
} // namespace

Value RoomEmitter::emit() {
  Value room = toI64(getSize(op.getCachedKey(), 2));
  Value tokens = toI64(getSize(op.getKey(), 2));
  Value init = tensor::EmptyOp::create(
      b, loc,
      ArrayRef<OpFoldResult>{getSize(op.getKey(), 0), getSize(op.getKey(), 1),
                             b.getIndexAttr(2)},
      b.getI64Type());
  SmallVector<Value> inputs{toTensor(op.getCount())};
  AffineExpr batch, head, which;
  bindDims(b.getContext(), batch, head, which);
  auto getMap = [&](ArrayRef<AffineExpr> dims) {
    return AffineMap::get(3, 0, dims, b.getContext());
  };
  SmallVector<AffineMap> maps{getMap({batch, head})};
  if (op.getLengths()) {
    inputs.push_back(toTensor(op.getLengths()));
    maps.push_back(getMap({batch}));
  }
  maps.push_back(getMap({batch, head, which}));
  SmallVector<utils::IteratorType> loops(3, utils::IteratorType::parallel);
  auto body = [&](OpBuilder &b, Location loc, ValueRange values) {
    auto number = [&](int64_t value) {
      return arith::ConstantIntOp::create(b, loc, value, 64);
    };
    // Counts and lengths out of their range stand for its nearest end (D33).
    auto clamp = [&](Value value, Value most) -> Value {
      Value low = arith::MinSIOp::create(b, loc, value, most);
      return arith::MaxSIOp::create(b, loc, low, number(0));
    };
    Value added = op.getLengths() ? clamp(values[1], tokens) : tokens;
    Value keys = arith::AddIOp::create(b, loc, clamp(values[0], room), added);
    Value index = linalg::IndexOp::create(b, loc, 2);
    Value isFirst =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, index,
                              arith::ConstantIndexOp::create(b, loc, 0));
    Value chosen = arith::SelectOp::create(b, loc, isFirst, keys, room);
    linalg::YieldOp::create(b, loc, chosen);
  };
  return linalg::GenericOp::create(b, loc, init.getType(), inputs, init, maps,
                                   loops, body)
      .getResult(0);
}

/// The rule for the head that would hold the most keys.
static Error judgeRoom(const ShapeRules::Rule &rule, const Tensor &heads) {
  int64_t most = 0, room = 0;
  for (int64_t i = 0, e = heads.getNumElements(); i < e; i += 2) {
    most = std::max(most, heads.getInt(i));
    room = heads.getInt(i + 1);
  }
  std::string expected = rule.findBroken(room, most, 0);
  return expected.empty() ? Error::success()
                          : llvm::createStringError(
                                rule.describe(expected, llvm::Twine(room)));
}

static Witness getBetaWitness(AttentionOpInterface op) {
  SmoothCheck check{op->getName().getStringRef().str(),
                    op.getAccumulatorType().isF64()};
  return [check](const Tensor &beta) { return check.judge(beta.get(0)); };
}

/// The loops of the host around `op`, the innermost first; nothing where there
/// is other control flow, which is refused later.
static std::optional<SmallVector<scf::ForOp>> findLoops(Operation *op) {
  SmallVector<scf::ForOp> loops;
  for (op = op->getParentOp(); !isa<func::FuncOp>(op); op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return std::nullopt;
    loops.push_back(loop);
  }
  return loops;
}

namespace {
/// The largest of numbers that are computed in loops.
class LoopMaximum {
public:
  explicit LoopMaximum(ArrayRef<scf::ForOp> loops) : loops(loops) {}

  /// Of the elements of `heads`, B x HK x 2 of i64, one of 2, behind the loops.
  Value emit(function_ref<Value()> emitHeads);

private:
  Value emitInit();
  Value emitMaximum(Value heads, Value most);

  SmallVector<scf::ForOp> loops;
};
} // namespace

Value LoopMaximum::emitInit() {
  OpBuilder b(loops.back());
  Location loc = loops.back().getLoc();
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 64);
  Value init =
      tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{2}, b.getI64Type());
  return linalg::FillOp::create(b, loc, zero, init).getResult(0);
}

Value LoopMaximum::emitMaximum(Value heads, Value most) {
  scf::ForOp loop = loops.front();
  OpBuilder b(loop.getBody()->getTerminator());
  MLIRContext *context = b.getContext();
  AffineMap all = AffineMap::getMultiDimIdentityMap(3, context);
  AffineMap last = AffineMap::get(3, 0, getAffineDimExpr(2, context));
  utils::IteratorType kinds[] = {utils::IteratorType::reduction,
                                 utils::IteratorType::reduction,
                                 utils::IteratorType::parallel};
  return linalg::GenericOp::create(
             b, loop.getLoc(), most.getType(), heads, most,
             ArrayRef<AffineMap>{all, last}, kinds,
             [](OpBuilder &b, Location loc, ValueRange values) {
               Value larger =
                   arith::MaxSIOp::create(b, loc, values[0], values[1]);
               linalg::YieldOp::create(b, loc, larger);
             })
      .getResult(0);
}

Value LoopMaximum::emit(function_ref<Value()> emitHeads) {
  Value most = emitInit();
  IRRewriter rewriter(most.getContext());
  for (scf::ForOp &loop : llvm::reverse(loops)) {
    rewriter.setInsertionPoint(loop);
    auto wider = *loop.replaceWithAdditionalYields(
        rewriter, most, /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &, Location, ArrayRef<BlockArgument> added) {
          return SmallVector<Value>(added);
        });
    loop = cast<scf::ForOp>(wider.getOperation());
    most = loop.getRegionIterArgs().back();
  }
  most = emitMaximum(emitHeads(), most);
  for (scf::ForOp loop : loops) {
    Operation *yield = loop.getBody()->getTerminator();
    yield->setOperand(yield->getNumOperands() - 1, most);
    most = loop.getResults().back();
  }
  return most;
}

/// The keys that a head would hold, and how many it may: the rule is for those
/// of the most.
static Value emitRoom(UpdateCacheOp op, ArrayRef<scf::ForOp> loops) {
  // Loops that get a value more are other ops: it begins at the op's own place.
  auto emitHeads = [&] { return RoomEmitter(op).emit(); };
  return loops.empty() ? emitHeads() : LoopMaximum(loops).emit(emitHeads);
}

Expected<SmallVector<Witness>> mlir::fpa::addWitnesses(func::FuncOp entry) {
  SmallVector<Witness> witnesses;
  auto end = dyn_cast<func::ReturnOp>(entry.front().getTerminator());
  // Control flow of the host is refused later.
  if (!entry.getBody().hasOneBlock() || !end)
    return witnesses;
  auto add = [&](Value value, Witness witness) {
    end->insertOperands(end->getNumOperands(), value);
    (void)entry.insertResult(entry.getNumResults(), value.getType(), {});
    witnesses.push_back(std::move(witness));
  };
  SmallVector<Operation *> judged;
  entry.walk([&](Operation *op) {
    if (isa<AttentionOpInterface, UpdateCacheOp>(op))
      judged.push_back(op);
  });
  llvm::DenseSet<Value> betas;
  for (Operation *op : judged) {
    std::optional<SmallVector<scf::ForOp>> loops = findLoops(op);
    if (!loops)
      continue;
    if (auto attention = dyn_cast<AttentionOpInterface>(op)) {
      Value beta = attention.getBeta();
      if (!beta || !isa<TensorType>(beta.getType()) || findInput(beta) ||
          !betas.insert(beta).second)
        continue;
      if (beta.getParentBlock() != &entry.front())
        return makeError(op->getLoc(),
                         (op->getName().getStringRef() +
                          ": expected a beta from outside of loops on a GPU, "
                          "got one that a loop computes")
                             .str());
      add(beta, getBetaWitness(attention));
    }
    auto update = dyn_cast<UpdateCacheOp>(op);
    if (update && !update.getDropped())
      add(emitRoom(update, *loops),
          [rule = getRoomRule(update)](const Tensor &heads) {
            return judgeRoom(rule, heads);
          });
  }
  return witnesses;
}
