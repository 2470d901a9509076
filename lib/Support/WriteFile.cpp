//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/Npy.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <unistd.h>

using namespace llvm;

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

static std::error_code writePieces(int descriptor, ArrayRef<StringRef> pieces) {
  raw_fd_ostream os(descriptor, /*shouldClose=*/true, /*unbuffered=*/true);
  for (StringRef piece : pieces)
    os << piece;
  os.close();
  std::error_code error = os.error();
  // Reported by the caller; the stream would end the program for it.
  os.clear_error();
  return error;
}

/// Writes to a new file next to `target` and gives it that name.
static std::error_code writeAndRename(const std::string &target,
                                      ArrayRef<StringRef> pieces) {
  std::string name;
  int descriptor = -1;
  std::error_code error;
  // The name is known to be removed before there is a file of that name.
  for (int attempt = 0; attempt < 16 && descriptor < 0; ++attempt) {
    SmallString<8> suffix;
    sys::fs::createUniquePath("%%%%%%%%", suffix, /*MakeAbsolute=*/false);
    name = (target + "." + suffix).str();
    sys::RemoveFileOnSignal(name);
    error = sys::fs::openFileForWrite(name, descriptor, sys::fs::CD_CreateNew);
    if (error)
      sys::DontRemoveFileOnSignal(name);
    if (error && error != std::errc::file_exists)
      return error;
  }
  if (error)
    return error;
  error = writePieces(descriptor, pieces);
  if (!error && rename(name.c_str(), target.c_str()) != 0)
    error = lastError();
  if (error)
    unlink(name.c_str());
  sys::DontRemoveFileOnSignal(name);
  return error;
}

Error mlir::fpa::writeFileAtomically(StringRef path,
                                     ArrayRef<StringRef> pieces) {
  sys::fs::file_status status;
  std::error_code error;
  if (!sys::fs::status(path, status) && sys::fs::exists(status) &&
      !sys::fs::is_regular_file(status)) {
    // Pipes and devices keep their place.
    int descriptor = -1;
    error = sys::fs::openFileForWrite(path, descriptor);
    if (!error)
      error = writePieces(descriptor, pieces);
  } else {
    // A link stays a link: its target is replaced.
    SmallString<256> target;
    if (sys::fs::real_path(path, target))
      target = path;
    error = writeAndRename(target.str().str(), pieces);
  }
  if (error)
    return createStringError("cannot write '" + path + "': " + error.message());
  return Error::success();
}
