//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Tools/Strategy.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::fpa;
using llvm::createStringError;

llvm::Error mlir::fpa::parseStrategy(llvm::StringRef text,
                                     CPUStrategy &strategy) {
  auto parsed = llvm::StringSwitch<std::optional<CPUStrategy>>(text)
                    .Case("tile", CPUStrategy::Tile)
                    .Case("decompose", CPUStrategy::Decompose)
                    .Default(std::nullopt);
  if (!parsed)
    return createStringError("expected tile or decompose, got '" + text + "'");
  strategy = *parsed;
  return llvm::Error::success();
}
