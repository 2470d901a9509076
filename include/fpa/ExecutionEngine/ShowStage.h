//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A module on its way to machine code, as text.

#ifndef FPA_EXECUTIONENGINE_SHOWSTAGE_H
#define FPA_EXECUTIONENGINE_SHOWSTAGE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir {
class ModuleOp;

namespace fpa {

/// The module as it leaves `stage`: "graph", "streaming", "tiles", "buffers",
/// "machine", "llvm-dialect" or "llvm", and for GPUs "nvvm", "llvm" or "ptx"
/// after "machine". `target` is "cpu", this machine's, or a chip as "sm_80";
/// `pipeline` holds further options of the target's pipeline. The module is
/// changed.
llvm::Expected<std::string> showStage(ModuleOp module, StringRef entry,
                                      StringRef target, StringRef stage,
                                      StringRef pipeline);

} // namespace fpa
} // namespace mlir

#endif // FPA_EXECUTIONENGINE_SHOWSTAGE_H
