//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Runtime/Execute.h"
#include <algorithm>

using namespace fpa::runtime;

namespace {
/// Runs a verified program. Without a device only sizes are computed.
class Interpreter {
public:
  Interpreter(const HostProgram &program, Device *device);
  ~Interpreter() {
    for (Device::Address address : owned)
      device->release(address);
  }

  std::string run(const std::vector<DeviceArray> &inputs,
                  const std::vector<DeviceArray> *outputs);
  /// The results, which become the caller's.
  std::vector<DeviceArray> takeResults() {
    owned.clear();
    return std::move(results);
  }

private:
  /// An integer, a float's bits or an address.
  union Value {
    int64_t number;
    Device::Address address;
  };

  std::string step(const Instruction &instruction);
  std::string compute(const Instruction &instruction, int64_t &result) const;
  std::string require(const Instruction &instruction) const;
  std::string allocate(const Instruction &instruction);
  std::string release(const Instruction &instruction);
  std::string launch(const Instruction &instruction);
  std::string finish(const Instruction &instruction);
  std::string enter(const Instruction &loop);
  void repeat();
  int64_t number(const Instruction &instruction, size_t i) const {
    return values[instruction.operands[i]].number;
  }

  const HostProgram &program;
  Device *device;
  const std::vector<DeviceArray> *inputs = nullptr, *outputs = nullptr;
  std::vector<Value> values;
  size_t nextInput = 0;
  /// What is done next, and the value that it makes if it makes one.
  size_t at = 0;
  ValueId id = 0;
  /// Where the other end of the loop is that begins or ends at an instruction.
  std::vector<size_t> otherEnds;
  /// The first value that each instruction might make.
  std::vector<ValueId> firstIds;
  /// The result whose buffer a value is, or -1.
  std::vector<int64_t> resultOf;
  std::vector<DeviceArray> results;
  std::vector<Device::Address> owned;
};
} // namespace

Interpreter::Interpreter(const HostProgram &program, Device *device)
    : program(program), device(device) {
  size_t size = program.instructions.size();
  otherEnds.assign(size, 0);
  std::vector<size_t> loops;
  ValueId next = 0;
  for (size_t i = 0; i < size; ++i) {
    const Instruction &instruction = program.instructions[i];
    firstIds.push_back(next);
    next += makesValue(instruction.op);
    if (instruction.op == Opcode::For)
      loops.push_back(i);
    if (instruction.op == Opcode::Next) {
      otherEnds[i] = loops.back();
      otherEnds[loops.back()] = i;
      loops.pop_back();
    }
  }
  // Launches point into it.
  values.assign(next, Value{});
  resultOf.assign(next, -1);
  int64_t number = 0;
  for (const Instruction &instruction : program.instructions)
    if (instruction.op == Opcode::Return)
      resultOf[instruction.operands[0]] = number++;
}

std::string Interpreter::compute(const Instruction &instruction,
                                 int64_t &result) const {
  int64_t a = number(instruction, 0), b = number(instruction, 1);
  bool overflows = false;
  switch (instruction.op) {
  case Opcode::Add:
    overflows = __builtin_add_overflow(a, b, &result);
    break;
  case Opcode::Sub:
    overflows = __builtin_sub_overflow(a, b, &result);
    break;
  case Opcode::Mul:
    overflows = __builtin_mul_overflow(a, b, &result);
    break;
  case Opcode::Min:
    result = std::min(a, b);
    break;
  case Opcode::Max:
    result = std::max(a, b);
    break;
  case Opcode::Equal:
    result = a == b;
    break;
  case Opcode::NotEqual:
    result = a != b;
    break;
  case Opcode::Less:
    result = a < b;
    break;
  case Opcode::LessEqual:
    result = a <= b;
    break;
  case Opcode::Select:
    result = a ? b : number(instruction, 2);
    break;
  default: // A division.
    if (b == 0)
      return "expected a divisor other than 0";
    overflows = a == INT64_MIN && b == -1;
    if (overflows)
      break;
    if (instruction.op == Opcode::Rem) {
      result = a % b;
      break;
    }
    result = a / b;
    bool isExact = a % b == 0, isPositive = (a < 0) == (b < 0);
    if (instruction.op == Opcode::CeilDiv && !isExact && isPositive)
      ++result;
    if (instruction.op == Opcode::FloorDiv && !isExact && !isPositive)
      --result;
  }
  return overflows ? "expected sizes that fit into 64 bits" : "";
}

/// The text with numbers in their places, where the condition does not hold.
std::string Interpreter::require(const Instruction &instruction) const {
  if (number(instruction, 0))
    return "";
  std::string text = instruction.text;
  for (size_t i = 1; i < instruction.operands.size(); ++i) {
    std::string place = "{" + std::to_string(i) + "}";
    size_t at = text.find(place);
    if (at != std::string::npos)
      text.replace(at, place.size(), std::to_string(number(instruction, i)));
  }
  return text;
}

std::string Interpreter::allocate(const Instruction &instruction) {
  int64_t bytes = number(instruction, 0);
  if (bytes < 0)
    return "expected a size of at least 0 to allocate, got " +
           std::to_string(bytes);
  Device::Address &address = values[id].address;
  if (int64_t result = resultOf[id]; outputs && result >= 0) {
    // What the program writes must not reach past the caller's array.
    const DeviceArray &output = (*outputs)[size_t(result)];
    int64_t capacity = 0;
    if (!countBytes(output.type, capacity) || capacity < bytes)
      return "expected result " + std::to_string(result) + " to have " +
             std::to_string(bytes) + " bytes, got " + getText(output.type);
    address = output.address;
  } else if (device) {
    std::string error = device->allocate(bytes, address);
    if (!error.empty())
      return error;
    owned.push_back(address);
  }
  return "";
}

std::string Interpreter::release(const Instruction &instruction) {
  if (!device)
    return "";
  Device::Address address = values[instruction.operands[0]].address;
  owned.erase(std::find(owned.begin(), owned.end(), address));
  return device->release(address);
}

std::string Interpreter::launch(const Instruction &instruction) {
  Dim3 grid{number(instruction, 0), number(instruction, 1),
            number(instruction, 2)};
  Dim3 block{number(instruction, 3), number(instruction, 4),
             number(instruction, 5)};
  if (grid.x < 0 || grid.y < 0 || grid.z < 0 || block.x < 1 || block.y < 1 ||
      block.z < 1 || number(instruction, 6) < 0)
    return "kernel '" + instruction.kernel +
           "': expected a grid of at least 0 blocks of at least 1 thread";
  // No block, no work; drivers refuse it.
  if (!device || grid.x == 0 || grid.y == 0 || grid.z == 0)
    return "";
  // 32-bit parameters are the low half of the value.
  std::vector<const void *> arguments;
  for (const Argument &argument : instruction.arguments)
    arguments.push_back(&values[argument.value]);
  return device->launch(instruction.kernel, grid, block, number(instruction, 6),
                        arguments);
}

/// Notes a result and checks its sizes against its type.
std::string Interpreter::finish(const Instruction &instruction) {
  DeviceArray result;
  result.type.element = instruction.type.element;
  result.address = values[instruction.operands[0]].address;
  for (size_t d = 0; d < instruction.type.shape.size(); ++d)
    result.type.shape.push_back(number(instruction, d + 1));
  int64_t bytes;
  bool fits = countBytes(result.type, bytes);
  for (size_t d = 0; fits && d < instruction.type.shape.size(); ++d)
    fits = instruction.type.shape[d] < 0 ||
           instruction.type.shape[d] == result.type.shape[d];
  if (!fits)
    return "expected a result of type " + getText(instruction.type) + ", got " +
           getText(result.type);
  results.push_back(std::move(result));
  return "";
}

/// Begins a loop, or goes on behind it where there is nothing to do. Without a
/// device nothing in it matters: no size that is seen outside depends on it.
std::string Interpreter::enter(const Instruction &loop) {
  if (number(loop, 2) < 1)
    return "expected a loop with a step of at least 1, got " +
           std::to_string(number(loop, 2));
  values[id].number = number(loop, 0);
  if (!device || number(loop, 0) >= number(loop, 1))
    at = otherEnds[at];
  return "";
}

/// Goes back to the first instruction of the loop that ends here while there is
/// an iteration left.
void Interpreter::repeat() {
  size_t begin = otherEnds[at];
  const Instruction &loop = program.instructions[begin];
  int64_t &variable = values[firstIds[begin]].number;
  if (!__builtin_add_overflow(variable, number(loop, 2), &variable) &&
      variable < number(loop, 1))
    at = begin;
}

std::string Interpreter::step(const Instruction &instruction) {
  Value value{};
  std::string error;
  switch (instruction.op) {
  case Opcode::Input:
    value.address = (*inputs)[nextInput++].address;
    break;
  case Opcode::Constant:
  case Opcode::Float:
    value.number = instruction.number;
    break;
  case Opcode::Dim: // Inputs are the first values.
    value.number =
        (*inputs)[instruction.operands[0]].type.shape[instruction.number];
    break;
  case Opcode::Require:
    return require(instruction);
  case Opcode::Allocate:
    return allocate(instruction);
  case Opcode::Release:
    return release(instruction);
  case Opcode::Launch:
    return launch(instruction);
  case Opcode::Return:
    return finish(instruction);
  case Opcode::For:
    return enter(instruction);
  case Opcode::Next:
    repeat();
    return "";
  default:
    error = compute(instruction, value.number);
  }
  values[id] = value;
  return error;
}

std::string Interpreter::run(const std::vector<DeviceArray> &arrays,
                             const std::vector<DeviceArray> *given) {
  inputs = &arrays;
  outputs = given;
  for (at = 0; at < program.instructions.size(); ++at) {
    id = firstIds[at];
    std::string error = step(program.instructions[at]);
    if (!error.empty())
      return error;
  }
  return "";
}

std::string fpa::runtime::checkInputs(const HostProgram &program,
                                      const std::vector<ArrayType> &inputs) {
  std::vector<ArrayType> types = program.getInputs();
  if (types.size() != inputs.size())
    return "expected " + std::to_string(types.size()) + " inputs, got " +
           std::to_string(inputs.size());
  for (size_t i = 0; i < types.size(); ++i) {
    int64_t bytes;
    bool fits = types[i].element == inputs[i].element &&
                types[i].shape.size() == inputs[i].shape.size() &&
                countBytes(inputs[i], bytes);
    for (size_t d = 0; fits && d < types[i].shape.size(); ++d)
      fits = types[i].shape[d] < 0 || types[i].shape[d] == inputs[i].shape[d];
    if (!fits)
      return "input " + std::to_string(i) + ": expected " + getText(types[i]) +
             ", got " + getText(inputs[i]);
  }
  return "";
}

std::string
fpa::runtime::computeResultTypes(const HostProgram &program,
                                 const std::vector<ArrayType> &inputs,
                                 std::vector<ArrayType> &results) {
  std::string error = checkInputs(program, inputs);
  std::vector<DeviceArray> arrays;
  for (const ArrayType &input : inputs)
    arrays.push_back({input, 0});
  Interpreter interpreter(program, nullptr);
  if (error.empty())
    error = interpreter.run(arrays, nullptr);
  results.clear();
  for (const DeviceArray &result : interpreter.takeResults())
    results.push_back(result.type);
  return error;
}

/// Whether the caller's arrays are what the program returns.
static std::string checkResults(const HostProgram &program,
                                const std::vector<ArrayType> &inputs,
                                const std::vector<ArrayType> &results) {
  std::vector<ArrayType> types;
  std::string error = computeResultTypes(program, inputs, types);
  if (!error.empty())
    return error;
  if (types.size() != results.size())
    return "expected " + std::to_string(types.size()) + " results, got " +
           std::to_string(results.size());
  for (size_t i = 0; i < types.size(); ++i)
    if (types[i].element != results[i].element ||
        types[i].shape != results[i].shape)
      return "result " + std::to_string(i) + ": expected " + getText(types[i]) +
             ", got " + getText(results[i]);
  return "";
}

template <typename Array>
static std::vector<ArrayType> getTypes(const std::vector<Array> &arrays) {
  std::vector<ArrayType> types;
  for (const Array &array : arrays)
    types.push_back(array.type);
  return types;
}

static bool overlap(const DeviceArray &a, const DeviceArray &b) {
  int64_t aBytes = 0, bBytes = 0;
  countBytes(a.type, aBytes);
  countBytes(b.type, bBytes);
  return aBytes && bBytes && a.address < b.address + uint64_t(bBytes) &&
         b.address < a.address + uint64_t(aBytes);
}

/// What kernels write must not be what they read, or write as another result.
static std::string checkOverlaps(const std::vector<DeviceArray> &inputs,
                                 const std::vector<DeviceArray> &results) {
  auto fail = [](size_t result, const char *what, size_t other) {
    return "expected result " + std::to_string(result) +
           " in memory of its own, got some that is also of " + what + " " +
           std::to_string(other);
  };
  for (size_t i = 0; i < results.size(); ++i) {
    for (size_t other = 0; other < inputs.size(); ++other)
      if (overlap(results[i], inputs[other]))
        return fail(i, "input", other);
    for (size_t other = 0; other < i; ++other)
      if (overlap(results[i], results[other]))
        return fail(i, "result", other);
  }
  return "";
}

/// Kernels read 16 bytes at a time.
static std::string checkAlignment(const std::vector<DeviceArray> &arrays,
                                  const std::string &what) {
  for (size_t i = 0; i < arrays.size(); ++i)
    if (int64_t bytes = 0;
        countBytes(arrays[i].type, bytes) && bytes && arrays[i].address % 16)
      return "expected " + what + " " + std::to_string(i) +
             " at a multiple of 16 bytes, got another place";
  return "";
}

std::string fpa::runtime::execute(const HostProgram &program, Device &device,
                                  const std::vector<DeviceArray> &inputs,
                                  std::vector<DeviceArray> &results) {
  bool isGiven = !results.empty();
  std::string error =
      isGiven ? checkResults(program, getTypes(inputs), getTypes(results))
              : checkInputs(program, getTypes(inputs));
  if (error.empty() && isGiven)
    error = checkOverlaps(inputs, results);
  if (error.empty())
    error = checkAlignment(inputs, "input");
  if (error.empty() && isGiven)
    error = checkAlignment(results, "result");
  if (!error.empty())
    return error;
  Interpreter interpreter(program, &device);
  error = interpreter.run(inputs, isGiven ? &results : nullptr);
  if (error.empty())
    results = interpreter.takeResults();
  return error;
}

namespace {
/// Device memory of host arrays, released at the end.
struct Uploaded {
  explicit Uploaded(Device &device) : device(device) {}
  ~Uploaded() {
    for (const DeviceArray &array : arrays)
      device.release(array.address);
  }
  std::string add(const HostArray &array) {
    int64_t bytes = 0;
    countBytes(array.type, bytes);
    DeviceArray copy{array.type, 0};
    std::string error = device.allocate(bytes, copy.address);
    std::string name = "input " + std::to_string(arrays.size()) + ": ";
    if (!error.empty())
      return name + error;
    arrays.push_back(copy);
    if (bytes)
      error = device.copyIn(copy.address, array.data, bytes);
    return error.empty() ? "" : name + error;
  }

  Device &device;
  std::vector<DeviceArray> arrays;
};
} // namespace

/// "result 0, given to kernel 'a' and 'b'", of the buffer of value `id`: those
/// that may write to it.
static std::string describe(const std::string &what, const HostProgram &program,
                            ValueId id) {
  std::vector<std::string> kernels;
  for (const Instruction &instruction : program.instructions) {
    auto isIt = [&](const Argument &argument) {
      return argument.type == ArgumentType::Pointer && argument.value == id;
    };
    std::string name = "'" + instruction.kernel + "'";
    if (std::any_of(instruction.arguments.begin(), instruction.arguments.end(),
                    isIt) &&
        std::find(kernels.begin(), kernels.end(), name) == kernels.end())
      kernels.push_back(name);
  }
  std::string text = what + ", given to " +
                     (kernels.empty()       ? "no kernel"
                      : kernels.size() == 1 ? "kernel "
                                            : "kernels ");
  for (size_t i = 0; i < kernels.size(); ++i)
    text += (i == 0                    ? ""
             : i + 1 == kernels.size() ? " and "
                                       : ", ") +
            kernels[i];
  return text;
}

/// The same of a result.
static std::string describeResult(const HostProgram &program, size_t number) {
  size_t left = number;
  for (const Instruction &instruction : program.instructions)
    if (instruction.op == Opcode::Return && left-- == 0)
      return describe("result " + std::to_string(number), program,
                      instruction.operands[0]);
  return "result " + std::to_string(number);
}

std::string
fpa::runtime::executeOnHostArrays(const HostProgram &program, Device &device,
                                  const std::vector<HostArray> &inputs,
                                  const std::vector<HostArray> &results,
                                  const std::vector<bool> &written,
                                  const std::function<std::string()> &judge) {
  std::string error =
      checkResults(program, getTypes(inputs), getTypes(results));
  Uploaded uploaded(device), returned(device);
  for (size_t i = 0; error.empty() && i < inputs.size(); ++i)
    error = uploaded.add(inputs[i]);
  if (error.empty())
    error = execute(program, device, uploaded.arrays, returned.arrays);
  if (error.empty())
    error = device.synchronize();
  auto copyBack = [&](const HostArray &array, Device::Address address) {
    int64_t bytes = 0;
    countBytes(array.type, bytes);
    if (bytes)
      error = device.copyOut(array.data, address, bytes);
    return error.empty();
  };
  for (size_t i = 0; error.empty() && i < results.size(); ++i)
    if (!copyBack(results[i], returned.arrays[i].address))
      error = describeResult(program, i) + ": " + error;
  if (error.empty() && judge)
    error = judge();
  for (size_t i = 0; error.empty() && i < written.size(); ++i)
    // Inputs are the first values.
    if (written[i] && !copyBack(inputs[i], uploaded.arrays[i].address))
      error = describe("input " + std::to_string(i), program, ValueId(i)) +
              ": " + error;
  return error;
}
