//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionClasses.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fpa;
using Class = InstructionClass;

/// Instructions for an elementwise op on `type`: 16-bit floats go in pairs.
static uint64_t countElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return 1;
  uint64_t elements = vector.getNumElements();
  return vector.getElementType().isF16() || vector.getElementType().isBF16()
             ? llvm::divideCeil(elements, 2)
             : elements;
}

template <typename Op> static bool mayContract(Op op) {
  return bitEnumContainsAny(op.getFastmathFlags(),
                            LLVM::FastmathFlags::contract);
}

/// The product that a sum is fused with.
template <typename Sum> static LLVM::FMulOp getFusedProduct(Sum sum) {
  if (!mayContract(sum))
    return nullptr;
  for (Value operand : sum->getOperands()) {
    auto product = operand.getDefiningOp<LLVM::FMulOp>();
    if (product && product->hasOneUse() && mayContract(product) &&
        product->getBlock() == sum->getBlock())
      return product;
  }
  return nullptr;
}

static bool isFused(LLVM::FMulOp product) {
  if (!product->hasOneUse())
    return false;
  Operation *user = *product->user_begin();
  if (auto sum = dyn_cast<LLVM::FAddOp>(user))
    return getFusedProduct(sum) == product;
  if (auto difference = dyn_cast<LLVM::FSubOp>(user))
    return getFusedProduct(difference) == product;
  return false;
}

static void countAccess(Value pointer, Type type,
                        std::optional<uint64_t> alignment, bool isStore,
                        const DataLayout &layout, InstructionCounts &counts) {
  if (isPrivateOrConstant(pointer)) {
    ++counts[unsigned(Class::Other)];
    return;
  }
  uint64_t bytes = getAccessBytes(type, layout);
  uint64_t pieces = llvm::divideCeil(
      bytes, getPieceBytes(bytes, getAccessAlignment(type, alignment, layout)));
  bool isShared = getSpace(pointer) == Space::Shared;
  Class kind = isStore ? (isShared ? Class::SharedStore : Class::GlobalStore)
                       : (isShared ? Class::SharedLoad : Class::GlobalLoad);
  counts[unsigned(kind)] += pieces;
}

static Class classifyCall(StringRef name) {
  if (name.contains("exp") || name.contains("ex2"))
    return Class::Exp2;
  if (name.contains("fma"))
    return Class::FloatFma;
  if (name.contains("fmin") || name.contains("fmax"))
    return Class::FloatMinMax;
  if (name.contains("ff2") || name.contains("f2tf32"))
    return Class::Conversion;
  if (name.contains("prmt"))
    return Class::Integer;
  return Class::Other;
}

static Class classifyNVVM(Operation *op) {
  return llvm::TypeSwitch<Operation *, Class>(op)
      .Case([](NVVM::MmaOp) { return Class::Mma; })
      .Case([](NVVM::LdMatrixOp) { return Class::LoadMatrix; })
      .Case([](NVVM::StMatrixOp) { return Class::SharedStore; })
      .Case([](NVVM::CpAsyncOp) { return Class::AsyncCopy; })
      .Case<NVVM::ShflOp, NVVM::VoteSyncOp, NVVM::MatchSyncOp, NVVM::ReduxOp>(
          [](auto) { return Class::Shuffle; })
      .Case<NVVM::Barrier0Op, NVVM::BarrierOp, NVVM::SyncWarpOp>(
          [](auto) { return Class::Barrier; })
      .Case<NVVM::ConvertF32x2ToF16x2Op, NVVM::ConvertF32x2ToBF16x2Op,
            NVVM::ConvertFloatToTF32Op>([](auto) { return Class::Conversion; })
      .Case([](NVVM::PermuteOp) { return Class::Integer; })
      .Default([](Operation *) { return Class::Other; });
}

/// Elementwise ops; nothing for those that are no instruction.
static std::optional<Class> classifyArithmetic(Operation *op) {
  using namespace LLVM;
  return llvm::TypeSwitch<Operation *, std::optional<Class>>(op)
      .Case<FAddOp, FSubOp, FNegOp>([](auto) { return Class::FloatAdd; })
      .Case<LLVM::FMAOp, FMulAddOp>([](auto) { return Class::FloatFma; })
      .Case<MinNumOp, MaxNumOp, MinimumOp, MaximumOp, FCmpOp>(
          [](auto) { return Class::FloatMinMax; })
      .Case<FPExtOp, FPTruncOp, SIToFPOp, UIToFPOp, FPToSIOp, FPToUIOp>(
          [](auto) { return Class::Conversion; })
      .Case<LLVM::Exp2Op, LLVM::ExpOp>([](auto) { return Class::Exp2; })
      .Case<AddOp, SubOp, MulOp, AndOp, OrOp, XOrOp, ShlOp, LShrOp, AShrOp,
            ICmpOp, SelectOp, SExtOp, ZExtOp, TruncOp, SMaxOp, SMinOp, UMaxOp,
            UMinOp>([](auto) { return Class::Integer; })
      .Case<BrOp, CondBrOp, SwitchOp, ReturnOp>(
          [](auto) { return Class::Branch; })
      .Case<BitcastOp, AddrSpaceCastOp, PtrToIntOp, IntToPtrOp, ExtractValueOp,
            InsertValueOp, ExtractElementOp, InsertElementOp, ShuffleVectorOp,
            LLVM::ConstantOp, LLVM::UndefOp, LLVM::PoisonOp, ZeroOp,
            AddressOfOp, AllocaOp, AssumeOp, LifetimeStartOp, LifetimeEndOp>(
          [](auto) { return std::nullopt; })
      .Default([](Operation *) { return Class::Other; });
}

void mlir::fpa::countInstructions(Operation *op, const DataLayout &layout,
                                  InstructionCounts &counts) {
  auto add = [&](Class kind, uint64_t number) {
    counts[unsigned(kind)] += number;
  };
  if (isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()))
    return add(classifyNVVM(op), 1);
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return countAccess(load.getAddr(), load.getType(), load.getAlignment(),
                       false, layout, counts);
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return countAccess(store.getAddr(), store.getValue().getType(),
                       store.getAlignment(), true, layout, counts);
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return add(classifyCall(call.getCallee().value_or("")), 1);
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return add(classifyCall(call.getIntrin()), 1);
  // Offsets that are constants are part of the access.
  if (auto gep = dyn_cast<LLVM::GEPOp>(op))
    return add(Class::Integer, gep.getDynamicIndices().size());
  Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
  uint64_t elements = type ? countElements(type) : 1;
  if (auto product = dyn_cast<LLVM::FMulOp>(op))
    return add(Class::FloatMul, isFused(product) ? 0 : elements);
  bool fuses = false;
  if (auto sum = dyn_cast<LLVM::FAddOp>(op))
    fuses = bool(getFusedProduct(sum));
  if (auto difference = dyn_cast<LLVM::FSubOp>(op))
    fuses = bool(getFusedProduct(difference));
  if (fuses)
    return add(Class::FloatFma, elements);
  if (std::optional<Class> kind = classifyArithmetic(op))
    add(*kind, elements);
}
