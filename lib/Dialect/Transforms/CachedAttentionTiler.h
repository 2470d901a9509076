//===- CachedAttentionTiler.h - Attention over a cache in tiles --*- C++
//-*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_DIALECT_TRANSFORMS_CACHEDATTENTIONTILER_H
#define FPA_LIB_DIALECT_TRANSFORMS_CACHEDATTENTIONTILER_H

#include "KeyWalk.h"
#include "fpa/Dialect/Transforms/Transforms.h"

namespace mlir::fpa {

/// Makes the loops of one op. The query heads of a key head, with their new
/// tokens, are rows.
class CachedAttentionTiler {
public:
  CachedAttentionTiler(RewriterBase &rewriter, CachedAttentionOp op,
                       const CacheTileSizes &sizes)
      : b(rewriter), loc(op.getLoc()), op(op), sizes(sizes),
        math{rewriter, op.getLoc()},
        accumulator(
            cast<FloatType>(getElementTypeOrSelf(op.getField().getType()))),
        d0(b.getAffineDimExpr(0)), d1(b.getAffineDimExpr(1)) {}

  SmallVector<Value> run();
  CacheLoops getLoops() const { return loops; }

private:
  /// Rows `[begin, begin + count)` of a block, for batch and key head.
  struct RowTile {
    OpFoldResult batch, head, begin, count;
    Value query, minimum;
    /// The minimum of all rows where they belong to one token, or null.
    Value common;
  };

  void measure();
  Value regroup(Value tensor, Value like, bool toRows);
  Value groupRows(Value tensor);
  Value ungroupRows(Value grouped, Value like);
  Value perRow(ArrayRef<OpFoldResult> shape, Type element,
               function_ref<Value(OpBuilder &, ValueRange, Value)> body);
  void createRowData();
  RowTile createRowTile(ArrayRef<OpFoldResult> ids);
  Value fill(Value tensor, const APFloat &x);
  SmallVector<Value> createEmptyState(ValueRange tensors);
  Value countHeld(OpFoldResult batch, OpFoldResult head);
  SmallVector<Value> walkCached(const RowTile &rows, OpFoldResult offset,
                                OpFoldResult length, ValueRange state);
  SmallVector<Value> addOwnKey(const RowTile &rows, ValueRange state);
  SmallVector<Value> walkNew(const RowTile &rows, ValueRange state);
  SmallVector<Value> addTile(const RowTile &rows, OpFoldResult offset,
                             OpFoldResult count, ValueRange state);
  SmallVector<Value> mergeChunks(const RowTile &rows, ValueRange chunks,
                                 ValueRange state);
  SmallVector<Value> createChunks();
  SmallVector<Value> createOutputs(ValueRange chunks);
  Value clearAbsent(Value tensor, const APFloat &x);
  scf::ForallOp createForall(ArrayRef<OpFoldResult> bounds, ValueRange outs,
                             function_ref<void(scf::ForallOp)> body);

  RewriterBase &b;
  Location loc;
  CachedAttentionOp op;
  CacheTileSizes sizes;
  IndexMath math;
  FloatType accumulator;
  AffineExpr d0, d1;
  /// B, HK, query heads of a key head, T, rows of a key head, rows in whole
  /// tiles, C, chunks.
  OpFoldResult batches, heads, group, tokens, rows, allRows, room, chunkCount;
  int64_t block = 0;
  /// The query by rows; R_i, B x HK x allRows; first and last new key of a row.
  Value query, minimum, first, last;
  CacheLoops loops;
};

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_CACHEDATTENTIONTILER_H
