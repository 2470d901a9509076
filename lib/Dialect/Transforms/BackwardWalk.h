//===- BackwardWalk.h - What tilings of the backward share ------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What is known before the tiles of the backward are walked, and what becomes
// of their sums afterwards.

#ifndef FPA_LIB_DIALECT_TRANSFORMS_BACKWARDWALK_H
#define FPA_LIB_DIALECT_TRANSFORMS_BACKWARDWALK_H

#include "KeyPruning.h"
#include "fpa/Dialect/IR/CreateGeneric.h"

namespace mlir::fpa {

/// x / y for indices of which y is not 0, rounded up or down.
OpFoldResult divide(IndexMath &math, OpFoldResult x, OpFoldResult y, bool up);

/// x * y for indices.
OpFoldResult multiply(IndexMath &math, OpFoldResult x, OpFoldResult y);

/// A slice of `source` with unit strides, less the dimensions `dropped`, which
/// are of size 1.
Value takeSlice(OpBuilder &b, Location loc, Value source,
                ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> extents,
                ArrayRef<unsigned> dropped);

/// Puts `value` back to where `slice` was taken from, in `into`.
Value putBack(OpBuilder &b, Location loc, Value value, Value slice, Value into);

class BackwardWalk : protected KeyWalk {
protected:
  BackwardWalk(RewriterBase &rewriter, AttentionBackwardOp op,
               const AttentionTileSizes &sizes)
      : KeyWalk(rewriter, op, /*nonIncreasing=*/false, sizes), op(op),
        hasFieldGradient(bool(op.getFieldGradient())),
        isCounted(op.getCounts() && isPruned(op)) {}

  /// The intervals, Delta, and the suffix minima.
  void createInputs();
  /// Delta of all rows, and of as many as fill the last block of `whole`, in
  /// blocks of `rows`, which divides it.
  scf::ForallOp createDelta(int64_t whole, int64_t rows);

  Value createZeros(ArrayRef<OpFoldResult> shape);
  /// Zeros for `count` partial gradients of `like`, as dimension 2.
  Value createSums(Value like, OpFoldResult count);
  Value addChunks(Value sums);
  Value scaleInto(Value sum, double scale, Value out);
  /// Sums of what is in the places of suffixes inside of blocks of `keys` keys.
  /// In the last key's place, or wherever sums are of nothing but `ends`, is
  /// what belongs to the minimum of the block.
  struct SuffixSums {
    SmallVector<Value> sums;
    int64_t keys;
    bool areEnds = false;
  };
  /// The field's gradient from those of level, suffixes and edges.
  Value addFieldParts(Value level, ArrayRef<SuffixSums> inSuffixes,
                      Value inEdges);
  Value generic(ArrayRef<Value> ins, Value out, ArrayRef<AffineMap> maps,
                ArrayRef<utils::IteratorType> kinds,
                function_ref<Value(ValueRange)> body) {
    return createGeneric(b, loc, ins, out, maps, kinds, body);
  }

  /// A part of `source` of one head; null if there is no source.
  Value sliceOf(Value source, ArrayRef<OpFoldResult> head, OpFoldResult offset,
                OpFoldResult count) {
    return source ? sliceRows(b, loc, source, head, offset, count) : Value();
  }
  /// The number of tiles of a range, which may end before it begins.
  OpFoldResult stepsOf(const KeyRange &range) {
    return math.max(countSteps(range), index(0));
  }
  /// Writes what a walk left out of the rows of a query tile, whose place is
  /// `row` of `head` in each of `slabs`: `passed` keys, and all up to `end`.
  SmallVector<Value> putNumbers(ArrayRef<OpFoldResult> head, OpFoldResult row,
                                OpFoldResult rows, Value firstKeys,
                                Value passed, Value end, ValueRange slabs);
  /// Whether skipped and ended are wanted and there is a walk that knows them.
  bool countsKeys() const { return isCounted; }
  /// Where nothing is left out, that is all there is to tell of it.
  void addUncounted(SmallVectorImpl<Value> &results);
  APFloat zero() { return APFloat::getZero(accumulator.getFloatSemantics()); }
  OpFoldResult index(int64_t value) { return b.getIndexAttr(value); }

  AttentionBackwardOp op;
  bool hasFieldGradient;
  PrefixMinOp suffix;
  Value delta;

private:
  bool isCounted;
  Value placeSuffixes(const SuffixSums &in);
  Value add(ArrayRef<Value> parts, Value out);
};

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_BACKWARDWALK_H
