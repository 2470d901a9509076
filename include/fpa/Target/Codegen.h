//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_TARGET_CODEGEN_H
#define FPA_TARGET_CODEGEN_H

#include "fpa/Target/CPU.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class DialectRegistry;
class ModuleOp;

namespace fpa {

/// What translateToLLVMIR needs to know of the dialects.
void registerLLVMTranslations(DialectRegistry &registry);

/// LLVM IR of a module in the llvm dialect, for `target`. Private functions,
/// and those that have a C interface, become internal: LLVM may inline and drop
/// them.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVMIR(ModuleOp module, llvm::LLVMContext &context,
                  const CPUTarget &target, llvm::TargetMachine &machine);

/// Adds `void name(void **arguments)`, which calls `callee` for someone who
/// learns the number of arguments at run time: with what the pointers point at,
/// or, where `asTheyAre`, with the pointers.
void addPackedEntry(llvm::Function &callee, llvm::StringRef name,
                    bool asTheyAre);

/// LLVM's pipeline of that level, leaving nothing that no code, or wrong code,
/// is made of.
llvm::Error optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     unsigned level = 3);

/// Object code of `module`.
llvm::Expected<llvm::SmallVector<char, 0>>
emitObject(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace fpa
} // namespace mlir

#endif // FPA_TARGET_CODEGEN_H
