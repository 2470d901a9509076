//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComputeInSingle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static bool isBFloat(const Value *value) {
  return value->getType()->getScalarType()->isBFloatTy();
}

static Type *withBits(Type *type, unsigned bits) {
  return type->getWithNewType(Type::getIntNTy(type->getContext(), bits));
}

static Type *toSingle(Type *type) {
  return type->getScalarType()->isBFloatTy()
             ? type->getWithNewType(Type::getFloatTy(type->getContext()))
             : type;
}

/// bf16 is the upper half of f32.
static Value *widen(IRBuilder<> &b, Value *value) {
  if (!isBFloat(value))
    return value;
  Type *type = value->getType();
  Value *bits = b.CreateBitCast(value, withBits(type, 16));
  bits = b.CreateShl(b.CreateZExt(bits, withBits(type, 32)), 16);
  return b.CreateBitCast(bits, toSingle(type));
}

/// The upper half of f32, of the nearest number that has no lower one; of a NaN
/// the one that GPUs give.
static Value *narrow(IRBuilder<> &b, Value *value, Type *type, bool isExact) {
  Type *wide = withBits(type, 32);
  Value *bits = b.CreateBitCast(value, wide);
  if (!isExact) {
    Value *last = b.CreateAnd(b.CreateLShr(bits, 16), 1);
    Value *rounded =
        b.CreateAdd(bits, b.CreateAdd(last, ConstantInt::get(wide, 0x7fff)));
    Value *isNaN = b.CreateFCmpUNO(value, value);
    bits = b.CreateSelect(isNaN, ConstantInt::get(wide, 0x7fff0000), rounded);
  }
  Value *upper = b.CreateTrunc(b.CreateLShr(bits, 16), withBits(type, 16));
  return b.CreateBitCast(upper, type);
}

/// Whether an intrinsic computes element by element, or reduces; others move.
static bool isArithmetic(Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case Intrinsic::sqrt:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tanh:
  case Intrinsic::pow:
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
    return true;
  default:
    return false;
  }
}

/// Whether the result is one of the operands, but for its sign.
static bool isSelection(Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::minimumnum:
  case Intrinsic::maximumnum:
  case Intrinsic::vector_reduce_fmin:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fminimum:
  case Intrinsic::vector_reduce_fmaximum:
    return true;
  default:
    return false;
  }
}

static bool isConversion(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FPExt:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return true;
  case Instruction::FPTrunc:
    // Two roundings of f64 could differ from one.
    return instruction.getOperand(0)->getType()->getScalarType()->isFloatTy();
  default:
    return false;
  }
}

static bool computes(const Instruction &instruction) {
  if (!isBFloat(&instruction) && none_of(instruction.operands(), isBFloat))
    return false;
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return isArithmetic(call->getIntrinsicID()) ||
           isSelection(call->getIntrinsicID());
  return isa<BinaryOperator, UnaryOperator, FCmpInst>(instruction) ||
         isConversion(instruction);
}

/// The instruction on f32, with its result in f32 where it was bf16.
static Value *createSingle(IRBuilder<> &b, Instruction &instruction,
                           ArrayRef<Value *> operands) {
  Type *type = toSingle(instruction.getType());
  if (isConversion(instruction)) {
    // Nothing is left to do between f32 and bf16.
    if (type == operands[0]->getType())
      return operands[0];
    return b.CreateCast(cast<CastInst>(instruction).getOpcode(), operands[0],
                        type);
  }
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
    SmallVector<Type *> overloads;
    (void)Intrinsic::getIntrinsicSignature(call->getCalledFunction(),
                                           overloads);
    for (Type *&overload : overloads)
      overload = toSingle(overload);
    return b.CreateIntrinsic(call->getIntrinsicID(), overloads, operands);
  }
  if (auto *compare = dyn_cast<FCmpInst>(&instruction))
    return b.CreateFCmp(compare->getPredicate(), operands[0], operands[1]);
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
    return b.CreateBinOp(binary->getOpcode(), operands[0], operands[1]);
  return b.CreateUnOp(cast<UnaryOperator>(instruction).getOpcode(),
                      operands[0]);
}

static void rewrite(Instruction &instruction) {
  IRBuilder<> b(&instruction);
  if (isa<FPMathOperator>(instruction))
    b.setFastMathFlags(instruction.getFastMathFlags());
  unsigned count = isa<CallBase>(instruction)
                       ? cast<CallBase>(instruction).arg_size()
                       : instruction.getNumOperands();
  SmallVector<Value *> operands;
  for (unsigned i = 0; i < count; ++i)
    operands.push_back(widen(b, instruction.getOperand(i)));
  Value *result = createSingle(b, instruction, operands);
  if (isBFloat(&instruction)) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    bool isExact = isa<UnaryOperator>(instruction) ||
                   (call && isSelection(call->getIntrinsicID()));
    // Flags of the computation would let the rounding forget NaNs.
    b.clearFastMathFlags();
    result = narrow(b, result, instruction.getType(), isExact);
  }
  instruction.replaceAllUsesWith(result);
  instruction.eraseFromParent();
}

void mlir::fpa::computeInSingle(llvm::Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (computes(instruction))
        rewrite(instruction);
}
