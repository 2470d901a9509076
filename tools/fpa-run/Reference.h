//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_TOOLS_FPARUN_REFERENCE_H
#define FPA_TOOLS_FPARUN_REFERENCE_H

#include "fpa/ExecutionEngine/CompiledModule.h"

namespace mlir::fpa {

/// A copy of what `entry` needs of `module`, for the reference. Fails for what
/// is a program for a machine already: the reference promotes the graph to
/// float64, not instructions.
llvm::Expected<OwningOpRef<ModuleOp>> prepareReference(ModuleOp module,
                                                       StringRef entry);

/// What the reference computes for the program in `module`, which is changed.
llvm::Expected<SmallVector<Tensor>> runReference(ModuleOp module,
                                                 StringRef entry,
                                                 CompileOptions compile,
                                                 ArrayRef<Tensor> inputs);

} // namespace mlir::fpa

#endif // FPA_TOOLS_FPARUN_REFERENCE_H
