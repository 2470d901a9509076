//===- SizeExpression.cpp - Integers made from sizes of inputs ------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeNode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fpa;

;

SizeExpression SizeExpression::ofNumber(int64_t value) {
  return SizeExpression(
      std::make_shared<const Node>(Node{Node::Kind::Number, value}));
}

SizeExpression SizeExpression::ofInput(int64_t input, int64_t dim) {
  return SizeExpression(
      std::make_shared<const Node>(Node{Node::Kind::Input, input, dim}));
}

SizeExpression SizeExpression::ofElement(int64_t input,
                                         ArrayRef<int64_t> indices,
                                         Value read) {
  return SizeExpression(std::make_shared<const Node>(
      Node{Node::Kind::Element, input, 0, Operator::Add, nullptr, nullptr,
           llvm::to_vector<0>(indices), read}));
}

SizeExpression SizeExpression::ofDimension(Value value, int64_t dim) {
  return SizeExpression(std::make_shared<const Node>(Node{Node::Kind::Local,
                                                          0,
                                                          dim,
                                                          Operator::Add,
                                                          nullptr,
                                                          nullptr,
                                                          {},
                                                          value,
                                                          /*isKnown=*/false}));
}

SizeExpression SizeExpression::ofInteger(Value value) {
  return ofDimension(value, -1);
}

static std::optional<int64_t> readElement(const Tensor &input,
                                          ArrayRef<int64_t> indices) {
  if (!input.getData())
    return std::nullopt;
  int64_t position = 0;
  for (auto [index, size] : llvm::zip_equal(indices, input.getShape())) {
    if (index < 0 || index >= size)
      return std::nullopt;
    position = position * size + index;
  }
  return input.getInt(position);
}

static std::optional<int64_t> compute(SizeExpression::Operator op, int64_t x,
                                      int64_t y) {
  using Operator = SizeExpression::Operator;
  switch (op) {
  case Operator::Add:
    return llvm::checkedAdd(x, y);
  case Operator::Subtract:
    return llvm::checkedSub(x, y);
  case Operator::Multiply:
    return llvm::checkedMul(x, y);
  case Operator::Minimum:
    return std::min(x, y);
  case Operator::Maximum:
    return std::max(x, y);
  default:
    break;
  }
  if (y == 0 || (x == std::numeric_limits<int64_t>::min() && y == -1))
    return std::nullopt;
  if (op == Operator::FloorDivide)
    return llvm::divideFloorSigned(x, y);
  if (op == Operator::CeilDivide)
    return llvm::divideCeilSigned(x, y);
  return op == Operator::Divide ? x / y : x % y;
}

SizeExpression SizeExpression::combine(Operator op, const SizeExpression &lhs,
                                       const SizeExpression &rhs) {
  if (lhs.isNumber() && rhs.isNumber())
    if (auto value = compute(op, lhs.node->value, rhs.node->value))
      return ofNumber(*value);
  return SizeExpression(
      std::make_shared<const Node>(Node{Node::Kind::Combination,
                                        0,
                                        0,
                                        op,
                                        lhs.node,
                                        rhs.node,
                                        {},
                                        {},
                                        lhs.isKnown() && rhs.isKnown()}));
}

bool SizeExpression::isNumber() const {
  return node->kind == Node::Kind::Number;
}

bool SizeExpression::isKnown() const { return node->isKnown; }

bool SizeExpression::isSame(const SizeExpression &other) const {
  // Nodes may be shared many times over.
  llvm::DenseSet<std::pair<const Node *, const Node *>> same;
  auto compare = [&](auto &compare, const Node *a, const Node *b) -> bool {
    if (a == b || same.contains({a, b}))
      return true;
    if (a->kind != b->kind || a->value != b->value || a->dim != b->dim ||
        a->op != b->op || a->indices != b->indices)
      return false;
    if (a->kind == Node::Kind::Local && a->local != b->local)
      return false;
    if (a->kind == Node::Kind::Combination &&
        !(compare(compare, a->lhs.get(), b->lhs.get()) &&
          compare(compare, a->rhs.get(), b->rhs.get())))
      return false;
    same.insert({a, b});
    return true;
  };
  return compare(compare, node.get(), other.node.get());
}

SizeExpression SizeExpression::substitute(
    llvm::function_ref<std::optional<SizeExpression>(Value, int64_t)> find)
    const {
  llvm::DenseMap<const Node *, std::shared_ptr<const Node>> done;
  using NodePtr = std::shared_ptr<const Node>;
  auto visit = [&](auto &visit, const NodePtr &from) -> NodePtr {
    if (from->isKnown)
      return from;
    if (auto known = done.find(from.get()); known != done.end())
      return known->second;
    NodePtr to = from;
    if (from->kind == Node::Kind::Local) {
      if (std::optional<SizeExpression> other = find(from->local, from->dim))
        to = visit(visit, other->node);
    } else {
      NodePtr lhs = visit(visit, from->lhs), rhs = visit(visit, from->rhs);
      if (lhs != from->lhs || rhs != from->rhs)
        to = combine(from->op, SizeExpression(lhs), SizeExpression(rhs)).node;
    }
    return done[from.get()] = to;
  };
  return SizeExpression(visit(visit, node));
}

void SizeExpression::findReadInputs(
    llvm::SmallSetVector<int64_t, 4> &inputs) const {
  // Nodes may be shared many times over.
  llvm::DenseSet<const Node *> seen;
  auto visit = [&](auto &visit, const Node *node) -> void {
    if (!seen.insert(node).second)
      return;
    if (node->kind == Node::Kind::Element)
      inputs.insert(node->value);
    if (node->kind != Node::Kind::Combination)
      return;
    visit(visit, node->lhs.get());
    visit(visit, node->rhs.get());
  };
  visit(visit, node.get());
}

std::optional<int64_t> SizeExpression::evaluate(ArrayRef<Tensor> inputs) const {
  // Nodes may be shared many times over.
  llvm::DenseMap<const Node *, std::optional<int64_t>> values;
  auto visit = [&](auto &visit, const Node *node) -> std::optional<int64_t> {
    if (node->kind == Node::Kind::Number)
      return node->value;
    if (node->kind == Node::Kind::Input)
      return inputs[node->value].getShape()[node->dim];
    if (node->kind == Node::Kind::Element)
      return readElement(inputs[node->value], node->indices);
    if (node->kind == Node::Kind::Local)
      return std::nullopt;
    if (auto known = values.find(node); known != values.end())
      return known->second;
    std::optional<int64_t> x = visit(visit, node->lhs.get());
    std::optional<int64_t> y = visit(visit, node->rhs.get());
    return values[node] =
               x && y ? compute(node->op, *x, *y) : std::optional<int64_t>();
  };
  return visit(visit, node.get());
}
