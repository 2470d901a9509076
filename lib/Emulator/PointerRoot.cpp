//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointerRoot.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fpa;

Value mlir::fpa::getPointerRoot(Value pointer) {
  for (;;) {
    Operation *op = pointer.getDefiningOp();
    if (auto gep = dyn_cast_or_null<LLVM::GEPOp>(op))
      pointer = gep.getBase();
    else if (auto cast = dyn_cast_or_null<LLVM::AddrSpaceCastOp>(op))
      pointer = cast.getArg();
    else if (auto cast = dyn_cast_or_null<LLVM::BitcastOp>(op))
      pointer = cast.getArg();
    else
      return pointer;
  }
}

LLVM::GlobalOp mlir::fpa::getConstant(Value root) {
  auto address = root.getDefiningOp<LLVM::AddressOfOp>();
  if (!address)
    return nullptr;
  auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      address, address.getGlobalNameAttr());
  return global && global.getConstant() ? global : nullptr;
}

bool mlir::fpa::isPrivateOrConstant(Value pointer) {
  Value root = getPointerRoot(pointer);
  return root.getDefiningOp<LLVM::AllocaOp>() || getConstant(root);
}

Space mlir::fpa::getSpace(Value pointer) {
  for (Value value : {pointer, getPointerRoot(pointer)})
    switch (cast<LLVM::LLVMPointerType>(value.getType()).getAddressSpace()) {
    case 1:
      return Space::Global;
    case 3:
      return Space::Shared;
    }
  return Space::Generic;
}

uint64_t mlir::fpa::getAccessBytes(Type type, const DataLayout &layout) {
  auto vector = dyn_cast<VectorType>(type);
  Type element = vector ? vector.getElementType() : type;
  uint64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                         : 8 * layout.getTypeSize(element);
  return llvm::divideCeil(bits * (vector ? vector.getNumElements() : 1), 8);
}

uint32_t mlir::fpa::getPieceBytes(uint64_t bytes, uint64_t alignment) {
  return std::min<uint64_t>(
      {bytes, alignment, 16, llvm::bit_floor(std::max<uint64_t>(bytes, 1))});
}

uint64_t mlir::fpa::getAccessAlignment(Type type,
                                       std::optional<uint64_t> alignment,
                                       const DataLayout &layout) {
  if (alignment)
    return *alignment;
  // Vectors are aligned to their size.
  return isa<VectorType>(type) ? llvm::bit_ceil(getAccessBytes(type, layout))
                               : layout.getTypeABIAlignment(type);
}
