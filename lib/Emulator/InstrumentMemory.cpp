//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Loads, stores and asynchronous copies.

#include "Instrumenter.h"
#include "PointerRoot.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Error;

/// An op that reads or writes `bytes` bytes.
Site Instrumenter::makeAccessSite(Operation *op, SiteKind kind,
                                  uint64_t bytes) {
  Site site = makeSite(op, kind);
  site.bytes = bytes;
  auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op);
  bool exchanges = atomic && atomic.getBinOp() == LLVM::AtomicBinOp::xchg;
  site.reads = !exchanges && !isa<LLVM::StoreOp, LLVM::MaskedStoreOp>(op);
  site.writes = !isa<LLVM::LoadOp, LLVM::MaskedLoadOp>(op);
  return site;
}

/// A variable of the thread or a constant that the op shows: checked to be in
/// bounds of that one.
void Instrumenter::addLocalAccess(Operation *op, Value pointer, Type type,
                                  SiteKind kind) {
  Site site = makeAccessSite(op, kind, getAccessBytes(type, layout));
  Value root = getPointerRoot(pointer);
  Value bytes;
  std::optional<uint64_t> known;
  if (LLVM::GlobalOp global = getConstant(root)) {
    known = layout.getTypeSize(global.getGlobalType());
    site.constant = global.getName().str();
    bytes = constant(*known, 64);
  } else {
    auto variable = root.getDefiningOp<LLVM::AllocaOp>();
    known = getStaticBytes(variable);
    bytes = getBytes(variable);
  }
  // At the beginning of one there is nothing to count.
  bool isConstantWrite = !site.constant.empty() && site.writes;
  if (pointer == root && known && site.bytes <= *known && !isConstantWrite)
    return;
  auto toInteger = [&](Value pointer) -> Value {
    return LLVM::PtrToIntOp::create(builder, i64, toGenericPointer(pointer));
  };
  Value offset =
      LLVM::SubOp::create(builder, toInteger(pointer), toInteger(root));
  callHook("fpa_emulator_local_access", {},
           {thread, offset, bytes, makeSiteAddress(site)});
}

void Instrumenter::addAccess(Operation *op, Value pointer, Type type,
                             SiteKind kind, std::optional<uint64_t> alignment) {
  if (isPrivateOrConstant(pointer))
    return addLocalAccess(op, pointer, type, kind);
  Site site = makeAccessSite(op, kind, getAccessBytes(type, layout));
  site.space = getSpace(pointer);
  site.alignment = getAccessAlignment(type, alignment, layout);
  site.piece = getPieceBytes(site.bytes, site.alignment);
  callHook("fpa_emulator_access", {},
           {thread, toGenericPointer(pointer), makeSiteAddress(site)});
}

void Instrumenter::addMaskedAccess(Operation *op, Value pointer, Value mask,
                                   Type type, SiteKind kind,
                                   uint64_t alignment) {
  auto vector = cast<VectorType>(type);
  int64_t elements = vector.getNumElements();
  Type maskType = builder.getIntegerType(elements);
  Site site = makeAccessSite(op, kind, getAccessBytes(type, layout));
  site.space = getSpace(pointer);
  site.piece = layout.getTypeSize(vector.getElementType());
  Value begin = toGenericPointer(pointer);
  Value bits = LLVM::BitcastOp::create(builder, maskType, mask);
  // The mask of one call is a word.
  for (int64_t first = 0; first < elements; first += 64) {
    int64_t offset = first * site.piece;
    site.alignment = llvm::MinAlign(alignment, offset);
    Value word = bits;
    if (first != 0)
      word = LLVM::LShrOp::create(builder, bits, constant(first, elements));
    if (elements > 64)
      word = LLVM::TruncOp::create(builder, i64, word);
    else if (elements < 64)
      word = LLVM::ZExtOp::create(builder, i64, word);
    Value address = LLVM::GEPOp::create(
        builder, pointerType, builder.getI8Type(), begin,
        ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(offset))});
    callHook(
        "fpa_emulator_masked_access", {},
        {thread, address, word, constant(site.piece), makeSiteAddress(site)});
  }
}

bool Instrumenter::rewriteMemory(Operation *op, Error &error) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    bool atomic = load.getOrdering() != LLVM::AtomicOrdering::not_atomic ||
                  load.getVolatile_();
    addAccess(op, load.getAddr(), load.getType(),
              atomic ? SiteKind::Atomic : SiteKind::Load, load.getAlignment());
    return true;
  }
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    bool atomic = store.getOrdering() != LLVM::AtomicOrdering::not_atomic ||
                  store.getVolatile_();
    addAccess(op, store.getAddr(), store.getValue().getType(),
              atomic ? SiteKind::Atomic : SiteKind::Store,
              store.getAlignment());
    return true;
  }
  if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op)) {
    addAccess(op, atomic.getPtr(), atomic.getType(), SiteKind::Atomic, {});
    return true;
  }
  if (auto atomic = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
    addAccess(op, atomic.getPtr(), atomic.getVal().getType(), SiteKind::Atomic,
              {});
    return true;
  }
  if (auto load = dyn_cast<LLVM::MaskedLoadOp>(op)) {
    addMaskedAccess(op, load.getData(), load.getMask(), load.getType(),
                    SiteKind::Load, load.getAlignment());
    return true;
  }
  if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op)) {
    addMaskedAccess(op, store.getData(), store.getMask(),
                    store.getValue().getType(), SiteKind::Store,
                    store.getAlignment());
    return true;
  }
  if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
    auto offset = sharedOffsets.find(address.getGlobalName());
    if (offset == sharedOffsets.end()) {
      // Constants; their address space went with the GPU.
      Value value = LLVM::AddressOfOp::create(builder, pointerType,
                                              address.getGlobalName());
      if (value.getType() != address.getType())
        value =
            LLVM::AddrSpaceCastOp::create(builder, address.getType(), value);
      address.replaceAllUsesWith(value);
    } else {
      auto global =
          module.lookupSymbol<LLVM::GlobalOp>(address.getGlobalName());
      bool isSized = layout.getTypeSize(global.getGlobalType()) != 0;
      Value base =
          loadView(pointerType, isSized ? offsetof(ThreadView, shared)
                                        : offsetof(ThreadView, dynamicShared));
      Value place = LLVM::GEPOp::create(
          builder, pointerType, builder.getI8Type(), base,
          ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(offset->second))});
      address.replaceAllUsesWith(
          LLVM::AddrSpaceCastOp::create(builder, address.getType(), place)
              .getResult());
    }
    address.erase();
    return true;
  }
  return false;
}

bool Instrumenter::rewriteCopies(Operation *op, Error &error) {
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op)) {
    Site site = makeSite(op, SiteKind::AsyncCopy);
    site.space = Space::Shared;
    site.bytes = site.alignment = site.piece = copy.getSize();
    Value sourceBytes =
        copy.getCpSize() ? copy.getCpSize() : constant(copy.getSize());
    callHook("fpa_emulator_copy_async", {},
             {thread, toGenericPointer(copy.getDst()),
              toGenericPointer(copy.getSrc()), sourceBytes,
              makeSiteAddress(site)});
  } else if (isa<NVVM::CpAsyncCommitGroupOp>(op)) {
    callHook("fpa_emulator_commit_copies", {}, {thread});
  } else if (auto wait = dyn_cast<NVVM::CpAsyncWaitGroupOp>(op)) {
    callHook("fpa_emulator_wait_copies", {}, {thread, constant(wait.getN())});
  } else {
    return false;
  }
  op->erase();
  return true;
}
