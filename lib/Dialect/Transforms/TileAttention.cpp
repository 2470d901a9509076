//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Attention on whole tensors becomes a parallel loop over query tiles that
// walks the keys from the diagonal to the left.

#include "CommonMinimum.h"
#include "KeyPruning.h"
#include "OwnTiles.h"
#include "fpa/Dialect/IR/CreateGeneric.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_TILEATTENTION
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {

class AttentionTiler : private KeyWalk {
public:
  AttentionTiler(RewriterBase &rewriter, AttentionOp op,
                 const AttentionTileSizes &sizes)
      : KeyWalk(rewriter, op, op.getNonIncreasing(), sizes), op(op) {}

  scf::ForallOp run() {
    if (op.getField() && !op.getNonIncreasing())
      suffix = createSuffixMinima().getResult(0);
    createIntervals();
    if (isPruned(op))
      pruning.emplace(static_cast<KeyWalk &>(*this));
    OpFoldResult tiles = countTiles();
    SmallVector<OpFoldResult> bounds = {math.dim(op.getQuery(), 0),
                                        math.dim(op.getQuery(), 1), tiles};
    // Where nothing is left out, that is all there is to tell of it.
    ValueRange outs = op.getOuts();
    if (!pruning)
      outs = outs.take_front(2);
    auto forall =
        scf::ForallOp::create(b, loc, bounds, outs, createWorkItems(b, bounds));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forall.getBody());
    SmallVector<OpFoldResult> ids =
        getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
    createBody(forall, ids, tiles);
    return forall;
  }

private:
  /// Accumulator 0, maximum -inf, sum 0, minimum +inf.
  SmallVector<Value> createInitialState() {
    const llvm::fltSemantics &semantics = accumulator.getFloatSemantics();
    APFloat zero = APFloat::getZero(semantics);
    int64_t rows = sizes.query, width = op.getValueType().getDimSize(3);
    return {fill({rows, width}, zero),
            fill({rows}, APFloat::getInf(semantics, /*Negative=*/true)),
            fill({rows}, zero), fill({rows}, APFloat::getInf(semantics))};
  }

  struct QueryTile {
    OpFoldResult batch, head, keyHead, fieldHead, begin, rows;
    Value query, first, last, beta;
    KeyPruning::Rows pruned;
  };

  /// Adds the keys of `range` to the state, from right to left. `common` is the
  /// minimum of all rows to the right of it, or null where rows differ.
  SmallVector<Value> walkKeys(const QueryTile &tile, const KeyRange &range,
                              SmallVector<Value> state, Value common = {}) {
    AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
    size_t own = state.size();
    if (common)
      state.push_back(common);
    state =
        createLoop(b, loc, math.value(countSteps(range)), state,
                   [&](OpFoldResult i, ValueRange carried) {
                     OpFoldResult offset =
                         math.apply(d0 - (d1 + 1) * range.step, {range.end, i});
                     if (pruning && !range.isEdge)
                       return walkPruned(tile, range, offset, carried);
                     SmallVector<Value> next = createStep(
                         tile, range, offset, carried.take_front(own),
                         common ? carried.back() : Value());
                     if (common)
                       next.push_back(arith::MinimumFOp::create(
                           b, loc, carried.back(),
                           getTileMinimum(tile.batch, tile.fieldHead, offset)));
                     return next;
                   });
    state.resize(own);
    return state;
  }

  /// The tile at `offset`, unless it may be left out.
  SmallVector<Value> walkPruned(const QueryTile &tile, const KeyRange &range,
                                OpFoldResult offset, ValueRange state) {
    return pruning->walkTile(
        tile.pruned, offset, state,
        [&](OpFoldResult at, ValueRange online) {
          return createStep(tile, range, at, online, /*common=*/{});
        },
        [&](Value minimum) { return passField(tile, range, offset, minimum); });
  }

  /// R_i past a tile that may have been left out. Where one was visited this
  /// changes nothing.
  Value passField(const QueryTile &tile, const KeyRange &range,
                  OpFoldResult offset, Value minimum) {
    if (op.getNonIncreasing())
      return minimum;
    OpFoldResult count = countKeys(range, offset);
    SmallVector<OpFoldResult> head = {tile.batch, tile.fieldHead};
    auto passed = PassFieldOp::create(
        b, loc, minimum.getType(),
        sliceRows(b, loc, op.getField(), head, offset, count),
        sliceRows(b, loc, suffix, head, offset, count), /*last=*/Value(),
        /*key_offset=*/Value(), minimum);
    return passed.getResult(0);
  }

  /// All keys of a query tile: the state, and with pruning what it carries.
  SmallVector<Value> walkRanges(const QueryTile &tile,
                                const KeyRanges &ranges) {
    SmallVector<Value> state = createInitialState();
    state = walkKeys(tile, ranges.right, state);
    if (!pruning) {
      state = walkInner(tile, ranges, state);
      return ranges.left ? walkKeys(tile, *ranges.left, state) : state;
    }
    llvm::append_range(
        state, pruning->createState(tile.pruned, bool(op.getDropped())));
    state = walkKeys(tile, ranges.inner, state);
    if (!ranges.left)
      return state;
    Value goesOn = *(state.end() - 3);
    SmallVector<Value> online = createLoop(
        b, loc, goesOn, ArrayRef(state).take_front(4),
        [&](OpFoldResult, ValueRange carried) {
          return walkKeys(tile, *ranges.left, SmallVector<Value>(carried));
        });
    llvm::copy(online, state.begin());
    return state;
  }

  /// The tiles that all rows see: those in which rows have minima of their own,
  /// and those further to the left, where they have one.
  SmallVector<Value> walkInner(const QueryTile &tile, const KeyRanges &ranges,
                               SmallVector<Value> state) {
    if (!sizes.commonMinimum || !suffix || ranges.left)
      return walkKeys(tile, ranges.inner, state);
    CommonMinimum found = splitAtCommonMinimum(
        *this, ranges.inner, ranges.right.end, [&](OpFoldResult offset) {
          return getTileMinimum(tile.batch, tile.fieldHead, offset);
        });
    state = walkKeys(tile, found.apart, state);
    return walkKeys(tile, found.together, state, found.minimum);
  }

  /// The minimum of the field over the key tile at `offset`. The smooth form
  /// wants it finite; elsewhere it is as good as it is.
  Value getTileMinimum(OpFoldResult batch, OpFoldResult head,
                       OpFoldResult offset) {
    SmallVector<Value> place = {math.value(batch), math.value(head),
                                math.value(offset)};
    Value first = tensor::ExtractOp::create(b, loc, op.getField(), place);
    Value rest = tensor::ExtractOp::create(b, loc, suffix, place);
    Value least = arith::MinimumFOp::create(b, loc, first, rest);
    if (!op.getSmooth() && !op.getBeta())
      return least;
    APFloat most = APFloat::getLargest(accumulator.getFloatSemantics());
    auto constant = [&](const APFloat &value) -> Value {
      return arith::ConstantFloatOp::create(b, loc, accumulator, value);
    };
    least = arith::MinimumFOp::create(b, loc, least, constant(most));
    return arith::MaximumFOp::create(b, loc, least, constant(neg(most)));
  }

  SmallVector<Value> createStep(const QueryTile &tile, const KeyRange &range,
                                OpFoldResult offset, ValueRange state,
                                Value common) {
    OpFoldResult count = countKeys(range, offset);
    auto slice = [&](Value source, OpFoldResult head) -> Value {
      if (!source)
        return {};
      return sliceRows(b, loc, source, {tile.batch, head}, offset, count);
    };
    bool isEdge = range.isEdge;
    auto step = OnlineAttentionOp::create(
        b, loc, state.getTypes(), tile.query, slice(op.getKey(), tile.keyHead),
        slice(op.getValue(), tile.keyHead),
        slice(op.getField(), tile.fieldHead),
        slice(op.getLevel(), tile.fieldHead),
        isEdge ? Value() : slice(suffix, tile.fieldHead), common, tile.beta,
        isEdge ? tile.first : Value(), isEdge ? tile.last : Value(),
        isEdge ? math.value(offset) : Value(), state,
        b.getF64FloatAttr(op.getScaleValue()), op.getSmoothAttr(),
        op.getNonIncreasingAttr());
    return SmallVector<Value>(step.getResults());
  }

  void createBody(scf::ForallOp forall, ArrayRef<OpFoldResult> ids,
                  OpFoldResult tiles) {
    // The latest rows see the most keys: they come first, so that no thread
    // is left with a long tile at the end.
    AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
    QueryTile tile;
    tile.batch = ids[0];
    tile.head = ids[1];
    tile.keyHead = headOf(op.getKey(), tile.head);
    if (op.getField())
      tile.fieldHead = headOf(op.getField(), tile.head);
    tile.begin = math.apply((d0 - 1 - d1) * sizes.query, {tiles, ids[2]});
    tile.rows = countRows(tile.begin);
    SmallVector<OpFoldResult> head = {tile.batch, tile.head};
    tile.query = sliceRows(b, loc, op.getQuery(), head, tile.begin, tile.rows);
    tile.first = sliceRows(b, loc, first, {}, tile.begin, tile.rows);
    tile.last = sliceRows(b, loc, last, {}, tile.begin, tile.rows);

    tile.beta = loadBeta();
    KeyRanges ranges = splitKeys(tile.begin, tile.rows);
    if (pruning)
      tile.pruned = pruning->describe(tile.batch, tile.keyHead, tile.fieldHead,
                                      tile.query, ranges);
    SmallVector<Value> state = walkRanges(tile, ranges), outs;
    for (Value out : forall.getRegionIterArgs())
      outs.push_back(sliceRows(b, loc, out, head, tile.begin, tile.rows));
    insertInParallel(b, loc, forall, finish(tile, state, outs), outs);
  }

  /// The op's results for one query tile.
  SmallVector<Value> finish(const QueryTile &tile, ArrayRef<Value> state,
                            ValueRange outs) {
    ValueRange online = outs.take_front(2);
    ValueRange pruned = outs.drop_front(online.size());
    auto result = OnlineFinalizeOp::create(b, loc, online.getTypes(), state[0],
                                           state[1], state[2], online);
    SmallVector<Value> results(result.getResults());
    if (pruned.empty())
      return results;
    bool counts = pruned.size() > 1;
    auto left = DropFinalizeOp::create(
        b, loc, pruned.getTypes(), state[4], state[5], state[1], state[2],
        counts ? tile.first : Value(), counts ? state[7] : Value(),
        counts ? state[8] : Value(), pruned, /*rows=*/IntegerAttr());
    llvm::append_range(results, left.getResults());
    return results;
  }

  AttentionOp op;
  Value suffix;
  std::optional<KeyPruning> pruning;
};

} // namespace

FailureOr<scf::ForallOp>
mlir::fpa::tileAttention(RewriterBase &rewriter, AttentionOp op,
                         const AttentionTileSizes &sizes) {
  if (failed(checkTileable(op, sizes)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  scf::ForallOp forall = AttentionTiler(rewriter, op, sizes).run();
  SmallVector<Value> results(forall.getResults());
  for (Value out : op.getOuts().drop_front(results.size()))
    results.push_back(fillWithZero(rewriter, op.getLoc(), out));
  rewriter.replaceOp(op, results);
  return forall;
}

namespace {
struct TileAttention : public fpa::impl::TileAttentionBase<TileAttention> {
  using TileAttentionBase::TileAttentionBase;

  void runOnOperation() override {
    SmallVector<AttentionOpInterface> ops;
    getOperation()->walk([&](AttentionOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (AttentionOpInterface op : ops) {
      auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation());
      if (failed(backward && splitBackward ? tileSplit(rewriter, backward)
                                           : tile(rewriter, op)))
        return signalPassFailure();
      ++numTiled;
    }
  }

private:
  /// What an op says of itself in its attribute `fpa.tiles`, or the part of it
  /// that is called `part`.
  static DictionaryAttr getTiles(AttentionOpInterface op, StringRef part = "") {
    auto tiles = op->getAttrOfType<DictionaryAttr>(tilesAttrName);
    return tiles && !part.empty() ? tiles.getAs<DictionaryAttr>(part) : tiles;
  }

  AttentionTileSizes getSizes(DictionaryAttr tiles) {
    AttentionTileSizes sizes = {queryTile, keyTile, edgeTile, commonMinimum};
    for (auto [name, size] :
         {std::pair("query", &sizes.query), std::pair("key", &sizes.key),
          std::pair("edge", &sizes.edge)})
      readOwnSize(tiles, name, *size);
    return sizes;
  }

  LogicalResult tile(RewriterBase &rewriter, AttentionOpInterface op) {
    DictionaryAttr tiles = getTiles(op);
    auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation());
    FailureOr<scf::ForallOp> loop =
        backward
            ? tileAttentionBackward(rewriter, backward, getSizes(tiles))
            : tileAttention(rewriter, cast<AttentionOp>(op), getSizes(tiles));
    if (succeeded(loop))
      setMachine(tiles, *loop);
    return loop;
  }

  LogicalResult tileSplit(RewriterBase &rewriter, AttentionBackwardOp op) {
    DictionaryAttr ofQueries = getTiles(op, "queries"),
                   ofKeys = getTiles(op, "keys");
    BackwardTileSizes sizes = {getSizes(ofQueries), getSizes(ofKeys)};
    // Both walks go in whole key tiles.
    sizes.ofQueries.edge = sizes.ofQueries.key;
    sizes.ofKeys.edge = sizes.ofKeys.key;
    FailureOr<BackwardLoops> loops =
        tileAttentionBackwardSplit(rewriter, op, sizes);
    if (failed(loops))
      return failure();
    setMachine(ofQueries, loops->ofQueries);
    setMachine(ofKeys, loops->ofKeys);
    return success();
  }
};
} // namespace
