//===- TileCachedAttention.cpp - Streaming over a cache of keys -----------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Attention of new tokens over a cache becomes a parallel loop over chunks of
// the cache, each with a state of its own, and one that adds the new tokens and
// merges the states.

#include "CachedAttentionTiler.h"
#include "OwnTiles.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_TILECACHEDATTENTION
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

Value CachedAttentionTiler::fill(Value tensor, const APFloat &x) {
  Value scalar = arith::ConstantFloatOp::create(b, loc, accumulator, x);
  return linalg::FillOp::create(b, loc, scalar, tensor).getResult(0);
}

/// Accumulator 0, maximum -inf, sum 0, in the given tensors.
SmallVector<Value> CachedAttentionTiler::createEmptyState(ValueRange tensors) {
  const llvm::fltSemantics &semantics = accumulator.getFloatSemantics();
  return {fill(tensors[0], APFloat::getZero(semantics)),
          fill(tensors[1], APFloat::getInf(semantics, /*Negative=*/true)),
          fill(tensors[2], APFloat::getZero(semantics))};
}

scf::ForallOp
CachedAttentionTiler::createForall(ArrayRef<OpFoldResult> bounds,
                                   ValueRange outs,
                                   function_ref<void(scf::ForallOp)> body) {
  auto forall =
      scf::ForallOp::create(b, loc, bounds, outs, createWorkItems(b, bounds));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forall.getBody());
  body(forall);
  return forall;
}

/// Adds the `count` cached keys at `offset`. Their minima reach up to the new
/// tokens, so that each tile starts from the rows' own minimum, which no tile
/// changes.
SmallVector<Value> CachedAttentionTiler::addTile(const RowTile &rows,
                                                 OpFoldResult offset,
                                                 OpFoldResult count,
                                                 ValueRange state) {
  auto slice = [&](Value source) {
    return sliceRows(b, loc, source, {rows.batch, rows.head}, offset, count);
  };
  Value suffix = slice(op.getCachedMinimum());
  SmallVector<Value> outs(state);
  outs.push_back(rows.minimum);
  auto step = OnlineAttentionOp::create(
      b, loc, ValueRange(outs).getTypes(), rows.query, slice(op.getCachedKey()),
      slice(op.getCachedValue()), suffix, slice(op.getCachedLevel()), suffix,
      rows.common, /*beta=*/Value(), Value(), Value(), Value(), outs,
      op.getScaleAttr(), FloatAttr(), UnitAttr());
  return SmallVector<Value>(step.getResults().drop_back());
}

/// Adds `length` cached keys from `offset` on: whole tiles, then what is left
/// in small ones, of which the last may be short.
SmallVector<Value> CachedAttentionTiler::walkCached(const RowTile &rows,
                                                    OpFoldResult offset,
                                                    OpFoldResult length,
                                                    ValueRange state) {
  int64_t step = sizes.key, small = std::min(sizes.edge, step);
  OpFoldResult whole = math.apply(d0.floorDiv(step), {length});
  SmallVector<Value> added = createLoop(
      b, loc, math.value(whole), state,
      [&](OpFoldResult tile, ValueRange state) {
        return addTile(rows, math.apply(d0 + d1 * step, {offset, tile}),
                       b.getIndexAttr(step), state);
      });
  OpFoldResult begin = math.apply(d0 + d1 * step, {offset, whole});
  OpFoldResult left = math.apply(d0 - d1 * step, {length, whole});
  return createLoop(
      b, loc, math.value(math.apply(d0.ceilDiv(small), {left})), added,
      [&](OpFoldResult tile, ValueRange state) {
        OpFoldResult count = math.min(
            {b.getAffineConstantExpr(small), d0 - d1 * small}, {left, tile});
        return addTile(rows, math.apply(d0 + d1 * small, {begin, tile}), count,
                       state);
      });
}

/// A state for each chunk of the cache: accumulators, maxima and sums.
SmallVector<Value> CachedAttentionTiler::createChunks() {
  OpFoldResult columns = math.dim(op.getValue(), 3);
  SmallVector<OpFoldResult> shape = {batches, heads, chunkCount, allRows};
  SmallVector<Value> outs;
  for (bool isMatrix : {true, false, false}) {
    SmallVector<OpFoldResult> own = shape;
    if (isMatrix)
      own.push_back(columns);
    outs.push_back(tensor::EmptyOp::create(b, loc, own, accumulator));
  }
  SmallVector<OpFoldResult> bounds = {
      batches, heads, chunkCount, math.apply(d0.floorDiv(block), {allRows})};
  auto body = [&](scf::ForallOp forall) {
    SmallVector<OpFoldResult> ids =
        getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
    RowTile rows = createRowTile(ids);
    SmallVector<Value> slices;
    for (Value out : forall.getRegionIterArgs())
      slices.push_back(sliceRows(b, loc, out, ArrayRef(ids).drop_back(),
                                 rows.begin, b.getIndexAttr(block)));
    OpFoldResult offset = math.apply(d0 * sizes.chunk, {ids[2]});
    Value held = countHeld(rows.batch, rows.head);
    OpFoldResult length =
        math.max(math.min({b.getAffineConstantExpr(sizes.chunk), d0 - d1},
                          {held, offset}),
                 b.getIndexAttr(0));
    SmallVector<Value> state =
        walkCached(rows, offset, length, createEmptyState(slices));
    insertInParallel(b, loc, forall, state, slices);
  };
  loops.ofChunks = createForall(bounds, outs, body);
  return SmallVector<Value>(loops.ofChunks.getResults());
}

/// Adds the only new key, of which all rows are. There is nothing between a row
/// and its own key: the level itself as its suffix makes the penalty 0.
SmallVector<Value> CachedAttentionTiler::addOwnKey(const RowTile &rows,
                                                   ValueRange state) {
  auto slice = [&](Value source) -> Value {
    if (!source)
      return {};
    return sliceRows(b, loc, source, {rows.batch, rows.head}, b.getIndexAttr(0),
                     b.getIndexAttr(1));
  };
  Value suffix = slice(op.getLevelOrField());
  auto added = OnlineAttentionOp::create(
      b, loc, state.getTypes(), rows.query, slice(op.getKey()),
      slice(op.getValue()), slice(op.getField()), slice(op.getLevel()), suffix,
      Value(), /*beta=*/Value(), Value(), Value(), Value(), state,
      op.getScaleAttr(), FloatAttr(), UnitAttr());
  return SmallVector<Value>(added.getResults());
}

/// Adds the new tokens to the rows' state, from right to left.
SmallVector<Value> CachedAttentionTiler::walkNew(const RowTile &rows,
                                                 ValueRange state) {
  int64_t step = sizes.edge;
  std::optional<int64_t> known = getConstantIntValue(tokens);
  if (known)
    step = std::min(step, *known);
  OpFoldResult tiles = math.apply(d0.ceilDiv(step), {tokens});
  Value firstRows = sliceRows(b, loc, first, {}, rows.begin, rows.count);
  Value lastRows =
      sliceRows(b, loc, last, {rows.batch}, rows.begin, rows.count);
  auto add = [&](OpFoldResult tile, ValueRange state) {
    OpFoldResult offset = math.apply((d0 - 1 - d1) * step, {tiles, tile});
    OpFoldResult count =
        known && *known % step == 0
            ? OpFoldResult(b.getIndexAttr(step))
            : math.min({b.getAffineConstantExpr(step), d1 - d0},
                       {offset, tokens});
    auto slice = [&](Value source) -> Value {
      if (!source)
        return {};
      return sliceRows(b, loc, source, {rows.batch, rows.head}, offset, count);
    };
    auto added = OnlineAttentionOp::create(
        b, loc, state.getTypes(), rows.query, slice(op.getKey()),
        slice(op.getValue()), slice(op.getField()), slice(op.getLevel()),
        Value(), Value(), /*beta=*/Value(), firstRows, lastRows,
        math.value(offset), state, op.getScaleAttr(), FloatAttr(), UnitAttr());
    return SmallVector<Value>(added.getResults());
  };
  return createLoop(b, loc, math.value(tiles), state, add);
}

/// Adds the states of the chunks that hold keys.
SmallVector<Value> CachedAttentionTiler::mergeChunks(const RowTile &rows,
                                                     ValueRange chunks,
                                                     ValueRange state) {
  OpFoldResult held = countHeld(rows.batch, rows.head);
  OpFoldResult used = math.apply(d0.ceilDiv(sizes.chunk), {held});
  return createLoop(
      b, loc, math.value(used), state,
      [&](OpFoldResult chunk, ValueRange state) {
        SmallVector<Value> parts;
        for (Value states : chunks)
          parts.push_back(sliceRows(b, loc, states,
                                    {rows.batch, rows.head, chunk}, rows.begin,
                                    b.getIndexAttr(block)));
        auto merged = OnlineMergeOp::create(b, loc, state.getTypes(), parts[0],
                                            parts[1], parts[2], state);
        return SmallVector<Value>(merged.getResults());
      });
}

/// The outputs by rows.
SmallVector<Value> CachedAttentionTiler::createOutputs(ValueRange chunks) {
  SmallVector<Value> outs;
  for (Value out : op.getOuts())
    outs.push_back(groupRows(out));
  SmallVector<OpFoldResult> bounds = {
      batches, heads, math.apply(d0.floorDiv(block), {allRows})};
  auto body = [&](scf::ForallOp forall) {
    SmallVector<OpFoldResult> ids =
        getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
    RowTile rows = createRowTile(ids);
    int64_t width = cast<ShapedType>(op.getValue().getType()).getDimSize(3);
    SmallVector<Value> empties;
    for (SmallVector<int64_t> shape :
         {SmallVector<int64_t>{block, width}, SmallVector<int64_t>{block},
          SmallVector<int64_t>{block}, SmallVector<int64_t>{block}})
      empties.push_back(tensor::EmptyOp::create(b, loc, shape, accumulator));
    SmallVector<Value> state = createEmptyState(empties);
    state.push_back(
        fill(empties[3], APFloat::getInf(accumulator.getFloatSemantics())));
    state = getConstantIntValue(tokens) == 1 ? addOwnKey(rows, state)
                                             : walkNew(rows, state);
    state = mergeChunks(rows, chunks, ArrayRef(state).drop_back());
    SmallVector<Value> slices;
    for (Value out : forall.getRegionIterArgs())
      slices.push_back(sliceRows(b, loc, out, {rows.batch, rows.head},
                                 rows.begin, rows.count));
    auto result =
        OnlineFinalizeOp::create(b, loc, ValueRange(slices).getTypes(),
                                 state[0], state[1], state[2], slices);
    insertInParallel(b, loc, forall, result.getResults(), slices);
  };
  loops.ofOutputs = createForall(bounds, outs, body);
  return SmallVector<Value>(loops.ofOutputs.getResults());
}

SmallVector<Value> CachedAttentionTiler::run() {
  measure();
  query = groupRows(op.getQuery());
  createRowData();
  SmallVector<Value> results;
  const llvm::fltSemantics &semantics = accumulator.getFloatSemantics();
  for (auto [grouped, out] :
       llvm::zip_equal(createOutputs(createChunks()), op.getOuts())) {
    Value result = ungroupRows(grouped, out);
    if (op.getLengths())
      result = clearAbsent(result, out == op.getLse()
                                       ? APFloat::getInf(semantics, true)
                                       : APFloat::getZero(semantics));
    results.push_back(result);
  }
  return results;
}

/// Refuses sizes of tiles, and operands of `op`, that cannot be tiled.
static LogicalResult checkCacheTiles(CachedAttentionOp op,
                                     const CacheTileSizes &sizes) {
  std::pair<StringRef, int64_t> options[] = {{"query-tile", sizes.query},
                                             {"key-tile", sizes.key},
                                             {"edge-tile", sizes.edge},
                                             {"chunk", sizes.chunk}};
  for (auto [name, size] : options)
    if (size < 1)
      return op->emitOpError("expected ")
             << name << " to be at least 1, got " << size;
  if (sizes.chunk % sizes.key != 0)
    return op->emitOpError("expected chunk to be a multiple of key-tile ")
           << sizes.key << ", got " << sizes.chunk;
  std::pair<StringRef, Value> operands[] = {{"query", op.getQuery()},
                                            {"value", op.getValue()}};
  for (auto [name, operand] : operands) {
    auto type = cast<ShapedType>(operand.getType());
    if (!isa<RankedTensorType>(type))
      return op->emitOpError("expected tensors, got ")
             << name << " of type " << type;
    if (type.isDynamicDim(3))
      return op->emitOpError("expected a static head size of ")
             << name << ", got ?";
  }
  return success();
}

FailureOr<CacheLoops>
mlir::fpa::tileCachedAttention(RewriterBase &rewriter, CachedAttentionOp op,
                               const CacheTileSizes &sizes) {
  if (failed(checkCacheTiles(op, sizes)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  CachedAttentionTiler tiler(rewriter, op, sizes);
  rewriter.replaceOp(op, tiler.run());
  return tiler.getLoops();
}

namespace {
struct TileCachedAttention
    : public fpa::impl::TileCachedAttentionBase<TileCachedAttention> {
  using TileCachedAttentionBase::TileCachedAttentionBase;

  void runOnOperation() override {
    SmallVector<CachedAttentionOp> ops;
    getOperation()->walk([&](CachedAttentionOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (CachedAttentionOp op : ops) {
      // Who gives an op its sizes wants them as they are.
      auto tiles = op->getAttrOfType<DictionaryAttr>(tilesAttrName);
      FailureOr<CacheLoops> loops =
          tileCachedAttention(rewriter, op, getSizes(tiles));
      if (failed(loops))
        return signalPassFailure();
      setMachine(tiles, {loops->ofChunks, loops->ofOutputs});
      ++numTiled;
    }
  }

private:
  CacheTileSizes getSizes(DictionaryAttr tiles) {
    CacheTileSizes sizes = {queryTile, keyTile, edgeTile, chunk, bool(tiles)};
    for (auto [name, size] :
         {std::pair("query", &sizes.query), std::pair("key", &sizes.key),
          std::pair("edge", &sizes.edge), std::pair("chunk", &sizes.chunk)})
      readOwnSize(tiles, name, *size);
    return sizes;
  }
};
} // namespace