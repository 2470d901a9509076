//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// MLIR's diagnostics as one-line errors.

#ifndef FPA_SUPPORT_DIAGNOSTICS_H
#define FPA_SUPPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace mlir::fpa {

/// "file:line:column: ", the place in a file that `loc` names, or nothing.
std::string formatLocation(Location loc);

/// "file:line:column: message", on one line.
llvm::Error makeError(Location loc, llvm::StringRef message);

/// While it lives, keeps the first error that MLIR reports and swallows
/// everything else.
class FirstDiagnostic {
public:
  explicit FirstDiagnostic(MLIRContext *context);

  /// The error kept, or `otherwise` where there was none.
  llvm::Error takeError(llvm::StringRef otherwise);

private:
  std::optional<std::string> text;
  ScopedDiagnosticHandler handler;
};

} // namespace mlir::fpa

#endif // FPA_SUPPORT_DIAGNOSTICS_H
