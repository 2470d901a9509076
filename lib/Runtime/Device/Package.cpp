//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Runtime/Package.h"
#include <algorithm>
#include <cstdlib>

using namespace fpa::runtime;

const HostProgram *Package::find(const std::string &entry) const {
  for (const HostProgram &program : programs)
    if (program.name == entry)
      return &program;
  return nullptr;
}

/// The first name that occurs twice, or nothing.
static std::string findTwice(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  auto twice = std::adjacent_find(names.begin(), names.end());
  return twice == names.end() ? "" : *twice;
}

std::string fpa::runtime::verify(const Package &package) {
  std::vector<std::string> entries, kernels;
  for (const HostProgram &program : package.programs)
    entries.push_back(program.name);
  for (const Kernel &kernel : package.kernels)
    kernels.push_back(kernel.name);
  if (std::string name = findTwice(entries); !name.empty())
    return "expected entries of different names, got '" + name + "' twice";
  if (std::string name = findTwice(kernels); !name.empty())
    return "expected kernels of different names, got '" + name + "' twice";
  for (const std::string &name : kernels)
    if (!isName(name))
      return "expected kernels with names of printable ASCII without blanks";
  for (const HostProgram &program : package.programs)
    for (const Instruction &instruction : program.instructions)
      if (instruction.op == Opcode::Launch &&
          std::find(kernels.begin(), kernels.end(), instruction.kernel) ==
              kernels.end())
        return "expected the kernel '" + instruction.kernel + "' that entry '" +
               program.name + "' launches, found none";
  int capability = 0;
  if (package.chip.compare(0, 3, "sm_") == 0)
    capability = std::atoi(package.chip.c_str() + 3);
  if (capability < 10 || !isName(package.chip))
    return "expected a chip such as sm_80, got '" + package.chip + "'";
  if (package.ptx.empty() && package.cubin.empty())
    return "expected PTX or machine code, got neither";
  return "";
}

std::string fpa::runtime::checkChip(const Package &package,
                                    const std::string &path, int major,
                                    int minor) {
  int capability = std::atoi(package.chip.c_str() + 3);
  int needed = capability / 10, neededMinor = capability % 10;
  // Machine code runs on later chips of its generation, PTX on all later ones;
  // names that end in a letter run on that chip only.
  bool isExact = !(package.chip.back() >= '0' && package.chip.back() <= '9');
  bool hasMachineCode = !package.cubin.empty() && major == needed &&
                        (isExact ? minor == neededMinor : minor >= neededMinor);
  bool hasText = !package.ptx.empty() && !isExact &&
                 (major > needed || (major == needed && minor >= neededMinor));
  if (hasMachineCode || hasText)
    return "";
  std::string chip = "sm_" + std::to_string(major) + std::to_string(minor);
  bool isFile = !path.empty();
  return (isFile ? "'" + path + "': expected a package for "
                 : std::string("expected kernels for ")) +
         chip + ", this machine's GPU, got " + (isFile ? "one" : "some") +
         " for " + package.chip + ": compile " + (isFile ? "it" : "them") +
         " with --chip=" + chip;
}

static std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

static std::string describe(const std::vector<ArrayType> &types) {
  std::string text;
  for (const ArrayType &type : types) {
    text += (text.empty() ? "" : ",") + std::string("{\"element\":\"") +
            getName(type.element) + "\",\"shape\":[";
    for (size_t d = 0; d < type.shape.size(); ++d)
      text += (d ? "," : "") + std::to_string(type.shape[d]);
    text += "]}";
  }
  return "[" + text + "]";
}

/// The most shared memory that launches of `kernel` ask for besides its own, or
/// -1 where a program computes that.
static int64_t countDynamicShared(const Package &package,
                                  const std::string &kernel) {
  int64_t most = 0;
  for (const HostProgram &program : package.programs) {
    // What is known of each value; sizes are not negative.
    std::vector<int64_t> values;
    for (const Instruction &instruction : program.instructions) {
      if (instruction.op == Opcode::Launch && instruction.kernel == kernel) {
        int64_t bytes = values[instruction.operands[6]];
        if (bytes < 0)
          return -1;
        most = std::max(most, bytes);
      }
      if (makesValue(instruction.op))
        values.push_back(instruction.op == Opcode::Constant ? instruction.number
                                                            : -1);
    }
  }
  return most;
}

std::string fpa::runtime::describe(const Package &package) {
  std::string entries, kernels;
  for (const HostProgram &program : package.programs)
    entries += (entries.empty() ? "" : ",") + quote(program.name) +
               ":{\"inputs\":" + ::describe(program.getInputs()) +
               ",\"results\":" + ::describe(program.getResults()) + "}";
  for (const Kernel &kernel : package.kernels) {
    kernels += (kernels.empty() ? "" : ",") + quote(kernel.name) + ":{";
    const std::pair<const char *, int64_t> numbers[] = {
        {"registers", kernel.registers},
        {"spill_stores", kernel.spillStores},
        {"spill_loads", kernel.spillLoads},
        {"local_bytes", kernel.localBytes},
        {"shared_bytes", kernel.sharedBytes},
        {"dynamic_shared_bytes", countDynamicShared(package, kernel.name)}};
    for (auto [name, number] : numbers)
      kernels += (kernels.back() == '{' ? "\"" : ",\"") + std::string(name) +
                 "\":" + (number < 0 ? "null" : std::to_string(number));
    kernels += "}";
  }
  return "{\"chip\":" + quote(package.chip) +
         ",\"ptx_bytes\":" + std::to_string(package.ptx.size()) +
         ",\"cubin_bytes\":" + std::to_string(package.cubin.size()) +
         ",\"entries\":{" + entries + "},\"kernels\":{" + kernels + "}}";
}
