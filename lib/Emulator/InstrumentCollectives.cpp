//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Ops that lanes of a warp or threads of a block run together.

#include "Instrumenter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Error;

Value Instrumenter::toWord(Value value) {
  Type type = value.getType();
  if (type == i32)
    return value;
  if (type.isInteger())
    return LLVM::ZExtOp::create(builder, i32, value);
  return LLVM::BitcastOp::create(builder, i32, value);
}

Value Instrumenter::fromWord(Value word, Type type) {
  if (type == i32)
    return word;
  if (type.isInteger())
    return LLVM::TruncOp::create(builder, type, word);
  return LLVM::BitcastOp::create(builder, type, word);
}

void Instrumenter::replaceByCollective(Operation *op, const Site &site,
                                       ValueRange operands) {
  auto place = [&](Value words, int32_t index) -> Value {
    return LLVM::GEPOp::create(builder, pointerType, i32, words,
                               ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(index)});
  };
  int32_t index = 0;
  for (Value operand : operands) {
    bool isPointer = isa<LLVM::LLVMPointerType>(operand.getType());
    LLVM::StoreOp::create(
        builder, isPointer ? toGenericPointer(operand) : toWord(operand),
        place(operandWords, index));
    index += isPointer ? 2 : 1;
  }
  callHook("fpa_emulator_collective", {},
           {thread, operandWords, resultWords, makeSiteAddress(site)});
  if (op->getNumResults() == 1) {
    Type type = op->getResult(0).getType();
    auto load = [&](int32_t index, Type type) {
      return fromWord(
          LLVM::LoadOp::create(builder, i32, place(resultWords, index)), type);
    };
    Value value;
    if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
      value = LLVM::PoisonOp::create(builder, type);
      for (auto [i, part] : llvm::enumerate(structure.getBody()))
        value = LLVM::InsertValueOp::create(builder, value, load(i, part),
                                            int64_t(i));
    } else {
      value = load(0, type);
    }
    op->getResult(0).replaceAllUsesWith(value);
  }
  op->erase();
}

static ShuffleMode getMode(NVVM::ShflKind kind) {
  switch (kind) {
  case NVVM::ShflKind::bfly:
    return ShuffleMode::Butterfly;
  case NVVM::ShflKind::up:
    return ShuffleMode::Up;
  case NVVM::ShflKind::down:
    return ShuffleMode::Down;
  case NVVM::ShflKind::idx:
    return ShuffleMode::Index;
  }
  llvm_unreachable("a shuffle of another kind");
}

static VoteMode getMode(NVVM::VoteSyncKind kind) {
  switch (kind) {
  case NVVM::VoteSyncKind::any:
    return VoteMode::Any;
  case NVVM::VoteSyncKind::all:
    return VoteMode::All;
  case NVVM::VoteSyncKind::ballot:
    return VoteMode::Ballot;
  case NVVM::VoteSyncKind::uni:
    return VoteMode::Uniform;
  }
  llvm_unreachable("a vote of another kind");
}

static ReduceMode getMode(NVVM::ReduxKind kind) {
  switch (kind) {
  case NVVM::ReduxKind::ADD:
    return ReduceMode::Add;
  case NVVM::ReduxKind::AND:
    return ReduceMode::And;
  case NVVM::ReduxKind::OR:
    return ReduceMode::Or;
  case NVVM::ReduxKind::XOR:
    return ReduceMode::Xor;
  case NVVM::ReduxKind::MIN:
    return ReduceMode::SignedMin;
  case NVVM::ReduxKind::MAX:
    return ReduceMode::SignedMax;
  case NVVM::ReduxKind::UMIN:
    return ReduceMode::UnsignedMin;
  case NVVM::ReduxKind::UMAX:
    return ReduceMode::UnsignedMax;
  case NVVM::ReduxKind::FMIN:
    return ReduceMode::FloatMin;
  case NVVM::ReduxKind::FMAX:
    return ReduceMode::FloatMax;
  }
  llvm_unreachable("a reduction of another kind");
}

bool Instrumenter::rewriteBarrier(Operation *op) {
  Value zero;
  Value id, count, predicate;
  Site site = makeSite(op, SiteKind::Barrier);
  if (auto barrier = dyn_cast<NVVM::BarrierOp>(op)) {
    id = barrier.getBarrierId();
    count = barrier.getNumberOfThreads();
    predicate = barrier.getReductionPredicate();
    if (barrier.getReductionOp())
      site.mode = uint8_t(*barrier.getReductionOp());
  } else if (!isa<NVVM::Barrier0Op>(op)) {
    return false;
  }
  zero = constant(0);
  Value value = callHook("fpa_emulator_barrier", i32,
                         {thread, id ? id : zero, count ? count : zero,
                          predicate ? predicate : zero, makeSiteAddress(site)});
  if (op->getNumResults() == 1)
    op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return true;
}

bool Instrumenter::rewriteCollective(Operation *op, Error &error) {
  if (rewriteBarrier(op))
    return true;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](NVVM::SyncWarpOp sync) {
        replaceByCollective(op, makeSite(op, SiteKind::SyncWarp),
                            {sync.getMask()});
        return true;
      })
      .Case([&](NVVM::ShflOp shuffle) {
        Site site = makeSite(op, SiteKind::Shuffle);
        site.mode = uint8_t(getMode(shuffle.getKind()));
        site.withPredicate = bool(shuffle.getReturnValueAndIsValid());
        replaceByCollective(op, site,
                            {shuffle.getThreadMask(), shuffle.getVal(),
                             shuffle.getOffset(), shuffle.getMaskAndClamp()});
        return true;
      })
      .Case([&](NVVM::VoteSyncOp vote) {
        Site site = makeSite(op, SiteKind::Vote);
        site.mode = uint8_t(getMode(vote.getKind()));
        replaceByCollective(op, site, {vote.getMask(), vote.getPred()});
        return true;
      })
      .Case([&](NVVM::MatchSyncOp match) {
        if (match.getVal().getType() != i32) {
          error = refuse(op, "on 64-bit values");
          return true;
        }
        Site site = makeSite(op, SiteKind::Match);
        site.withPredicate = match.getKind() == NVVM::MatchSyncKind::all;
        replaceByCollective(op, site, {match.getThreadMask(), match.getVal()});
        return true;
      })
      .Case([&](NVVM::ReduxOp redux) {
        Site site = makeSite(op, SiteKind::Reduce);
        site.mode = uint8_t(getMode(redux.getKind()));
        site.absolute = redux.getAbs();
        site.propagateNaN = redux.getNan();
        replaceByCollective(op, site,
                            {redux.getMaskAndClamp(), redux.getVal()});
        return true;
      })
      .Default([](Operation *) { return false; });
}

/// The type of the factors; nothing for types that are not emulated.
static std::optional<MmaType> getFactorType(NVVM::MmaOp mma) {
  auto a = mma.getMultiplicandAPtxType(), b = mma.getMultiplicandBPtxType();
  if (!a || !b || *a != *b)
    return std::nullopt;
  switch (*a) {
  case NVVM::MMATypes::f16:
    return MmaType::F16;
  case NVVM::MMATypes::bf16:
    return MmaType::BF16;
  case NVVM::MMATypes::tf32:
    return MmaType::TF32;
  default:
    return std::nullopt;
  }
}

static bool isEmulated(NVVM::MmaOp mma) {
  std::optional<MmaType> type = getFactorType(mma);
  NVVM::MMAShapeAttr shape = mma.getShape();
  if (!type || shape.getM() != 16 || shape.getN() != 8 ||
      mma.getLayoutA() != NVVM::MMALayout::row ||
      mma.getLayoutB() != NVVM::MMALayout::col || mma.getOperandC().size() != 4)
    return false;
  int perRegister = *type == MmaType::TF32 ? 1 : 2;
  if (shape.getK() != 4 * perRegister && shape.getK() != 8 * perRegister)
    return false;
  return llvm::all_of(mma.getOperandC(),
                      [](Value c) { return c.getType().isF32(); });
}

bool Instrumenter::rewriteMatrices(Operation *op, Error &error) {
  auto isPlain = [](auto op) {
    NVVM::LdStMatrixShapeAttr shape = op.getShape();
    return shape.getM() == 8 && shape.getN() == 8 &&
           op.getEltType() == NVVM::LdStMatrixEltType::B16;
  };
  auto makeMatrixSite = [&](SiteKind kind, unsigned count,
                            NVVM::MMALayout layout) {
    Site site = makeSite(op, kind);
    site.space = Space::Shared;
    site.bytes = site.alignment = site.piece = 16;
    site.count = count;
    site.transposed = layout == NVVM::MMALayout::col;
    return site;
  };
  if (auto load = dyn_cast<NVVM::LdMatrixOp>(op)) {
    if (!isPlain(load))
      error = refuse(op, "but for 8x8 matrices of 16-bit elements");
    else
      replaceByCollective(
          op,
          makeMatrixSite(SiteKind::LoadMatrix, load.getNum(), load.getLayout()),
          {load.getPtr()});
    return true;
  }
  if (auto store = dyn_cast<NVVM::StMatrixOp>(op)) {
    SmallVector<Value> operands = {store.getPtr()};
    llvm::append_range(operands, store.getSources());
    if (!isPlain(store))
      error = refuse(op, "but for 8x8 matrices of 16-bit elements");
    else
      replaceByCollective(op,
                          makeMatrixSite(SiteKind::StoreMatrix,
                                         store.getSources().size(),
                                         store.getLayout()),
                          operands);
    return true;
  }
  if (auto mma = dyn_cast<NVVM::MmaOp>(op)) {
    if (!isEmulated(mma)) {
      error = refuse(op, "but for m16n8k16 and m16n8k8 of f16 or bf16, and "
                         "m16n8k8 and m16n8k4 of tf32, summed in f32");
      return true;
    }
    Site site = makeSite(op, SiteKind::Mma);
    site.mode = uint8_t(*getFactorType(mma));
    site.count = mma.getShape().getK();
    replaceByCollective(op, site, op->getOperands());
    return true;
  }
  return false;
}
