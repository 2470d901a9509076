//===- InsertSizeChecks.cpp - Rules that the program checks itself --------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A size that a loop changes, or that a branch gives, is compared where it is
// used. What follows from the inputs' sizes alone costs nothing here.
//
//===----------------------------------------------------------------------===//

#include "CheckFailure.h"
#include "RuleBuilder.h"
#include "SizeNode.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/ExecutionEngine/Signature.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::fpa;
using Operator = SizeExpression::Operator;
using Kind = ShapeRules::Kind;

namespace {
/// Computes size expressions in front of one op.
class SizeEmitter {
public:
  SizeEmitter(func::FuncOp entry, Operation *op)
      : entry(entry), builder(op), loc(op->getLoc()) {}

  /// Null where the function has no value for a part of it.
  Value emit(const SizeExpression &size) { return emit(size.getNode()); }
  Value isBroken(Kind kind, Value size, Value first, Value second);
  /// What the fullest head of a cache has to hold with its new tokens.
  Value emitMostKeys(UpdateCacheOp op);
  /// Calls `callee` with the rule's number and the sizes if `broken`.
  void failIf(Value broken, int64_t number, ValueRange sizes);

private:
  Value emit(const SizeExpression::Node *node);
  Value emitNew(const SizeExpression::Node *node);
  Value emitDim(Value shaped, int64_t dim);
  /// An element, cut to what lies between 0 and `most`.
  Value emitCount(Value shaped, ValueRange indices, Value most);
  Value toIndex(Value integer);
  Value combine(Operator op, Value lhs, Value rhs);
  /// What may be divided by: `divisor`, or 1 for 0.
  Value notZero(Value divisor);
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  }

  func::FuncOp entry;
  OpBuilder builder;
  Location loc;
  llvm::DenseMap<const SizeExpression::Node *, Value> emitted;
};
} // namespace

Value SizeEmitter::emit(const SizeExpression::Node *node) {
  if (auto known = emitted.find(node); known != emitted.end())
    return known->second;
  Value value = emitNew(node);
  return emitted[node] = value;
}

Value SizeEmitter::emitNew(const SizeExpression::Node *node) {
  using NodeKind = SizeExpression::Node::Kind;
  switch (node->kind) {
  case NodeKind::Number:
    return number(node->value);
  case NodeKind::Input:
    return emitDim(entry.getArgument(node->value), node->dim);
  case NodeKind::Element:
    return node->local ? toIndex(node->local) : Value();
  case NodeKind::Local:
    return node->dim < 0 ? toIndex(node->local)
                         : emitDim(node->local, node->dim);
  case NodeKind::Combination:
    break;
  }
  Value lhs = emit(node->lhs.get()), rhs = emit(node->rhs.get());
  return lhs && rhs ? combine(node->op, lhs, rhs) : Value();
}

Value SizeEmitter::emitDim(Value shaped, int64_t dim) {
  if (isa<MemRefType>(shaped.getType()))
    return memref::DimOp::create(builder, loc, shaped, dim);
  return tensor::DimOp::create(builder, loc, shaped, dim);
}

Value SizeEmitter::toIndex(Value integer) {
  Type index = builder.getIndexType();
  return integer.getType() == index
             ? integer
             : arith::IndexCastOp::create(builder, loc, index, integer);
}

Value SizeEmitter::notZero(Value divisor) {
  Value isZero = compare(arith::CmpIPredicate::eq, divisor, number(0));
  return arith::SelectOp::create(builder, loc, isZero, number(1), divisor);
}

Value SizeEmitter::combine(Operator op, Value lhs, Value rhs) {
  switch (op) {
  case Operator::Add:
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case Operator::Subtract:
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  case Operator::Multiply:
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  case Operator::Divide:
    return arith::DivSIOp::create(builder, loc, lhs, notZero(rhs));
  case Operator::FloorDivide:
    return arith::FloorDivSIOp::create(builder, loc, lhs, notZero(rhs));
  case Operator::CeilDivide:
    return arith::CeilDivSIOp::create(builder, loc, lhs, notZero(rhs));
  case Operator::Remainder:
    return arith::RemSIOp::create(builder, loc, lhs, notZero(rhs));
  case Operator::Minimum:
    return arith::MinSIOp::create(builder, loc, lhs, rhs);
  case Operator::Maximum:
    return arith::MaxSIOp::create(builder, loc, lhs, rhs);
  }
  llvm_unreachable("every operator");
}

Value SizeEmitter::isBroken(Kind kind, Value size, Value first, Value second) {
  using Predicate = arith::CmpIPredicate;
  switch (kind) {
  case Kind::Equal:
    return compare(Predicate::ne, size, first);
  case Kind::AtLeast:
    return compare(Predicate::slt, size, first);
  case Kind::OneOf:
    return arith::AndIOp::create(builder, loc,
                                 compare(Predicate::ne, size, first),
                                 compare(Predicate::ne, size, second));
  case Kind::MultipleOf: {
    Value rest = arith::RemSIOp::create(builder, loc, size, notZero(first));
    // Of multiples of 0 there is one.
    Value isZero = compare(Predicate::eq, first, number(0));
    Value over = arith::SelectOp::create(builder, loc, isZero, size, rest);
    return compare(Predicate::ne, over, number(0));
  }
  }
  llvm_unreachable("every kind of rule");
}

Value SizeEmitter::emitCount(Value shaped, ValueRange indices, Value most) {
  Value element =
      isa<MemRefType>(shaped.getType())
          ? memref::LoadOp::create(builder, loc, shaped, indices).getResult()
          : tensor::ExtractOp::create(builder, loc, shaped, indices)
                .getResult();
  Value count = combine(Operator::Minimum, toIndex(element), most);
  return combine(Operator::Maximum, count, number(0));
}

Value SizeEmitter::emitMostKeys(UpdateCacheOp op) {
  Value room = emitDim(op.getCachedKey(), 2), tokens = emitDim(op.getKey(), 2);
  Value zero = number(0), one = number(1);
  auto loop = [&](int64_t dim, Value most,
                  function_ref<Value(Value, Value)> body) {
    auto heads = scf::ForOp::create(builder, loc, zero,
                                    emitDim(op.getKey(), dim), one, most);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(heads.getBody());
    scf::YieldOp::create(
        builder, loc, body(heads.getInductionVar(), heads.getRegionIterArg(0)));
    return heads.getResult(0);
  };
  return loop(0, zero, [&](Value batch, Value ofBatches) {
    Value added =
        op.getLengths() ? emitCount(op.getLengths(), batch, tokens) : tokens;
    return loop(1, ofBatches, [&](Value head, Value most) {
      Value held = emitCount(op.getCount(), {batch, head}, room);
      return combine(Operator::Maximum, most,
                     combine(Operator::Add, held, added));
    });
  });
}

void SizeEmitter::failIf(Value broken, int64_t rule, ValueRange sizes) {
  emitCheckFailure(builder, loc, entry->getParentOfType<ModuleOp>(), broken,
                   rule, sizes);
}

void mlir::fpa::insertSizeChecks(func::FuncOp entry,
                                 ArrayRef<ShapeRules::LateRule> late,
                                 int64_t first) {
  for (auto [i, lateRule] : llvm::enumerate(late)) {
    const ShapeRules::Rule &rule = lateRule.rule;
    SizeEmitter emitter(entry, lateRule.op);
    SmallVector<Value> sizes{emitter.emit(rule.size), emitter.emit(rule.first),
                             emitter.emit(rule.second)};
    if (!llvm::is_contained(sizes, Value()))
      emitter.failIf(emitter.isBroken(rule.kind, sizes[0], sizes[1], sizes[2]),
                     first + int64_t(i), sizes);
  }
}

ShapeRules::Rule mlir::fpa::getRoomRule(UpdateCacheOp op) {
  SizeExpression none = SizeExpression::ofNumber(0);
  return {Kind::AtLeast,
          SizeExpression::ofDimension(op.getCachedKey(), 2),
          none,
          none,
          "cached_key dimension 2",
          "the keys of a head with its new tokens",
          op->getName().getStringRef().str()};
}

void mlir::fpa::insertRoomChecks(func::FuncOp entry,
                                 SmallVectorImpl<ShapeRules::Rule> &rules) {
  entry.walk([&](UpdateCacheOp op) {
    if (op.getDropped())
      return;
    ShapeRules::Rule rule = getRoomRule(op);
    SizeEmitter emitter(entry, op);
    Value room = emitter.emit(rule.size), most = emitter.emitMostKeys(op);
    emitter.failIf(emitter.isBroken(rule.kind, room, most, {}), rules.size(),
                   {room, most, emitter.emit(rule.second)});
    rules.push_back(std::move(rule));
  });
}
