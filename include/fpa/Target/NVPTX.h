//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The way from a gpu.module at the level of NVVM to PTX.

#ifndef FPA_TARGET_NVPTX_H
#define FPA_TARGET_NVPTX_H

#include "fpa/Target/GPUTarget.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir {
class DialectRegistry;
namespace gpu {
class GPUModuleOp;
} // namespace gpu

namespace fpa {

/// What translateToNVPTX needs to know of the dialects.
void registerNVPTXTranslations(DialectRegistry &registry);

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createNVPTXTargetMachine(const GPUTarget &chip);

/// LLVM IR of a module whose kernels are llvm.func with nvvm ops, optimized.
/// The module is left as it is.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToNVPTX(gpu::GPUModuleOp module, llvm::LLVMContext &context,
                 const GPUTarget &chip, llvm::TargetMachine &machine);

llvm::Expected<std::string> emitPTX(llvm::Module &module,
                                    llvm::TargetMachine &machine);

} // namespace fpa
} // namespace mlir

#endif // FPA_TARGET_NVPTX_H
