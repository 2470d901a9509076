//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MoveAsIntegers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static bool isShortFloat(Type *type) {
  return type->getScalarType()->is16bitFPTy();
}

static bool isUneven(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && isShortFloat(type) &&
         !isPowerOf2_32(vector->getNumElements());
}

/// Whether an instruction only moves elements, and some of an uneven vector.
static bool movesUneven(const Instruction &instruction) {
  if (!isa<LoadInst, StoreInst, ShuffleVectorInst, SelectInst, PHINode,
           InsertElementInst, ExtractElementInst, FreezeInst>(instruction))
    return false;
  return isUneven(instruction.getType()) ||
         any_of(instruction.operands(), [](const Use &operand) {
           return isUneven(operand->getType());
         });
}

namespace {
/// Rewrites the moves of one function.
class IntegerMoves {
public:
  void run(Function &function);

private:
  static Type *getInteger(Type *type) {
    return type->getWithNewType(Type::getInt16Ty(type->getContext()));
  }
  void rewrite(Instruction &move);
  /// An operand of a move as integers, for its copy.
  Value *asIntegers(const Use &operand, Instruction *copy);

  /// What each of the moves has become.
  MapVector<Instruction *, Instruction *> moves;
};
} // namespace

Value *IntegerMoves::asIntegers(const Use &operand, Instruction *copy) {
  Value *value = operand.get();
  if (!isShortFloat(value->getType()))
    return value;
  if (auto *move = dyn_cast<Instruction>(value))
    if (Instruction *known = moves.lookup(move))
      return known;
  Type *type = getInteger(value->getType());
  if (auto *constant = dyn_cast<Constant>(value))
    return ConstantExpr::getBitCast(constant, type);
  // A cast for a phi stands where control comes from.
  auto *phi = dyn_cast<PHINode>(operand.getUser());
  IRBuilder<> builder(phi ? phi->getIncomingBlock(operand)->getTerminator()
                          : copy);
  return builder.CreateBitCast(value, type);
}

void IntegerMoves::rewrite(Instruction &move) {
  Instruction *copy = moves.lookup(&move);
  for (auto [from, to] : zip_equal(move.operands(), copy->operands()))
    to.set(asIntegers(from, copy));
}

void IntegerMoves::run(Function &function) {
  for (Instruction &move : instructions(function))
    if (movesUneven(move))
      moves.insert({&move, nullptr});
  // Of the new types first, since moves go around loops.
  for (auto &[move, copy] : moves) {
    copy = move->clone();
    if (isa<FPMathOperator>(copy))
      copy->copyFastMathFlags(FastMathFlags());
    if (isShortFloat(move->getType()))
      copy->mutateType(getInteger(move->getType()));
    copy->insertBefore(move->getIterator());
  }
  for (auto &[move, copy] : moves)
    rewrite(*move);
  for (auto &[move, copy] : moves) {
    copy->takeName(move);
    // What computes with the elements takes them as floats.
    if (isShortFloat(move->getType()) && !move->use_empty()) {
      bool isRead = any_of(move->users(), [&](User *user) {
        return !moves.contains(cast<Instruction>(user));
      });
      Value *floats = PoisonValue::get(move->getType());
      if (isRead) {
        auto place = isa<PHINode>(copy)
                         ? copy->getParent()->getFirstInsertionPt()
                         : std::next(copy->getIterator());
        floats = IRBuilder<>(copy->getParent(), place)
                     .CreateBitCast(copy, move->getType());
      }
      move->replaceAllUsesWith(floats);
    }
  }
  for (auto &[move, copy] : reverse(moves))
    move->eraseFromParent();
}

void mlir::fpa::moveAsIntegers(llvm::Module &module) {
  for (Function &function : module)
    IntegerMoves().run(function);
}
