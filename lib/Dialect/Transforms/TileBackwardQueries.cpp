//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The walk of query rows along keys, from left to right. What the field gets
// from a row is added to sums that a chunk of neighbouring query tiles owns.
// How many chunks there are depends on the sizes alone.

#include "TileBackwardSplit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

/// Sums of the field for each query head: memory for parallel work.
static constexpr int64_t kChunks = 16;

void QueryWalk::createChunks() {
  OpFoldResult tiles = math.max(countTiles(), index(1));
  chunks = hasFieldGradient
               ? math.min({d(0), b.getAffineConstantExpr(kChunks)}, {tiles})
               : tiles;
  tilesOfChunk = divide(math, tiles, chunks, /*up=*/true);
}

QueryWalk::Result QueryWalk::run() {
  Result result;
  createChunks();
  SmallVector<OpFoldResult> bounds = {math.dim(op.getQuery(), 0),
                                      math.dim(op.getQuery(), 1), chunks};
  SmallVector<Value> outs = {op.getOuts()[0]};
  if (hasFieldGradient) {
    // One sum for each query head that shares a field, and chunk.
    OpFoldResult heads = math.max(math.dim(op.getField(), 1), index(1));
    OpFoldResult group = divide(math, bounds[1], heads, /*up=*/false);
    OpFoldResult count = multiply(math, group, chunks);
    for (int i = 0; i < 2; ++i)
      outs.push_back(createSums(op.getField(), count));
  }
  size_t sumsEnd = outs.size();
  if (countsKeys())
    llvm::append_range(outs, op.getNumbers());
  auto forall =
      scf::ForallOp::create(b, loc, bounds, outs, createWorkItems(b, bounds));
  result.loops.push_back(forall);
  result.query = forall.getResult(0);
  if (hasFieldGradient) {
    result.suffix = forall.getResult(1);
    result.field = forall.getResult(2);
  }
  llvm::append_range(result.numbers, forall.getResults().drop_front(sumsEnd));

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forall.getBody());
  SmallVector<OpFoldResult> ids =
      getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
  // The latest rows see the most keys and come first.
  OpFoldResult number = math.apply(d(0) - d(1) - 1, {chunks, ids[2]});
  Chunk chunk = {ids[0], ids[1], multiply(math, number, tilesOfChunk), {}, {}};
  OpFoldResult begin = rowBegin(chunk.firstTile);
  chunk.begin = math.min({d(0), d(1)}, {begin, queryLength});
  chunk.rows = math.min({d(0) * sizes.query, d(2) - d(1)},
                        {tilesOfChunk, chunk.begin, queryLength});
  OpFoldResult tiles = math.apply(d(0).ceilDiv(sizes.query), {chunk.rows});
  SmallVector<Value> slabs = takeSlabs(forall, chunk, number);
  SmallVector<Value> sums = createLoop(b, loc, math.value(tiles), slabs,
                                       [&](OpFoldResult n, ValueRange state) {
                                         return walkTile(chunk, n, state);
                                       });
  insertInParallel(b, loc, forall, sums, slabs);
  return result;
}

/// The parts of the outs that one iteration owns.
SmallVector<Value> QueryWalk::takeSlabs(scf::ForallOp forall,
                                        const Chunk &chunk,
                                        OpFoldResult number) {
  OpFoldResult zeroIndex = index(0), one = index(1);
  auto outs = forall.getRegionIterArgs();
  SmallVector<Value> slabs = {takeSlice(
      b, loc, outs[0], {chunk.batch, chunk.head, chunk.begin, zeroIndex},
      {one, one, chunk.rows, math.dim(op.getQuery(), 3)}, {0, 1})};
  if (hasFieldGradient)
    llvm::append_range(slabs, takeFieldSlabs(outs.slice(1, 2), chunk, number));
  for (Value out : outs.drop_front(slabs.size()))
    slabs.push_back(takeSlice(b, loc, out,
                              {chunk.batch, chunk.head, chunk.begin},
                              {one, one, chunk.rows}, {0, 1}));
  return slabs;
}

SmallVector<Value> QueryWalk::takeFieldSlabs(ValueRange outs,
                                             const Chunk &chunk,
                                             OpFoldResult number) {
  OpFoldResult zeroIndex = index(0), one = index(1);
  // The division stays inside the loop, where there is a head to divide by.
  OpFoldResult fieldHead = headOf(op.getField(), chunk.head);
  OpFoldResult group = divide(math, math.dim(op.getQuery(), 1),
                              math.dim(op.getField(), 1), /*up=*/false);
  OpFoldResult inGroup =
      math.apply(d(0) - d(1), {chunk.head, multiply(math, fieldHead, group)});
  OpFoldResult place =
      math.apply(d(0) + d(1), {multiply(math, inGroup, chunks), number});
  SmallVector<Value> slabs;
  for (Value out : outs)
    slabs.push_back(takeSlice(b, loc, out,
                              {chunk.batch, fieldHead, place, zeroIndex},
                              {one, one, one, keyLength}, {0, 1, 2}));
  return slabs;
}

SmallVector<Value> QueryWalk::walkTile(const Chunk &chunk, OpFoldResult n,
                                       ValueRange slabs) {
  Pair pair;
  pair.beta = loadBeta();
  pair.batch = chunk.batch;
  pair.head = chunk.head;
  pair.keyHead = headOf(op.getKey(), pair.head);
  if (op.getField())
    pair.fieldHead = headOf(op.getField(), pair.head);
  pair.queryTile = math.apply(d(0) + d(1), {chunk.firstTile, n});
  OpFoldResult begin = rowBegin(pair.queryTile);
  pair.rows = countRows(begin);
  KeyRanges span = splitKeysOf(pair.queryTile);
  RowSlices ofRows = sliceRowsOf(pair);

  int64_t rows = sizes.query, width = op.getQueryType().getDimSize(3);
  SmallVector<Value> state = {fill({rows, width}, zero())};
  if (hasFieldGradient)
    state.push_back(fill({rows}, zero()));
  size_t own = state.size();
  ValueRange numbers = slabs.take_back(countsKeys() ? 2 : 0);
  llvm::append_range(state, slabs.drop_front().drop_back(numbers.size()));
  if (span.left)
    state = walkKeys(pair, ofRows, *span.left, span, state);
  state = walkKeys(pair, ofRows, span.inner, span, state);
  pair.isRight = true;
  state = walkKeys(pair, ofRows, span.right, span, state);

  OpFoldResult row = math.apply(d(0) - d(1), {begin, chunk.begin});
  Value slice = sliceRows(b, loc, slabs[0], {}, row, pair.rows);
  auto rowsGradient =
      BackwardFinalizeOp::create(b, loc, slice.getType(), state[0], slice,
                                 b.getF64FloatAttr(op.getScaleValue()));
  SmallVector<Value> next = {
      putBack(b, loc, rowsGradient.getResult(0), slice, slabs[0])};
  llvm::append_range(next, ArrayRef(state).drop_front(own));
  if (countsKeys())
    llvm::append_range(next, putNumbers({}, row, pair.rows, ofRows.first,
                                        leftOut.skipped, leftOut.end, numbers));
  return next;
}

/// The state: the query's gradient, the carry, and the chunk's sums.
SmallVector<Value> QueryWalk::walkKeys(Pair pair, const RowSlices &ofRows,
                                       const KeyRange &range,
                                       const KeyRanges &span,
                                       SmallVector<Value> state) {
  pair.isEdge = range.isEdge;
  if (inputs.pruning && !range.isEdge)
    return walkGroups(pair, ofRows, range, span, state);
  return walkTiles(pair, ofRows, range, span, math.value(stepsOf(range)),
                   state);
}

/// The first `steps` tiles of a range.
SmallVector<Value> QueryWalk::walkTiles(Pair pair, const RowSlices &ofRows,
                                        const KeyRange &range,
                                        const KeyRanges &span, Value steps,
                                        SmallVector<Value> state) {
  return createLoop(
      b, loc, steps, state,
      [&](OpFoldResult i, ValueRange carried) -> SmallVector<Value> {
        OpFoldResult offset =
            math.apply(d(0) + d(1) * range.step, {range.begin, i});
        pair.keyTile = math.apply(d(0).floorDiv(sizes.key), {offset});
        pair.keys = countKeys(range, offset);
        SmallVector<Value> sums(carried.take_front(hasFieldGradient ? 2 : 1));
        SmallVector<Value> slices;
        for (Value slab : carried.drop_front(sums.size()))
          slices.push_back(sliceRows(b, loc, slab, {}, offset, pair.keys));
        size_t own = sums.size();
        llvm::append_range(sums, slices);
        BackwardTileOp step = createStep(pair, ofRows, sliceKeysOf(pair), span,
                                         GradientPart::Queries, sums);
        SmallVector<Value> next(step->getResults().take_front(own));
        for (auto [changed, slice, slab] :
             llvm::zip_equal(step->getResults().drop_front(own), slices,
                             carried.drop_front(own)))
          next.push_back(putBack(b, loc, changed, slice, slab));
        return next;
      });
}

/// The same where the keys of whole groups may be left out.
SmallVector<Value> QueryWalk::walkGroups(const Pair &pair,
                                         const RowSlices &ofRows,
                                         const KeyRange &range,
                                         const KeyRanges &span,
                                         SmallVector<Value> state) {
  PairPruning &pruning = *inputs.pruning;
  int64_t keys = pruning.getKeys(), ofGroup = keys / sizes.key;
  PairPruning::Head head = headOfGroups(pair);
  PairPruning::Rows rows = pruning.describe(
      head, math.apply(d(0).floorDiv(pruning.getRows() / sizes.query),
                       {pair.queryTile}));
  OpFoldResult begin = math.apply(d(0).floorDiv(keys), {range.begin});
  OpFoldResult end = math.apply(d(0).ceilDiv(keys), {range.end});
  auto one = [&](OpFoldResult group) {
    return pruning.needs(head, rows, group);
  };
  auto all = [&] { return pruning.needsAllKeys(head, rows, begin); };
  // Nothing is carried from what is left out there.
  auto left = [&](OpFoldResult group) {
    return pruning.needsKeysUpTo(head, rows, group);
  };
  return pruning.walk(
      begin, end,
      {one, all, left, math.apply(d(0).floorDiv(keys), {rows.full.end})}, state,
      [&](OpFoldResult group, Value keep, OpFoldResult next,
          ValueRange carried) {
        // In tiles, so that nothing is divided in the loop over them.
        auto toTile = [&](OpFoldResult key) {
          return math.apply(d(0).floorDiv(sizes.key), {key});
        };
        OpFoldResult first =
            math.max(toTile(range.begin), math.apply(d(0) * ofGroup, {group}));
        OpFoldResult last =
            math.min({d(0), d(1) * ofGroup}, {toTile(range.end), next});
        KeyRange part = range;
        part.begin = keyBegin(first);
        part.end = keyBegin(last);
        Value steps =
            arith::MulIOp::create(b, loc, keep, math.value(stepsOf(part)));
        SmallVector<Value> sums = walkTiles(pair, ofRows, part, span, steps,
                                            SmallVector<Value>(carried));
        if (!hasFieldGradient)
          return sums;
        Value drop = arith::SubIOp::create(b, loc, math.value(index(1)), keep);
        return passGroup(pair, group, span, drop, sums);
      },
      countsKeys() ? &leftOut : nullptr);
}

/// Where `drop` is 1 the carry passes a full group. It ends in none of its
/// blocks unless the minimum of the group is below what lies to its right.
SmallVector<Value> QueryWalk::passGroup(Pair pair, OpFoldResult group,
                                        const KeyRanges &span, Value drop,
                                        ArrayRef<Value> state) {
  constexpr size_t carry = 1, ofSuffix = 2;
  int64_t tiles = inputs.blockKeys / sizes.key;
  int64_t all = inputs.pruning->getKeys() / sizes.key;
  auto passBlock = [&](OpFoldResult i, ValueRange sums) -> SmallVector<Value> {
    pair.keyTile = math.apply(d(0) * all + d(1) * tiles, {group, i});
    pair.keys = index(sizes.key);
    KeySlices ofKeys = sliceKeysOf(pair);
    Value slice =
        sliceRows(b, loc, sums[1], {}, keyBegin(pair.keyTile), pair.keys);
    SmallVector<Value> outs = {sums[0], slice};
    auto step = PassCarryOp::create(
        b, loc, ValueRange(outs).getTypes(), ofKeys.field, ofKeys.suffix,
        sliceMinimum(pair),
        findPassed(pair, math.apply(d(0) + tiles, {pair.keyTile}), span), outs);
    return {step.getResult(0),
            putBack(b, loc, step.getResult(1), slice, sums[1])};
  };
  SmallVector<Value> next(state);
  SmallVector<Value> passed = createLoop(
      b, loc, drop, {state[carry], state[ofSuffix]},
      [&](OpFoldResult, ValueRange sums) {
        OpFoldResult begin = math.apply(d(0) * all, {group});
        OpFoldResult end = math.apply(d(0) + all, {begin});
        Value least =
            inputs.runs->find(math, pair.batch, pair.fieldHead, begin, end);
        Value mayEnd =
            arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                  findPassed(pair, end, span), least);
        Value blocks = arith::SelectOp::create(b, loc, mayEnd,
                                               math.value(index(all / tiles)),
                                               math.value(index(0)));
        return createLoop(b, loc, blocks, sums, passBlock);
      });
  next[carry] = passed[0];
  next[ofSuffix] = passed[1];
  return next;
}
