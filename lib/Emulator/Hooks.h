//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The functions that compiled kernels call.

#ifndef FPA_LIB_EMULATOR_HOOKS_H
#define FPA_LIB_EMULATOR_HOOKS_H

#include "DeviceFunctions.h"

namespace mlir::fpa {

llvm::ArrayRef<DeviceFunction> getHooks();

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_HOOKS_H
