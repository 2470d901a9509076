//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_TOOLS_FPA_COMPILE_STRATEGIES_H
#define FPA_TOOLS_FPA_COMPILE_STRATEGIES_H

#include "llvm/Support/Error.h"

namespace mlir::fpa {

class CommandLine;

/// For the help; the command line that has it is another one.
void addStrategiesOption(CommandLine &line, bool &isListing);

/// True for a command line with --list-strategies.
bool asksForStrategies(int argc, const char *const *argv);

/// Prints which sizes attention takes on a GPU: for the chip and the heads that
/// are named, or everything that may be chosen.
llvm::Error listStrategies(int argc, const char *const *argv);

} // namespace mlir::fpa

#endif // FPA_TOOLS_FPA_COMPILE_STRATEGIES_H
