//===- KeyPruning.h - Keys that a walk leaves out ---------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What is known of key tiles before they are walked, norms and levels, and the
// question that a walk asks of it: does any row of the query tile need them?
// All of it is of the keys' length.

#ifndef FPA_LIB_DIALECT_TRANSFORMS_KEYPRUNING_H
#define FPA_LIB_DIALECT_TRANSFORMS_KEYPRUNING_H

#include "KeyWalk.h"

namespace mlir::fpa {

/// Whether `op` asks for pruning that can leave anything out.
bool isPruned(AttentionOpInterface op);

class KeyPruning {
public:
  /// Creates the bounds of keys; `walk` is to outlive it. Norms are made of
  /// `rows` at a time, or of a key tile if that is 0.
  explicit KeyPruning(KeyWalk &walk, int64_t rows = 0);

  /// A query tile: its heads, the keys `[begin, end)` that hold all that its
  /// rows see, and how far products with its rows reach, or a number that is no
  /// less.
  struct Rows {
    OpFoldResult batch, keyHead, fieldHead, begin, end;
    Value reach;
  };
  Rows describe(OpFoldResult batch, OpFoldResult keyHead,
                OpFoldResult fieldHead, Value query, const KeyRanges &ranges);

  /// Bounds of some keys, as numbers.
  struct Keys {
    Value norm, level;
  };
  /// The levels of `ofTile`, each at its tile's first key.
  Value getTileLevels() const { return tileBounds[1]; }
  /// Of the key tile that begins at `offset`.
  Keys ofTile(const Rows &rows, OpFoldResult offset);
  /// Of all keys up to the end of that tile.
  Keys upToTile(const Rows &rows, OpFoldResult offset);

  /// 1 if a row needs one of the keys, else 0, by the rows' maximum so far or
  /// by their lse.
  Value needs(const Rows &rows, const Keys &keys, Value minimum, Value maximum,
              Value lse = {});

  using TileBody = function_ref<SmallVector<Value>(OpFoldResult, ValueRange)>;
  /// The tile at `offset` if `keep` is 1: a loop over tiles from there on. Its
  /// variable is the tile's first key, so that nothing of the tile is read, or
  /// moved out of the loop, where it is not needed.
  SmallVector<Value> visitIfNeeded(Value keep, OpFoldResult offset,
                                   ValueRange state, TileBody visit);

  /// What a forward walk carries beside the state of online attention: what was
  /// dropped and its reference, if wanted, then 1 as long as the walk goes on,
  /// the keys of tiles that were passed over, and the key where it ended.
  SmallVector<Value> createState(const Rows &rows, bool counts);

  /// One tile of a forward walk: `visit` adds it to accumulator, maximum and
  /// sum; `pass` moves the minimum past it. `state` has the minimum, too, and
  /// what `createState` made.
  SmallVector<Value> walkTile(const Rows &rows, OpFoldResult offset,
                              ValueRange state, TileBody visit,
                              function_ref<Value(Value)> pass);

  /// `factor` times the norm of each row of `source`, which takes `rows` at a
  /// time.
  Value createNorms(Value source, int64_t rows, double factor);
  /// Minima of all elements up to each or, in reverse, from each on, in
  /// segments if that is not 0.
  Value createMinima(Value source, bool reverse, int64_t segment);
  /// What products in the base of the logits are above those of norms.
  double getReachFactor();

private:
  struct Block {
    ArrayRef<OpFoldResult> head;
    OpFoldResult begin, count;
  };
  Value mapTiles(ArrayRef<OpFoldResult> shape, int64_t step,
                 function_ref<Value(const Block &, Value)> body);
  Value createMeanLevels(Value level);
  Keys read(const Rows &rows, ArrayRef<Value> bounds, OpFoldResult key);
  Value readOne(Value tensor, ArrayRef<OpFoldResult> place);
  Value readAll(const Rows &rows);
  Value constant(int64_t value);
  SmallVector<Value> leaveOut(const Rows &rows, OpFoldResult offset,
                              Value maximum, Value minimum, ValueRange state);

  KeyWalk &walk;
  OpBuilder &b;
  Location loc;
  IndexMath &math;
  FloatAttr eps;
  IntegerAttr headSize;
  /// Minus norms, and levels. Of tiles, at their first key: minima of the
  /// former and levels by the mean of weights. Of all keys up to one: minima.
  SmallVector<Value> tileBounds, upToBounds;
};

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_KEYPRUNING_H
