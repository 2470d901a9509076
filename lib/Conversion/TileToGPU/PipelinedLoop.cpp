//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Loops over tiles. What an iteration reads is copied to shared memory some
// iterations before, so that memory works while the products run: with S copies
// of every block, S - 1 iterations ahead. One barrier an iteration says both
// that the copies of this one are there and that nobody reads the oldest copy,
// which is then overwritten.

#include "Distribute.h"
#include "LoopMemory.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::simt;

namespace {
/// The reads of a loop's body and the scalar ops that say where they are.
struct LoopReads {
  SmallVector<vector::TransferReadOp> reads;
  llvm::SetVector<Operation *> places;
  /// Whether the places follow from the induction variable alone.
  bool ahead = true;

  void addPlaces(scf::ForOp loop, ValueRange values) {
    for (Value value : values) {
      if (!loop.getRegion().isAncestor(value.getParentRegion()))
        continue;
      Operation *op = value.getDefiningOp();
      if (!op) {
        ahead &= value == loop.getInductionVar();
        continue;
      }
      if (!isMemoryEffectFree(op))
        ahead = false;
      addPlaces(loop, op->getOperands());
      places.insert(op);
    }
  }
};

/// Emits the copies of all reads for one iteration.
class CopyEmitter {
public:
  CopyEmitter(OpBuilder &b, scf::ForOp loop, const LoopReads &reads,
              ArrayRef<SharedTile> tiles, const IRMapping &scalars,
              const Thread &thread, int64_t threads)
      : b(b), loop(loop), reads(reads), tiles(tiles), scalars(scalars),
        thread(thread), threads(threads) {}

  void emit(Value iteration, Value slot) {
    IRMapping mapping = scalars;
    mapping.map(loop.getInductionVar(), iteration);
    for (Operation *op : reads.places)
      b.clone(*op, mapping);
    llvm::SmallBitVector isDone(tiles.size());
    for (size_t number = 0; number < tiles.size(); ++number)
      if (!isDone.test(number))
        copy(number, slot, mapping, isDone);
  }

  /// The same where `iteration` exists. A group is closed in any case, so that
  /// the number of groups in flight is known.
  void emitIfBelow(Location loc, Value iteration, Value end, Value slot) {
    Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                         iteration, end);
    auto guard = scf::IfOp::create(b, loc, exists);
    {
      OpBuilder::InsertionGuard insertion(b);
      b.setInsertionPointToStart(guard.thenBlock());
      emit(iteration, slot);
    }
    NVVM::CpAsyncCommitGroupOp::create(b, loc);
  }

private:
  /// A line goes together with the next one that is like it.
  void copy(size_t number, Value slot, const IRMapping &mapping,
            llvm::SmallBitVector &isDone) {
    vector::TransferReadOp read = reads.reads[number];
    GlobalBlock source = getSource(read, mapping);
    SharedTile tile = tiles[number].at(slot);
    for (size_t other = number + 1; other < tiles.size(); ++other)
      if (!isDone.test(other) &&
          succeeded(SharedTile::copyBothFrom(
              b, read.getLoc(), tile, source, tiles[other].at(slot),
              getSource(reads.reads[other], mapping), thread, threads))) {
        isDone.set(other);
        return;
      }
    tile.copyFrom(b, read.getLoc(), source, thread, threads);
  }

  static GlobalBlock getSource(vector::TransferReadOp read,
                               const IRMapping &mapping) {
    auto at = llvm::map_to_vector(
        read.getIndices(), [&](Value v) { return mapping.lookupOrDefault(v); });
    bool inBounds =
        llvm::all_of(read.getInBoundsValues(), [](bool in) { return in; });
    return {mapping.lookupOrDefault(read.getBase()), at, inBounds};
  }

  OpBuilder &b;
  scf::ForOp loop;
  const LoopReads &reads;
  ArrayRef<SharedTile> tiles;
  const IRMapping &scalars;
  const Thread &thread;
  int64_t threads;
};
} // namespace

/// Whether `load` reads the first element of the line that `read` reads.
static bool isFirstOf(vector::TransferReadOp read, memref::LoadOp load) {
  auto view = read.getBase().getDefiningOp<memref::SubViewOp>();
  return view && view.getSource() == load.getMemRef() &&
         llvm::all_of(read.getIndices(),
                      [](Value at) { return isZeroInteger(at); }) &&
         llvm::all_of(
             llvm::zip_equal(view.getMixedOffsets(), load.getIndices()),
             [](auto pair) {
               auto [offset, at] = pair;
               return isEqualConstantIntOrValue(offset, at);
             });
}

/// A number that the loop has copied to shared memory anyway is read there.
bool Distributor::loadCopied(memref::LoadOp op) {
  auto *read = llvm::find_if(copiedLines, [&](vector::TransferReadOp line) {
    return isFirstOf(line, op);
  });
  if (read == copiedLines.end())
    return false;
  Value one = tiles[read->getVector()].load(b, op.getLoc(), {index(0)}, 1);
  scalars.map(op.getResult(),
              vector::ExtractOp::create(b, op.getLoc(), one, 0).getResult());
  return true;
}

/// The number of the running thread as shuffles and loops take it.
static Value getNarrow(OpBuilder &b, Location loc, const Thread &thread) {
  return arith::IndexCastUIOp::create(b, loc, b.getI32Type(), thread.id);
}

/// The thread of that number.
static Thread getThread(OpBuilder &b, Location loc, Value narrow) {
  return Thread::create(
      b, loc, arith::IndexCastUIOp::create(b, loc, b.getIndexType(), narrow));
}

/// The number of the running thread once more, in a way that nobody sees to be
/// the same.
Value Distributor::renewThread(Value id) {
  Value none = arith::ConstantIntOp::create(b, loc, 0, 32);
  Value lanes = arith::ConstantIntOp::create(b, loc, 32, 32);
  return mlir::gpu::ShuffleOp::create(b, loc, id, none, lanes,
                                      mlir::gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

/// Whether both ways of a branch in the loop's body compute a product.
static bool hasProductsInTwoForms(scf::ForOp loop) {
  auto hasProduct = [](Region &region) {
    return region
        .walk([](vector::ContractionOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  return llvm::any_of(loop.getBody()->getOps<scf::IfOp>(), [&](scf::IfOp op) {
    return hasProduct(op.getThenRegion()) && hasProduct(op.getElseRegion());
  });
}

LogicalResult Distributor::distributeLoop(scf::ForOp op) {
  LoopReads reads;
  for (auto read : op.getBody()->getOps<vector::TransferReadOp>())
    if (isStaged(read)) {
      reads.reads.push_back(read);
      reads.addPlaces(op, read.getBase());
      reads.addPlaces(op, read.getIndices());
      if (maySeeEarlierWrites(op, read))
        reads.ahead = false;
    }
  // What a loop around loops reads stays for long; a second copy would too.
  bool isOuter = !op.getBody()->getOps<scf::ForOp>().empty();
  if (isOuter)
    reads.ahead = false;
  bool staged = !reads.reads.empty();
  int64_t stages = reads.ahead ? shape.stages : 1;
  Location at = op.getLoc();
  Value begin = scalars.lookupOrDefault(op.getLowerBound());
  Value end = scalars.lookupOrDefault(op.getUpperBound());
  Value step = scalars.lookupOrDefault(op.getStep());
  if (begin.getType() != b.getIndexType())
    return op.emitOpError("expected bounds of index type, got ")
           << begin.getType();

  // Others may still read the memory, for a product before the loop.
  if (staged && shared.needsBarrier())
    mlir::gpu::BarrierOp::create(b, at);
  // A loop of many computes its addresses anew: kept from the first to the last
  // they take registers of all.
  if (staged && !isOuter && !op->getParentOfType<scf::ForOp>())
    thread = getThread(b, at, renewThread(getNarrow(b, at, thread)));
  int64_t mark = shared.getMark();
  SmallVector<SharedTile> copies;
  for (vector::TransferReadOp read : reads.reads)
    copies.emplace_back(b, at, shared, read.getVectorType(), stages);
  CopyEmitter copy(b, op, reads, copies, scalars, thread, 32 * shape.warps);
  Value ahead = begin;
  if (staged)
    for (int64_t stage = 0; stage + 1 < stages; ++stage) {
      copy.emitIfBelow(at, ahead, end, index(stage));
      ahead = addIndices(b, at, ahead, step);
    }

  // The loop carries which copy is in use beside what it carried. One around
  // loops also carries who runs it: what the loops inside compute of that they
  // begin anew each time, instead of keeping it in registers all along. So does
  // one at edges, whose iterations are few and take the most registers.
  planParts(op);
  bool renews = isOuter || hasProductsInTwoForms(op);
  SmallVector<Value> inits = {index(0)};
  if (renews)
    inits.push_back(getNarrow(b, at, thread));
  size_t added = inits.size();
  for (auto [init, result] :
       llvm::zip_equal(op.getInitArgs(), op.getResults())) {
    if (!isa<VectorType>(init.getType())) {
      inits.push_back(scalars.lookupOrDefault(init));
      continue;
    }
    std::optional<Layout> layout = getLayout(result);
    Value held =
        layout ? getPlanned(init, result, layout->getRegisterShape()) : Value();
    if (!held)
      return op.emitOpError("expected what the loop carries to have a layout");
    inits.push_back(held);
  }
  if (isHeldIn(op))
    get(held.getVector());
  auto loop = scf::ForOp::create(b, at, begin, end, step, inits);
  b.setInsertionPointToStart(loop.getBody());
  scalars.map(op.getInductionVar(), loop.getInductionVar());
  for (auto [old, now] :
       llvm::zip_equal(op.getRegionIterArgs(),
                       loop.getRegionIterArgs().drop_front(added))) {
    if (isa<VectorType>(old.getType()))
      setPlanned(old, now);
    else
      scalars.map(old, now);
  }
  llvm::SaveAndRestore<Thread> own(thread);
  if (renews)
    thread = getThread(b, at, loop.getRegionIterArgs()[1]);
  Value slot = loop.getRegionIterArgs().front();
  auto isSlot = [&](int64_t number) -> Value {
    return arith::CmpIOp::create(b, at, arith::CmpIPredicate::eq, slot,
                                 index(number));
  };
  if (staged && stages == 1) {
    copy.emit(loop.getInductionVar(), slot);
    NVVM::CpAsyncCommitGroupOp::create(b, at);
    waitForCopies();
  } else if (staged) {
    waitForCopies(stages - 2);
    Value oldest = arith::SelectOp::create(b, at, isSlot(0), index(stages - 1),
                                           addIndices(b, at, slot, -1));
    Value later = loop.getInductionVar();
    for (int64_t stage = 0; stage + 1 < stages; ++stage)
      later = addIndices(b, at, later, step);
    copy.emitIfBelow(at, later, end, oldest);
  }
  DenseMap<Value, Value> outside = blocks;
  if (held && !isHeldIn(op))
    blocks.erase(held.getVector());
  for (auto [read, tile] : llvm::zip_equal(reads.reads, copies)) {
    tiles[read.getVector()] = tile.at(slot);
    // All loops inside may want it.
    if (isOuter && !isReadAgain(read))
      get(read.getVector());
  }
  llvm::SaveAndRestore<SmallVector<vector::TransferReadOp>> lines(copiedLines,
                                                                  {});
  if (reads.ahead)
    llvm::copy_if(reads.reads, std::back_inserter(copiedLines),
                  [](vector::TransferReadOp read) {
                    return read.getVectorType().getRank() == 1;
                  });
  if (failed(distributeBody(*op.getBody())))
    return failure();
  loc = at;
  if (staged && stages == 1)
    mlir::gpu::BarrierOp::create(b, loc);
  SmallVector<Value> yielded;
  if (stages == 1)
    yielded.push_back(slot);
  else
    yielded.push_back(arith::SelectOp::create(
        b, loc, isSlot(stages - 1), index(0), addIndices(b, loc, slot, 1)));
  if (renews)
    yielded.push_back(renewThread(loop.getRegionIterArgs()[1]));
  for (auto [value, result] :
       llvm::zip_equal(op.getYieldedValues(), op.getResults()))
    yielded.push_back(
        isa<VectorType>(value.getType())
            ? getPlanned(value, result, getLayout(result)->getRegisterShape())
            : scalars.lookupOrDefault(value));
  scf::YieldOp::create(b, loc, yielded);
  // What was read into registers inside is not known outside.
  blocks = std::move(outside);
  b.setInsertionPointAfter(loop);
  for (auto [old, now] :
       llvm::zip_equal(op.getResults(), loop.getResults().drop_front(added))) {
    if (isa<VectorType>(old.getType()))
      setPlanned(old, now);
    else
      scalars.map(old, now);
  }
  // The memory is free for others once all threads are here.
  if (staged)
    waitForCopies();
  shared.release(mark, /*quiet=*/staged);
  return success();
}
