//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/ReadBytecode.h"
#include "llvm/Support/CrashRecoveryContext.h"

llvm::Error mlir::fpa::readBytecode(llvm::StringRef name,
                                    llvm::function_ref<void()> parse) {
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext context;
  bool ended = context.RunSafely(parse);
  llvm::CrashRecoveryContext::Disable();
  if (ended)
    return llvm::Error::success();
  return llvm::createStringError(name + ": expected MLIR bytecode, got bytes "
                                        "that its reader crashes on");
}
