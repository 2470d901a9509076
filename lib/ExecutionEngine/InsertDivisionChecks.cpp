//===- InsertDivisionChecks.cpp - Checks of divisors ----------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A processor ends the process at a division of integers by zero, and at one
// whose quotient is too large; a call of a program ends with an error.
//
//===----------------------------------------------------------------------===//

#include "CheckFailure.h"
#include "fpa/Support/Diagnostics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

static bool isSigned(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
             arith::CeilDivSIOp>(op);
}

/// Whether ops may be put into the block of `op`. The bodies of named linalg
/// ops follow from their names.
static bool isInOwnBlock(Operation *op) {
  Operation *parent = op->getParentOp();
  return !isa<linalg::LinalgOp>(parent) ||
         isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(parent);
}

SmallVector<Operation *> fpa::findDivisions(ModuleOp module) {
  SmallVector<Operation *> divisions;
  module.walk([&](Operation *op) {
    if ((!isSigned(op) &&
         !isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op)) ||
        !op->getResult(0).getType().isIntOrIndex() || !isInOwnBlock(op))
      return;
    std::optional<int64_t> divisor = getConstantIntValue(op->getOperand(1));
    if (!divisor || *divisor == 0 || (isSigned(op) && *divisor == -1))
      divisions.push_back(op);
  });
  return divisions;
}

SmallVector<std::string>
fpa::insertDivisionChecks(ModuleOp module, ArrayRef<Operation *> divisions,
                          int64_t first) {
  SmallVector<std::string> messages;
  for (Operation *op : divisions) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    Type type = op->getResult(0).getType();
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    auto check = [&](Value broken, StringRef what) {
      emitCheckFailure(b, loc, module, broken, first + int64_t(messages.size()),
                       {none, none, none});
      messages.push_back(formatLocation(loc) +
                         op->getName().getStringRef().str() + ": expected " +
                         what.str());
    };
    auto isEqual = [&](unsigned operand, const APInt &number) -> Value {
      return arith::CmpIOp::create(
          b, loc, arith::CmpIPredicate::eq, op->getOperand(operand),
          arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, number)));
    };
    unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                    : type.getIntOrFloatBitWidth();
    check(isEqual(1, APInt::getZero(width)), "a divisor other than 0, got 0");
    if (isSigned(op))
      check(arith::AndIOp::create(b, loc, isEqual(1, APInt::getAllOnes(width)),
                                  isEqual(0, APInt::getSignedMinValue(width))),
            "another dividend by -1 than the least number, got that");
  }
  return messages;
}
