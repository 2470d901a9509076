//===- FpaOps.h - Ops of the fpa dialect ------------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_FPAOPS_H
#define FPA_DIALECT_IR_FPAOPS_H

#include "fpa/Dialect/IR/FpaDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include <cmath>
#include <optional>

#include "fpa/Dialect/IR/FpaOpsEnums.h.inc"

#include "fpa/Dialect/IR/FpaInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fpa/Dialect/IR/FpaOpsAttributes.h.inc"

#define GET_OP_CLASSES
#include "fpa/Dialect/IR/FpaOps.h.inc"

namespace mlir::fpa {
/// The least and the greatest beta of a smooth penalty [A9].
std::pair<double, double> getSmoothRange(bool isF64);
/// What beta of a smooth penalty has to do where this one does not [A9], as "be
/// positive and finite"; empty where it may be. Logits are f64 or else f32.
std::string findBrokenSmooth(double beta, bool isF64);
} // namespace mlir::fpa

#endif // FPA_DIALECT_IR_FPAOPS_H
