//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Witnesses.h"
#include "RuleBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Error;

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

SmallVector<Witness> mlir::fpa::addWitnesses(func::FuncOp entry) {
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
  llvm::DenseSet<Value> betas;
  for (Operation &op : llvm::make_early_inc_range(entry.front())) {
    if (auto attention = dyn_cast<AttentionOpInterface>(op)) {
      Value beta = attention.getBeta();
      if (beta && isa<TensorType>(beta.getType()) && !findInput(beta) &&
          betas.insert(beta).second)
        add(beta, getBetaWitness(attention));
    }
    auto update = dyn_cast<UpdateCacheOp>(op);
    if (update && !update.getDropped())
      add(RoomEmitter(update).emit(),
          [rule = getRoomRule(update)](const Tensor &heads) {
            return judgeRoom(rule, heads);
          });
  }
  return witnesses;
}
