//===- MoveAsIntegers.h - Copies of 16-bit floats ----------------*- C++
//-*-===//
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

/// Lets instructions that only move bf16 move integers of that width instead.
/// LLVM's code generator for x86 holds a bf16 in f32 from one basic block to
/// the next, and rounds it back with an instruction that flushes subnormal
/// numbers, or by a call where there is none. What moves 16-bit floats in
/// vectors whose length is no power of two moves integers as well: the
/// optimiser makes such vectors out of strided copies, and the code generators
/// cannot take a shuffle of them apart: they end the process.
void moveAsIntegers(llvm::Module &module);

} // namespace mlir::fpa

#endif // FPA_LIB_TARGET_MOVEASINTEGERS_H
