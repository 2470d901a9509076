//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The backward of attention becomes a parallel loop over key heads and chunks
// of query tiles. An iteration walks the keys of each of its query tiles from
// left to right and adds to gradients of keys and values that are its own; the
// sums over chunks come after the loop, in a fixed order. How many chunks there
// are depends on the sizes alone, so that results do not depend on threads.

#include "BackwardWalk.h"
#include "KeyPruning.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// Iterations that keep a machine busy where there are fewer key heads.
constexpr int64_t kWantedIterations = 16;

/// What the chunks add up: gradients with the chunk as dimension 2, and the
/// slices of them that one iteration owns.
enum Sum : unsigned { Query, Key, Value_, Level, Suffix, Field };

class BackwardTiler : private BackwardWalk {
public:
  BackwardTiler(RewriterBase &rewriter, AttentionBackwardOp op,
                const AttentionTileSizes &sizes)
      : BackwardWalk(rewriter, op, sizes) {}

  std::pair<scf::ForallOp, SmallVector<Value>> run();

private:
  struct QueryTile {
    OpFoldResult batch, head, keyHead, fieldHead, ownHead, ownField, begin,
        rows;
    Value query, outputGradient, lse, delta;
    Value first, last, minima, beta;
    KeyPruning::Rows pruned;
    /// With pruning: 1 unless all keys to the left of some were left out, and
    /// the first key of the inner range that is looked at.
    Value goesOn;
    OpFoldResult innerBegin;
  };

  void createChunks();
  void createBody(scf::ForallOp forall);
  SmallVector<Value> walkTile(QueryTile &tile, SmallVector<Value> sums);
  void findMinima(QueryTile &tile, ArrayRef<KeyRange> ranges);
  SmallVector<Value> passTile(const QueryTile &tile, const KeyRange &range,
                              OpFoldResult offset, OpFoldResult at,
                              ValueRange state);
  SmallVector<Value> passOrEnd(const QueryTile &tile, const KeyRange &range,
                               OpFoldResult offset, OpFoldResult at,
                               ValueRange state);
  KeyRange cutOff(const QueryTile &tile, const KeyRange &range);
  SmallVector<Value> walkKeys(const QueryTile &tile, const KeyRange &range,
                              OpFoldResult step, SmallVector<Value> state);
  SmallVector<Value> createStep(const QueryTile &tile, const KeyRange &range,
                                OpFoldResult offset, Value minimum,
                                ArrayRef<Value> state);
  SmallVector<Value> createPrunedStep(const QueryTile &tile,
                                      const KeyRange &range,
                                      OpFoldResult offset, Value minimum,
                                      ArrayRef<Value> state);
  SmallVector<Value> passCarry(const QueryTile &tile, const KeyRange &range,
                               OpFoldResult offset, Value minimum,
                               ValueRange state);
  Value findEnd(const QueryTile &tile);
  /// The place of a query tile's first row in its chunk.
  OpFoldResult rowOfChunk(const QueryTile &tile) {
    return math.apply(b.getAffineDimExpr(0) - b.getAffineDimExpr(1),
                      {tile.begin, chunkBegin});
  }
  Value finishQueries(const QueryTile &tile, Value sum, Value slab);

  Value sliceKeys(Value source, const QueryTile &tile, OpFoldResult head,
                  OpFoldResult offset, OpFoldResult count) {
    return sliceOf(source, {tile.batch, head}, offset, count);
  }
  Value sliceQueries(Value source, const QueryTile &tile) {
    return sliceOf(source, {tile.batch, tile.head}, tile.begin, tile.rows);
  }
  OpFoldResult chunks, tilesOfChunk, group, fieldGroup;
  OpFoldResult chunkBegin;
  std::optional<KeyPruning> pruning;
};

} // namespace

/// As many chunks of query tiles as make the wanted iterations, and no more
/// than there are tiles.
void BackwardTiler::createChunks() {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult heads = math.value(math.dim(op.getKey(), 1));
  OpFoldResult batches = math.dim(op.getKey(), 0);
  std::optional<int64_t> h = getConstantIntValue(math.dim(op.getKey(), 1)),
                         n = getConstantIntValue(batches);
  OpFoldResult alone =
      h && n ? index(*h * *n)
             : OpFoldResult(arith::MulIOp::create(b, loc, math.value(heads),
                                                  math.value(batches))
                                .getResult());
  OpFoldResult tiles = math.max(countTiles(), index(1));
  OpFoldResult wanted = divide(math, index(kWantedIterations),
                               math.max(alone, index(1)), /*up=*/true);
  chunks = math.min({d0, d1}, {wanted, tiles});
  tilesOfChunk = divide(math, tiles, chunks, /*up=*/true);
}

std::pair<scf::ForallOp, SmallVector<Value>> BackwardTiler::run() {
  createInputs();
  createDelta(sizes.query, sizes.query);
  if (isPruned(op))
    pruning.emplace(static_cast<KeyWalk &>(*this));
  createChunks();
  SmallVector<Value> outs = {op.getOuts()[0], createSums(op.getKey(), chunks),
                             createSums(op.getValue(), chunks)};
  if (hasFieldGradient)
    for (int i = 0; i < 3; ++i)
      outs.push_back(createSums(op.getField(), chunks));
  size_t sumsEnd = outs.size();
  if (countsKeys())
    llvm::append_range(outs, op.getNumbers());
  SmallVector<OpFoldResult> bounds = {math.dim(op.getKey(), 0),
                                      math.dim(op.getKey(), 1), chunks};
  auto forall =
      scf::ForallOp::create(b, loc, bounds, outs, createWorkItems(b, bounds));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forall.getBody());
    createBody(forall);
  }
  SmallVector<Value> sums;
  for (Value partial : forall.getResults().slice(1, sumsEnd - 1))
    sums.push_back(addChunks(partial));
  SmallVector<Value> results = {
      forall.getResult(0),
      scaleInto(sums[Key - 1], op.getScaleValue(), op.getOuts()[1]),
      scaleInto(sums[Value_ - 1], 1.0, op.getOuts()[2])};
  if (hasFieldGradient) {
    results.push_back(addFieldParts(
        sums[Level - 1], {{{sums[Suffix - 1]}, sizes.key}}, sums[Field - 1]));
    if (op.getLevel())
      results.push_back(scaleInto(sums[Level - 1], 1.0, op.getOuts()[4]));
  }
  llvm::append_range(results, forall.getResults().drop_front(sumsEnd));
  addUncounted(results);
  return {forall, results};
}

void BackwardTiler::createBody(scf::ForallOp forall) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  SmallVector<OpFoldResult> ids =
      getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
  OpFoldResult batch = ids[0], keyHead = ids[1], chunk = ids[2];
  // The divisions stay inside the loop, where there is a head to divide by.
  OpFoldResult heads = math.dim(op.getKey(), 1);
  group = divide(math, math.dim(op.getQuery(), 1), heads, /*up=*/false);
  OpFoldResult firstHead = multiply(math, keyHead, group), firstField;
  if (op.getField()) {
    fieldGroup = divide(math, math.dim(op.getField(), 1), heads, /*up=*/false);
    firstField = multiply(math, keyHead, fieldGroup);
  }

  OpFoldResult tileBegin = multiply(math, chunk, tilesOfChunk);
  OpFoldResult rowsOfChunk = math.apply(d0 * sizes.query, {tilesOfChunk});
  chunkBegin = math.min({d0 * sizes.query, d1}, {tileBegin, queryLength});
  OpFoldResult rows = math.min(
      {d0, d1}, {rowsOfChunk, math.apply(d0 - d1, {queryLength, chunkBegin})});
  OpFoldResult tiles = math.apply(d0.ceilDiv(sizes.query), {rows});

  // The parts that this iteration owns.
  SmallVector<Value> slabs;
  OpFoldResult zeroIndex = index(0), one = index(1);
  auto take = [&](Value source, ArrayRef<OpFoldResult> offsets,
                  ArrayRef<OpFoldResult> extents, ArrayRef<unsigned> dropped) {
    slabs.push_back(takeSlice(b, loc, source, offsets, extents, dropped));
  };
  auto outs = forall.getRegionIterArgs();
  take(outs[Query], {batch, firstHead, chunkBegin, zeroIndex},
       {one, group, rows, math.dim(op.getQuery(), 3)}, {0});
  for (auto [out, source] : {std::pair(outs[Key], op.getKey()),
                             std::pair(outs[Value_], op.getValue())})
    take(out, {batch, keyHead, chunk, zeroIndex, zeroIndex},
         {one, one, one, keyLength, math.dim(source, 3)}, {0, 1, 2});
  if (hasFieldGradient)
    for (Value out : outs.slice(Level, 3))
      take(out, {batch, firstField, chunk, zeroIndex},
           {one, fieldGroup, one, keyLength}, {0, 2});
  for (Value out : outs.drop_front(slabs.size()))
    take(out, {batch, firstHead, chunkBegin}, {one, group, rows}, {0});

  SmallVector<Value> sums = createLoop(
      b, loc, math.value(group), slabs, [&](OpFoldResult u, ValueRange outer) {
        return createLoop(
            b, loc, math.value(tiles), outer,
            [&](OpFoldResult n, ValueRange inner) {
              QueryTile tile;
              tile.batch = batch;
              tile.keyHead = keyHead;
              tile.ownHead = u;
              tile.head = math.apply(d0 + d1, {firstHead, u});
              if (op.getField()) {
                tile.fieldHead = headOf(op.getField(), tile.head);
                tile.ownField =
                    math.apply(d0 - d1, {tile.fieldHead, firstField});
              }
              tile.begin = math.apply(d0 + d1 * sizes.query, {chunkBegin, n});
              tile.rows = countRows(tile.begin);
              return walkTile(tile, SmallVector<Value>(inner));
            });
      });

  insertInParallel(b, loc, forall, sums, slabs);
}

/// All keys of one query tile.
SmallVector<Value> BackwardTiler::walkTile(QueryTile &tile,
                                           SmallVector<Value> sums) {
  // Outside of the loops over keys, which read them once.
  tile.query = sliceQueries(op.getQuery(), tile);
  tile.outputGradient = sliceQueries(op.getOutputGradient(), tile);
  tile.lse = sliceQueries(op.getLse(), tile);
  tile.delta = sliceQueries(delta, tile);
  tile.first = sliceRows(b, loc, first, {}, tile.begin, tile.rows);
  tile.last = sliceRows(b, loc, last, {}, tile.begin, tile.rows);
  tile.beta = loadBeta();
  KeyRanges split = splitKeys(tile.begin, tile.rows);
  SmallVector<KeyRange> ranges;
  if (split.left)
    ranges.push_back(*split.left);
  ranges.append({split.inner, split.right});
  if (pruning)
    tile.pruned = pruning->describe(tile.batch, tile.keyHead, tile.fieldHead,
                                    tile.query, split);
  if (op.getField())
    findMinima(tile, ranges);

  // The query tile's own sums come first, then the carry, then the slabs.
  int64_t rows = sizes.query, width = op.getQueryType().getDimSize(3);
  SmallVector<Value> state = {fill({rows, width}, zero())};
  if (hasFieldGradient)
    state.push_back(fill({rows}, zero()));
  size_t own = state.size();
  ValueRange numbers = ArrayRef(sums).take_back(countsKeys() ? 2 : 0);
  llvm::append_range(state,
                     ArrayRef(sums).drop_front().drop_back(numbers.size()));
  // Keys of tiles that were passed over.
  if (countsKeys())
    state.push_back(math.value(index(0)));
  OpFoldResult step = index(0);
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  for (const KeyRange &range : ranges) {
    KeyRange part = cutOff(tile, range);
    OpFoldResult begin =
        math.apply(d0 + (d1 - b.getAffineDimExpr(2)).floorDiv(range.step),
                   {step, part.begin, range.begin});
    state = walkKeys(tile, part, begin, state);
    step = math.apply(d0 + d1, {step, stepsOf(range)});
  }
  Value passed = countsKeys() ? state.pop_back_val() : Value();
  SmallVector<Value> next = {finishQueries(tile, state[0], sums[Query])};
  llvm::append_range(next, ArrayRef(state).drop_front(own));
  if (countsKeys())
    llvm::append_range(next,
                       putNumbers({tile.ownHead}, rowOfChunk(tile), tile.rows,
                                  tile.first, passed, findEnd(tile), numbers));
  return next;
}

/// The key at which the walk ended early, or the first that any row sees.
Value BackwardTiler::findEnd(const QueryTile &tile) {
  Value goesOn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                       tile.goesOn, math.value(index(0)));
  return arith::SelectOp::create(b, loc, goesOn, math.value(tile.pruned.begin),
                                 math.value(tile.innerBegin));
}

/// R_i at the right end of every step: the running minimum, from right to left.
/// With pruning also where this walk, and with it that from left to right, may
/// end.
void BackwardTiler::findMinima(QueryTile &tile, ArrayRef<KeyRange> ranges) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult steps = index(0);
  for (const KeyRange &range : ranges)
    steps = math.apply(d0 + d1, {steps, stepsOf(range)});
  int64_t rows = sizes.query;
  SmallVector<Value> state = {
      tensor::EmptyOp::create(b, loc, {steps, index(rows)}, accumulator),
      fill({rows}, APFloat::getInf(accumulator.getFloatSemantics()))};
  OpFoldResult end = steps;
  for (const KeyRange &range : llvm::reverse(ranges)) {
    bool mayEnd = pruning && !range.isEdge;
    if (mayEnd)
      state.append({math.value(index(1)), math.value(range.begin)});
    state =
        createLoop(b, loc, math.value(stepsOf(cutOff(tile, range))), state,
                   [&](OpFoldResult i, ValueRange carried) {
                     OpFoldResult offset =
                         math.apply(d0 - (d1 + 1) * range.step, {range.end, i});
                     OpFoldResult at = math.apply(d0 - d1 - 1, {end, i});
                     return mayEnd ? passOrEnd(tile, range, offset, at, carried)
                                   : passTile(tile, range, offset, at, carried);
                   });
    if (mayEnd) {
      tile.innerBegin = state.pop_back_val();
      tile.goesOn = state.pop_back_val();
    }
    end = math.apply(d0 - d1, {end, stepsOf(range)});
  }
  tile.minima = state[0];
}

/// Stores the running minimum as step `at`'s and moves it past the tile at
/// `offset`.
SmallVector<Value> BackwardTiler::passTile(const QueryTile &tile,
                                           const KeyRange &range,
                                           OpFoldResult offset, OpFoldResult at,
                                           ValueRange state) {
  Value stored = tensor::InsertSliceOp::create(
      b, loc, state[1], state[0], ArrayRef<OpFoldResult>{at, index(0)},
      ArrayRef<OpFoldResult>{index(1), index(sizes.query)},
      ArrayRef<OpFoldResult>{index(1), index(1)});
  OpFoldResult count = countKeys(range, offset);
  Value field = sliceKeys(op.getField(), tile, tile.fieldHead, offset, count);
  Value inTile;
  if (!range.isEdge)
    inTile =
        sliceKeys(suffix.getResult(0), tile, tile.fieldHead, offset, count);
  auto passed = PassFieldOp::create(b, loc, state[1].getType(), field, inTile,
                                    range.isEdge ? tile.last : Value(),
                                    range.isEdge ? math.value(offset) : Value(),
                                    state[1]);
  return {stored, passed.getResult(0)};
}

/// The same, unless no row needs any key from here on to the left.
SmallVector<Value> BackwardTiler::passOrEnd(const QueryTile &tile,
                                            const KeyRange &range,
                                            OpFoldResult offset,
                                            OpFoldResult at, ValueRange state) {
  return createLoop(
      b, loc, state[2], state,
      [&](OpFoldResult, ValueRange carried) -> SmallVector<Value> {
        Value more =
            pruning->needs(tile.pruned, pruning->upToTile(tile.pruned, offset),
                           carried[1], /*maximum=*/Value(), tile.lse);
        Value none = math.value(index(0));
        Value isLast =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, more, none);
        Value behind = math.value(
            math.apply(b.getAffineDimExpr(0) + range.step, {offset}));
        Value begin =
            arith::SelectOp::create(b, loc, isLast, behind, carried[3]);
        SmallVector<Value> next = passTile(tile, range, offset, at, carried);
        next.append({more, begin});
        return next;
      });
}

/// What is left of a range where the walk ends early.
KeyRange BackwardTiler::cutOff(const QueryTile &tile, const KeyRange &range) {
  KeyRange part = range;
  if (!tile.goesOn)
    return part;
  if (!range.isEdge)
    part.begin = tile.innerBegin;
  else if (range.begin == tile.pruned.begin) {
    // The left edge.
    Value goesOn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                         tile.goesOn, math.value(index(0)));
    part.end = arith::SelectOp::create(b, loc, goesOn, math.value(range.end),
                                       math.value(range.begin))
                   .getResult();
  }
  return part;
}

/// Adds what the keys of `range` contribute, from left to right. `step` is the
/// number of steps to its left.
SmallVector<Value> BackwardTiler::walkKeys(const QueryTile &tile,
                                           const KeyRange &range,
                                           OpFoldResult step,
                                           SmallVector<Value> state) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  return createLoop(
      b, loc, math.value(stepsOf(range)), state,
      [&](OpFoldResult i, ValueRange carried) {
        OpFoldResult offset =
            math.apply(d0 + d1 * range.step, {range.begin, i});
        Value minimum;
        if (op.getField()) {
          auto type = RankedTensorType::get({sizes.query}, accumulator);
          OpFoldResult at = math.apply(d0 + d1, {step, i});
          minimum = tensor::ExtractSliceOp::create(
              b, loc, type, tile.minima, ArrayRef<OpFoldResult>{at, index(0)},
              ArrayRef<OpFoldResult>{index(1), index(sizes.query)},
              ArrayRef<OpFoldResult>{index(1), index(1)});
        }
        SmallVector<Value> values(carried);
        if (pruning && !range.isEdge)
          return createPrunedStep(tile, range, offset, minimum, values);
        Value passed = countsKeys() ? values.pop_back_val() : Value();
        values = createStep(tile, range, offset, minimum, values);
        if (passed)
          values.push_back(passed);
        return values;
      });
}

/// A step, or where no row needs the tile what the carry does without it.
SmallVector<Value> BackwardTiler::createPrunedStep(const QueryTile &tile,
                                                   const KeyRange &range,
                                                   OpFoldResult offset,
                                                   Value minimum,
                                                   ArrayRef<Value> state) {
  Value keep = pruning->needs(tile.pruned, pruning->ofTile(tile.pruned, offset),
                              minimum, /*maximum=*/Value(), tile.lse);
  Value passed;
  if (countsKeys()) {
    passed = state.back();
    state = state.drop_back();
  }
  SmallVector<Value> next = pruning->visitIfNeeded(
      keep, offset, state, [&](OpFoldResult at, ValueRange carried) {
        return createStep(tile, range, at, minimum,
                          SmallVector<Value>(carried));
      });
  Value drop = arith::SubIOp::create(b, loc, math.value(index(1)), keep);
  if (hasFieldGradient)
    next = pruning->visitIfNeeded(
        drop, offset, next, [&](OpFoldResult at, ValueRange carried) {
          return passCarry(tile, range, at, minimum, carried);
        });
  if (countsKeys()) {
    Value keys =
        arith::MulIOp::create(b, loc, drop, math.value(index(range.step)));
    next.push_back(arith::AddIOp::create(b, loc, passed, keys));
  }
  return next;
}

SmallVector<Value> BackwardTiler::passCarry(const QueryTile &tile,
                                            const KeyRange &range,
                                            OpFoldResult offset, Value minimum,
                                            ValueRange state) {
  // Behind the query tile's own sums and those of key and value.
  constexpr size_t carry = 1, level = 4, ofSuffix = level + 1;
  OpFoldResult count = countKeys(range, offset);
  Value slice =
      sliceRows(b, loc, state[ofSuffix], {tile.ownField}, offset, count);
  SmallVector<Value> outs = {state[carry], slice};
  auto passed = PassCarryOp::create(
      b, loc, ValueRange(outs).getTypes(),
      sliceKeys(op.getField(), tile, tile.fieldHead, offset, count),
      sliceKeys(suffix.getResult(0), tile, tile.fieldHead, offset, count),
      minimum, /*passed=*/Value(), outs);
  SmallVector<Value> next(state);
  next[carry] = passed.getResult(0);
  next[ofSuffix] = putBack(b, loc, passed.getResult(1), slice, state[ofSuffix]);
  return next;
}

SmallVector<Value> BackwardTiler::createStep(const QueryTile &tile,
                                             const KeyRange &range,
                                             OpFoldResult offset, Value minimum,
                                             ArrayRef<Value> state) {
  OpFoldResult count = countKeys(range, offset);
  // The op's outs: gradients of query, key, value, then carry and the rest.
  size_t own = hasFieldGradient ? 2 : 1;
  SmallVector<Value> slices;
  for (auto [place, slab] : llvm::enumerate(state.drop_front(own)))
    slices.push_back(
        place < 2 ? sliceRows(b, loc, slab, {}, offset, count)
                  : sliceRows(b, loc, slab, {tile.ownField}, offset, count));
  SmallVector<Value> outs = {state[0], slices[0], slices[1]};
  if (hasFieldGradient) {
    outs.push_back(state[1]);
    outs.append({slices[2], slices[3], slices[4]});
  }
  bool isEdge = range.isEdge;
  auto keys = [&](Value source, OpFoldResult head) {
    return sliceKeys(source, tile, head, offset, count);
  };
  Value inTile;
  if (suffix && !isEdge)
    inTile = keys(suffix.getResult(0), tile.fieldHead);
  auto step = BackwardTileOp::create(
      b, loc, ValueRange(outs).getTypes(), tile.query,
      keys(op.getKey(), tile.keyHead), keys(op.getValue(), tile.keyHead),
      tile.outputGradient, tile.lse, tile.delta,
      keys(op.getField(), tile.fieldHead), keys(op.getLevel(), tile.fieldHead),
      inTile, minimum, /*passed=*/Value(), /*least=*/Value(), /*ends=*/Value(),
      /*below=*/Value(), /*above=*/Value(), tile.beta,
      isEdge ? tile.first : Value(), isEdge ? tile.last : Value(),
      isEdge ? math.value(offset) : Value(), outs,
      b.getF64FloatAttr(op.getScaleValue()), op.getSmoothAttr());

  SmallVector<Value> next = {step.getResult(0)};
  if (hasFieldGradient)
    next.push_back(step.getResult(3));
  SmallVector<unsigned> results = {1, 2};
  if (hasFieldGradient)
    results.append({4, 5, 6});
  for (auto [result, slice, slab] :
       llvm::zip_equal(results, slices, state.drop_front(own)))
    next.push_back(putBack(b, loc, step.getResult(result), slice, slab));
  return next;
}

/// Writes the gradient of the tile's query rows into the chunk's.
Value BackwardTiler::finishQueries(const QueryTile &tile, Value sum,
                                   Value slab) {
  Value slice =
      sliceRows(b, loc, slab, {tile.ownHead}, rowOfChunk(tile), tile.rows);
  auto rows = BackwardFinalizeOp::create(b, loc, slice.getType(), sum, slice,
                                         b.getF64FloatAttr(op.getScaleValue()));
  return putBack(b, loc, rows.getResult(0), slice, slab);
}

FailureOr<scf::ForallOp>
mlir::fpa::tileAttentionBackward(RewriterBase &rewriter, AttentionBackwardOp op,
                                 const AttentionTileSizes &sizes) {
  if (failed(checkTileable(op, sizes)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto [forall, results] = BackwardTiler(rewriter, op, sizes).run();
  rewriter.replaceOp(op, results);
  return forall;
}
