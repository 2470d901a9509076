//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckFailure.h"
#include "fpa/Support/Diagnostics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

static constexpr StringLiteral failureName("fpa_check_failed");

static void declareFailure(ModuleOp module) {
  if (module.lookupSymbol(failureName))
    return;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<Type> arguments(4, b.getIndexType());
  func::FuncOp::create(b, module.getLoc(), failureName,
                       b.getFunctionType(arguments, {}))
      .setPrivate();
}

void fpa::emitCheckFailure(OpBuilder &builder, Location loc, ModuleOp module,
                           Value broken, int64_t check, ValueRange sizes) {
  declareFailure(module);
  scf::IfOp::create(builder, loc, broken, [&](OpBuilder &b, Location loc) {
    SmallVector<Value> arguments{
        arith::ConstantIndexOp::create(b, loc, check).getResult()};
    llvm::append_range(arguments, sizes);
    func::CallOp::create(b, loc, failureName, TypeRange(), arguments);
    scf::YieldOp::create(b, loc);
  });
}

SmallVector<std::string> fpa::replaceAssertions(ModuleOp module,
                                                int64_t first) {
  SmallVector<cf::AssertOp> asserts;
  module.walk([&](cf::AssertOp op) { asserts.push_back(op); });
  SmallVector<std::string> messages;
  for (cf::AssertOp op : asserts) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value broken = arith::XOrIOp::create(b, loc, op.getArg(), yes);
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    emitCheckFailure(b, loc, module, broken, first + int64_t(messages.size()),
                     {none, none, none});
    messages.push_back(formatLocation(loc) +
                       "cf.assert failed: " + op.getMsg().str());
    op.erase();
  }
  return messages;
}
