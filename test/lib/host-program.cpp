//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Reads a host program and prints it, or runs it on a device that prints what
// it is asked: the loader's checks without a GPU.

#include "fpa/Runtime/Execute.h"
#include "fpa/Runtime/Package.h"
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace fpa::runtime;

namespace {
/// Hands out addresses and prints every call; fails at the call named in its
/// constructor.
class TraceDevice : public Device {
public:
  explicit TraceDevice(const char *failing) : failing(failing ? failing : "") {}

  std::string allocate(int64_t bytes, Address &address) override {
    address = next;
    next += 0x1000;
    return say("allocate", name(address) + " " + std::to_string(bytes));
  }
  std::string release(Address address) override {
    return say("release", name(address));
  }
  std::string copyIn(Address to, const void *, int64_t bytes) override {
    return say("copyIn", name(to) + " " + std::to_string(bytes));
  }
  std::string copyOut(void *, Address from, int64_t bytes) override {
    return say("copyOut", name(from) + " " + std::to_string(bytes));
  }
  std::string clear(Address address, int64_t bytes) override {
    return say("clear", name(address) + " " + std::to_string(bytes));
  }
  std::string copy(Address to, Address from, int64_t bytes) override {
    return say("copy", name(to) + " " + name(from) + " " +
                           std::to_string(bytes));
  }
  std::string launch(const std::string &kernel, Dim3 grid, Dim3 block,
                     int64_t sharedBytes,
                     const std::vector<const void *> &arguments) override {
    std::string text = kernel + " grid " + name(grid) + " block " +
                       name(block) + " shared " + std::to_string(sharedBytes);
    for (const void *argument : arguments) {
      uint64_t value;
      std::memcpy(&value, argument, sizeof(value));
      text += " " + name(value);
    }
    return say("launch", text);
  }
  std::string synchronize() override { return say("synchronize", ""); }

private:
  static std::string name(uint64_t value) {
    char text[32];
    std::snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
    return text;
  }
  static std::string name(Dim3 dim) {
    return std::to_string(dim.x) + "," + std::to_string(dim.y) + "," +
           std::to_string(dim.z);
  }
  std::string say(const std::string &call, const std::string &text) {
    std::printf("%s %s\n", call.c_str(), text.c_str());
    return call == failing ? call + " failed" : "";
  }

  std::string failing;
  Address next = 0x1000;
};
} // namespace

static int fail(const std::string &error) {
  std::printf("error: %s\n", error.c_str());
  return 1;
}

/// The program of an entry of a package.
static int printEntry(const char *path, const char *entry) {
  Package package;
  std::string error = readPackageFile(path, package);
  if (!error.empty())
    return fail(error);
  const HostProgram *program = package.find(entry);
  if (!program)
    return fail(std::string("no entry ") + entry);
  std::printf("%s", print(*program).c_str());
  return 0;
}

/// `FILE package ENTRY` prints a program of a package. `FILE` prints the
/// program; `FILE run|give|in-place INPUT-TYPE ... [!CALL]` runs it, with
/// results that it allocates or that it is given, in memory of their own or of
/// the inputs.
int main(int argc, char **argv) {
  if (argc == 4 && !std::strcmp(argv[2], "package"))
    return printEntry(argv[1], argv[3]);
  std::ifstream file(argc > 1 ? argv[1] : "");
  std::string text((std::istreambuf_iterator<char>(file)),
                   std::istreambuf_iterator<char>());
  HostProgram program;
  std::string error = parse(text, program);
  if (!error.empty())
    return fail(error);
  if (argc < 3) {
    std::printf("%s", print(program).c_str());
    return 0;
  }
  std::vector<ArrayType> types, resultTypes;
  const char *failing = nullptr;
  for (int i = 3; i < argc; ++i) {
    ArrayType type;
    if (argv[i][0] == '!')
      failing = argv[i] + 1;
    else if (parseArrayType(argv[i], type))
      types.push_back(type);
    else
      return fail(std::string("bad type ") + argv[i]);
  }
  error = computeResultTypes(program, types, resultTypes);
  if (!error.empty())
    return fail(error);
  TraceDevice device(failing);
  if (!std::strcmp(argv[2], "host")) {
    std::vector<HostArray> inputs, results;
    for (const ArrayType &type : types)
      inputs.push_back({type, nullptr});
    for (const ArrayType &type : resultTypes)
      results.push_back({type, nullptr});
    error = executeOnHostArrays(program, device, inputs, results);
    return error.empty() ? 0 : fail(error);
  }
  std::vector<DeviceArray> inputs, results;
  for (const ArrayType &type : types)
    inputs.push_back({type, 0xa0000 + 0x1000 * inputs.size()});
  bool isInPlace = !std::strcmp(argv[2], "in-place");
  if (isInPlace || !std::strcmp(argv[2], "give"))
    for (const ArrayType &type : resultTypes)
      results.push_back(
          {type, (isInPlace ? 0xa0008 : 0xb0000) + 0x1000 * results.size()});
  error = execute(program, device, inputs, results);
  if (!error.empty())
    return fail(error);
  for (const DeviceArray &result : results)
    std::printf("result %s 0x%llx\n", getText(result.type).c_str(),
                (unsigned long long)result.address);
  return 0;
}
