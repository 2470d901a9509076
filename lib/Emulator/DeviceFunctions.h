//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Functions of the GPU's libraries and intrinsics, on the CPU.

#ifndef FPA_LIB_EMULATOR_DEVICEFUNCTIONS_H
#define FPA_LIB_EMULATOR_DEVICEFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::fpa {

struct DeviceFunction {
  llvm::StringRef name;
  void *address;
};

/// Functions of libdevice that are emulated, such as `__nv_exp2f`.
llvm::ArrayRef<DeviceFunction> getLibraryFunctions();
/// Intrinsics, without their type's suffix, such as `llvm.nvvm.rcp.approx.ftz`.
/// Pairs of 16-bit values are passed in 32-bit integers.
llvm::ArrayRef<DeviceFunction> getIntrinsicFunctions();
/// What compiled code may call without naming it: conversions that the host has
/// no instruction for.
llvm::ArrayRef<DeviceFunction> getCompilerFunctions();

/// The emulation of an intrinsic of that name, with or without the suffix; null
/// where there is none.
const DeviceFunction *findIntrinsic(llvm::StringRef name);
/// The name of an intrinsic's emulation in compiled code, where names that
/// begin with "llvm." are the compiler's.
std::string getHostName(const DeviceFunction &intrinsic);
bool isLibraryFunction(llvm::StringRef name);

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_DEVICEFUNCTIONS_H
