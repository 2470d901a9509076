//===- Distribute.h - One thread's part of a tile program -------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites ops on block vectors as ops on what one thread holds of them. Along
// registers a dimension stays a dimension, so most ops stay what they are on
// smaller vectors; reductions and scans also go across lanes, products become
// matrix instructions, and reads of blocks go through shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOGPU_DISTRIBUTE_H
#define FPA_LIB_CONVERSION_TILETOGPU_DISTRIBUTE_H

#include "SharedTile.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::fpa::simt {

struct KernelShape {
  int64_t warps;
  /// Copies of what a loop reads that are in flight, the one in use included.
  int64_t stages;
};

/// The bits of the lane along the dimension that a reduction adds up to
/// `value`, where that is only added to something or subtracted from it and the
/// lanes may keep a part of it each; else none.
SmallVector<unsigned> getLanesOfSum(Value value);

class Distributor {
public:
  Distributor(OpBuilder &builder, KernelShape shape, Thread thread,
              SharedMemory &shared, bool hasProducts)
      : b(builder), shape(shape), thread(thread), shared(shared),
        hasProducts(hasProducts) {}

  /// Where values of the program are in the kernel: scalars and memory.
  IRMapping scalars;

  LogicalResult distributeBody(Block &body);
  /// Decides whether left operands that loops of `body` share stay in
  /// registers.
  void planLeftOperands(Region &body);

private:
  LogicalResult distribute(Operation *op);

  // What ops become, by kind.
  LogicalResult distributeElementwise(Operation *op);
  LogicalResult distributeBroadcast(vector::BroadcastOp op);
  LogicalResult distributeTranspose(vector::TransposeOp op);
  LogicalResult distributeStep(vector::StepOp op);
  LogicalResult distributeExtract(vector::ExtractOp op);
  LogicalResult distributeReduction(vector::MultiDimReductionOp op);
  LogicalResult distributeTest(vector::MultiDimReductionOp op);
  LogicalResult distributeScan(VectorScanOp op);
  LogicalResult distributeProduct(vector::ContractionOp op);
  LogicalResult distributeRead(vector::TransferReadOp op);
  LogicalResult distributeWrite(vector::TransferWriteOp op);
  LogicalResult distributeLoop(scf::ForOp op);
  Value renewThread(Value id);
  bool loadCopied(memref::LoadOp op);
  void distributeConversions(ArrayRef<ConvertLayoutOp> ops);
  LogicalResult distributeChoice(scf::IfOp op);

  // Products.
  void multiplyMatrices(vector::ContractionOp op, FloatType element, Value lhs,
                        SmallVectorImpl<Value> &acc);
  void multiplyElements(vector::ContractionOp op, SmallVectorImpl<Value> &acc);
  void multiplyColumns(vector::ContractionOp op, const SharedTile &left,
                       const SharedTile &tile, int64_t columns,
                       MutableArrayRef<Value *> acc);
  Value getChunk(Value value, ValueRange position, int64_t width);
  void fillRightTile(const SharedTile &tile, Value value, int64_t firstColumn);
  void forRightTiles(
      Value value, int64_t summed, int64_t some,
      llvm::function_ref<void(const SharedTile &, int64_t, int64_t)> multiply);
  SharedTile getLeftTile(Value value);

  // Reads and writes of blocks.
  bool isStaged(vector::TransferReadOp op);
  bool isReadAgain(vector::TransferReadOp op);
  bool isWrittenByOthers(Operation *op, Value memory,
                         const Layout *layout = nullptr);
  /// Emits a read that every thread makes for itself, apart from writes of
  /// blocks before and after it if others than the thread make those.
  void readApart(bool writtenByOthers, function_ref<void()> emit);
  /// Whether `held` is in registers all through `loop`.
  bool isHeldIn(scf::ForOp loop);
  bool isWidenedAgain(Operation *op);
  GlobalBlock getSource(vector::TransferReadOp op, const IRMapping &mapping);
  Value readFromShared(const SharedTile &tile, const Layout &layout,
                       VectorType type);
  Value readLeftFromShared(const SharedTile &tile, const Layout &layout,
                           VectorType type);
  /// Neighbours that a thread moves by one access, and whether all rows are
  /// aligned to that; null if they are certain to be.
  struct Wide {
    int64_t width;
    Value aligned;
  };
  /// Writes what this thread holds to shared memory.
  void storeToShared(const SharedTile &tile, Value held, const Layout &layout);
  SmallVector<Value> locate(VectorTransferOpInterface op,
                            const GlobalBlock &block, const Layout &layout,
                            ArrayRef<Value> offsets, int64_t number,
                            Value &exists);
  Wide planWide(VectorType type, const GlobalBlock &block,
                const Layout &layout);
  void readSingly(vector::TransferReadOp op, const GlobalBlock &source,
                  const Layout &layout, ArrayRef<Value> offsets, int64_t number,
                  int64_t width, SmallVectorImpl<Value> &elements);
  Value readDirectly(vector::TransferReadOp op, const GlobalBlock &source,
                     const Layout &layout, int64_t width);
  /// What lies in memory of `held`, and the padding elsewhere.
  Value pad(vector::TransferReadOp op, const GlobalBlock &source,
            const Layout &layout, ArrayRef<Value> offsets, Value held);
  Value readThroughShared(vector::TransferReadOp op, const GlobalBlock &source,
                          const Layout &layout);
  Value readFromGlobal(vector::TransferReadOp op, const Layout &layout);
  void writeDirectly(vector::TransferWriteOp op, const GlobalBlock &target,
                     const Layout &layout, Value held, int64_t width);
  void writeThroughShared(vector::TransferWriteOp op, const GlobalBlock &target,
                          const Layout &layout, Value held, Filling filling,
                          Start start);
  void writeToGlobal(vector::TransferWriteOp op, const GlobalBlock &target,
                     const Layout &layout, Value held);
  /// Copies are complete and all threads see them.
  void waitForCopies(int64_t inFlight = 0);

  // Lines in the order of those who read them, `stride` elements a lane.
  void storeInOrder(const SharedTile &tile, Value held, const Layout &from,
                    int64_t stride);
  Value readInOrder(const SharedTile &tile, const Layout &to, int64_t stride,
                    Type element);

  // Sums in parts.
  struct LaneParts {
    Value held;
    /// The bits of the lane along which the parts add up to the sum.
    SmallVector<unsigned> lanes;
  };
  void planParts(scf::ForOp loop);
  /// What a loop carries or a choice gives, in parts where that is planned;
  /// `like` says so of what is yielded.
  void setPlanned(Value value, Value held);
  Value getPlanned(Value value, Value like, ArrayRef<int64_t> registerShape);
  /// Those of the operands of an op that gives parts because it has parts; none
  /// for other ops.
  SmallVector<unsigned> getLanesOfParts(Operation *op);
  /// What this thread holds of `value` in parts: what is whole is the first
  /// lane's.
  Value getPart(Value value, ArrayRef<int64_t> registerShape,
                ArrayRef<unsigned> lanes);
  Value addParts(const LaneParts &parts);

  // Across lanes and warps.
  using Combine = function_ref<Value(Value, Value)>;
  Value shuffleXor(Value value, int64_t distance);
  SmallVector<Value> exchangeWarps(ArrayRef<Value> values);

  /// What this thread holds of `value`; a splat constant takes the shape asked
  /// for.
  Value get(Value value, ArrayRef<int64_t> registerShape);
  Value get(Value value);
  /// Elements of `value`, by registers.
  SmallVector<Value> getElements(Value value, ArrayRef<int64_t> shape) {
    return unpack(b, loc, get(value, shape));
  }
  void set(Value value, Value held) { blocks[value] = held; }
  Value index(int64_t value);
  SmallVector<Value> getOffsets(const Layout &layout);

  OpBuilder &b;
  Location loc = b.getUnknownLoc();
  KernelShape shape;
  Thread thread;
  SharedMemory &shared;
  /// Whether left operands that stay leave too few registers to the rest.
  bool readsAgain = false;
  /// The one of them that stays while products with it have as many columns as
  /// any, and is read again elsewhere; null if there is none.
  vector::TransferReadOp held;
  int64_t heldColumns = 0;
  /// In a program without products every block is read as a thread needs it.
  bool hasProducts;
  /// What the thread holds.
  DenseMap<Value, Value> blocks;
  /// Blocks that lanes have parts of, and the lanes of those that will be.
  DenseMap<Value, LaneParts> parts;
  DenseMap<Value, SmallVector<unsigned>> plannedLanes;
  /// Blocks in shared memory that are not in registers (yet).
  DenseMap<Value, SharedTile> tiles;
  /// Lines that the loop around copies ahead.
  SmallVector<vector::TransferReadOp> copiedLines;
};

} // namespace mlir::fpa::simt

#endif // FPA_LIB_CONVERSION_TILETOGPU_DISTRIBUTE_H
