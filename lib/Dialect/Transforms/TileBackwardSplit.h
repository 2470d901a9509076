//===- TileBackwardSplit.h - The backward in two walks ----------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One loop whose iterations own query rows and walk along keys, for the
// gradients of query and field; one whose iterations own keys and walk along
// query rows, for those of key, value and level. Nobody adds to what another
// iteration owns, and all of it fits in registers.

#ifndef FPA_LIB_DIALECT_TRANSFORMS_TILEBACKWARDSPLIT_H
#define FPA_LIB_DIALECT_TRANSFORMS_TILEBACKWARDSPLIT_H

#include "BackwardWalk.h"
#include "FieldMinima.h"
#include "PairPruning.h"

namespace mlir::fpa {

/// What is computed once for both walks.
struct BackwardInputs {
  Value first, last, delta;
  PrefixMinOp suffix;
  std::optional<FieldRuns> runs;
  /// The least level of each key tile; null where field and level are tied. The
  /// largest of each; both null where they are not asked for.
  Value levels, largestLevels;
  /// Rows that have their edges in common, and keys whose multiples these begin
  /// at: the larger tiles. A pair of query and key is at an edge of both walks
  /// or of none, since rows add to the field at edges what keys add elsewhere.
  /// Suffix minima are those inside of blocks of so many keys.
  int64_t blockRows, blockKeys;
  /// Lines of R_i, B x HF x lines x rows of a block: of pairs of blocks and key
  /// tiles in which rows differ, and of the keys to their left, for each block.
  Value written, ends;
  /// What both walks leave out; null if that is nothing.
  PairPruning *pruning = nullptr;
};

class SplitWalk : protected BackwardWalk {
protected:
  SplitWalk(RewriterBase &rewriter, AttentionBackwardOp op,
            const AttentionTileSizes &sizes, const BackwardInputs &inputs)
      : BackwardWalk(rewriter, op, sizes), inputs(inputs) {
    first = inputs.first;
    last = inputs.last;
    delta = inputs.delta;
    suffix = inputs.suffix;
  }

  /// A key tile and a query tile of one head.
  struct Pair {
    OpFoldResult batch, head, keyHead, fieldHead, queryTile, rows, keyTile,
        keys;
    /// beta of the smooth penalty, where it is an operand.
    Value beta;
    bool isEdge = false, isRight = false;
  };

  /// What a step reads of its rows, and of its keys: taken where the walk does
  /// not move, so that it is read once.
  struct RowSlices {
    Value query, outputGradient, lse, delta, first, last;
  };
  struct KeySlices {
    Value key, value, field, level, suffix;
  };
  RowSlices sliceRowsOf(const Pair &pair);
  KeySlices sliceKeysOf(const Pair &pair);

  /// Where the keys are that the rows of a query tile's block see.
  KeyRanges splitKeysOf(OpFoldResult queryTile);
  /// The gradients of a pair added to `sums`. `span` is what `splitKeysOf`
  /// found.
  BackwardTileOp createStep(const Pair &pair, const RowSlices &ofRows,
                            const KeySlices &ofKeys, const KeyRanges &span,
                            GradientPart part, ValueRange sums);

  /// R_i of the pair's rows where they begin to differ, or in an edge.
  Value sliceMinimum(const Pair &pair);
  OpFoldResult rowInBlock(const Pair &pair);
  Value findEnd(const Pair &pair, OpFoldResult row);
  /// What lies between the end of key tile `end` and there.
  Value findPassed(const Pair &pair, OpFoldResult end, const KeyRanges &span);
  PairPruning::Head headOfGroups(const Pair &pair) {
    return {pair.batch,     pair.head,    pair.keyHead,
            pair.fieldHead, *inputs.runs, sizes.key};
  }
  Value findLeast(const Pair &pair, int64_t tiles);
  Value findEnds(const Pair &pair, int64_t tiles, Value most, Value least);
  Value findBelow(const Pair &pair, Value most, Value least);
  Value findAbove(const Pair &pair, Value passed, Value ofLastRow);
  Value ofKeyTile(const Pair &pair, Value all);

  AffineExpr d(unsigned dim) { return b.getAffineDimExpr(dim); }
  /// The first of a tile's keys or rows.
  OpFoldResult keyBegin(OpFoldResult tile) {
    return math.apply(d(0) * sizes.key, {tile});
  }
  OpFoldResult rowBegin(OpFoldResult tile) {
    return math.apply(d(0) * sizes.query, {tile});
  }
  OpFoldResult countKeyTiles() {
    return math.apply(d(0).ceilDiv(sizes.key), {keyLength});
  }
  /// Query tiles of a block, and the block of one.
  int64_t tilesOfBlock() const { return inputs.blockRows / sizes.query; }
  OpFoldResult blockOf(OpFoldResult queryTile);
  /// Where R_i of a block and a key tile is written down. The last keys of
  /// blocks never fall: where one block's end, the next one's begin, or as many
  /// key tiles before as make `blockKeys`. So no line is that of two pairs,
  /// even with one more for the tile to the left of a block's.
  OpFoldResult getLine(OpFoldResult block, OpFoldResult keyTile);
  int64_t linesOfBlock() const { return inputs.blockKeys / sizes.key + 1; }

  BackwardInputs inputs;
};

/// Writes down the minima that the steps of both walks take. Its query tiles
/// are the blocks.
class MinimaWalk : private SplitWalk {
public:
  MinimaWalk(RewriterBase &rewriter, AttentionBackwardOp op,
             const AttentionTileSizes &sizes, const BackwardInputs &inputs)
      : SplitWalk(rewriter, op, sizes, inputs) {}

  scf::ForallOp run();
};

/// Gradients of query rows: of the query, and of the field as far as it is in
/// the place of suffixes and of edges.
class QueryWalk : private SplitWalk {
public:
  QueryWalk(RewriterBase &rewriter, AttentionBackwardOp op,
            const AttentionTileSizes &sizes, const BackwardInputs &inputs)
      : SplitWalk(rewriter, op, sizes, inputs) {}

  struct Result {
    SmallVector<scf::ForallOp> loops;
    Value query, suffix, field;
    /// skipped and ended, if they are wanted.
    SmallVector<Value> numbers;
  };
  Result run();

private:
  struct Chunk {
    OpFoldResult batch, head, firstTile, begin, rows;
  };
  void createChunks();
  SmallVector<Value> takeSlabs(scf::ForallOp forall, const Chunk &chunk,
                               OpFoldResult number);
  SmallVector<Value> takeFieldSlabs(ValueRange outs, const Chunk &chunk,
                                    OpFoldResult number);
  SmallVector<Value> walkTile(const Chunk &chunk, OpFoldResult n,
                              ValueRange slabs);
  SmallVector<Value> walkKeys(Pair pair, const RowSlices &ofRows,
                              const KeyRange &range, const KeyRanges &span,
                              SmallVector<Value> state);
  SmallVector<Value> walkTiles(Pair pair, const RowSlices &ofRows,
                               const KeyRange &range, const KeyRanges &span,
                               Value steps, SmallVector<Value> state);
  SmallVector<Value> walkGroups(const Pair &pair, const RowSlices &ofRows,
                                const KeyRange &range, const KeyRanges &span,
                                SmallVector<Value> state);
  SmallVector<Value> passGroup(Pair pair, OpFoldResult group,
                               const KeyRanges &span, Value drop,
                               ArrayRef<Value> state);

  OpFoldResult chunks, tilesOfChunk;
  /// What the query tile that is being walked leaves out.
  PairPruning::Numbers leftOut;
};

/// Gradients of keys: of key, value and level, and of the field as far as it
/// is in the place of suffixes.
class KeysWalk : private SplitWalk {
public:
  KeysWalk(RewriterBase &rewriter, AttentionBackwardOp op,
           const AttentionTileSizes &sizes, const BackwardInputs &inputs)
      : SplitWalk(rewriter, op, sizes, inputs) {}

  struct Result {
    SmallVector<scf::ForallOp> loops;
    Value key, value, level, suffix;
  };
  Result run();

private:
  /// Query tiles that see a key tile: all of them their last keys, then all of
  /// it, then all of them their first keys.
  struct RowRange {
    OpFoldResult begin, end;
    bool isEdge, isRight;
  };
  Value cutToKeys(Value sums);
  OpFoldResult countBetween(OpFoldResult begin, OpFoldResult end) {
    return math.max(math.apply(d(1) - d(0), {begin, end}), index(0));
  }
  OpFoldResult findRow(Value bounds, OpFoldResult key);
  OpFoldResult searchRow(Value bounds, OpFoldResult key);
  SmallVector<RowRange> splitRows(OpFoldResult keyTile);
  SmallVector<Value> walkRows(Pair pair, const KeySlices &ofKeys,
                              const RowRange &range, SmallVector<Value> state);
  SmallVector<Value> walkTiles(Pair pair, const KeySlices &ofKeys,
                               OpFoldResult begin, Value count,
                               SmallVector<Value> state);
  SmallVector<Value> walkGroups(const Pair &pair, const KeySlices &ofKeys,
                                const RowRange &range,
                                SmallVector<Value> state);
  void createBody(scf::ForallOp forall);
};

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_TILEBACKWARDSPLIT_H
