//===- LastError.h - The error that C functions leave -----------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CAPI_LASTERROR_H
#define FPA_LIB_CAPI_LASTERROR_H

#include "llvm/Support/Error.h"

namespace mlir::fpa {

/// Makes it what fpaLastError() says, on one line.
void setLastError(llvm::Error error);

} // namespace mlir::fpa

#endif // FPA_LIB_CAPI_LASTERROR_H
