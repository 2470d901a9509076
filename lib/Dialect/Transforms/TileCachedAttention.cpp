//===- TileCachedAttention.cpp - Streaming over a cache of keys -----------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Attention of new tokens over a cache becomes a parallel loop over chunks of
// the cache, each with a state of its own, and one that adds the new tokens and
// merges the states.

#include "KeyWalk.h"
#include "OwnTiles.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/Transforms.h"
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

namespace {

class CachedAttentionTiler {
public:
  CachedAttentionTiler(RewriterBase &rewriter, CachedAttentionOp op,
                       const CacheTileSizes &sizes)
      : b(rewriter), loc(op.getLoc()), op(op), sizes(sizes),
        math{rewriter, op.getLoc()},
        accumulator(
            cast<FloatType>(getElementTypeOrSelf(op.getField().getType()))),
        d0(b.getAffineDimExpr(0)), d1(b.getAffineDimExpr(1)) {}

  SmallVector<Value> run();
  CacheLoops getLoops() const { return loops; }

private:
  /// Rows `[begin, begin + count)` of a block, for batch and key head.
  struct RowTile {
    OpFoldResult batch, head, begin, count;
    Value query, minimum;
    /// The minimum of all rows where they belong to one token, or null.
    Value common;
  };

  void measure();
  Value regroup(Value tensor, Value like, bool toRows);
  Value groupRows(Value tensor);
  Value ungroupRows(Value grouped, Value like);
  Value perRow(ArrayRef<OpFoldResult> shape, Type element,
               function_ref<Value(OpBuilder &, ValueRange, Value)> body);
  void createRowData();
  RowTile createRowTile(ArrayRef<OpFoldResult> ids);
  Value fill(Value tensor, const APFloat &x);
  SmallVector<Value> createEmptyState(ValueRange tensors);
  Value countHeld(OpFoldResult batch, OpFoldResult head);
  SmallVector<Value> walkCached(const RowTile &rows, OpFoldResult offset,
                                OpFoldResult length, ValueRange state);
  SmallVector<Value> addOwnKey(const RowTile &rows, ValueRange state);
  SmallVector<Value> walkNew(const RowTile &rows, ValueRange state);
  SmallVector<Value> addTile(const RowTile &rows, OpFoldResult offset,
                             OpFoldResult count, ValueRange state);
  SmallVector<Value> mergeChunks(const RowTile &rows, ValueRange chunks,
                                 ValueRange state);
  SmallVector<Value> createChunks();
  SmallVector<Value> createOutputs(ValueRange chunks);
  Value clearAbsent(Value tensor, const APFloat &x);
  scf::ForallOp createForall(ArrayRef<OpFoldResult> bounds, ValueRange outs,
                             function_ref<void(scf::ForallOp)> body);

  RewriterBase &b;
  Location loc;
  CachedAttentionOp op;
  CacheTileSizes sizes;
  IndexMath math;
  FloatType accumulator;
  AffineExpr d0, d1;
  /// B, HK, query heads of a key head, T, rows of a key head, rows in whole
  /// tiles, C, chunks.
  OpFoldResult batches, heads, group, tokens, rows, allRows, room, chunkCount;
  int64_t block = 0;
  /// The query by rows; R_i, B x HK x allRows; first and last new key of a row.
  Value query, minimum, first, last;
  CacheLoops loops;
};

} // namespace

void CachedAttentionTiler::measure() {
  batches = math.dim(op.getKey(), 0);
  heads = math.dim(op.getKey(), 1);
  tokens = math.dim(op.getKey(), 2);
  room = math.dim(op.getCachedKey(), 2);
  OpFoldResult all = math.dim(op.getQuery(), 1);
  std::optional<int64_t> own = getConstantIntValue(heads);
  std::optional<int64_t> total = getConstantIntValue(all);
  if (own && total)
    group = b.getIndexAttr(*total / *own);
  else
    group = arith::DivUIOp::create(b, loc, math.value(all), math.value(heads))
                .getResult();
  std::optional<int64_t> few = getConstantIntValue(group);
  std::optional<int64_t> length = getConstantIntValue(tokens);
  block = sizes.query;
  if (few && length) {
    rows = b.getIndexAttr(*few * *length);
    // A row and a column of one element could not be told apart.
    auto isNarrow = [](Value operand) {
      return cast<ShapedType>(operand.getType()).getDimSize(3) == 1;
    };
    int64_t least = isNarrow(op.getQuery()) || isNarrow(op.getValue()) ? 2 : 1;
    if (!sizes.fillRows)
      block = std::min(block, std::max(*few * *length, least));
  } else {
    rows = arith::MulIOp::create(b, loc, math.value(group), math.value(tokens))
               .getResult();
  }
  allRows = math.alignUp(rows, block);
  chunkCount = math.apply(d0.ceilDiv(sizes.chunk), {room});
}

/// Splits the query heads or rows of `tensor` and joins them the other way.
/// `like` is of its element type and last size.
Value CachedAttentionTiler::regroup(Value tensor, Value like, bool toRows) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<OpFoldResult> shape = {batches, heads, group, tokens};
  SmallVector<ReassociationIndices> ofHeads = {{0}, {1, 2}, {3}};
  SmallVector<ReassociationIndices> ofRows = {{0}, {1}, {2, 3}};
  if (type.getRank() == 4) {
    shape.push_back(math.dim(like, 3));
    ofHeads.push_back({4});
    ofRows.push_back({4});
  }
  SmallVector<int64_t> sizes;
  for (OpFoldResult size : shape)
    sizes.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  Value expanded = tensor::ExpandShapeOp::create(
      b, loc, type.clone(sizes), tensor, toRows ? ofHeads : ofRows, shape);
  return tensor::CollapseShapeOp::create(b, loc, expanded,
                                         toRows ? ofRows : ofHeads);
}

/// B x HQ x T x ... as B x HK x rows x ...
Value CachedAttentionTiler::groupRows(Value tensor) {
  if (getConstantIntValue(group) == 1)
    return tensor;
  return regroup(tensor, tensor, /*toRows=*/true);
}

/// The reverse of `groupRows`, in the type of `like`.
Value CachedAttentionTiler::ungroupRows(Value grouped, Value like) {
  if (getConstantIntValue(group) == 1)
    return grouped;
  Value collapsed = regroup(grouped, like, /*toRows=*/false);
  if (collapsed.getType() == like.getType())
    return collapsed;
  return tensor::CastOp::create(b, loc, like.getType(), collapsed);
}

/// A tensor whose last axis are rows; `body` gets the indices and the row's
/// token.
Value CachedAttentionTiler::perRow(
    ArrayRef<OpFoldResult> shape, Type element,
    function_ref<Value(OpBuilder &, ValueRange, Value)> body) {
  Value empty = tensor::EmptyOp::create(b, loc, shape, element);
  int64_t rank = shape.size();
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  Value count = math.value(tokens);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), ValueRange(), empty, maps, kinds,
             [&](OpBuilder &nested, Location, ValueRange) {
               SmallVector<Value> at;
               for (int64_t d = 0; d < rank; ++d)
                 at.push_back(linalg::IndexOp::create(nested, loc, d));
               Value token =
                   arith::RemUIOp::create(nested, loc, at.back(), count);
               linalg::YieldOp::create(nested, loc, body(nested, at, token));
             })
      .getResult(0);
}

/// R_i = min { new field_t : t <= token of i }, and the new keys that row i
/// sees: 0 to its own, none for a token that its sequence does not have.
void CachedAttentionTiler::createRowData() {
  auto type = cast<RankedTensorType>(op.getField().getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, op.getField()), accumulator);
  Value least =
      PrefixMinOp::create(b, loc, TypeRange(type), op.getField(), empty,
                          /*axis=*/2, /*reverse=*/false, /*exclusive=*/false,
                          /*segment=*/IntegerAttr())
          .getResult(0);
  minimum =
      perRow({batches, heads, allRows}, accumulator,
             [&](OpBuilder &nested, ValueRange at, Value token) -> Value {
               // As where a step passes a tile: no infinity is subtracted.
               Value own = tensor::ExtractOp::create(
                   nested, loc, least, ValueRange{at[0], at[1], token});
               Value smallest = arith::ConstantFloatOp::create(
                   nested, loc, accumulator,
                   APFloat::getLargest(accumulator.getFloatSemantics(),
                                       /*Negative=*/true));
               return arith::MaximumFOp::create(nested, loc, own, smallest);
             });
  Type i64 = b.getI64Type();
  auto toI64 = [&](OpBuilder &nested, Value index) -> Value {
    return arith::IndexCastOp::create(nested, loc, i64, index);
  };
  last =
      perRow({batches, allRows}, i64,
             [&](OpBuilder &nested, ValueRange at, Value token) -> Value {
               Value own = toI64(nested, token);
               if (!op.getLengths())
                 return own;
               Value length = tensor::ExtractOp::create(nested, loc,
                                                        op.getLengths(), at[0]);
               Value none = arith::ConstantOp::create(
                   nested, loc, nested.getI64IntegerAttr(-1));
               Value isThere = arith::CmpIOp::create(
                   nested, loc, arith::CmpIPredicate::slt, own, length);
               return arith::SelectOp::create(nested, loc, isThere, own, none);
             });
  Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  Value zeros = tensor::EmptyOp::create(b, loc, {allRows}, i64);
  first = linalg::FillOp::create(b, loc, zero, zeros).getResult(0);
}

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

/// The number of keys that a head holds. Counts are data: they are clamped to
/// what the cache has room for.
Value CachedAttentionTiler::countHeld(OpFoldResult batch, OpFoldResult head) {
  Value count = tensor::ExtractOp::create(
      b, loc, op.getCount(), ValueRange{math.value(batch), math.value(head)});
  count = arith::IndexCastOp::create(b, loc, b.getIndexType(), count);
  count = arith::MinSIOp::create(b, loc, count, math.value(room));
  return arith::MaxSIOp::create(b, loc, count, math.value(b.getIndexAttr(0)));
}

CachedAttentionTiler::RowTile
CachedAttentionTiler::createRowTile(ArrayRef<OpFoldResult> ids) {
  RowTile tile;
  tile.batch = ids[0];
  tile.head = ids[1];
  tile.begin = math.apply(d0 * block, {ids.back()});
  std::optional<int64_t> count = getConstantIntValue(rows);
  tile.count = count && *count % block == 0
                   ? OpFoldResult(b.getIndexAttr(block))
                   : math.min({b.getAffineConstantExpr(block), d1 - d0},
                              {tile.begin, rows});
  SmallVector<OpFoldResult> head = {tile.batch, tile.head};
  tile.query = sliceRows(b, loc, query, head, tile.begin, tile.count);
  tile.minimum =
      sliceRows(b, loc, minimum, head, tile.begin, b.getIndexAttr(block));
  if (getConstantIntValue(tokens) == 1)
    tile.common = tensor::ExtractOp::create(
        b, loc, minimum,
        ValueRange{math.value(tile.batch), math.value(tile.head),
                   math.value(b.getIndexAttr(0))});
  return tile;
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
      rows.common, Value(), Value(), Value(), outs, op.getScaleAttr(),
      FloatAttr(), UnitAttr());
  return SmallVector<Value>(step.getResults().drop_back());
}

/// Adds `length` cached keys from `offset` on: whole tiles, then what is left in
/// small ones, of which the last may be short.
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
      Value(), Value(), Value(), Value(), state, op.getScaleAttr(), FloatAttr(),
      UnitAttr());
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
        Value(), Value(), firstRows, lastRows, math.value(offset), state,
        op.getScaleAttr(), FloatAttr(), UnitAttr());
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

/// x for the tokens that a sequence does not have.
Value CachedAttentionTiler::clearAbsent(Value tensor, const APFloat &x) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto element = cast<FloatType>(type.getElementType());
  APFloat rounded = x;
  bool losesInfo;
  rounded.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  Value replacement = arith::ConstantFloatOp::create(b, loc, element, rounded);
  int64_t rank = type.getRank();
  SmallVector<AffineMap> maps = {AffineMap::get(rank, 0, b.getAffineDimExpr(0)),
                                 b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, op.getLengths(), tensor, maps, kinds,
             [&](OpBuilder &nested, Location, ValueRange x) {
               Value token = arith::IndexCastOp::create(
                   nested, loc, nested.getI64Type(),
                   linalg::IndexOp::create(nested, loc, 2));
               Value isThere = arith::CmpIOp::create(
                   nested, loc, arith::CmpIPredicate::slt, token, x[0]);
               Value kept = arith::SelectOp::create(nested, loc, isThere, x[1],
                                                    replacement);
               linalg::YieldOp::create(nested, loc, kept);
             })
      .getResult(0);
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
