//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_CONVERSION_FPATOLLVM_FPATOLLVM_H
#define FPA_CONVERSION_FPATOLLVM_FPATOLLVM_H

namespace mlir {
class DialectRegistry;
class LLVMTypeConverter;
class RewritePatternSet;

namespace fpa {

/// Patterns that turn `fpa.parallel_call` into a call of the runtime library,
/// with functions and calls of the func dialect.
void populateFpaToLLVMConversionPatterns(const LLVMTypeConverter &converter,
                                         RewritePatternSet &patterns);

/// Makes upstream's `convert-to-llvm` lower the dialect too.
void registerConvertFpaToLLVMInterface(DialectRegistry &registry);

} // namespace fpa
} // namespace mlir

#endif // FPA_CONVERSION_FPATOLLVM_FPATOLLVM_H
