//===- KeyWalk.h - The keys that a tile of query rows sees --------*- C++
//-*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What tiling attention and tiling its backward share: the sizes of the
// problem, the interval of keys of each row, and how the keys of a query tile
// fall into ranges.

#ifndef FPA_LIB_DIALECT_TRANSFORMS_KEYWALK_H
#define FPA_LIB_DIALECT_TRANSFORMS_KEYWALK_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fpa {

/// Index arithmetic that folds what is static.
struct IndexMath {
  OpBuilder &b;
  Location loc;

  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands);
  OpFoldResult min(ArrayRef<AffineExpr> exprs, ArrayRef<OpFoldResult> operands);
  OpFoldResult max(OpFoldResult x, OpFoldResult y);
  /// The largest multiple of `step` that is not above x.
  OpFoldResult alignDown(OpFoldResult x, int64_t step);
  /// The smallest multiple of `step` that is not below x.
  OpFoldResult alignUp(OpFoldResult x, int64_t step);
  Value value(OpFoldResult x);
  OpFoldResult dim(Value tensor, int64_t axis);
};

/// Rows `[begin, begin + count)` of one head of `source`: a slice without the
/// leading dimensions, which `head` picks.
Value sliceRows(OpBuilder &b, Location loc, Value source,
                ArrayRef<OpFoldResult> head, OpFoldResult begin,
                OpFoldResult count);

/// A loop over `[begin, end)` that carries `state`.
SmallVector<Value>
createLoop(OpBuilder &b, Location loc, Value begin, Value end, ValueRange state,
           function_ref<SmallVector<Value>(OpFoldResult, ValueRange)> body);

/// A loop over `[0, count)`.
SmallVector<Value>
createLoop(OpBuilder &b, Location loc, Value count, ValueRange state,
           function_ref<SmallVector<Value>(OpFoldResult, ValueRange)> body);

/// Ends the body of `forall`: each value goes where its slice of the loop's
/// outputs was taken from.
void insertInParallel(OpBuilder &b, Location loc, scf::ForallOp forall,
                      ValueRange values, ValueRange slices);

/// The mapping of a parallel loop. A loop that has or may come to have a single
/// iteration would be folded away, and its body is what the lowering to a
/// machine looks for.
std::optional<ArrayAttr> createWorkItems(OpBuilder &b,
                                         ArrayRef<OpFoldResult> bounds);

/// Keys `[begin, end)` in tiles of `step`; both ends are multiples of it. Rows
/// of an edge see different keys.
struct KeyRange {
  OpFoldResult begin, end;
  int64_t step;
  bool isEdge;
};

/// The ranges that make up a query tile's keys, from right to left.
struct KeyRanges {
  KeyRange right, inner;
  std::optional<KeyRange> left;
};

class KeyWalk {
public:
  /// `nonIncreasing` says that the field never rises, and level is tied to it.
  KeyWalk(RewriterBase &rewriter, AttentionOpInterface op, bool nonIncreasing,
          const AttentionTileSizes &sizes);

  /// The first and last key of every row.
  void createIntervals();
  /// S_j, the minima to the right of each key inside its key tile; with
  /// `index` also where they are, along the axis.
  PrefixMinOp createSuffixMinima(bool index = false) {
    return createSuffixMinima(index, sizes.key);
  }
  PrefixMinOp createSuffixMinima(bool index, int64_t keys);
  /// The head of `tensor` that serves query head h: h / (HQ / heads). The
  /// division stays inside the loop, where there is at least one head.
  OpFoldResult headOf(Value tensor, OpFoldResult h);
  /// The number of query tiles of a head.
  OpFoldResult countTiles();
  /// The rows of the query tile, or of the block of `rows`, that begins at
  /// `begin`.
  OpFoldResult countRows(OpFoldResult begin) {
    return countRows(begin, sizes.query);
  }
  OpFoldResult countRows(OpFoldResult begin, int64_t rows);
  /// Splits the keys that rows `[begin, begin + count)` see. Both interval
  /// ends never fall from row to row, so the first and the last row bound all.
  /// Full tiles begin and end at multiples of `align`, itself one of a key
  /// tile.
  KeyRanges splitKeys(OpFoldResult begin, OpFoldResult count, int64_t align);
  KeyRanges splitKeys(OpFoldResult begin, OpFoldResult count) {
    return splitKeys(begin, count, sizes.key);
  }
  /// The number of tiles of a range.
  OpFoldResult countSteps(const KeyRange &range);
  /// The keys of the tile at `offset`: fewer than a step where they end.
  OpFoldResult countKeys(const KeyRange &range, OpFoldResult offset);
  /// A block of the accumulator's type, filled.
  Value fill(ArrayRef<int64_t> shape, const APFloat &x);
  Value emptyLike(Value tensor, Type element = {});
  /// beta of the smooth penalty, or null where it is no operand.
  Value loadBeta();

  RewriterBase &b;
  Location loc;
  AttentionOpInterface attention;
  bool nonIncreasing;
  FloatType accumulator;
  AttentionTileSizes sizes;
  IndexMath math;
  OpFoldResult queryLength, keyLength;
  Value first, last;

private:
  OpFoldResult bound(Value array, OpFoldResult row);
};

/// Refuses sizes of tiles, and operands of `op`, that cannot be tiled.
LogicalResult checkTileable(AttentionOpInterface op,
                            const AttentionTileSizes &sizes);

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_KEYWALK_H
