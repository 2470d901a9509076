//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Ops of one thread that are no memory accesses.

#include "DeviceFunctions.h"
#include "Instrumenter.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Error;

static std::optional<Special> getSpecial(StringRef name) {
  if (!name.consume_front("nvvm.read.ptx.sreg."))
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Special>>(name)
      .Case("tid.x", Special::ThreadX)
      .Case("tid.y", Special::ThreadY)
      .Case("tid.z", Special::ThreadZ)
      .Case("ntid.x", Special::BlockDimX)
      .Case("ntid.y", Special::BlockDimY)
      .Case("ntid.z", Special::BlockDimZ)
      .Case("ctaid.x", Special::BlockX)
      .Case("ctaid.y", Special::BlockY)
      .Case("ctaid.z", Special::BlockZ)
      .Case("nctaid.x", Special::GridDimX)
      .Case("nctaid.y", Special::GridDimY)
      .Case("nctaid.z", Special::GridDimZ)
      .Case("laneid", Special::Lane)
      .Case("warpid", Special::Warp)
      .Case("warpsize", Special::WarpSize)
      .Case("nwarpid", Special::Warps)
      .Case("lanemask.eq", Special::MaskEq)
      .Case("lanemask.le", Special::MaskLe)
      .Case("lanemask.lt", Special::MaskLt)
      .Case("lanemask.ge", Special::MaskGe)
      .Case("lanemask.gt", Special::MaskGt)
      .Case("dynamic.smem.size", Special::SharedBytes)
      .Default(std::nullopt);
}

bool Instrumenter::rewriteSpecial(Operation *op) {
  std::optional<Special> special = getSpecial(op->getName().getStringRef());
  if (!special)
    return false;
  Value value = loadView(i32, offsetof(ThreadView, special) +
                                  unsigned(*special) * sizeof(uint32_t));
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return true;
}

void Instrumenter::rewriteIntrinsic(LLVM::CallIntrinsicOp op, Error &error) {
  const DeviceFunction *known = findIntrinsic(op.getIntrin());
  if (!known) {
    error = refuse(op, ("\"" + op.getIntrin() + "\"").str());
    return;
  }
  auto isPair = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.getNumElements() == 2 &&
           vector.getElementTypeBitWidth() == 16;
  };
  SmallVector<Value> operands;
  for (Value operand : op.getArgs())
    operands.push_back(isPair(operand.getType()) ? toWord(operand) : operand);
  Type type = op->getResult(0).getType();
  Value value =
      callHook(getHostName(*known), isPair(type) ? i32 : type, operands);
  op->getResult(0).replaceAllUsesWith(isPair(type) ? fromWord(value, type)
                                                   : value);
  op.erase();
}

bool Instrumenter::rewriteConversion(Operation *op, Error &error) {
  auto replace = [&](StringRef hook, Type type, ValueRange operands) {
    Value value = callHook(getHostName(*findIntrinsic(hook)), type, operands);
    Type wanted = op->getResult(0).getType();
    op->getResult(0).replaceAllUsesWith(type == i32 ? fromWord(value, wanted)
                                                    : value);
    op->erase();
  };
  auto isNearest = [&](auto op) {
    if ((op.getRnd() == NVVM::FPRoundingMode::RN ||
         op.getRnd() == NVVM::FPRoundingMode::RNA) &&
        op.getSat() == NVVM::SaturationMode::NONE && !op.getRelu())
      return true;
    error = refuse(op, "but with rounding to nearest");
    return false;
  };
  if (auto convert = dyn_cast<NVVM::ConvertF32x2ToF16x2Op>(op)) {
    if (isNearest(convert))
      replace("llvm.nvvm.ff2f16x2.rn", i32,
              {convert.getSrcHi(), convert.getSrcLo()});
    return true;
  }
  if (auto convert = dyn_cast<NVVM::ConvertF32x2ToBF16x2Op>(op)) {
    if (isNearest(convert))
      replace("llvm.nvvm.ff2bf16x2.rn", i32,
              {convert.getSrcHi(), convert.getSrcLo()});
    return true;
  }
  if (auto convert = dyn_cast<NVVM::ConvertFloatToTF32Op>(op)) {
    if (isNearest(convert))
      replace(convert.getRnd() == NVVM::FPRoundingMode::RN
                  ? "llvm.nvvm.f2tf32.rn"
                  : "llvm.nvvm.f2tf32.rna",
              i32, {convert.getSrc()});
    return true;
  }
  if (auto reciprocal = dyn_cast<NVVM::RcpApproxFtzF32Op>(op)) {
    replace("llvm.nvvm.rcp.approx.ftz", builder.getF32Type(),
            {reciprocal.getArg()});
    return true;
  }
  if (auto permute = dyn_cast<NVVM::PermuteOp>(op)) {
    if (permute.getMode() != NVVM::PermuteMode::DEFAULT || !permute.getHi())
      error = refuse(op, "but in its default mode");
    else
      replace("llvm.nvvm.prmt", i32,
              {permute.getLo(), permute.getHi(), permute.getSelector()});
    return true;
  }
  return false;
}

/// Calls the emulator before a division that could have no result.
template <typename Op> void Instrumenter::checkDivision(Op op, bool isSigned) {
  Value dividend = op.getLhs(), divisor = op.getRhs();
  Type type = divisor.getType();
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto splat = [&](const llvm::APInt &value) -> Value {
    auto element = builder.getIntegerType(bits);
    TypedAttr attribute = builder.getIntegerAttr(element, value);
    if (auto vector = dyn_cast<VectorType>(type))
      attribute = DenseElementsAttr::get(vector, value);
    return LLVM::ConstantOp::create(builder, type, attribute);
  };
  llvm::APInt known;
  if (matchPattern(divisor, m_ConstantInt(&known)) && !known.isZero() &&
      !(isSigned && known.isAllOnes()))
    return;
  auto equals = [&](Value value, const llvm::APInt &number) -> Value {
    return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, value,
                                splat(number));
  };
  auto any = [&](Value condition) -> Value {
    if (isa<VectorType>(type))
      condition = LLVM::vector_reduce_or::create(builder, builder.getI1Type(),
                                                 condition);
    return LLVM::ZExtOp::create(builder, i32, condition);
  };
  Value isBroken = equals(divisor, llvm::APInt::getZero(bits));
  Value byZero = any(isBroken);
  Value tooLarge = constant(0);
  if (isSigned) {
    Value isTooLarge = LLVM::AndOp::create(
        builder, equals(dividend, llvm::APInt::getSignedMinValue(bits)),
        equals(divisor, llvm::APInt::getAllOnes(bits)));
    tooLarge = any(isTooLarge);
    isBroken = LLVM::OrOp::create(builder, isBroken, isTooLarge);
  }
  // The host's code may divide before the call, which does not return then.
  op.getRhsMutable().assign(LLVM::SelectOp::create(
      builder, isBroken, splat(llvm::APInt(bits, 1)), divisor));
  callHook("fpa_emulator_division", {},
           {thread, byZero, tooLarge,
            makeSiteAddress(makeSite(op, SiteKind::Division))});
}

bool Instrumenter::rewriteScalar(Operation *op, Error &error) {
  if (auto division = dyn_cast<LLVM::SDivOp>(op))
    checkDivision(division, true);
  else if (auto division = dyn_cast<LLVM::SRemOp>(op))
    checkDivision(division, true);
  else if (auto division = dyn_cast<LLVM::UDivOp>(op))
    checkDivision(division, false);
  else if (auto division = dyn_cast<LLVM::URemOp>(op))
    checkDivision(division, false);
  if (rewriteSpecial(op) || rewriteConversion(op, error))
    return true;
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    StringRef name = call.getCallee().value_or("a pointer");
    auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
    if (!callee || (callee.isExternal() && !isLibraryFunction(name)))
      error = refuse(op, ("of '" + name + "'").str());
    return true;
  }
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    rewriteIntrinsic(call, error);
    return true;
  }
  // Accesses of one thread are in order anyway.
  if (isa<NVVM::MembarOp, LLVM::AssumeOp, LLVM::LifetimeStartOp,
          LLVM::LifetimeEndOp>(op)) {
    op->erase();
    return true;
  }
  if (isa<NVVM::NVVMDialect>(op->getDialect()))
    return false;
  return isa<LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp, LLVM::ReturnOp,
             LLVM::FenceOp>(op) ||
         isMemoryEffectFree(op);
}
