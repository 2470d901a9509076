//===- ComputeInSingle.h - bf16 arithmetic in f32 ---------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_TARGET_COMPUTEINSINGLE_H
#define FPA_LIB_TARGET_COMPUTEINSINGLE_H

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::fpa {

/// Lets instructions that compute with bf16 compute with f32, and rounds their
/// results to nearest even by integer arithmetic: not every CPU has an
/// instruction that rounds to bf16, and those there are flush subnormal
/// numbers.
void computeInSingle(llvm::Module &module);

} // namespace mlir::fpa

#endif // FPA_LIB_TARGET_COMPUTEINSINGLE_H
