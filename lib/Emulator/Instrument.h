//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Turns kernels into functions of the host that call into the emulator.

#ifndef FPA_LIB_EMULATOR_INSTRUMENT_H
#define FPA_LIB_EMULATOR_INSTRUMENT_H

#include "Problem.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <deque>

namespace mlir {
namespace gpu {
class GPUModuleOp;
} // namespace gpu

namespace fpa {

struct InstrumentedKernels {
  /// In the llvm dialect alone. Refers to `sites` by address.
  OwningOpRef<ModuleOp> module;
  std::deque<Site> sites;
  /// One entry a basic block, numbered over all functions.
  std::vector<BlockCount> blocks;
  struct Kernel {
    std::string name;
    size_t numArguments;
    /// Threads that the kernel was made for; 0 where it does not say.
    int64_t threads;
    /// Shared memory before what a launch asks for.
    int64_t sharedBytes;
  };
  std::vector<Kernel> kernels;
  std::vector<Constant> constants;
};

/// Fails for an op that the emulator does not know.
llvm::Expected<InstrumentedKernels> instrumentKernels(gpu::GPUModuleOp module);

} // namespace fpa
} // namespace mlir

#endif // FPA_LIB_EMULATOR_INSTRUMENT_H
