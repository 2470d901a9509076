//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Bytecode that may be damaged.

#ifndef FPA_SUPPORT_READBYTECODE_H
#define FPA_SUPPORT_READBYTECODE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::fpa {

/// Reads bytecode by `parse`. MLIR's reader does not check all that it reads:
/// an error about the file `name` if it crashed.
llvm::Error readBytecode(llvm::StringRef name,
                         llvm::function_ref<void()> parse);

} // namespace mlir::fpa

#endif // FPA_SUPPORT_READBYTECODE_H
