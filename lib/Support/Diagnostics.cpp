//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/Diagnostics.h"
#include "fpa/Support/OneLine.h"
#include "mlir/IR/Location.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::fpa;

std::string mlir::fpa::formatLocation(Location loc) {
  std::string text;
  loc->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    text = file.getFilename().str() + ":" + std::to_string(file.getLine()) +
           ":" + std::to_string(file.getColumn()) + ": ";
    return WalkResult::interrupt();
  });
  return text;
}

static std::string format(Location loc, StringRef message) {
  return toOneLine(formatLocation(loc) + message.str());
}

llvm::Error mlir::fpa::makeError(Location loc, StringRef message) {
  return llvm::createStringError(format(loc, message));
}

FirstDiagnostic::FirstDiagnostic(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (!text && diagnostic.getSeverity() == DiagnosticSeverity::Error)
          text = format(diagnostic.getLocation(), diagnostic.str());
        return success();
      }) {}

llvm::Error FirstDiagnostic::takeError(StringRef otherwise) {
  return llvm::createStringError(text ? *text : otherwise.str());
}
