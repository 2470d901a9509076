//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Variables of a thread, calls, and where a function must not come to.

#include "Instrumenter.h"
#include "fpa/Support/Diagnostics.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Error;

std::optional<uint64_t> Instrumenter::getStaticBytes(LLVM::AllocaOp variable) {
  llvm::APInt count;
  if (!matchPattern(variable.getArraySize(), m_ConstantInt(&count)))
    return std::nullopt;
  return count.getLimitedValue(INT32_MAX) *
         uint64_t(layout.getTypeSize(variable.getElemType()));
}

Value Instrumenter::getBytes(LLVM::AllocaOp variable) {
  Value count = variable.getArraySize();
  if (count.getType().getIntOrFloatBitWidth() < 64)
    count = LLVM::ZExtOp::create(builder, i64, count);
  uint64_t size = layout.getTypeSize(variable.getElemType());
  return LLVM::MulOp::create(builder, count, constant(size, 64));
}

Error Instrumenter::layOutStack() {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    uint64_t &bytes = frameBytes[function];
    for (auto variable : function.getBody().front().getOps<LLVM::AllocaOp>())
      bytes += getStaticBytes(variable).value_or(0);
    if (bytes > Stacks::local)
      return makeError(
          function.getLoc(),
          "function '" + function.getName().str() + "': expected at most " +
              std::to_string(Stacks::local) + " bytes of local memory, got " +
              std::to_string(bytes));
    // Functions that are inlined have their variables all at a time.
    if (bytes)
      function.setNoInline(true);
  }
  return Error::success();
}

/// Whether all that is done with a pointer shows which variable it is of.
static bool isFollowed(Value pointer) {
  return llvm::all_of(pointer.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(user))
      return isFollowed(user->getResult(0));
    if (auto store = dyn_cast<LLVM::StoreOp>(user))
      return store.getValue() != pointer;
    return isa<LLVM::LoadOp>(user);
  });
}

bool Instrumenter::rewriteStack(Operation *op) {
  auto reserve = [&](Value bytes) {
    callHook("fpa_emulator_stack", {},
             {thread, bytes, makeSiteAddress(makeSite(op, SiteKind::Stack))});
  };
  if (auto variable = dyn_cast<LLVM::AllocaOp>(op)) {
    // The others are there when the function begins.
    bool isDynamic =
        !getStaticBytes(variable) || !op->getBlock()->isEntryBlock();
    if (isDynamic)
      reserve(getBytes(variable));
    if (!isFollowed(variable.getRes())) {
      builder.setInsertionPointAfter(op);
      callHook(
          "fpa_emulator_local_variable", {},
          {thread, toGenericPointer(variable.getRes()), getBytes(variable)});
    }
    return true;
  }
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    auto callee =
        module.lookupSymbol<LLVM::LLVMFuncOp>(call.getCallee().value_or(""));
    if (callee && !callee.isExternal())
      reserve(constant(frameBytes.lookup(callee), 64));
    return false;
  }
  if (isa<LLVM::UnreachableOp>(op)) {
    callHook("fpa_emulator_unreachable", {},
             {thread, makeSiteAddress(makeSite(op, SiteKind::Unreachable))});
    return true;
  }
  return false;
}
