//===- MoveAsIntegers.h - Copies of uneven vectors --------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_TARGET_MOVEASINTEGERS_H
#define FPA_LIB_TARGET_MOVEASINTEGERS_H

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::fpa {

/// Lets instructions that only move 16-bit floats move integers of that width
/// instead where a vector's length is no power of two. LLVM's optimiser makes
/// such vectors out of strided copies, but its code generators cannot take a
/// shuffle of bf16 apart: they end the process.
void moveAsIntegers(llvm::Module &module);

} // namespace mlir::fpa

#endif // FPA_LIB_TARGET_MOVEASINTEGERS_H
