//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Runtime/Package.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>

using namespace fpa::runtime;

// A package is the magic, three little-endian 64-bit numbers (version, bytes of
// the payload, its checksum) and the payload. The payload is a sequence of
// fields, each a number or a string with its length in front.
static const char magic[] = "\x89"
                            "FPAPKG\n";
constexpr size_t magicSize = sizeof(magic) - 1;
constexpr size_t headerSize = magicSize + 3 * 8;
constexpr uint64_t version = 1;

static void append(std::string &bytes, uint64_t number) {
  for (int i = 0; i < 8; ++i)
    bytes += char(number >> (8 * i));
}

static void append(std::string &bytes, const std::string &text) {
  append(bytes, text.size());
  bytes += text;
}

static uint64_t readNumber(const char *bytes) {
  uint64_t number = 0;
  for (int i = 0; i < 8; ++i)
    number |= uint64_t(uint8_t(bytes[i])) << (8 * i);
  return number;
}

/// FNV-1a: every change of a single byte changes it.
static uint64_t checksum(const std::string &bytes, size_t from) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = from; i < bytes.size(); ++i)
    hash = (hash ^ uint8_t(bytes[i])) * 0x100000001b3;
  return hash;
}

std::string fpa::runtime::writePackage(const Package &package) {
  std::string payload;
  append(payload, package.chip);
  append(payload, package.programs.size());
  for (const HostProgram &program : package.programs)
    append(payload, print(program));
  append(payload, package.kernels.size());
  for (const Kernel &kernel : package.kernels) {
    append(payload, kernel.name);
    for (int64_t number :
         {kernel.registers, kernel.spillStores, kernel.spillLoads,
          kernel.localBytes, kernel.sharedBytes})
      append(payload, uint64_t(number));
  }
  append(payload, package.ptx);
  append(payload, package.cubin);

  std::string bytes(magic, magicSize);
  append(bytes, version);
  append(bytes, payload.size());
  append(bytes, checksum(payload, 0));
  return bytes + payload;
}

namespace {
/// Takes fields off the payload. After a failure all fields are empty.
class FieldReader {
public:
  FieldReader(const std::string &bytes, size_t from) : bytes(bytes), at(from) {}

  uint64_t number() {
    if (bytes.size() - at < 8)
      return fail();
    at += 8;
    return readNumber(bytes.data() + at - 8);
  }
  std::string text() {
    uint64_t size = number();
    if (bytes.size() - at < size) {
      fail();
      return "";
    }
    at += size;
    return bytes.substr(at - size, size);
  }
  bool isDone() const { return !hasFailed && at == bytes.size(); }
  bool isGood() const { return !hasFailed; }

private:
  uint64_t fail() {
    hasFailed = true;
    at = bytes.size();
    return 0;
  }

  const std::string &bytes;
  size_t at;
  bool hasFailed = false;
};
} // namespace

static std::string readPayload(const std::string &bytes, Package &package) {
  FieldReader reader(bytes, headerSize);
  package.chip = reader.text();
  for (uint64_t i = 0, e = reader.number(); i < e && reader.isGood(); ++i) {
    std::string text = reader.text();
    HostProgram program;
    std::string error = reader.isGood() ? parse(text, program) : "";
    if (!error.empty())
      return error;
    package.programs.push_back(std::move(program));
  }
  for (uint64_t i = 0, e = reader.number(); i < e && reader.isGood(); ++i) {
    Kernel kernel;
    kernel.name = reader.text();
    for (int64_t *number :
         {&kernel.registers, &kernel.spillStores, &kernel.spillLoads,
          &kernel.localBytes, &kernel.sharedBytes})
      *number = int64_t(reader.number());
    package.kernels.push_back(std::move(kernel));
  }
  package.ptx = reader.text();
  package.cubin = reader.text();
  if (!reader.isDone())
    return "expected fields that fill the package";
  return verify(package);
}

std::string fpa::runtime::readPackage(const std::string &bytes,
                                      Package &package) {
  package = Package();
  if (bytes.compare(0, magicSize, magic))
    return "expected a package of fpa-compile --emit=package, got another "
           "kind of file";
  if (bytes.size() < headerSize)
    return "expected at least " + std::to_string(headerSize) + " bytes, got " +
           std::to_string(bytes.size()) +
           ": the package is truncated, copy or compile it again";
  uint64_t fileVersion = readNumber(bytes.data() + magicSize);
  if (fileVersion != version)
    return "expected a package of version " + std::to_string(version) +
           ", got version " + std::to_string(fileVersion) +
           ": compile it again with the fpa-compile of this version";
  uint64_t size = readNumber(bytes.data() + magicSize + 8);
  uint64_t payload = bytes.size() - headerSize;
  if (payload != size)
    return "expected " + std::to_string(size) +
           " bytes after the header, got " + std::to_string(payload) +
           ": the package is " + (payload < size ? "truncated" : "corrupted") +
           ", copy or compile it again";
  if (checksum(bytes, headerSize) != readNumber(bytes.data() + magicSize + 16))
    return "the package is corrupted, its checksum does not match: copy or "
           "compile it again";
  std::string error = readPayload(bytes, package);
  return error.empty()
             ? ""
             : "the package is malformed, " + error + ": compile it again";
}

std::string fpa::runtime::readPackageFile(const std::string &path,
                                          Package &package) {
  struct stat status;
  std::FILE *file = nullptr;
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return "cannot read '" + path + "': expected a file";
  if (!(file = std::fopen(path.c_str(), "rb")))
    return "cannot read '" + path + "': " + std::strerror(errno);
  std::string bytes;
  char buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof(buffer), file))
    bytes.append(buffer, count);
  bool isBad = std::ferror(file);
  std::fclose(file);
  if (isBad)
    return "cannot read '" + path + "'";
  std::string error = readPackage(bytes, package);
  return error.empty() ? "" : "'" + path + "': " + error;
}
