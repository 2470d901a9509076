//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeyPruning.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fpa;

bool mlir::fpa::isPruned(AttentionOpInterface op) {
  return op.getField() && op.getPruneEps() && !op.getPruneEps()->isZero();
}

KeyPruning::KeyPruning(KeyWalk &walk, int64_t rows)
    : walk(walk), b(walk.b), loc(walk.loc), math(walk.math),
      eps(walk.b.getF64FloatAttr(
          walk.attention.getPruneEps()->convertToDouble())),
      headSize(walk.b.getI64IntegerAttr(walk.attention.getHeadSize())) {
  // Minus norms, so that minima find the largest.
  Value norms = createNorms(walk.attention.getKey(),
                            rows ? rows : walk.sizes.key, /*factor=*/-1.0);
  Value level = walk.attention.getLevelOrField();
  tileBounds = {createMinima(norms, /*reverse=*/true, walk.sizes.key),
                createMeanLevels(level)};
  upToBounds = {createMinima(norms, /*reverse=*/false, 0),
                createMinima(level, /*reverse=*/false, 0)};
}

/// A number for each row, made `step` at a time in parallel.
Value KeyPruning::mapTiles(
    ArrayRef<OpFoldResult> shape, int64_t step,
    function_ref<Value(const Block &block, Value out)> body) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  SmallVector<OpFoldResult> bounds(shape);
  bounds[2] = math.apply(d0.ceilDiv(step), {shape[2]});
  Value empty = tensor::EmptyOp::create(b, loc, shape, walk.accumulator);
  auto forall =
      scf::ForallOp::create(b, loc, bounds, empty, createWorkItems(b, bounds));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forall.getBody());
  SmallVector<OpFoldResult> ids =
      getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
  OpFoldResult begin = math.apply(d0 * step, {ids[2]});
  OpFoldResult count =
      math.min({b.getAffineConstantExpr(step), d1 - d0}, {begin, shape[2]});
  ArrayRef<OpFoldResult> head = ArrayRef(ids).take_front(2);
  Value slice =
      sliceRows(b, loc, forall.getRegionIterArgs()[0], head, begin, count);
  insertInParallel(b, loc, forall, body({head, begin, count}, slice), slice);
  return forall.getResult(0);
}

Value KeyPruning::createNorms(Value source, int64_t rows, double factor) {
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, source);
  shape.pop_back();
  return mapTiles(shape, rows, [&](const Block &block, Value out) {
    Value slice =
        sliceRows(b, loc, source, block.head, block.begin, block.count);
    return RowNormsOp::create(b, loc, out.getType(), slice, out,
                              b.getF64FloatAttr(factor))
        .getResult(0);
  });
}

double KeyPruning::getReachFactor() {
  return std::abs(walk.attention.getScaleValue()) * llvm::numbers::log2e;
}

/// The level of each key's tile by the mean of weights.
Value KeyPruning::createMeanLevels(Value level) {
  Value least = createMinima(level, /*reverse=*/true, walk.sizes.key);
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, level);
  return mapTiles(shape, walk.sizes.key, [&](const Block &tile, Value out) {
    Value levels = sliceRows(b, loc, level, tile.head, tile.begin, tile.count);
    Value first = readOne(least, {tile.head[0], tile.head[1], tile.begin});
    return MeanLevelOp::create(b, loc, out.getType(), levels, first, out)
        .getResult(0);
  });
}

Value KeyPruning::createMinima(Value source, bool reverse, int64_t segment) {
  Value out = walk.emptyLike(source);
  return PrefixMinOp::create(b, loc, out.getType(), source, out, /*axis=*/2,
                             reverse, /*exclusive=*/false,
                             segment ? b.getI64IntegerAttr(segment)
                                     : IntegerAttr())
      .getResult(0);
}

KeyPruning::Rows KeyPruning::describe(OpFoldResult batch, OpFoldResult keyHead,
                                      OpFoldResult fieldHead, Value query,
                                      const KeyRanges &ranges) {
  Value empty = tensor::EmptyOp::create(
      b, loc, ArrayRef<int64_t>{walk.sizes.query}, walk.accumulator);
  auto reach = RowNormsOp::create(b, loc, empty.getType(), query, empty,
                                  b.getF64FloatAttr(getReachFactor()));
  OpFoldResult begin = ranges.left ? ranges.left->begin : ranges.inner.begin;
  return {batch, keyHead,          fieldHead,
          begin, ranges.right.end, reach.getResult(0)};
}

Value KeyPruning::constant(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value KeyPruning::readOne(Value tensor, ArrayRef<OpFoldResult> place) {
  SmallVector<Value> indices;
  for (OpFoldResult index : place)
    indices.push_back(math.value(index));
  return tensor::ExtractOp::create(b, loc, tensor, indices);
}

KeyPruning::Keys KeyPruning::read(const Rows &rows, ArrayRef<Value> bounds,
                                  OpFoldResult key) {
  return {readOne(bounds[0], {rows.batch, rows.keyHead, key}),
          readOne(bounds[1], {rows.batch, rows.fieldHead, key})};
}

KeyPruning::Keys KeyPruning::ofTile(const Rows &rows, OpFoldResult offset) {
  return read(rows, tileBounds, offset);
}

KeyPruning::Keys KeyPruning::upToTile(const Rows &rows, OpFoldResult offset) {
  AffineExpr d0 = b.getAffineDimExpr(0);
  return read(rows, upToBounds,
              math.apply(d0 + (walk.sizes.key - 1), {offset}));
}

/// Of all keys that the rows see; there is one where this is asked.
Value KeyPruning::readAll(const Rows &rows) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult last = math.min({d0 - 1, d1 - 1}, {rows.end, walk.keyLength});
  return readOne(upToBounds[0], {rows.batch, rows.keyHead, last});
}

Value KeyPruning::needs(const Rows &rows, const Keys &keys, Value minimum,
                        Value maximum, Value lse) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  Value total = math.value(math.apply(d0 - d1, {rows.end, rows.begin}));
  return PruneKeysOp::create(b, loc, b.getIndexType(), rows.reach, maximum, lse,
                             minimum, keys.norm, keys.level, readAll(rows),
                             total, eps, headSize);
}

SmallVector<Value> KeyPruning::createState(const Rows &rows, bool counts) {
  SmallVector<Value> state;
  if (counts) {
    const llvm::fltSemantics &semantics = walk.accumulator.getFloatSemantics();
    state = {walk.fill({walk.sizes.query}, APFloat::getZero(semantics)),
             walk.fill({walk.sizes.query},
                       APFloat::getInf(semantics, /*Negative=*/true))};
  }
  state.append({constant(1), constant(0), math.value(rows.begin)});
  return state;
}

/// A tile that no row needs, and with it, if no row needs them either, all keys
/// to its left.
SmallVector<Value> KeyPruning::leaveOut(const Rows &rows, OpFoldResult offset,
                                        Value maximum, Value minimum,
                                        ValueRange state) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  int64_t step = walk.sizes.key;
  Keys tile = ofTile(rows, offset), rest = upToTile(rows, offset);
  Value more = needs(rows, rest, minimum, maximum);
  Value goesOn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, more,
                                       constant(0));
  auto pick = [&](Value ofTile, Value ofRest) -> Value {
    return arith::SelectOp::create(b, loc, goesOn, ofTile, ofRest);
  };
  Value end = math.value(math.apply(d0 + step, {offset}));
  SmallVector<Value> next;
  if (state.size() > 3) {
    Value before = math.value(math.apply(d0 + step - d1, {offset, rows.begin}));
    SmallVector<Value> outs = {state[0], state[1]};
    auto drop = DropKeysOp::create(
        b, loc, ValueRange(outs).getTypes(), rows.reach, maximum, minimum,
        pick(tile.norm, rest.norm), pick(tile.level, rest.level), readAll(rows),
        pick(constant(step), before), outs, headSize);
    llvm::append_range(next, drop.getResults());
  }
  Value passed = state.take_back(2).front();
  next.push_back(more);
  next.push_back(
      arith::AddIOp::create(b, loc, passed, pick(constant(step), constant(0))));
  next.push_back(pick(state.back(), end));
  return next;
}

SmallVector<Value> KeyPruning::visitIfNeeded(Value keep, OpFoldResult offset,
                                             ValueRange state, TileBody visit) {
  Value step = constant(walk.sizes.key), begin = math.value(offset);
  Value size = arith::MulIOp::create(b, loc, keep, step);
  Value end = arith::AddIOp::create(b, loc, begin, size);
  auto loop = scf::ForOp::create(b, loc, begin, end, step, state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b, loc,
                       visit(loop.getInductionVar(), loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value> KeyPruning::walkTile(const Rows &rows, OpFoldResult offset,
                                        ValueRange state, TileBody visit,
                                        function_ref<Value(Value)> pass) {
  auto walkOne = [&](OpFoldResult, ValueRange carried) {
    ValueRange online = carried.take_front(4), left = carried.drop_front(4);
    Value minimum = online[3];
    Value keep = needs(rows, ofTile(rows, offset), minimum, online[1]);
    Value drop = arith::SubIOp::create(b, loc, constant(1), keep);
    auto visitOne = [&](OpFoldResult at, ValueRange x) {
      SmallVector<Value> all(x);
      all.push_back(minimum);
      SmallVector<Value> visited = visit(at, all);
      visited.pop_back();
      return visited;
    };
    SmallVector<Value> next =
        visitIfNeeded(keep, offset, online.take_front(3), visitOne);
    // Where the tile is left out the maximum is what it was before: to ask for
    // the new one lets it stay in place.
    Value maximum = next[1];
    SmallVector<Value> leftOut =
        createLoop(b, loc, drop, left, [&](OpFoldResult, ValueRange x) {
          return leaveOut(rows, offset, maximum, minimum, x);
        });
    next.push_back(pass(minimum));
    llvm::append_range(next, leftOut);
    return next;
  };
  Value goesOn = state.take_back(3).front();
  return createLoop(b, loc, goesOn, state, walkOne);
}
