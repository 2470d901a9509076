//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointerRoot.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

static LLVM::GlobalOp getGlobal(Value root) {
  auto address = root.getDefiningOp<LLVM::AddressOfOp>();
  if (!address)
    return nullptr;
  return SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      address, address.getGlobalNameAttr());
}

bool mlir::fpa::isPrivateOrConstant(Value pointer) {
  Value root = getPointerRoot(pointer);
  if (root.getDefiningOp<LLVM::AllocaOp>())
    return true;
  LLVM::GlobalOp global = getGlobal(root);
  return global && global.getConstant();
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
  return isa<VectorType>(type)
             ? llvm::bit_ceil(uint64_t(layout.getTypeSize(type)))
             : layout.getTypeABIAlignment(type);
}
