//===- PairPruning.h - Pairs that the backward leaves out -------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Both walks of the backward leave out the same pairs of a group of query rows
// and a group of keys, each of a few tiles, so that all gradients are those of
// one choice of weights. A walk asks once for the tiles of a group, with
// numbers that stand for all of its rows: every thread computes them, and none
// waits for another. Where the best that a walk could meet is needed it does
// not ask again.

#ifndef FPA_LIB_DIALECT_TRANSFORMS_PAIRPRUNING_H
#define FPA_LIB_DIALECT_TRANSFORMS_PAIRPRUNING_H

#include "FieldMinima.h"
#include "KeyPruning.h"

namespace mlir::fpa {

class PairPruning {
public:
  /// Creates the bounds of groups of the blocks of `rows` and `keys` that both
  /// walks have in common; `first` and `last` are the keys of each row.
  PairPruning(RewriterBase &rewriter, AttentionBackwardOp op, int64_t rows,
              int64_t keys, Value first, Value last);

  /// A head, and the minima of its field over key tiles of `tile` keys.
  struct Head {
    OpFoldResult batch, query, key, field;
    const FieldRuns &runs;
    int64_t tile;
  };
  /// Numbers that stand for all rows of a group, and the full tiles that all of
  /// them see.
  struct Rows {
    KeyPruning::Rows bounds;
    Value lse;
    KeyRange full;
  };
  /// Of a group that exists.
  Rows describe(const Head &head, OpFoldResult group);

  /// 1 if a pair is to be walked, else 0, for a group of keys that exists.
  /// Where not all rows see all of the keys it is walked.
  Value needs(const Head &head, const Rows &rows, OpFoldResult group);
  /// 1 if rows need every group of keys from `group` on to the right.
  Value needsAllKeys(const Head &head, const Rows &rows, OpFoldResult group);
  /// 1 if all rows from group `rows` on need the group of keys.
  Value isNeededByAll(const Head &head, OpFoldResult rows, OpFoldResult group);

  /// 1 if rows need any key up to the end of a group that they see all of.
  Value needsKeysUpTo(const Head &head, const Rows &rows, OpFoldResult group);
  /// 1 if any row from group `rows` on needs the group of keys, or some rows of
  /// that group do not see all of it.
  Value isNeededFrom(const Head &head, OpFoldResult rows, OpFoldResult group);

  /// What a walk asks: 1 if a group is needed, if all are, and if any is on the
  /// side where the walk may end, the left or the right. Only where no row
  /// misses keys on the left may it end.
  struct Questions {
    function_ref<Value(OpFoldResult)> one;
    function_ref<Value()> all;
    function_ref<Value(OpFoldResult)> side;
    /// Groups from here on are on no left side.
    OpFoldResult leftEnd;
  };
  using GroupBody = function_ref<SmallVector<Value>(
      OpFoldResult group, Value keep, OpFoldResult end, ValueRange state)>;
  /// What a walk of rows left out, in keys: groups one by one, and all keys up
  /// to one where it ended.
  struct Numbers {
    Value skipped, end;
  };
  /// Visits groups `[begin, end)`: one by one, `keep` of each being 1 if it is
  /// needed, or all at once if all are, which is asked where there is one. A
  /// visit is of those from `group` to `end`. With `numbers` the walk tells
  /// what it left out.
  SmallVector<Value> walk(OpFoldResult begin, OpFoldResult end,
                          const Questions &ask, ValueRange state,
                          GroupBody visit, Numbers *numbers = nullptr);

  int64_t getRows() const { return groups.sizes.query; }
  int64_t getKeys() const { return groups.sizes.key; }

private:
  Value read(Value tensor, OpFoldResult batch, OpFoldResult head,
             OpFoldResult at);
  Value createNegative(Value source);
  Value findMinimum(const Head &head, OpFoldResult begin, OpFoldResult end);
  Value isCut(const Rows &rows, OpFoldResult group);
  void findSide(OpFoldResult &begin, OpFoldResult &end, const Questions &ask,
                Value areTogether);
  bool mayEnd() {
    return !groups.attention.getWindow() && !groups.attention.isPacked();
  }
  Value constant(double x);
  Value constant(int64_t x);

  /// Its tiles are the groups.
  KeyWalk groups;
  OpBuilder &b;
  Location loc;
  KeyPruning keys;
  int64_t blockKeys;
  /// Of each group at its first row: minus the largest reach, the least lse.
  Value reach, lse;
  /// Minus the largest level of all groups up to a key, and minus the largest
  /// lse from a row on.
  Value highest, most;
  /// Minus the largest reach and the least lse from a row on.
  Value reachFrom, lseFrom;
};

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_PAIRPRUNING_H
