//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBuilder.h"

using namespace mlir;
using namespace mlir::fpa;

ValueId HostBuilder::add(runtime::Instruction instruction) {
  bool hasValue = runtime::makesValue(instruction.op);
  program.instructions.push_back(std::move(instruction));
  return hasValue ? next++ : -1;
}

ValueId HostBuilder::add(Opcode op, ArrayRef<ValueId> operands,
                         int64_t number) {
  runtime::Instruction instruction;
  instruction.op = op;
  instruction.number = number;
  instruction.operands.assign(operands.begin(), operands.end());
  return add(std::move(instruction));
}

ValueId HostBuilder::constant(int64_t number) {
  auto [entry, isNew] = constants.try_emplace(number, -1);
  if (isNew) {
    entry->second = add(Opcode::Constant, {}, number);
    numbers[entry->second] = number;
  }
  return entry->second;
}

ValueId HostBuilder::beginLoop(ValueId from, ValueId to, ValueId step) {
  outer.push_back(constants);
  return add(Opcode::For, {from, to, step});
}

void HostBuilder::endLoop() {
  add(Opcode::Next, {});
  constants = outer.pop_back_val();
}

ValueId HostBuilder::multiply(ValueId a, ValueId b) {
  auto isOne = [&](ValueId id) {
    auto number = numbers.find(id);
    return number != numbers.end() && number->second == 1;
  };
  return isOne(a) ? b : isOne(b) ? a : add(Opcode::Mul, {a, b});
}

HostBuffer HostBuilder::rowMajor(ValueId base, ArrayRef<ValueId> sizes) {
  HostBuffer buffer;
  buffer.base = base;
  buffer.offset = constant(0);
  buffer.sizes.assign(sizes.begin(), sizes.end());
  buffer.strides.assign(sizes.size(), -1);
  ValueId stride = constant(1);
  for (size_t d = sizes.size(); d-- > 0;) {
    buffer.strides[d] = stride;
    if (d > 0)
      stride = multiply(stride, sizes[d]);
  }
  return buffer;
}
