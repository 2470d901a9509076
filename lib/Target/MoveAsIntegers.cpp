//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MoveAsIntegers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static bool isShortFloat(Type *type) {
  return type->getScalarType()->is16bitFPTy();
}

/// Whether values of this type are moved as integers.
static bool isMoved(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return type->getScalarType()->isBFloatTy() ||
         (vector && isShortFloat(type) &&
          !isPowerOf2_32(vector->getNumElements()));
}

static bool isMove(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return isa<LoadInst, StoreInst, ShuffleVectorInst, SelectInst, PHINode,
               InsertElementInst, ExtractElementInst, FreezeInst>(instruction);
  switch (call->getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore:
  case Intrinsic::vector_insert:
  case Intrinsic::vector_extract:
  case Intrinsic::vector_reverse:
    return true;
  default:
    return false;
  }
}

/// Whether an instruction only moves elements, and some that it shall move as
/// integers.
static bool shallMoveIntegers(const Instruction &instruction) {
  return isMove(instruction) &&
         (isMoved(instruction.getType()) ||
          any_of(instruction.operands(), [](const Use &operand) {
            return isMoved(operand->getType());
          }));
}

static Type *toIntegers(Type *type) {
  return isShortFloat(type)
             ? type->getWithNewType(Type::getInt16Ty(type->getContext()))
             : type;
}

/// Where code that uses `value` can stand, as near to it as can be.
static BasicBlock::iterator getPlaceAfter(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return cast<Argument>(value)
        ->getParent()
        ->getEntryBlock()
        .getFirstInsertionPt();
  return isa<PHINode>(instruction)
             ? instruction->getParent()->getFirstInsertionPt()
             : std::next(instruction->getIterator());
}

static Value *castAt(BasicBlock::iterator place, Value *value, Type *type) {
  return IRBuilder<>(place->getParent(), place).CreateBitCast(value, type);
}

namespace {
/// Rewrites the moves of one function.
class IntegerMoves {
public:
  void run(Function &function);

private:
  void makeCopies();
  /// An operand of a move as integers.
  Value *asIntegers(Value *value);
  /// Gives those that compute with a move's floats what the copy moves.
  void replaceReads(Instruction &move, Instruction *copy);

  /// What each of the moves has become, and values that are no moves.
  MapVector<Instruction *, Instruction *> moves;
  DenseMap<Value *, Value *> casts;
};
} // namespace

Value *IntegerMoves::asIntegers(Value *value) {
  Type *type = toIntegers(value->getType());
  if (type == value->getType())
    return value;
  if (auto *move = dyn_cast<Instruction>(value))
    if (Instruction *known = moves.lookup(move))
      return known;
  if (auto *constant = dyn_cast<Constant>(value))
    return ConstantExpr::getBitCast(constant, type);
  Value *&cast = casts[value];
  if (!cast)
    cast = castAt(getPlaceAfter(value), value, type);
  return cast;
}

void IntegerMoves::makeCopies() {
  for (auto &[move, copy] : moves) {
    copy = move->clone();
    if (isa<FPMathOperator>(copy))
      copy->copyFastMathFlags(FastMathFlags());
    copy->mutateType(toIntegers(move->getType()));
    if (auto *call = dyn_cast<IntrinsicInst>(copy)) {
      SmallVector<Type *> overloads;
      (void)Intrinsic::getIntrinsicSignature(call->getCalledFunction(),
                                             overloads);
      for (Type *&overload : overloads)
        overload = toIntegers(overload);
      call->setCalledFunction(Intrinsic::getOrInsertDeclaration(
          move->getModule(), call->getIntrinsicID(), overloads));
    }
    copy->insertBefore(move->getIterator());
  }
}

void IntegerMoves::replaceReads(Instruction &move, Instruction *copy) {
  Type *type = move.getType();
  Value *shared = nullptr;
  for (Use &use : make_early_inc_range(move.uses())) {
    auto *reader = cast<Instruction>(use.getUser());
    if (moves.contains(reader))
      continue;
    // A bf16 must not leave the block that it is read in.
    if (type->getScalarType()->isBFloatTy() && !isa<PHINode>(reader)) {
      use.set(castAt(reader->getIterator(), copy, type));
      continue;
    }
    if (!shared)
      shared = castAt(getPlaceAfter(copy), copy, type);
    use.set(shared);
  }
}

/// Integers that are cast to bf16 and back stay what they are.
static void foldCasts(Function &function) {
  SetVector<Instruction *> sources;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *cast = dyn_cast<BitCastInst>(&instruction)) {
      auto *source = dyn_cast<BitCastInst>(cast->getOperand(0));
      if (!source || !source->getType()->getScalarType()->isBFloatTy())
        continue;
      sources.insert(source);
      cast->replaceAllUsesWith(
          castAt(cast->getIterator(), source->getOperand(0), cast->getType()));
      sources.remove(cast);
      cast->eraseFromParent();
    }
  for (Instruction *source : sources)
    if (source->use_empty())
      source->eraseFromParent();
}

void IntegerMoves::run(Function &function) {
  for (Instruction &move : instructions(function))
    if (shallMoveIntegers(move))
      moves.insert({&move, nullptr});
  // Of the new types first, since moves go around loops.
  makeCopies();
  for (auto &[move, copy] : moves) {
    for (Use &operand : copy->operands())
      operand.set(asIntegers(operand.get()));
    copy->takeName(move);
  }
  for (auto &[move, copy] : moves)
    replaceReads(*move, copy);
  for (auto &[move, copy] : moves)
    move->replaceAllUsesWith(PoisonValue::get(move->getType()));
  for (auto &[move, copy] : moves)
    move->eraseFromParent();
  foldCasts(function);
}

void mlir::fpa::moveAsIntegers(llvm::Module &module) {
  for (Function &function : module)
    IntegerMoves().run(function);
}
