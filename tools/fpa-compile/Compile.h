//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_TOOLS_FPACOMPILE_COMPILE_H
#define FPA_TOOLS_FPACOMPILE_COMPILE_H

#include "fpa/Tools/CodeOptions.h"

namespace mlir::fpa {

enum class EmitKind {
  Object,
  SharedLibrary,
  LLVMIR,
  MLIR,
  Header,
  PTX,
  Cubin,
  Package
};

struct CompileToolOptions {
  /// "-" is standard input, and standard output.
  std::string file, output;
  /// All functions with a body that are not private, unless given.
  SmallVector<std::string> entries;
  EmitKind emit = EmitKind::Object;
  /// Print what ptxas says of each kernel.
  bool reportResources = false;
  CodeOptions code;
};

llvm::Expected<CompileToolOptions>
parseCompileOptions(int argc, const char *const *argv, bool &isDone);

/// Compiles and writes the output as `options` say.
llvm::Error compileFile(const CompileToolOptions &options);

std::string printModule(ModuleOp module);

/// What the GPU target makes of a prepared module.
llvm::Expected<std::string> compileForGPU(ModuleOp module,
                                          ArrayRef<StringRef> entries,
                                          const CompileToolOptions &options);

/// A shared library of `object` and the runtime library, by the system's
/// compiler driver.
llvm::Expected<std::string> linkSharedLibrary(StringRef object);

/// C declarations of the entries' interface.
std::string writeHeader(ArrayRef<StringRef> names,
                        ArrayRef<EntrySignature> signatures);

} // namespace mlir::fpa

#endif // FPA_TOOLS_FPACOMPILE_COMPILE_H
