//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "fpa/Support/OutputFiles.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Expected;
namespace sys = llvm::sys;

/// libFpaRuntime.a in the folder lib beside the tool's bin.
static std::string findRuntimeLibrary() {
  static int anchor;
  std::string tool = sys::fs::getMainExecutable("fpa-compile", &anchor);
  llvm::SmallString<256> path(sys::path::parent_path(tool));
  sys::path::append(path, "..", "lib", "libFpaRuntime.a");
  return path.str().str();
}

static std::string findDriver() {
  for (StringRef name : {"cc", "clang-22", "clang", "gcc"})
    if (auto path = sys::findProgramByName(name))
      return *path;
  return "";
}

static std::string readText(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

Expected<std::string> mlir::fpa::linkSharedLibrary(StringRef object) {
  std::string runtime = findRuntimeLibrary(), driver = findDriver();
  if (!sys::fs::exists(runtime))
    return createStringError("expected the runtime library at '" + runtime +
                             "', found none");
  if (driver.empty())
    return createStringError("expected a C compiler driver (cc, clang or gcc) "
                             "to link with, found none");
  llvm::SmallString<128> objectPath, libraryPath, messagePath;
  std::error_code error = sys::fs::createTemporaryFile("fpa", "o", objectPath);
  llvm::FileRemover removeObject(objectPath);
  if (!error)
    error = sys::fs::createTemporaryFile("fpa", "so", libraryPath);
  llvm::FileRemover removeLibrary(libraryPath);
  if (!error)
    error = sys::fs::createTemporaryFile("fpa", "txt", messagePath);
  llvm::FileRemover removeMessage(messagePath);
  if (error)
    return createStringError("cannot make a temporary file: " +
                             error.message());
  if (llvm::Error failure = writeFile(objectPath, {object}))
    return std::move(failure);

  // The whole runtime library: callers free results and set threads with it.
  SmallVector<StringRef> command{driver,     "-shared",
                                 "-o",       libraryPath,
                                 objectPath, "-Wl,--whole-archive",
                                 runtime,    "-Wl,--no-whole-archive",
                                 "-lm",      "-lpthread"};
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(messagePath),
                                          StringRef(messagePath)};
  std::string problem;
  int status = sys::ExecuteAndWait(driver, command, std::nullopt, redirects, 0,
                                   0, &problem);
  if (status != 0)
    return createStringError(
        "'" + driver + "' cannot link: " +
        (problem.empty() ? readText(messagePath) : problem));
  return readText(libraryPath);
}
