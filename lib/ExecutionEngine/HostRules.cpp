//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rules about sizes as instructions of a host program, for who runs a package
// and has nothing of LLVM.

#include "SizeNode.h"
#include "fpa/ExecutionEngine/GPUCompiler.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

using namespace mlir;
using namespace mlir::fpa;
using runtime::Instruction;
using runtime::Opcode;
using runtime::ValueId;

namespace {
/// Collects instructions that stand behind the inputs of a program.
class RuleEmitter {
public:
  explicit RuleEmitter(std::vector<runtime::ArrayType> types)
      : inputs(std::move(types)), begin(ValueId(inputs.size())), next(begin) {}

  void emit(const ShapeRules::Rule &rule);

  std::vector<Instruction> instructions;
  ValueId countValues() const { return next - begin; }

private:
  ValueId add(Opcode op, std::vector<ValueId> operands, int64_t number = 0);
  /// None for what no input's sizes decide alone.
  std::optional<ValueId> emit(const SizeExpression::Node *size);
  ValueId emitCondition(ShapeRules::Kind kind, ValueId size, ValueId first,
                        ValueId second);

  std::vector<runtime::ArrayType> inputs;
  ValueId begin, next;
  /// The same value is made once.
  std::map<std::tuple<Opcode, std::vector<ValueId>, int64_t>, ValueId> made;
  /// What values are that are numbers.
  std::map<ValueId, int64_t> numbers;
  /// Nodes may be shared many times over.
  llvm::DenseMap<const SizeExpression::Node *, std::optional<ValueId>> known;
};
} // namespace

ValueId RuleEmitter::add(Opcode op, std::vector<ValueId> operands,
                         int64_t number) {
  auto [entry, isNew] = made.try_emplace({op, operands, number}, next);
  if (!isNew)
    return entry->second;
  if (op == Opcode::Constant)
    numbers[next] = number;
  Instruction instruction;
  instruction.op = op;
  instruction.operands = std::move(operands);
  instruction.number = number;
  instructions.push_back(std::move(instruction));
  return next++;
}

/// None for a division, which there may be no result of.
static std::optional<Opcode> getOpcode(SizeExpression::Operator op) {
  switch (op) {
  case SizeExpression::Operator::Add:
    return Opcode::Add;
  case SizeExpression::Operator::Subtract:
    return Opcode::Sub;
  case SizeExpression::Operator::Multiply:
    return Opcode::Mul;
  case SizeExpression::Operator::Minimum:
    return Opcode::Min;
  case SizeExpression::Operator::Maximum:
    return Opcode::Max;
  default:
    return std::nullopt;
  }
}

std::optional<ValueId> RuleEmitter::emit(const SizeExpression::Node *size) {
  using Kind = SizeExpression::Node::Kind;
  auto found = known.find(size);
  if (found != known.end())
    return found->second;
  std::optional<ValueId> value;
  if (size->kind == Kind::Number)
    value = add(Opcode::Constant, {}, size->value);
  if (size->kind == Kind::Input) {
    int64_t extent = inputs[size->value].shape[size->dim];
    value = extent >= 0 ? add(Opcode::Constant, {}, extent)
                        : add(Opcode::Dim, {ValueId(size->value)}, size->dim);
  }
  if (size->kind == Kind::Combination)
    if (std::optional<Opcode> op = getOpcode(size->op)) {
      std::optional<ValueId> lhs = emit(size->lhs.get());
      std::optional<ValueId> rhs = emit(size->rhs.get());
      if (lhs && rhs)
        value = add(*op, {*lhs, *rhs});
    }
  return known[size] = value;
}

ValueId RuleEmitter::emitCondition(ShapeRules::Kind kind, ValueId size,
                                   ValueId first, ValueId second) {
  switch (kind) {
  case ShapeRules::Kind::Equal:
    return add(Opcode::Equal, {size, first});
  case ShapeRules::Kind::OneOf:
    return add(Opcode::Max, {add(Opcode::Equal, {size, first}),
                             add(Opcode::Equal, {size, second})});
  case ShapeRules::Kind::AtLeast:
    return add(Opcode::LessEqual, {first, size});
  case ShapeRules::Kind::MultipleOf: {
    // Of 0 there is one multiple, itself.
    ValueId zero = add(Opcode::Constant, {}, 0);
    ValueId one = add(Opcode::Constant, {}, 1);
    ValueId rest = add(Opcode::Rem, {size, add(Opcode::Max, {first, one})});
    ValueId isZero = add(Opcode::Equal, {first, zero});
    return add(Opcode::Equal,
               {add(Opcode::Select, {isZero, size, rest}), zero});
  }
  }
  llvm_unreachable("every kind of rule");
}

void RuleEmitter::emit(const ShapeRules::Rule &rule) {
  // Without what is made for a rule that stays out.
  RuleEmitter before = *this;
  std::optional<ValueId> size = emit(rule.size.getNode());
  std::optional<ValueId> first = emit(rule.first.getNode());
  std::optional<ValueId> second = emit(rule.second.getNode());
  if (!size || !first || !second) {
    *this = std::move(before);
    return;
  }
  auto find = [&](ValueId value) {
    auto found = numbers.find(value);
    return found == numbers.end() ? std::nullopt
                                  : std::optional<int64_t>(found->second);
  };
  std::optional<int64_t> x = find(*size), y = find(*first), z = find(*second);
  if (x && y && z && rule.holds(*x, *y, *z)) {
    *this = std::move(before);
    return;
  }
  Instruction requirement;
  requirement.op = Opcode::Require;
  requirement.operands = {emitCondition(rule.kind, *size, *first, *second),
                          *size, *first};
  if (rule.kind == ShapeRules::Kind::OneOf)
    requirement.operands.push_back(*second);
  requirement.text = rule.describe(rule.getExpected("{2}", "{3}"), "{1}");
  instructions.push_back(std::move(requirement));
}

void mlir::fpa::requireSizes(runtime::HostProgram &program,
                             const ShapeRules &rules) {
  std::vector<runtime::ArrayType> types = program.getInputs();
  size_t inputs = types.size();
  RuleEmitter emitter(std::move(types));
  for (const ShapeRules::Rule &rule : rules.rules)
    emitter.emit(rule);
  auto move = [&](ValueId &value) {
    if (value >= ValueId(inputs))
      value += emitter.countValues();
  };
  for (Instruction &instruction : program.instructions) {
    llvm::for_each(instruction.operands, move);
    for (runtime::Argument &argument : instruction.arguments)
      move(argument.value);
  }
  program.instructions.insert(program.instructions.begin() + inputs,
                              emitter.instructions.begin(),
                              emitter.instructions.end());
}
