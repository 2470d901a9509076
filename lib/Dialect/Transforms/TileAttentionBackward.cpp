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

#include "KeyWalk.h"
#include "fpa/Dialect/IR/CreateGeneric.h"
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

class BackwardTiler : private KeyWalk {
public:
  BackwardTiler(RewriterBase &rewriter, AttentionBackwardOp op,
                const AttentionTileSizes &sizes)
      : KeyWalk(rewriter, op, /*nonIncreasing=*/false, sizes), op(op),
        hasFieldGradient(op.getOuts().size() > 3) {}

  std::pair<scf::ForallOp, SmallVector<Value>> run();

private:
  struct QueryTile {
    OpFoldResult batch, head, keyHead, fieldHead, ownHead, ownField, begin,
        rows;
    Value query, output, outputGradient, lse, lseGradient;
    Value first, last, minima;
  };

  Value createSums(Value like);
  void createChunks();
  void createBody(scf::ForallOp forall);
  SmallVector<Value> walkTile(QueryTile &tile, SmallVector<Value> sums);
  void findMinima(QueryTile &tile, ArrayRef<KeyRange> ranges);
  SmallVector<Value> walkKeys(const QueryTile &tile, const KeyRange &range,
                              OpFoldResult step, SmallVector<Value> state);
  SmallVector<Value> createStep(const QueryTile &tile, const KeyRange &range,
                                OpFoldResult offset, Value minimum,
                                ArrayRef<Value> state);
  Value finishQueries(const QueryTile &tile, Value sum, Value slab);

  Value addChunks(Value sums);
  Value scaleInto(Value sum, double scale, Value out);
  Value addFieldParts(ArrayRef<Value> sums);
  Value placeSuffixes();
  Value generic(ArrayRef<Value> ins, Value out, ArrayRef<AffineMap> maps,
                ArrayRef<utils::IteratorType> kinds,
                function_ref<Value(ValueRange)> body) {
    return createGeneric(b, loc, ins, out, maps, kinds, body);
  }

  Value sliceKeys(Value source, const QueryTile &tile, OpFoldResult head,
                  OpFoldResult offset, OpFoldResult count) {
    if (!source)
      return {};
    return sliceRows(b, loc, source, {tile.batch, head}, offset, count);
  }
  Value sliceQueries(Value source, const QueryTile &tile) {
    if (!source)
      return {};
    return sliceRows(b, loc, source, {tile.batch, tile.head}, tile.begin,
                     tile.rows);
  }
  /// The number of tiles of a range, which may end before it begins.
  OpFoldResult stepsOf(const KeyRange &range) {
    return math.max(countSteps(range), index(0));
  }
  APFloat zero() { return APFloat::getZero(accumulator.getFloatSemantics()); }
  OpFoldResult index(int64_t value) { return b.getIndexAttr(value); }

  AttentionBackwardOp op;
  bool hasFieldGradient;
  PrefixMinOp suffix;
  OpFoldResult chunks, tilesOfChunk, group, fieldGroup;
  OpFoldResult chunkBegin;
};

constexpr auto parallel = utils::IteratorType::parallel;
constexpr auto reduction = utils::IteratorType::reduction;

/// x / y for indices of which y is not 0, rounded up or down.
OpFoldResult divide(IndexMath &math, OpFoldResult x, OpFoldResult y, bool up) {
  std::optional<int64_t> a = getConstantIntValue(x), c = getConstantIntValue(y);
  if (a && c && *c > 0)
    return math.b.getIndexAttr(up ? llvm::divideCeil(*a, *c) : *a / *c);
  Value p = math.value(x), q = math.value(y);
  return up ? arith::CeilDivUIOp::create(math.b, math.loc, p, q).getResult()
            : arith::DivUIOp::create(math.b, math.loc, p, q).getResult();
}

/// A loop over `[0, count)` that carries `state`.
SmallVector<Value>
createLoop(OpBuilder &b, Location loc, Value count, ValueRange state,
           function_ref<SmallVector<Value>(OpFoldResult, ValueRange)> body) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, count, one, state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!next.empty())
    scf::YieldOp::create(b, loc, next);
  return SmallVector<Value>(loop.getResults());
}

/// Puts `value` back to where `slice` was taken from, in `into`.
Value putBack(OpBuilder &b, Location loc, Value value, Value slice,
              Value into) {
  auto extract = slice.getDefiningOp<tensor::ExtractSliceOp>();
  return tensor::InsertSliceOp::create(
      b, loc, value, into, extract.getMixedOffsets(), extract.getMixedSizes(),
      extract.getMixedStrides());
}

} // namespace

/// Zeros for the gradients of `like`, once for every chunk.
Value BackwardTiler::createSums(Value like) {
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, like);
  shape.insert(shape.begin() + 2, chunks);
  Value empty = tensor::EmptyOp::create(b, loc, shape, accumulator);
  Value scalar = arith::ConstantFloatOp::create(b, loc, accumulator, zero());
  return linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
}

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
  if (op.getField())
    suffix = createSuffixMinima(/*index=*/hasFieldGradient);
  createIntervals();
  createChunks();
  SmallVector<Value> outs = {op.getOuts()[0], createSums(op.getKey()),
                             createSums(op.getValue())};
  if (hasFieldGradient)
    for (int i = 0; i < 3; ++i)
      outs.push_back(createSums(op.getField()));
  SmallVector<OpFoldResult> bounds = {math.dim(op.getKey(), 0),
                                      math.dim(op.getKey(), 1), chunks};
  auto forall =
      scf::ForallOp::create(b, loc, bounds, outs, createWorkItems(bounds));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forall.getBody());
    createBody(forall);
  }
  SmallVector<Value> sums;
  for (Value partial : forall.getResults().drop_front())
    sums.push_back(addChunks(partial));
  SmallVector<Value> results = {
      forall.getResult(0),
      scaleInto(sums[Key - 1], op.getScaleValue(), op.getOuts()[1]),
      scaleInto(sums[Value_ - 1], 1.0, op.getOuts()[2])};
  if (hasFieldGradient) {
    results.push_back(addFieldParts(ArrayRef(sums).drop_front(2)));
    if (op.getLevel())
      results.push_back(scaleInto(sums[Level - 1], 1.0, op.getOuts()[4]));
  }
  return {forall, results};
}

void BackwardTiler::createBody(scf::ForallOp forall) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  SmallVector<OpFoldResult> ids =
      getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
  OpFoldResult batch = ids[0], keyHead = ids[1], chunk = ids[2];
  auto product = [&](OpFoldResult x, OpFoldResult y) -> OpFoldResult {
    if (std::optional<int64_t> c = getConstantIntValue(y))
      return math.apply(d0 * *c, {x});
    return arith::MulIOp::create(b, loc, math.value(x), math.value(y))
        .getResult();
  };
  // The divisions stay inside the loop, where there is a head to divide by.
  OpFoldResult heads = math.dim(op.getKey(), 1);
  group = divide(math, math.dim(op.getQuery(), 1), heads, /*up=*/false);
  OpFoldResult firstHead = product(keyHead, group), firstField;
  if (op.getField()) {
    fieldGroup = divide(math, math.dim(op.getField(), 1), heads, /*up=*/false);
    firstField = product(keyHead, fieldGroup);
  }

  OpFoldResult tileBegin = product(chunk, tilesOfChunk);
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
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape;
    for (auto [dim, extent] : llvm::enumerate(extents))
      if (!llvm::is_contained(dropped, dim))
        shape.push_back(
            getConstantIntValue(extent).value_or(ShapedType::kDynamic));
    SmallVector<OpFoldResult> strides(offsets.size(), one);
    slabs.push_back(tensor::ExtractSliceOp::create(
        b, loc, type.clone(shape), source, offsets, extents, strides));
  };
  auto outs = forall.getRegionIterArgs();
  take(outs[Query], {batch, firstHead, chunkBegin, zeroIndex},
       {one, group, rows, math.dim(op.getQuery(), 3)}, {0});
  for (auto [out, source] : {std::pair(outs[Key], op.getKey()),
                             std::pair(outs[Value_], op.getValue())})
    take(out, {batch, keyHead, chunk, zeroIndex, zeroIndex},
         {one, one, one, keyLength, math.dim(source, 3)}, {0, 1, 2});
  if (hasFieldGradient)
    for (Value out : outs.drop_front(3))
      take(out, {batch, firstField, chunk, zeroIndex},
           {one, fieldGroup, one, keyLength}, {0, 2});

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

  b.setInsertionPointToStart(forall.getTerminator().getBody());
  for (auto [value, slab, out] : llvm::zip_equal(sums, slabs, outs)) {
    auto extract = slab.getDefiningOp<tensor::ExtractSliceOp>();
    tensor::ParallelInsertSliceOp::create(
        b, loc, value, out, extract.getMixedOffsets(), extract.getMixedSizes(),
        extract.getMixedStrides());
  }
}

/// All keys of one query tile.
SmallVector<Value> BackwardTiler::walkTile(QueryTile &tile,
                                           SmallVector<Value> sums) {
  // Outside of the loops over keys, which read them once.
  tile.query = sliceQueries(op.getQuery(), tile);
  tile.output = sliceQueries(op.getOutput(), tile);
  tile.outputGradient = sliceQueries(op.getOutputGradient(), tile);
  tile.lse = sliceQueries(op.getLse(), tile);
  tile.lseGradient = sliceQueries(op.getLseGradient(), tile);
  tile.first = sliceRows(b, loc, first, {}, tile.begin, tile.rows);
  tile.last = sliceRows(b, loc, last, {}, tile.begin, tile.rows);
  KeyRanges split = splitKeys(tile.begin, tile.rows);
  SmallVector<KeyRange> ranges;
  if (split.left)
    ranges.push_back(*split.left);
  ranges.append({split.inner, split.right});
  if (op.getField())
    findMinima(tile, ranges);

  // The query tile's own sums come first, then the carry, then the slabs.
  int64_t rows = sizes.query, width = op.getQueryType().getDimSize(3);
  SmallVector<Value> state = {fill({rows, width}, zero())};
  if (hasFieldGradient)
    state.push_back(fill({rows}, zero()));
  size_t own = state.size();
  llvm::append_range(state, ArrayRef(sums).drop_front());
  OpFoldResult step = index(0);
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  for (const KeyRange &range : ranges) {
    state = walkKeys(tile, range, step, state);
    step = math.apply(d0 + d1, {step, stepsOf(range)});
  }
  SmallVector<Value> next = {finishQueries(tile, state[0], sums[Query])};
  llvm::append_range(next, ArrayRef(state).drop_front(own));
  return next;
}

/// R_i at the right end of every step: the running minimum, from right to left.
void BackwardTiler::findMinima(QueryTile &tile, ArrayRef<KeyRange> ranges) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult steps = index(0);
  for (const KeyRange &range : ranges)
    steps = math.apply(d0 + d1, {steps, stepsOf(range)});
  int64_t rows = sizes.query;
  Value minima =
      tensor::EmptyOp::create(b, loc, {steps, index(rows)}, accumulator);
  Value minimum =
      fill({rows}, APFloat::getInf(accumulator.getFloatSemantics()));
  OpFoldResult end = steps;
  for (const KeyRange &range : llvm::reverse(ranges)) {
    SmallVector<Value> found = createLoop(
        b, loc, math.value(stepsOf(range)), {minima, minimum},
        [&](OpFoldResult i, ValueRange state) -> SmallVector<Value> {
          OpFoldResult offset =
              math.apply(d0 - (d1 + 1) * range.step, {range.end, i});
          OpFoldResult at = math.apply(d0 - d1 - 1, {end, i});
          Value stored = tensor::InsertSliceOp::create(
              b, loc, state[1], state[0], ArrayRef<OpFoldResult>{at, index(0)},
              ArrayRef<OpFoldResult>{index(1), index(rows)},
              ArrayRef<OpFoldResult>{index(1), index(1)});
          OpFoldResult count = countKeys(range, offset);
          Value field =
              sliceKeys(op.getField(), tile, tile.fieldHead, offset, count);
          Value inTile;
          if (!range.isEdge)
            inTile = sliceKeys(suffix.getResult(0), tile, tile.fieldHead,
                               offset, count);
          auto passed = PassFieldOp::create(
              b, loc, state[1].getType(), field, inTile,
              range.isEdge ? tile.last : Value(),
              range.isEdge ? math.value(offset) : Value(), state[1]);
          return {stored, passed.getResult(0)};
        });
    minima = found[0];
    minimum = found[1];
    end = math.apply(d0 - d1, {end, stepsOf(range)});
  }
  tile.minima = minima;
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
        return createStep(tile, range, offset, minimum, values);
      });
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
      tile.output, tile.outputGradient, tile.lse, tile.lseGradient,
      keys(op.getField(), tile.fieldHead), keys(op.getLevel(), tile.fieldHead),
      inTile, minimum, isEdge ? tile.first : Value(),
      isEdge ? tile.last : Value(), isEdge ? math.value(offset) : Value(), outs,
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
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult row = math.apply(d0 - d1, {tile.begin, chunkBegin});
  Value slice = sliceRows(b, loc, slab, {tile.ownHead}, row, tile.rows);
  auto rows = BackwardFinalizeOp::create(b, loc, slice.getType(), sum, slice,
                                         b.getF64FloatAttr(op.getScaleValue()));
  return putBack(b, loc, rows.getResult(0), slice, slab);
}

/// The sum over dimension 2, first chunk first.
Value BackwardTiler::addChunks(Value sums) {
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, sums);
  shape.erase(shape.begin() + 2);
  Value empty = tensor::EmptyOp::create(b, loc, shape, accumulator);
  Value scalar = arith::ConstantFloatOp::create(b, loc, accumulator, zero());
  Value init = linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
  AffineMap all =
      b.getMultiDimIdentityMap(cast<ShapedType>(sums.getType()).getRank());
  SmallVector<utils::IteratorType> kinds(all.getNumDims(), parallel);
  kinds[2] = reduction;
  return generic({sums}, init, {all, all.dropResult(2)}, kinds,
                 [&](ValueRange x) -> Value {
                   return arith::AddFOp::create(b, loc, x[1], x[0]);
                 });
}

/// scale * sum in the type of `out`.
Value BackwardTiler::scaleInto(Value sum, double scale, Value out) {
  auto element = cast<FloatType>(getElementTypeOrSelf(out.getType()));
  AffineMap all =
      b.getMultiDimIdentityMap(cast<ShapedType>(out.getType()).getRank());
  SmallVector<utils::IteratorType> kinds(all.getNumDims(), parallel);
  return generic({sum}, out, {all, all}, kinds, [&](ValueRange x) -> Value {
    Value factor =
        arith::ConstantOp::create(b, loc, b.getFloatAttr(accumulator, scale));
    Value scaled = arith::MulFOp::create(b, loc, x[0], factor);
    if (element == accumulator)
      return scaled;
    return arith::TruncFOp::create(b, loc, element, scaled);
  });
}

/// Where the minimum lies that each place of the suffix gradient is of: that of
/// the keys to the right inside of the tile, and for the tile's last key that
/// of the whole tile.
Value BackwardTiler::placeSuffixes() {
  Value at = suffix.getResult(1), minimum = suffix.getResult(0);
  AffineMap all = b.getMultiDimIdentityMap(3);
  return generic(
      {at}, emptyLike(at), {all, all}, {parallel, parallel, parallel},
      [&](ValueRange x) -> Value {
        SmallVector<Value> place;
        for (int64_t dim = 0; dim < 3; ++dim)
          place.push_back(linalg::IndexOp::create(b, loc, dim));
        Value step = math.value(index(sizes.key));
        Value lastKey = math.value(index(sizes.key - 1));
        Value inTile = arith::RemUIOp::create(b, loc, place[2], step);
        Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             inTile, lastKey);
        // The first key of the tile; of one that is cut off, any.
        place[2] = arith::SubIOp::create(b, loc, place[2], inTile);
        Value field = tensor::ExtractOp::create(b, loc, op.getField(), place);
        Value rest = tensor::ExtractOp::create(b, loc, minimum, place);
        Value restAt = tensor::ExtractOp::create(b, loc, at, place);
        Value own =
            arith::IndexCastOp::create(b, loc, b.getI64Type(), place[2]);
        Value isOwn = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                            field, rest);
        Value none = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
        Value isAlone = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                              restAt, none);
        isOwn = arith::OrIOp::create(b, loc, isOwn, isAlone);
        Value ofTile = arith::SelectOp::create(b, loc, isOwn, own, restAt);
        return arith::SelectOp::create(b, loc, isLast, ofTile, x[0]);
      });
}

/// The field's gradient from its parts; where level and field are tied, the
/// level's is one of them.
Value BackwardTiler::addFieldParts(ArrayRef<Value> sums) {
  Value level = sums[0], inSuffix = sums[1], inEdges = sums[2];
  Value placed =
      PrefixMinBackwardOp::create(b, loc, inSuffix.getType(), placeSuffixes(),
                                  inSuffix, emptyLike(inSuffix), /*axis=*/2)
          .getResult(0);
  SmallVector<Value> parts = {inEdges, placed};
  if (!op.getLevel())
    parts.push_back(level);
  AffineMap all = b.getMultiDimIdentityMap(3);
  SmallVector<AffineMap> maps(parts.size() + 1, all);
  return generic(parts, op.getOuts()[3], maps, {parallel, parallel, parallel},
                 [&](ValueRange x) -> Value {
                   Value sum = x[0];
                   for (Value part : x.drop_front().drop_back())
                     sum = arith::AddFOp::create(b, loc, sum, part);
                   return sum;
                 });
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
