//===- DeviceTarget.h - The names of devices --------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CAPI_DEVICETARGET_H
#define FPA_LIB_CAPI_DEVICETARGET_H

#include "fpa/ExecutionEngine/DeviceModule.h"

namespace mlir::fpa {

struct DeviceTarget {
  DeviceModule::Kind kind;
  /// Which GPU.
  int ordinal = 0;
};

/// "emulator", "cuda", "cuda:1"; nothing for another name.
std::optional<DeviceTarget> parseDeviceTarget(llvm::StringRef name);

} // namespace mlir::fpa

#endif // FPA_LIB_CAPI_DEVICETARGET_H
