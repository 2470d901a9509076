//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Runtime/HostProgram.h"

using namespace fpa::runtime;

namespace {
/// What a value is.
enum class Kind { Integer, Float, Buffer };

/// Goes through a program in order.
class Verifier {
public:
  std::string verify(const HostProgram &program);

private:
  struct Value {
    Kind kind;
    const Instruction *definition;
    /// A buffer that was released or returned.
    bool isGone = false;
    /// Made in a loop that has ended.
    bool isPast = false;
  };

  std::string check(const Instruction &instruction);
  std::string checkLaunch(const Instruction &launch);
  std::string checkRequirement(const Instruction &requirement);
  std::string checkReturn(const Instruction &instruction);
  std::string checkPlace(const Instruction &instruction) const;
  std::string endLoop();
  std::string checkReleased(size_t first) const;
  /// Whether operand `i` is a value of this kind that is still there.
  std::string checkValue(ValueId id, Kind kind) const;
  std::string checkCount(const Instruction &instruction, size_t count) const;

  std::vector<Value> values;
  /// The values before each loop that has not ended; the loop's own is the
  /// first of its values.
  std::vector<size_t> loops;
  bool isReturning = false, isPastInputs = false;
};
} // namespace

static const char *getName(Kind kind) {
  return kind == Kind::Integer ? "an integer"
         : kind == Kind::Float ? "a float"
                               : "a buffer";
}

bool fpa::runtime::isName(const std::string &name) {
  for (char c : name)
    if (c <= ' ' || c > '~')
      return false;
  return !name.empty();
}

std::string Verifier::checkValue(ValueId id, Kind kind) const {
  std::string name = "%" + std::to_string(id);
  if (id < 0 || size_t(id) >= values.size())
    return "expected a value defined before, got " + name;
  if (values[id].kind != kind)
    return std::string("expected ") + getName(kind) + ", got " + name +
           ", which is " + getName(values[id].kind);
  if (values[id].isGone)
    return "expected a buffer that is still allocated, got " + name;
  if (values[id].isPast)
    return "expected a value of this loop or of one around it, got " + name;
  return "";
}

std::string Verifier::checkCount(const Instruction &instruction,
                                 size_t count) const {
  if (instruction.operands.size() == count)
    return "";
  return "expected " + std::to_string(count) + " operands, got " +
         std::to_string(instruction.operands.size());
}

std::string Verifier::checkLaunch(const Instruction &launch) {
  std::string error = checkCount(launch, 7);
  for (size_t i = 0; error.empty() && i < launch.operands.size(); ++i)
    error = checkValue(launch.operands[i], Kind::Integer);
  for (const Argument &argument : launch.arguments) {
    if (!error.empty())
      return error;
    bool isFloat = argument.type == ArgumentType::F32 ||
                   argument.type == ArgumentType::F64;
    error = checkValue(argument.value, argument.type == ArgumentType::Pointer
                                           ? Kind::Buffer
                                       : isFloat ? Kind::Float
                                                 : Kind::Integer);
  }
  if (error.empty() && !isName(launch.kernel))
    error =
        "expected a kernel's name of printable ASCII without blanks, got '" +
        launch.kernel + "'";
  return error;
}

std::string Verifier::checkRequirement(const Instruction &requirement) {
  if (requirement.operands.empty())
    return checkCount(requirement, 1);
  for (ValueId operand : requirement.operands)
    if (std::string error = checkValue(operand, Kind::Integer); !error.empty())
      return error;
  // What is printed and read again must be the same.
  const std::string &text = requirement.text;
  bool isPrintable = !text.empty() && text[0] != ' ' && text[0] != '%';
  for (char c : text)
    isPrintable &= c >= ' ' && c <= '~';
  if (!isPrintable)
    return "expected a text of printable ASCII that begins with no blank or %, "
           "got '" +
           text + "'";
  return "";
}

std::string Verifier::checkReturn(const Instruction &instruction) {
  isReturning = true;
  std::string error =
      checkCount(instruction, 1 + instruction.type.shape.size());
  if (error.empty())
    error = checkValue(instruction.operands[0], Kind::Buffer);
  for (size_t i = 1; error.empty() && i < instruction.operands.size(); ++i)
    error = checkValue(instruction.operands[i], Kind::Integer);
  if (!error.empty())
    return error;
  Value &buffer = values[instruction.operands[0]];
  if (buffer.definition->op != Opcode::Allocate)
    return "expected a buffer that the program allocates, got an input";
  buffer.isGone = true;
  return "";
}

/// Inputs, returns and what a program asks of its inputs' sizes have their
/// place outside of loops: sizes are judged without going through these.
std::string Verifier::checkPlace(const Instruction &instruction) const {
  bool isOutside = instruction.op == Opcode::Input ||
                   instruction.op == Opcode::Require ||
                   instruction.op == Opcode::Return;
  if (isOutside && !loops.empty())
    return "expected inputs, requirements and returns outside of loops";
  return "";
}

std::string Verifier::checkReleased(size_t first) const {
  for (size_t id = first; id < values.size(); ++id)
    if (values[id].definition->op == Opcode::Allocate && !values[id].isGone)
      return "expected buffer %" + std::to_string(id) +
             (loops.empty() ? " to be released or returned"
                            : " to be released in the loop that allocates it");
  return "";
}

std::string Verifier::endLoop() {
  if (loops.empty())
    return "expected a loop that begins before, got none";
  if (std::string error = checkReleased(loops.back()); !error.empty())
    return error;
  for (size_t id = loops.back(); id < values.size(); ++id)
    values[id].isPast = true;
  loops.pop_back();
  return "";
}

std::string Verifier::check(const Instruction &instruction) {
  if (std::string error = checkPlace(instruction); !error.empty())
    return error;
  if (isReturning && instruction.op != Opcode::Return)
    return "expected nothing but returns after a return";
  if (isPastInputs && instruction.op == Opcode::Input)
    return "expected inputs before all else";
  isPastInputs |= instruction.op != Opcode::Input;
  std::string error;
  switch (instruction.op) {
  case Opcode::Input:
  case Opcode::Constant:
  case Opcode::Float:
    return checkCount(instruction, 0);
  case Opcode::Dim: {
    error = checkCount(instruction, 1);
    if (error.empty())
      error = checkValue(instruction.operands[0], Kind::Buffer);
    if (!error.empty())
      return error;
    const Instruction &input = *values[instruction.operands[0]].definition;
    if (input.op != Opcode::Input)
      return "expected the dimension of an input";
    if (instruction.number < 0 ||
        size_t(instruction.number) >= input.type.shape.size())
      return "expected a dimension of " + getText(input.type) + ", got " +
             std::to_string(instruction.number);
    return "";
  }
  case Opcode::Release:
    error = checkCount(instruction, 1);
    if (error.empty())
      error = checkValue(instruction.operands[0], Kind::Buffer);
    if (!error.empty())
      return error;
    if (values[instruction.operands[0]].definition->op != Opcode::Allocate)
      return "expected a buffer that the program allocates, got an input";
    // A second iteration would find it gone.
    if (!loops.empty() && size_t(instruction.operands[0]) < loops.back())
      return "expected a buffer that the loop allocates, got %" +
             std::to_string(instruction.operands[0]) + " from before it";
    values[instruction.operands[0]].isGone = true;
    return "";
  case Opcode::Next:
    error = checkCount(instruction, 0);
    return error.empty() ? endLoop() : error;
  case Opcode::Require:
    return checkRequirement(instruction);
  case Opcode::Launch:
    return checkLaunch(instruction);
  case Opcode::Return:
    return checkReturn(instruction);
  default:
    break;
  }
  size_t count =
      instruction.op == Opcode::Allocate                                  ? 1
      : instruction.op == Opcode::Select || instruction.op == Opcode::For ? 3
                                                                          : 2;
  error = checkCount(instruction, count);
  for (size_t i = 0; error.empty() && i < count; ++i)
    error = checkValue(instruction.operands[i], Kind::Integer);
  return error;
}

std::string Verifier::verify(const HostProgram &program) {
  if (!isName(program.name))
    return "expected a program's name of printable ASCII without blanks, got "
           "'" +
           program.name + "'";
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    std::string error = check(instruction);
    if (!error.empty())
      return "instruction " + std::to_string(i) + ": " + error;
    if (!makesValue(instruction.op))
      continue;
    if (instruction.op == Opcode::For)
      loops.push_back(values.size());
    Kind kind =
        instruction.op == Opcode::Input || instruction.op == Opcode::Allocate
            ? Kind::Buffer
        : instruction.op == Opcode::Float ? Kind::Float
                                          : Kind::Integer;
    values.push_back({kind, &instruction});
  }
  if (!loops.empty())
    return "expected loop %" + std::to_string(loops.back()) + " to end";
  return checkReleased(0);
}

std::string fpa::runtime::verify(const HostProgram &program) {
  return Verifier().verify(program);
}
