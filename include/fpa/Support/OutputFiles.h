//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// How every tool writes files.

#ifndef FPA_SUPPORT_OUTPUTFILES_H
#define FPA_SUPPORT_OUTPUTFILES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::fpa {

/// Files of which each appears whole, and all or none: each is written under
/// another name in its folder, and `commit` gives all of them their names.
/// Errors name the file.
class OutputFiles {
public:
  OutputFiles() = default;
  OutputFiles(const OutputFiles &) = delete;
  OutputFiles &operator=(const OutputFiles &) = delete;
  /// Removes what was not committed.
  ~OutputFiles();

  /// Writes the pieces, one after another. A link stays a link: it is its
  /// target that is replaced. A file that may not be written is an error, and
  /// so is one that was added before. Pipes and devices are written at once.
  llvm::Error add(llvm::StringRef path, llvm::ArrayRef<llvm::StringRef> pieces);

  llvm::Error commit();

private:
  struct File {
    /// As the caller wrote it, without links, and where the content is.
    std::string path, target, temporary;
  };
  llvm::SmallVector<File> files;
};

/// Writes one file.
llvm::Error writeFile(llvm::StringRef path,
                      llvm::ArrayRef<llvm::StringRef> pieces);

} // namespace mlir::fpa

#endif // FPA_SUPPORT_OUTPUTFILES_H
