//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_TOOLS_STRATEGY_H
#define FPA_TOOLS_STRATEGY_H

#include "fpa/Pipelines/CPUPipeline.h"
#include "llvm/Support/Error.h"

namespace mlir::fpa {

/// The value of the tools' --strategy.
llvm::Error parseStrategy(llvm::StringRef text, CPUStrategy &strategy);

} // namespace mlir::fpa

#endif // FPA_TOOLS_STRATEGY_H
