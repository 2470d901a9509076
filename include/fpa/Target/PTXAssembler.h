//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The CUDA toolkit's assembler, from PTX to machine code.

#ifndef FPA_TARGET_PTXASSEMBLER_H
#define FPA_TARGET_PTXASSEMBLER_H

#include "fpa/Runtime/Package.h"
#include "fpa/Target/NVPTX.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::fpa {

namespace runtime = ::fpa::runtime;

/// A ptxas and its version, as 10 * major + minor.
struct PTXAssembler {
  std::string path;
  int version = 0;
};

/// Looks in the toolkit's folder `toolkit` or, when that is empty, in those
/// that CUDA_HOME and CUDA_PATH name, in PATH and in /usr/local/cuda. Fails
/// where there is none, or where it is too old for the chip.
llvm::Expected<PTXAssembler> findPTXAssembler(llvm::StringRef toolkit,
                                              const GPUTarget &chip);

struct AssembledKernels {
  std::string cubin;
  /// Registers, spills and memory of each kernel.
  llvm::SmallVector<runtime::Kernel> kernels;
};
llvm::Expected<AssembledKernels> assemble(llvm::StringRef ptx,
                                          const PTXAssembler &assembler,
                                          const GPUTarget &chip);

/// What ptxas -v says of each kernel.
llvm::SmallVector<runtime::Kernel> parseResourceReport(llvm::StringRef text);

} // namespace mlir::fpa

#endif // FPA_TARGET_PTXASSEMBLER_H
