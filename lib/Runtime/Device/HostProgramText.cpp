//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Runtime/HostProgram.h"
#include <cstdlib>
#include <cstring>

using namespace fpa::runtime;

static const char firstLine[] = "fpa-host-program 3";

namespace {
struct OpcodeName {
  Opcode op;
  const char *name;
};
constexpr OpcodeName opcodeNames[] = {
    {Opcode::Input, "input"},     {Opcode::Constant, "constant"},
    {Opcode::Float, "float"},     {Opcode::Dim, "dim"},
    {Opcode::Add, "add"},         {Opcode::Sub, "sub"},
    {Opcode::Mul, "mul"},         {Opcode::Div, "div"},
    {Opcode::CeilDiv, "ceildiv"}, {Opcode::FloorDiv, "floordiv"},
    {Opcode::Rem, "rem"},         {Opcode::Min, "min"},
    {Opcode::Max, "max"},         {Opcode::Equal, "eq"},
    {Opcode::NotEqual, "ne"},     {Opcode::Less, "lt"},
    {Opcode::LessEqual, "le"},    {Opcode::Select, "select"},
    {Opcode::Require, "require"}, {Opcode::Allocate, "allocate"},
    {Opcode::Release, "release"}, {Opcode::For, "for"},
    {Opcode::Next, "next"},       {Opcode::Launch, "launch"},
    {Opcode::Return, "return"}};

struct ArgumentName {
  ArgumentType type;
  const char *name;
};
constexpr ArgumentName argumentNames[] = {
    {ArgumentType::Pointer, "ptr"}, {ArgumentType::Index, "index"},
    {ArgumentType::I64, "i64"},     {ArgumentType::I32, "i32"},
    {ArgumentType::F32, "f32"},     {ArgumentType::F64, "f64"}};
} // namespace

static bool hasNumber(Opcode op) {
  return op == Opcode::Constant || op == Opcode::Float || op == Opcode::Dim;
}

static bool hasType(Opcode op) {
  return op == Opcode::Input || op == Opcode::Return;
}

static std::string printValue(ValueId id) { return " %" + std::to_string(id); }

static std::string printLaunch(const Instruction &launch) {
  std::string text = " " + launch.kernel;
  for (size_t i = 0; i < launch.operands.size(); ++i) {
    text += i == 0 ? " grid" : i == 3 ? " block" : i == 6 ? " shared" : "";
    text += printValue(launch.operands[i]);
  }
  text += " arguments";
  for (const Argument &argument : launch.arguments)
    text += std::string(" ") + argumentNames[int(argument.type)].name +
            printValue(argument.value);
  return text;
}

std::string fpa::runtime::print(const HostProgram &program) {
  std::string text = std::string(firstLine) + "\nname " + program.name + "\n";
  ValueId next = 0;
  for (const Instruction &instruction : program.instructions) {
    if (makesValue(instruction.op))
      text += "%" + std::to_string(next++) + " = ";
    text += opcodeNames[int(instruction.op)].name;
    if (instruction.op == Opcode::Launch) {
      text += printLaunch(instruction) + "\n";
      continue;
    }
    if (hasType(instruction.op))
      text += " " + getText(instruction.type);
    for (ValueId operand : instruction.operands)
      text += printValue(operand);
    if (hasNumber(instruction.op))
      text += " " + std::to_string(instruction.number);
    if (instruction.op == Opcode::Require)
      text += " " + instruction.text;
    text += "\n";
  }
  return text + "end\n";
}

namespace {
/// Reads the text line by line and word by word.
class Parser {
public:
  explicit Parser(const std::string &text) : text(text) {}
  std::string parse(HostProgram &program);

private:
  bool nextLine();
  std::string error(const std::string &what) const {
    return "host program line " + std::to_string(line) + ": " + what;
  }
  std::string expected(const std::string &what) const {
    return error("expected " + what +
                 (at < words.size() ? ", got '" + words[at] + "'"
                                    : ", got the end of the line"));
  }
  bool eat(const char *word) {
    if (at < words.size() && words[at] == word)
      return ++at, true;
    return false;
  }
  bool value(ValueId &id);
  bool number(int64_t &result);
  std::string parseInstruction(Instruction &instruction);
  std::string parseLaunch(Instruction &launch);

  const std::string &text;
  size_t position = 0, line = 0, at = 0;
  std::vector<std::string> words;
  ValueId nextValue = 0;
};
} // namespace

/// Splits the next line at single spaces; empty words stay, and are refused.
bool Parser::nextLine() {
  size_t end = text.find('\n', position);
  if (end == std::string::npos)
    return false;
  words.clear();
  at = 0;
  ++line;
  size_t start = position;
  for (size_t i = position; i <= end; ++i)
    if (i == end || text[i] == ' ') {
      words.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  position = end + 1;
  return true;
}

bool Parser::number(int64_t &result) {
  if (at >= words.size())
    return false;
  const std::string &word = words[at];
  char *end = nullptr;
  long long value = std::strtoll(word.c_str(), &end, 10);
  // Only what printing gives: no sign of plus, no leading zeros, no overflow.
  if (word.empty() || *end || std::to_string(value) != word)
    return false;
  result = value;
  ++at;
  return true;
}

bool Parser::value(ValueId &id) {
  if (at >= words.size() || words[at].size() < 2 || words[at][0] != '%')
    return false;
  std::string digits = words[at].substr(1);
  if (digits.size() > 9 ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    return false;
  id = ValueId(std::strtol(digits.c_str(), nullptr, 10));
  ++at;
  return true;
}

std::string Parser::parseLaunch(Instruction &launch) {
  if (at >= words.size() || words[at].empty())
    return expected("the name of a kernel");
  launch.kernel = words[at++];
  for (int i = 0; i < 7; ++i) {
    const char *part = i == 0   ? "grid"
                       : i == 3 ? "block"
                       : i == 6 ? "shared"
                                : nullptr;
    if (part && !eat(part))
      return expected(std::string("'") + part + "'");
    ValueId id;
    if (!value(id))
      return expected("a value");
    launch.operands.push_back(id);
  }
  if (!eat("arguments"))
    return expected("'arguments'");
  while (at < words.size()) {
    Argument argument;
    bool isKnown = false;
    for (const ArgumentName &name : argumentNames)
      if (!isKnown && eat(name.name)) {
        argument.type = name.type;
        isKnown = true;
      }
    if (!isKnown)
      return expected("ptr, index, i64, i32, f32 or f64");
    if (!value(argument.value))
      return expected("a value");
    launch.arguments.push_back(argument);
  }
  return "";
}

std::string Parser::parseInstruction(Instruction &instruction) {
  ValueId result = -1;
  bool hasResult = value(result);
  if (hasResult && (result != nextValue || !eat("=")))
    return error("expected '%" + std::to_string(nextValue) + " =', got '" +
                 words[0] + "'");
  const OpcodeName *known = nullptr;
  for (const OpcodeName &name : opcodeNames)
    if (!known && eat(name.name))
      known = &name;
  if (!known)
    return expected("an instruction");
  instruction.op = known->op;
  if (makesValue(known->op) != hasResult)
    return error(std::string("expected '") + known->name +
                 (hasResult ? "' without a result" : "' with a result"));
  nextValue += hasResult;
  if (known->op == Opcode::Launch)
    return parseLaunch(instruction);
  if (hasType(known->op)) {
    if (at >= words.size() || !parseArrayType(words[at], instruction.type))
      return expected("a type such as 2x?xf32");
    ++at;
  }
  ValueId operand;
  while (value(operand))
    instruction.operands.push_back(operand);
  if (hasNumber(known->op) && !number(instruction.number))
    return expected("a number");
  if (known->op == Opcode::Require) {
    if (at >= words.size() || words[at].empty())
      return expected("a text");
    for (; at < words.size(); ++at)
      instruction.text += (instruction.text.empty() ? "" : " ") + words[at];
  }
  return at < words.size() ? expected("the end of the line") : "";
}

std::string Parser::parse(HostProgram &program) {
  if (!nextLine() || text.compare(0, position, std::string(firstLine) + "\n"))
    return std::string("expected a host program that begins with '") +
           firstLine + "'";
  if (!nextLine() || !eat("name") || at + 1 != words.size() ||
      words[at].empty())
    return "host program line 2: expected 'name' and a name";
  program.name = words[at];
  while (nextLine()) {
    if (words.size() == 1 && words[0] == "end")
      return position == text.size() ? ""
                                     : error("expected the end of the program");
    Instruction instruction;
    std::string problem = parseInstruction(instruction);
    if (!problem.empty())
      return problem;
    program.instructions.push_back(std::move(instruction));
  }
  return "host program: expected 'end', got the end of the text";
}

std::string fpa::runtime::parse(const std::string &text, HostProgram &program) {
  program = HostProgram();
  std::string error = Parser(text).parse(program);
  if (!error.empty())
    return error;
  error = verify(program);
  return error.empty() ? "" : "host program: " + error;
}
