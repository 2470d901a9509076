//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Where a pointer comes from, as far as the ops that compute it tell.

#ifndef FPA_LIB_EMULATOR_POINTERROOT_H
#define FPA_LIB_EMULATOR_POINTERROOT_H

#include "Site.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir {
class DataLayout;

namespace fpa {

/// The value that `pointer` is an offset of: an alloca, an address of a global,
/// an argument, or something else that computes pointers.
Value getPointerRoot(Value pointer);
/// The constant of the module that `root` is the address of, or null.
LLVM::GlobalOp getConstant(Value root);
/// Whether it is memory of the thread alone, or a constant of the module.
bool isPrivateOrConstant(Value pointer);
/// Generic where only the run shows it.
Space getSpace(Value pointer);

/// Bytes that a load or a store of `type` touches: those of its bits, and of a
/// vector's elements side by side. What a variable of the type has besides is
/// left alone.
uint64_t getAccessBytes(Type type, const DataLayout &layout);
/// Bytes that one instruction moves of an access of `bytes` bytes with that
/// alignment: at most 16.
uint32_t getPieceBytes(uint64_t bytes, uint64_t alignment);
/// The alignment that an access of `type` is sure of.
uint64_t getAccessAlignment(Type type, std::optional<uint64_t> alignment,
                            const DataLayout &layout);

} // namespace fpa
} // namespace mlir

#endif // FPA_LIB_EMULATOR_POINTERROOT_H
