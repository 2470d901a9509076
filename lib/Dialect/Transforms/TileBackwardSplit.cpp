//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBackwardSplit.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fpa;

OpFoldResult SplitWalk::getLine(OpFoldResult block, OpFoldResult keyTile) {
  return math.apply(d(0) * linesOfBlock() + d(1) + 1, {block, keyTile});
}

OpFoldResult SplitWalk::blockOf(OpFoldResult queryTile) {
  int64_t tiles = tilesOfBlock();
  return tiles == 1 ? queryTile : math.apply(d(0).floorDiv(tiles), {queryTile});
}

KeyRanges SplitWalk::splitKeysOf(OpFoldResult queryTile) {
  int64_t rows = inputs.blockRows;
  OpFoldResult begin = math.apply(d(0) * rows, {blockOf(queryTile)});
  return splitKeys(begin, countRows(begin, rows), inputs.blockKeys);
}

scf::ForallOp MinimaWalk::run() {
  OpFoldResult tiles = countTiles(), one = index(1);
  OpFoldResult rows = index(sizes.query);
  SmallVector<OpFoldResult> bounds = {math.dim(op.getField(), 0),
                                      math.dim(op.getField(), 1), tiles};
  auto createEmpty = [&](OpFoldResult lines) -> Value {
    return tensor::EmptyOp::create(
        b, loc, ArrayRef<OpFoldResult>{bounds[0], bounds[1], lines, rows},
        accumulator);
  };
  Value outs[] = {createEmpty(math.apply(d(0) * linesOfBlock() + d(1),
                                         {tiles, countKeyTiles()})),
                  createEmpty(tiles)};
  auto forall =
      scf::ForallOp::create(b, loc, bounds, outs, createWorkItems(b, bounds));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forall.getBody());
  SmallVector<OpFoldResult> ids =
      getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
  OpFoldResult begin = rowBegin(ids[2]), own = countRows(begin);
  KeyRange right = splitKeysOf(ids[2]).right;
  OpFoldResult steps = stepsOf(right);
  Value lastKeys = sliceRows(b, loc, last, {}, begin, own);
  OpFoldResult before = math.apply(d(0).floorDiv(sizes.key) - 1, {right.begin});
  Value ofTile =
      takeSlice(b, loc, forall.getRegionIterArgs()[0],
                {ids[0], ids[1], getLine(ids[2], before), index(0)},
                {one, one, math.apply(d(0) + 1, {steps}), rows}, {0, 1});
  auto lineOf = [&](Value all, OpFoldResult at) {
    return takeSlice(b, loc, all, {at, index(0)}, {one, rows}, {0});
  };
  Value end = takeSlice(b, loc, forall.getRegionIterArgs()[1],
                        {ids[0], ids[1], ids[2], index(0)},
                        {one, one, one, rows}, {0, 1, 2});
  // To the right of the last key there is nothing.
  APFloat infinity = APFloat::getInf(accumulator.getFloatSemantics());
  Value top = lineOf(ofTile, steps);
  Value none = arith::ConstantFloatOp::create(b, loc, accumulator, infinity);
  Value lines =
      putBack(b, loc, linalg::FillOp::create(b, loc, none, top).getResult(0),
              top, ofTile);
  SmallVector<Value> found = createLoop(
      b, loc, math.value(steps),
      {lines, linalg::FillOp::create(b, loc, none, end).getResult(0)},
      [&](OpFoldResult i, ValueRange state) -> SmallVector<Value> {
        OpFoldResult at = math.apply(d(0) - d(1) - 1, {steps, i});
        OpFoldResult offset =
            math.apply(d(0) + d(1) * right.step, {right.begin, at});
        Value line = lineOf(state[0], at);
        auto passed = PassFieldOp::create(
            b, loc, TypeRange{state[1].getType(), line.getType()},
            sliceOf(op.getField(), {ids[0], ids[1]}, offset,
                    countKeys(right, offset)),
            /*suffix=*/Value(), lastKeys, math.value(offset),
            ValueRange{state[1], line});
        return {putBack(b, loc, passed.getResult(1), line, state[0]),
                passed.getResult(0)};
      });
  insertInParallel(b, loc, forall, found, {ofTile, end});
  return forall;
}

SplitWalk::RowSlices SplitWalk::sliceRowsOf(const Pair &pair) {
  OpFoldResult begin = rowBegin(pair.queryTile);
  auto slice = [&](Value source) {
    return sliceOf(source, {pair.batch, pair.head}, begin, pair.rows);
  };
  return {slice(op.getQuery()),
          slice(op.getOutputGradient()),
          slice(op.getLse()),
          sliceRows(b, loc, delta, {pair.batch, pair.head}, begin,
                    index(sizes.query)),
          sliceOf(first, {}, begin, pair.rows),
          sliceOf(last, {}, begin, pair.rows)};
}

SplitWalk::KeySlices SplitWalk::sliceKeysOf(const Pair &pair) {
  OpFoldResult begin = keyBegin(pair.keyTile);
  auto slice = [&](Value source, OpFoldResult head) {
    return sliceOf(source, {pair.batch, head}, begin, pair.keys);
  };
  return {slice(op.getKey(), pair.keyHead), slice(op.getValue(), pair.keyHead),
          slice(op.getField(), pair.fieldHead),
          slice(op.getLevel(), pair.fieldHead),
          op.getField() ? slice(suffix.getResult(0), pair.fieldHead) : Value()};
}

Value SplitWalk::sliceMinimum(const Pair &pair) {
  OpFoldResult block = blockOf(pair.queryTile), one = index(1);
  return takeSlice(b, loc, pair.isRight ? inputs.written : inputs.ends,
                   {pair.batch, pair.fieldHead,
                    pair.isRight ? getLine(block, pair.keyTile) : block,
                    rowInBlock(pair)},
                   {one, one, one, index(sizes.query)}, {0, 1, 2});
}

/// The place of a query tile's first row in its block.
OpFoldResult SplitWalk::rowInBlock(const Pair &pair) {
  int64_t tiles = tilesOfBlock();
  return tiles == 1
             ? index(0)
             : math.apply((d(0) % tiles) * sizes.query, {pair.queryTile});
}

/// D_i of a row of the query tile's block, left of where rows differ.
Value SplitWalk::findEnd(const Pair &pair, OpFoldResult row) {
  return tensor::ExtractOp::create(
      b, loc, inputs.ends,
      ValueRange{math.value(pair.batch), math.value(pair.fieldHead),
                 math.value(blockOf(pair.queryTile)), math.value(row)});
}

Value SplitWalk::findPassed(const Pair &pair, OpFoldResult end,
                            const KeyRanges &span) {
  return inputs.runs->find(
      math, pair.batch, pair.fieldHead, end,
      math.apply(d(0).floorDiv(sizes.key), {span.right.begin}));
}

/// The minimum of the `tiles` that a full one shares suffixes with; null where
/// nothing is worth a branch.
Value SplitWalk::findLeast(const Pair &pair, int64_t tiles) {
  if (!sizes.commonMinimum || !llvm::isPowerOf2_64(tiles))
    return {};
  OpFoldResult begin =
      tiles == 1 ? pair.keyTile
                 : math.apply(d(0).floorDiv(tiles) * tiles, {pair.keyTile});
  return inputs.runs->get(math, pair.batch, pair.fieldHead, begin, tiles);
}

/// Whether `most`, which no R_i of a full tile is above, is below all fields
/// and levels of the tile. `least` is of the fields.
Value SplitWalk::findBelow(const Pair &pair, Value most, Value least) {
  auto isLess = [&](Value x, Value y) -> Value {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x, y);
  };
  Value below = isLess(most, least);
  if (!inputs.levels)
    return below;
  return arith::AndIOp::create(b, loc, below,
                               isLess(most, ofKeyTile(pair, inputs.levels)));
}

/// Whether what lies between a full tile and its last row is below no level of
/// the tile: nothing that any row sees to the right of it is.
Value SplitWalk::findAbove(const Pair &pair, Value passed, Value ofLastRow) {
  Value least = arith::MinimumFOp::create(b, loc, passed, ofLastRow);
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, least,
                               ofKeyTile(pair, inputs.largestLevels));
}

/// The number of a pair's key tile.
Value SplitWalk::ofKeyTile(const Pair &pair, Value all) {
  return tensor::ExtractOp::create(b, loc, all,
                                   ValueRange{math.value(pair.batch),
                                              math.value(pair.fieldHead),
                                              math.value(pair.keyTile)});
}

/// Whether carries may end in a full tile, or null where that is known of all:
/// in the first of `tiles` that share suffixes and, if `least` is known, where
/// that is below `most`, which no R_i is above.
Value SplitWalk::findEnds(const Pair &pair, int64_t tiles, Value most,
                          Value least) {
  Value isFirst;
  if (tiles > 1)
    isFirst = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq,
        math.value(math.apply(d(0) % tiles, {pair.keyTile})),
        math.value(index(0)));
  if (!least)
    return isFirst;
  Value isBelow =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, most, least);
  return isFirst ? arith::AndIOp::create(b, loc, isFirst, isBelow).getResult()
                 : isBelow;
}

BackwardTileOp SplitWalk::createStep(const Pair &pair, const RowSlices &ofRows,
                                     const KeySlices &ofKeys,
                                     const KeyRanges &span, GradientPart part,
                                     ValueRange sums) {
  Value minimum, passed, least, ends, below, above;
  if (op.getField()) {
    minimum = sliceMinimum(pair);
    // Suffixes of full tiles reach to the end of the tile's block.
    int64_t tiles = pair.isEdge ? 1 : inputs.blockKeys / sizes.key;
    if (!pair.isRight)
      passed = findPassed(pair,
                          tiles == 1
                              ? math.apply(d(0) + 1, {pair.keyTile})
                              : math.apply(d(0).floorDiv(tiles) * tiles + tiles,
                                           {pair.keyTile}),
                          span);
    if (!pair.isEdge)
      least = findLeast(pair, tiles);
    // R_i never rises along rows. Rows that the tile does not have get no more
    // than that of the first one, too.
    if (least)
      passed = arith::MinimumFOp::create(b, loc, passed,
                                         findEnd(pair, rowInBlock(pair)));
    if (!pair.isEdge && hasFieldGradient && part == GradientPart::Queries)
      ends = findEnds(pair, tiles, passed, least);
    if (least && !op.getSmooth() && !op.getBeta())
      below = findBelow(pair, passed, least);
    // Where all minima are below the tile nobody asks.
    if (below)
      above =
          scf::IfOp::create(
              b, loc, below,
              [&](OpBuilder &, Location) {
                scf::YieldOp::create(
                    b, loc,
                    arith::ConstantIntOp::create(b, loc, 0, 1).getResult());
              },
              [&](OpBuilder &, Location) {
                OpFoldResult lastRow =
                    math.apply(d(0) + d(1) - 1, {rowInBlock(pair), pair.rows});
                scf::YieldOp::create(
                    b, loc, findAbove(pair, passed, findEnd(pair, lastRow)));
              })
              .getResult(0);
  }
  bool isEdge = pair.isEdge;
  return BackwardTileOp::create(
      b, loc, sums.getTypes(), ofRows.query, ofKeys.key, ofKeys.value,
      ofRows.outputGradient, ofRows.lse, ofRows.delta, ofKeys.field,
      ofKeys.level, isEdge ? Value() : ofKeys.suffix, minimum, passed, least,
      ends, below, above, pair.beta, isEdge ? ofRows.first : Value(),
      isEdge ? ofRows.last : Value(),
      isEdge ? math.value(keyBegin(pair.keyTile)) : Value(), sums,
      b.getF64FloatAttr(op.getScaleValue()), op.getSmoothAttr(),
      GradientPartAttr::get(b.getContext(), part));
}

/// Rows of Delta at a time: a few for each warp.
static constexpr int64_t kDeltaRows = 16;

namespace {
/// Delta, the minima and both walks, and the sums over what they leave.
class SplitTiler : private BackwardWalk {
public:
  SplitTiler(RewriterBase &rewriter, AttentionBackwardOp op,
             const BackwardTileSizes &sizes)
      : BackwardWalk(rewriter, op, sizes.ofQueries), split(sizes) {}

  std::pair<BackwardLoops, SmallVector<Value>> run() {
    if (op.getField())
      suffix = createSuffixMinima(/*index=*/hasFieldGradient, blockKeys());
    createIntervals();
    scf::ForallOp ofDelta =
        createDelta(blockRows(), std::gcd(blockRows(), kDeltaRows));
    if (isPruned(op))
      pruning.emplace(b, op, blockRows(), blockKeys(), first, last);
    BackwardLoops loops;
    BackwardInputs forQueries = createMinima(split.ofQueries, loops.ofQueries);
    BackwardInputs forKeys = split.ofKeys.key == split.ofQueries.key
                                 ? forQueries
                                 : createMinima(split.ofKeys, loops.ofKeys);
    auto ofQueries = QueryWalk(b, op, split.ofQueries, forQueries).run();
    auto ofKeys = KeysWalk(b, op, split.ofKeys, forKeys).run();
    loops.ofQueries.push_back(ofDelta);
    llvm::append_range(loops.ofQueries, ofQueries.loops);
    llvm::append_range(loops.ofKeys, ofKeys.loops);
    SmallVector<Value> results = {ofQueries.query, ofKeys.key, ofKeys.value};
    if (hasFieldGradient) {
      Value ends = addChunks(ofQueries.suffix),
            edges = addChunks(ofQueries.field);
      SmallVector<SuffixSums> sums = {{{ofKeys.suffix}, blockKeys()}};
      // Carries end in the place of a key tile's last key.
      if (split.ofQueries.key == blockKeys())
        sums.front().sums.push_back(ends);
      else
        sums.push_back({{ends}, blockKeys(), /*areEnds=*/true});
      results.push_back(addFieldParts(ofKeys.level, sums, edges));
      if (op.getLevel())
        results.push_back(scaleInto(ofKeys.level, 1.0, op.getOuts()[4]));
    }
    llvm::append_range(results, ofQueries.numbers);
    addUncounted(results);
    return {loops, results};
  }

private:
  /// What the steps of a walk with such key tiles take. Its loops are added to
  /// `loops`.
  BackwardInputs createMinima(const AttentionTileSizes &walk,
                              SmallVectorImpl<scf::ForallOp> &loops) {
    AttentionTileSizes ofBlock = walk;
    ofBlock.query = blockRows();
    BackwardInputs inputs = {first,
                             last,
                             delta,
                             suffix,
                             /*runs=*/std::nullopt,
                             /*levels=*/Value(),
                             /*largestLevels=*/Value(),
                             ofBlock.query,
                             blockKeys(),
                             /*written=*/Value(),
                             /*ends=*/Value()};
    if (!op.getField())
      return inputs;
    inputs.pruning = pruning ? &*pruning : nullptr;
    inputs.runs = FieldRuns(b, loc, op.getField(), walk.key);
    if (walk.commonMinimum) {
      Value level = op.getLevel() ? op.getLevel() : op.getField();
      if (op.getLevel())
        inputs.levels = createTileMinima(b, loc, level, walk.key);
      inputs.largestLevels = createTileMaxima(b, loc, level, walk.key);
    }
    scf::ForallOp minima = MinimaWalk(b, op, ofBlock, inputs).run();
    inputs.written = minima.getResult(0);
    inputs.ends = minima.getResult(1);
    loops.push_back(minima);
    return inputs;
  }

  int64_t blockRows() const {
    return std::max(split.ofQueries.query, split.ofKeys.query);
  }
  int64_t blockKeys() const {
    return std::max(split.ofQueries.key, split.ofKeys.key);
  }

  BackwardTileSizes split;
  std::optional<PairPruning> pruning;
};
} // namespace

FailureOr<BackwardLoops>
mlir::fpa::tileAttentionBackwardSplit(RewriterBase &rewriter,
                                      AttentionBackwardOp op,
                                      const BackwardTileSizes &sizes) {
  for (const AttentionTileSizes &walk : {sizes.ofQueries, sizes.ofKeys})
    if (failed(checkTileable(op, walk)))
      return failure();
  const AttentionTileSizes &x = sizes.ofQueries, &y = sizes.ofKeys;
  if (x.key != x.edge || y.key != y.edge)
    return op.emitOpError("expected key-tile and edge-tile of a walk of the "
                          "backward to be equal, got ")
           << x.key << " and " << x.edge << " for queries, " << y.key << " and "
           << y.edge << " for keys";
  for (auto [name, ofQueries, ofKeys] :
       {std::tuple("query-tile", x.query, y.query),
        std::tuple("key-tile", x.key, y.key)})
    if (ofQueries % ofKeys != 0 && ofKeys % ofQueries != 0)
      return op.emitOpError("expected ")
             << name
             << " of one walk of the backward to be a multiple of the other's, "
                "got "
             << ofQueries << " for queries and " << ofKeys << " for keys";
  // Of a smooth penalty a tile's last key has nothing to its right.
  if ((op.getSmooth() || op.getBeta()) && x.key != y.key)
    return op.emitOpError(
               "expected key-tile of both walks of the backward to be "
               "equal where the penalty is smooth, got ")
           << x.key << " for queries and " << y.key << " for keys";
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto [loops, results] = SplitTiler(rewriter, op, sizes).run();
  rewriter.replaceOp(op, results);
  return loops;
}
