//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_TRANSFORMOPS_FPATRANSFORMOPS_H
#define FPA_DIALECT_TRANSFORMOPS_FPATRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"

#define GET_OP_CLASSES
#include "fpa/Dialect/TransformOps/FpaTransformOps.h.inc"

namespace mlir {
class DialectRegistry;

namespace fpa {

/// Adds the fpa ops of the transform dialect to `registry`.
void registerTransformDialectExtension(DialectRegistry &registry);

} // namespace fpa
} // namespace mlir

#endif // FPA_DIALECT_TRANSFORMOPS_FPATRANSFORMOPS_H
