//===- Passes.cpp - C API of the passes -----------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa-c/Passes.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/InitAll.h"
#include "mlir/CAPI/Pass.h"

using namespace mlir;
using namespace mlir::fpa;

extern "C" {
#include "fpa/Conversion/Passes.capi.cpp.inc"
#include "fpa/Dialect/Transforms/Passes.capi.cpp.inc"
}

void fpaRegisterPasses() { registerFpaPasses(); }
