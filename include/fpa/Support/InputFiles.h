//===- InputFiles.h - Files that are read whole -----------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_SUPPORT_INPUTFILES_H
#define FPA_SUPPORT_INPUTFILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::fpa {

/// Reads a file of data. Only a file that ends for sure is read.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readDataFile(llvm::StringRef path);

/// Reads a text, which may also come through a pipe or, as "-", from standard
/// input; from a terminal there, but from no other device.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readTextFile(llvm::StringRef path);

} // namespace mlir::fpa

#endif // FPA_SUPPORT_INPUTFILES_H
