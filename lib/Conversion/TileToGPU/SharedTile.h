//===- SharedTile.h - Blocks in shared memory -------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of one or two dimensions in shared memory, in as many copies as a
// loop keeps in flight. Rows are cut into chunks of 16 bytes, whose places are
// exchanged with the row number as far as a power of two of them divides a row.
// Eight rows of one column of chunks, which is what a matrix load reads, lie in
// different banks then, and so do eight chunks that follow each other, which is
// what eight threads copy. Rows of f32, which no matrix load reads, are padded
// to an odd number of chunks unless they are short, so that all rows and
// columns are a constant apart.
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOGPU_SHAREDTILE_H
#define FPA_LIB_CONVERSION_TILETOGPU_SHAREDTILE_H

#include "PieceWalk.h"
#include "ThreadVectors.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::fpa::simt {

/// Shared memory of one kernel, handed out like a stack.
class SharedMemory {
public:
  /// A place for `bytes` bytes.
  int64_t allocate(int64_t bytes, int64_t alignment = 128);
  int64_t getMark() const { return used; }
  /// Gives back all that was handed out since `mark`. Without `quiet` some
  /// threads may still read it, and who takes it next needs a barrier first.
  void release(int64_t mark, bool quiet = false) {
    if (!quiet && used > mark)
      disputed = std::max(disputed, used);
    used = mark;
  }
  bool needsBarrier() const { return used < disputed; }
  int64_t getPeak() const { return peak; }

  /// All of it as bytes.
  Value base;

private:
  int64_t used = 0, peak = 0, disputed = 0;
};

/// Who fills a tile: threads that move whole chunks, or that store neighbours
/// of the layout of a product's result, for which four rows of two chunks lie
/// in different banks if they are f32.
enum class Filling { Chunks, Pairs };

class SharedTile {
public:
  SharedTile() = default;
  /// `type` is the block, of rank 1 or 2.
  SharedTile(OpBuilder &b, Location loc, SharedMemory &memory, VectorType type,
             int64_t copies = 1, Filling filling = Filling::Chunks);

  /// The same tile, of which copy `copy` is meant.
  SharedTile at(Value copy) const {
    SharedTile tile = *this;
    tile.copy = copy;
    return tile;
  }

  VectorType getType() const { return type; }

  /// Starts to copy a block of global memory, with all `threads` threads. What
  /// lies outside becomes zero.
  void copyFrom(OpBuilder &b, Location loc, const GlobalBlock &source,
                const Thread &thread, int64_t threads,
                Start start = Start::Row) const;
  /// The same for two lines of one type, of which threads move one or the other
  /// by a single instruction. Fails where that cannot be.
  static LogicalResult copyBothFrom(OpBuilder &b, Location loc,
                                    const SharedTile &first,
                                    const GlobalBlock &firstSource,
                                    const SharedTile &second,
                                    const GlobalBlock &secondSource,
                                    const Thread &thread, int64_t threads);
  /// Writes the tile to global memory, with all threads.
  void copyTo(OpBuilder &b, Location loc, const GlobalBlock &target,
              const Thread &thread, int64_t threads,
              Start start = Start::Row) const;

  /// Elements of 16 bytes.
  int64_t getChunk() const { return 16 / getElementBytes(); }
  /// A thread's chunks when all threads together look at the whole tile. Where
  /// there are fewer chunks than threads, several look at the same; `own` says
  /// which thread is the first to (null: each is).
  struct Chunk {
    Value row, column, own;
  };
  SmallVector<Chunk> getChunks(OpBuilder &b, Location loc, const Thread &thread,
                               int64_t threads) const;

  /// `width` neighbours along the last dimension; they must lie in one chunk.
  Value load(OpBuilder &b, Location loc, ValueRange position,
             int64_t width) const;
  void store(OpBuilder &b, Location loc, Value vector,
             ValueRange position) const;

  /// Four 8x8 matrices by one load for all lanes of a warp, as
  /// vector<4x2xT>: those at (row, column), (row + 8, column), (row, column +
  /// 8) and (row + 8, column + 8) of the tile, the middle two exchanged with
  /// `columnFirst`. `transposed` gives each thread the pairs along rows.
  Value loadMatrices(OpBuilder &b, Location loc, int64_t row, int64_t column,
                     bool columnFirst, bool transposed, const Thread &thread,
                     Value firstRow = {}) const;

private:
  /// With pieces of `width` elements.
  void copyFrom(OpBuilder &b, Location loc, const GlobalBlock &source,
                const Thread &thread, int64_t threads, Start start,
                int64_t width) const;
  /// The indices of an element in `memory`.
  SmallVector<Value> place(OpBuilder &b, Location loc,
                           ValueRange position) const;
  int64_t getColumns() const { return type.getShape().back(); }
  int64_t getElementBytes() const;

  VectorType type;
  Value memory, copy;
  /// Where the tile begins.
  int64_t offset = 0;
  /// Chunks of a row that are exchanged with each other; 0 with padding.
  int64_t exchanged = 0;
};

} // namespace mlir::fpa::simt

#endif // FPA_LIB_CONVERSION_TILETOGPU_SHAREDTILE_H
