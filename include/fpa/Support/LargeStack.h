//===- LargeStack.h - Room for recursion ------------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// MLIR's parser, printer and passes call themselves for what is nested. A text
// must not be able to overflow the stack of whoever compiles it.

#ifndef FPA_SUPPORT_LARGESTACK_H
#define FPA_SUPPORT_LARGESTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace mlir::fpa {

/// Runs `work` on a stack that suffices for what `checkNesting` lets pass, and
/// waits for it. Where no such stack can be had, the caller's is used.
void runOnLargeStack(llvm::function_ref<void()> work);

/// The same for work with a result.
template <typename Work> auto onLargeStack(Work work) {
  std::optional<decltype(work())> result;
  runOnLargeStack([&] { result.emplace(work()); });
  return std::move(*result);
}

/// Fails where brackets of MLIR's text in the file `name` are nested deeper
/// than any program needs.
llvm::Error checkNesting(llvm::StringRef text, llvm::StringRef name);

} // namespace mlir::fpa

#endif // FPA_SUPPORT_LARGESTACK_H
