//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/OutputFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using mlir::fpa::OutputFiles;

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

static Error cannotWrite(StringRef path, std::error_code error) {
  return createStringError("cannot write '" + path + "': " + error.message());
}

/// Replaces `path` by what it links to, which need not exist.
static std::error_code followLinks(std::string &path) {
  // As many as Linux follows.
  for (int link = 0; link <= 40; ++link) {
    char text[PATH_MAX];
    ssize_t length = readlink(path.c_str(), text, sizeof(text));
    if (length < 0)
      return errno == EINVAL || errno == ENOENT ? std::error_code()
                                                : lastError();
    SmallString<256> next(StringRef(text, size_t(length)));
    if (!sys::path::is_absolute(next)) {
      next = sys::path::parent_path(path);
      sys::path::append(next, StringRef(text, size_t(length)));
    }
    path = next.str().str();
  }
  return std::make_error_code(std::errc::too_many_symbolic_link_levels);
}

/// The one name of the file that `path` is.
static std::string getRealName(StringRef path) {
  StringRef folder = sys::path::parent_path(path);
  SmallString<256> name;
  if (sys::fs::real_path(folder.empty() ? "." : folder, name))
    return path.str();
  sys::path::append(name, sys::path::filename(path));
  return name.str().str();
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

/// Opens a new file, `name`, in the folder of `target`.
static std::error_code createBeside(StringRef target, std::string &name,
                                    int &descriptor) {
  std::error_code error;
  // Names have up to 255 bytes.
  StringRef start = sys::path::filename(target).take_front(240);
  // The name is known to be removed before there is a file of that name.
  for (int attempt = 0; attempt < 16; ++attempt) {
    SmallString<8> suffix;
    sys::fs::createUniquePath("%%%%%%%%", suffix, /*MakeAbsolute=*/false);
    SmallString<256> path = sys::path::parent_path(target);
    sys::path::append(path, start + "." + suffix);
    name = path.str().str();
    sys::RemoveFileOnSignal(name);
    error = sys::fs::openFileForWrite(name, descriptor, sys::fs::CD_CreateNew);
    if (!error)
      break;
    sys::DontRemoveFileOnSignal(name);
    if (error != std::errc::file_exists)
      break;
  }
  return error;
}

static void removeTemporary(StringRef name) {
  sys::fs::remove(name);
  sys::DontRemoveFileOnSignal(name);
}

OutputFiles::~OutputFiles() {
  for (const File &file : files)
    removeTemporary(file.temporary);
}

Error OutputFiles::add(StringRef path, ArrayRef<StringRef> pieces) {
  File file{path.str(), path.str(), ""};
  struct stat status;
  std::error_code error;
  int descriptor = -1;
  // The system follows links to pipes of a process, which have no name.
  bool exists = stat(file.path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    error = sys::fs::openFileForWrite(path, descriptor);
    if (!error)
      error = writePieces(descriptor, pieces);
    return error ? cannotWrite(path, error) : Error::success();
  }
  if ((error = followLinks(file.target)))
    return cannotWrite(path, error);
  file.target = getRealName(file.target);
  for (const File &other : files)
    if (other.target == file.target)
      return createStringError("expected a file for each output, got '" + path +
                               "' for two");
  // A new name takes rights on the folder only.
  if (exists && faccessat(AT_FDCWD, file.target.c_str(), W_OK, AT_EACCESS) != 0)
    return cannotWrite(path, lastError());
  if ((error = createBeside(file.target, file.temporary, descriptor)))
    return cannotWrite(path, error);
  if (exists && fchmod(descriptor, status.st_mode & 07777) != 0)
    error = lastError();
  if (std::error_code writing = writePieces(descriptor, pieces))
    error = writing;
  if (error) {
    removeTemporary(file.temporary);
    return cannotWrite(path, error);
  }
  files.push_back(std::move(file));
  return Error::success();
}

Error OutputFiles::commit() {
  while (!files.empty()) {
    const File &file = files.front();
    if (rename(file.temporary.c_str(), file.target.c_str()) != 0)
      return cannotWrite(file.path, lastError());
    sys::DontRemoveFileOnSignal(file.temporary);
    files.erase(files.begin());
  }
  return Error::success();
}

Error mlir::fpa::writeFile(StringRef path, ArrayRef<StringRef> pieces) {
  OutputFiles files;
  if (Error error = files.add(path, pieces))
    return error;
  return files.commit();
}
