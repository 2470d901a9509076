//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/InputFiles.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <unistd.h>

using namespace llvm;
using sys::fs::file_type;

static Error cannotRead(StringRef path, const Twine &why) {
  return createStringError("cannot read '" + path + "': " + why);
}

/// What a file is that is none, or null.
static const char *findOtherKind(file_type type) {
  switch (type) {
  case file_type::character_file:
  case file_type::block_file:
    return "a device";
  case file_type::fifo_file:
    return "a pipe";
  case file_type::socket_file:
    return "a socket";
  default:
    return nullptr;
  }
}

Expected<std::unique_ptr<MemoryBuffer>>
mlir::fpa::readDataFile(StringRef path) {
  // A device may never end, and nobody may ever write into a pipe.
  sys::fs::file_status status;
  bool exists = !sys::fs::status(path, status);
  if (const char *other = exists ? findOtherKind(status.type()) : nullptr)
    return cannotRead(path, Twine("expected a file, got ") + other);
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return cannotRead(path, buffer.getError().message());
  return std::move(*buffer);
}

Expected<std::unique_ptr<MemoryBuffer>>
mlir::fpa::readTextFile(StringRef path) {
  bool isInput = path == "-";
  sys::fs::file_status status;
  bool exists = isInput ? !sys::fs::status(STDIN_FILENO, status)
                        : !sys::fs::status(path, status);
  bool isDevice = exists && (status.type() == file_type::character_file ||
                             status.type() == file_type::block_file);
  if (isDevice && !(isInput && sys::Process::StandardInIsUserInput()))
    return cannotRead(path, "expected a file, got a device");
  auto buffer = MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer)
    return cannotRead(path, buffer.getError().message());
  return std::move(*buffer);
}
