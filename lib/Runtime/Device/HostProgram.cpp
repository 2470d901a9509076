//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Runtime/HostProgram.h"

using namespace fpa::runtime;

namespace {
struct Element {
  ElementType type;
  const char *name;
  int64_t bytes;
};
constexpr Element elements[] = {
    {ElementType::F16, "f16", 2}, {ElementType::BF16, "bf16", 2},
    {ElementType::F32, "f32", 4}, {ElementType::F64, "f64", 8},
    {ElementType::I1, "i1", 1},   {ElementType::I32, "i32", 4},
    {ElementType::I64, "i64", 8}, {ElementType::Index, "index", 8}};
} // namespace

const char *fpa::runtime::getName(ElementType type) {
  return elements[int(type)].name;
}

int64_t fpa::runtime::getBytes(ElementType type) {
  return elements[int(type)].bytes;
}

bool fpa::runtime::parseElementType(const std::string &name,
                                    ElementType &type) {
  for (const Element &element : elements)
    if (name == element.name) {
      type = element.type;
      return true;
    }
  return false;
}

std::string fpa::runtime::getText(const ArrayType &type) {
  std::string text;
  for (int64_t size : type.shape)
    text += (size < 0 ? "?" : std::to_string(size)) + "x";
  return text + getName(type.element);
}

bool fpa::runtime::parseArrayType(const std::string &text, ArrayType &type) {
  type.shape.clear();
  size_t at = 0;
  for (;;) {
    size_t end = text.find('x', at);
    if (end == std::string::npos)
      return parseElementType(text.substr(at), type.element);
    std::string size = text.substr(at, end - at);
    // The element type index has an x of its own.
    if (size == "inde")
      return parseElementType(text.substr(at), type.element);
    bool isNumber = !size.empty() && size.size() <= 18 &&
                    size.find_first_not_of("0123456789") == std::string::npos;
    if (size != "?" && !isNumber)
      return false;
    int64_t value = 0;
    for (char digit : size)
      value = value * 10 + (digit - '0');
    type.shape.push_back(size == "?" ? -1 : value);
    at = end + 1;
  }
}

bool fpa::runtime::countBytes(const ArrayType &type, int64_t &bytes) {
  bool isEmpty = false;
  for (int64_t size : type.shape) {
    if (size < 0)
      return false;
    isEmpty |= size == 0;
  }
  bytes = isEmpty ? 0 : getBytes(type.element);
  for (int64_t size : type.shape)
    if (!isEmpty && __builtin_mul_overflow(bytes, size, &bytes))
      return false;
  return true;
}

bool fpa::runtime::makesValue(Opcode op) {
  return op != Opcode::Require && op != Opcode::Release &&
         op != Opcode::Launch && op != Opcode::Next && op != Opcode::Return;
}

static std::vector<ArrayType> getTypes(const HostProgram &program, Opcode op) {
  std::vector<ArrayType> types;
  for (const Instruction &instruction : program.instructions)
    if (instruction.op == op)
      types.push_back(instruction.type);
  return types;
}

std::vector<ArrayType> HostProgram::getInputs() const {
  return getTypes(*this, Opcode::Input);
}

std::vector<ArrayType> HostProgram::getResults() const {
  return getTypes(*this, Opcode::Return);
}
