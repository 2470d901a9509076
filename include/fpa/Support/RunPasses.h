//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_SUPPORT_RUNPASSES_H
#define FPA_SUPPORT_RUNPASSES_H

#include "llvm/Support/Error.h"

namespace mlir {
class Operation;
class PassManager;

namespace fpa {

/// Runs the passes on `op`. An error is the first that a pass reports, on one
/// line; of a pass that fails and reports none, its name.
llvm::Error runPasses(PassManager &pm, Operation *op);

} // namespace fpa
} // namespace mlir

#endif // FPA_SUPPORT_RUNPASSES_H
