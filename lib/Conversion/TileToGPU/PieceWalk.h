//===- PieceWalk.h - Who moves what of a block ------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of global memory are moved by all threads together, in pieces that one
// access can move: threads that follow each other have pieces that do.
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOGPU_PIECEWALK_H
#define FPA_LIB_CONVERSION_TILETOGPU_PIECEWALK_H

#include "ThreadVectors.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::fpa::simt {

/// Where elements are in global memory: the view that is read or written, and
/// whether it covers the whole block.
struct GlobalBlock {
  Value memory;
  SmallVector<Value> indices;
  bool inBounds;
};

/// What threads that follow each other begin a row of global memory with: its
/// first piece; or the first that a sector of memory begins with, those before
/// it last, where each warp can have rows of its own. So a warp asks for each
/// sector once in rows that begin anywhere.
enum class Start { Row, Sector };

/// Row and column of piece `number` of a block, with `perRow` pieces of `width`
/// elements in a row.
std::pair<Value, Value> getPieceAt(OpBuilder &b, Location loc, Value number,
                                   int64_t perRow, int64_t width);

/// One thread's part of moving a block in pieces of `width` elements.
struct BlockPiece {
  Value row, column;
  /// Elements of the piece inside of memory; null if all are.
  Value valid;
};

/// Walks a block in pieces.
class PieceWalk {
public:
  PieceWalk(OpBuilder &b, Location loc, VectorType type,
            const GlobalBlock &block, int64_t width, Start start)
      : b(b), loc(loc), type(type), block(block), width(width), start(start) {}

  void run(const Thread &thread, int64_t threads,
           function_ref<void(const BlockPiece &)> fn);
  /// Where a piece is in global memory.
  SmallVector<Value> place(const BlockPiece &piece);

private:
  void runByBlock(const Thread &thread, int64_t threads,
                  function_ref<void(const BlockPiece &)> fn);
  LogicalResult runByWarps(const Thread &thread, int64_t threads,
                           function_ref<void(const BlockPiece &)> fn);
  Value getElementsOfSector(Value row);
  Value getRest(int64_t fromLast, Value at);
  Value getValid(Value row, Value column);
  int64_t getRows() { return type.getRank() == 2 ? type.getDimSize(0) : 1; }
  Value index(int64_t value);

  OpBuilder &b;
  Location loc;
  VectorType type;
  const GlobalBlock &block;
  int64_t width;
  Start start;
};

} // namespace mlir::fpa::simt

#endif // FPA_LIB_CONVERSION_TILETOGPU_PIECEWALK_H
