//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FpaDialect.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fpa;

#include "fpa/Dialect/IR/FpaOpsDialect.cpp.inc"
#include "fpa/Dialect/IR/FpaInterfaces.cpp.inc"
#include "fpa/Dialect/IR/FpaOpsEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fpa/Dialect/IR/FpaOpsAttributes.cpp.inc"

int64_t WorkItemAttr::getMappingId() const { return getDimension(); }
bool WorkItemAttr::isLinearMapping() const { return false; }
int64_t WorkItemAttr::getRelativeIndex() const { return getDimension(); }

namespace {
/// Every fpa op may be inlined: none refers to its enclosing function.
struct FpaInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void FpaDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fpa/Dialect/IR/FpaOpsAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fpa/Dialect/IR/FpaOps.cpp.inc"
      >();
  addInterfaces<FpaInlinerInterface>();
}

Operation *FpaDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

#define GET_OP_CLASSES
#include "fpa/Dialect/IR/FpaOps.cpp.inc"
