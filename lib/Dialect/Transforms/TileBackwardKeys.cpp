//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The walk of keys along the query rows that see them, of all query heads that
// share the key head.

#include "TileBackwardSplit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;

KeysWalk::Result KeysWalk::run() {
  Result result;
  SmallVector<OpFoldResult> bounds = {
      math.dim(op.getKey(), 0), math.dim(op.getKey(), 1), countKeyTiles()};
  SmallVector<Value> outs = {op.getOuts()[1], op.getOuts()[2]};
  if (hasFieldGradient)
    for (int i = 0; i < 2; ++i)
      outs.push_back(createZeros(
          {bounds[0], math.dim(op.getField(), 1), keyBegin(bounds[2])}));
  auto forall =
      scf::ForallOp::create(b, loc, bounds, outs, createWorkItems(b, bounds));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forall.getBody());
    createBody(forall);
  }
  result.loops.push_back(forall);
  result.key = forall.getResult(0);
  result.value = forall.getResult(1);
  if (hasFieldGradient) {
    result.level = cutToKeys(forall.getResult(2));
    result.suffix = cutToKeys(forall.getResult(3));
  }
  return result;
}

/// Without the keys that fill up the last tile.
Value KeysWalk::cutToKeys(Value sums) {
  return takeSlice(b, loc, sums, {index(0), index(0), index(0)},
                   {math.dim(sums, 0), math.dim(sums, 1), keyLength}, {});
}

/// The first row whose bound, which never falls from row to row, is at least
/// `key`; the number of rows where there is none. In 64 halvings at most.
OpFoldResult KeysWalk::searchRow(Value bounds, OpFoldResult key) {
  Value wanted =
      arith::IndexCastOp::create(b, loc, b.getI64Type(), math.value(key));
  // Without a row there is nothing to read; with few, fewer halvings will do.
  OpFoldResult halvings =
      math.min({d(0), b.getAffineConstantExpr(64)}, {queryLength});
  SmallVector<Value> found = createLoop(
      b, loc, math.value(halvings),
      {math.value(index(0)), math.value(queryLength)},
      [&](OpFoldResult, ValueRange range) -> SmallVector<Value> {
        Value low = range[0], high = range[1];
        OpFoldResult middle = math.apply(
            (d(0) + d(1)).floorDiv(2), {OpFoldResult(low), OpFoldResult(high)});
        OpFoldResult exists = math.min({d(0), d(1) - 1}, {middle, queryLength});
        Value bound =
            tensor::ExtractOp::create(b, loc, bounds, math.value(exists));
        Value reached = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                              bound, wanted);
        Value isOpen =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, low, high);
        Value at = math.value(middle);
        Value next = arith::SelectOp::create(
            b, loc, reached, low, math.value(math.apply(d(0) + 1, {middle})));
        return {arith::SelectOp::create(b, loc, isOpen, next, low),
                arith::SelectOp::create(
                    b, loc, arith::AndIOp::create(b, loc, isOpen, reached), at,
                    high)};
      });
  return found[0];
}

/// The same, which without packed sequences needs no search.
OpFoldResult KeysWalk::findRow(Value bounds, OpFoldResult key) {
  if (op.isPacked())
    return searchRow(bounds, key);
  // last_i = i + Lk - Lq, and first_i is a window before it.
  int64_t window = bounds == first ? *op.getWindow() - 1 : 0;
  OpFoldResult row =
      math.apply(d(0) - d(1) + d(2) + window, {key, keyLength, queryLength});
  return math.min({d(0), d(1)}, {math.max(row, index(0)), queryLength});
}

SmallVector<KeysWalk::RowRange> KeysWalk::splitRows(OpFoldResult keyTile) {
  OpFoldResult begin = keyBegin(keyTile), tiles = countTiles();
  int64_t rows = inputs.blockRows, ofBlock = tilesOfBlock();
  // The first tile of a row's block, and that of the first block that begins at
  // it or later.
  auto tileOf = [&](OpFoldResult row) -> OpFoldResult {
    Value isNone =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, math.value(row),
                              math.value(queryLength));
    OpFoldResult tile = math.apply(d(0).floorDiv(rows) * ofBlock, {row});
    return arith::SelectOp::create(b, loc, isNone, math.value(tiles),
                                   math.value(tile))
        .getResult();
  };
  auto tileFrom = [&](OpFoldResult row) {
    return math.min({d(0).ceilDiv(rows) * ofBlock, d(1)}, {row, tiles});
  };
  auto least = [&](OpFoldResult x, OpFoldResult y) {
    return math.min({d(0), d(1)}, {x, y});
  };
  // The first query tile of a block that sees a key of the tile, of one of
  // which all rows see all keys of the tile's block, of one that misses a key
  // of that on the left, and of one that sees none of the tile.
  OpFoldResult reaches = tileOf(findRow(last, begin));
  OpFoldResult whole = math.alignDown(begin, inputs.blockKeys);
  OpFoldResult covers = tileFrom(
      findRow(last, math.apply(d(0) + (inputs.blockKeys - 1), {whole})));
  OpFoldResult misses = tiles, leaves = tiles;
  if (op.getWindow() || op.isPacked()) {
    misses = tileOf(findRow(first, math.apply(d(0) + 1, {whole})));
    leaves = tileFrom(findRow(first, math.apply(d(0) + sizes.key, {begin})));
  }
  SmallVector<RowRange> ranges = {
      {reaches, least(covers, leaves), /*isEdge=*/true, /*isRight=*/true},
      {covers, misses, /*isEdge=*/false, /*isRight=*/false}};
  if (op.getWindow() || op.isPacked())
    ranges.push_back({math.max(covers, misses), leaves, /*isEdge=*/true,
                      /*isRight=*/false});
  return ranges;
}

void KeysWalk::createBody(scf::ForallOp forall) {
  SmallVector<OpFoldResult> ids =
      getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
  Pair pair;
  pair.beta = loadBeta();
  pair.batch = ids[0];
  pair.keyHead = ids[1];
  pair.keyTile = ids[2];
  OpFoldResult begin = keyBegin(pair.keyTile);
  pair.keys = countKeys({{}, {}, sizes.key, /*isEdge=*/true}, begin);

  // The divisions stay inside the loop, where there is a head to divide by.
  OpFoldResult zeroIndex = index(0), one = index(1);
  OpFoldResult heads = math.dim(op.getKey(), 1), firstField, fieldGroup;
  OpFoldResult group =
      divide(math, math.dim(op.getQuery(), 1), heads, /*up=*/false);
  OpFoldResult firstHead = multiply(math, pair.keyHead, group);
  auto outs = forall.getRegionIterArgs();
  SmallVector<Value> slices;
  for (auto [out, source] :
       {std::pair(outs[0], op.getKey()), std::pair(outs[1], op.getValue())})
    slices.push_back(
        takeSlice(b, loc, out, {pair.batch, pair.keyHead, begin, zeroIndex},
                  {one, one, pair.keys, math.dim(source, 3)}, {0, 1}));
  if (hasFieldGradient) {
    fieldGroup = divide(math, math.dim(op.getField(), 1), heads, /*up=*/false);
    firstField = multiply(math, pair.keyHead, fieldGroup);
    for (Value out : outs.drop_front(2))
      slices.push_back(takeSlice(b, loc, out, {pair.batch, firstField, begin},
                                 {one, fieldGroup, index(sizes.key)}, {0}));
  }
  SmallVector<RowRange> ranges = splitRows(pair.keyTile);
  SmallVector<Value> state = {
      fill({sizes.key, op.getQueryType().getDimSize(3)}, zero()),
      fill({sizes.key, op.getValueType().getDimSize(3)}, zero())};
  llvm::append_range(state, ArrayRef(slices).drop_front(2));
  Value key =
      sliceOf(op.getKey(), {pair.batch, pair.keyHead}, begin, pair.keys);
  Value value =
      sliceOf(op.getValue(), {pair.batch, pair.keyHead}, begin, pair.keys);
  state = createLoop(
      b, loc, math.value(group), state,
      [&](OpFoldResult u, ValueRange outer) -> SmallVector<Value> {
        pair.head = math.apply(d(0) + d(1), {firstHead, u});
        SmallVector<Value> inner(outer.take_front(2)), lines;
        if (op.getField())
          pair.fieldHead = headOf(op.getField(), pair.head);
        if (hasFieldGradient)
          for (Value slab : outer.drop_front(2))
            lines.push_back(sliceRows(
                b, loc, slab,
                {math.apply(d(0) - d(1), {pair.fieldHead, firstField})},
                zeroIndex, index(sizes.key)));
        llvm::append_range(inner, lines);
        KeySlices ofKeys = sliceKeysOf(pair);
        ofKeys.key = key;
        ofKeys.value = value;
        for (const RowRange &range : ranges)
          inner = walkRows(pair, ofKeys, range, inner);
        SmallVector<Value> next(ArrayRef(inner).take_front(2));
        for (auto [changed, line, slab] : llvm::zip_equal(
                 ArrayRef(inner).drop_front(2), lines, outer.drop_front(2)))
          next.push_back(putBack(b, loc, changed, line, slab));
        return next;
      });

  double scales[] = {op.getScaleValue(), 1.0};
  for (auto [sum, slice, scale] :
       llvm::zip(MutableArrayRef(state).take_front(2), slices, scales))
    sum = BackwardFinalizeOp::create(b, loc, slice.getType(), sum, slice,
                                     b.getF64FloatAttr(scale))
              .getResult(0);
  insertInParallel(b, loc, forall, state, slices);
}

/// The state: gradients of key, value, level and suffix.
SmallVector<Value> KeysWalk::walkRows(Pair pair, const KeySlices &ofKeys,
                                      const RowRange &range,
                                      SmallVector<Value> state) {
  pair.isEdge = range.isEdge;
  pair.isRight = range.isRight;
  if (inputs.pruning && !range.isEdge)
    return walkGroups(pair, ofKeys, range, state);
  return walkTiles(pair, ofKeys, range.begin,
                   math.value(countBetween(range.begin, range.end)), state);
}

/// `count` query tiles from `begin` on.
SmallVector<Value> KeysWalk::walkTiles(Pair pair, const KeySlices &ofKeys,
                                       OpFoldResult begin, Value count,
                                       SmallVector<Value> state) {
  return createLoop(
      b, loc, count, state,
      [&, from = begin](OpFoldResult i, ValueRange sums) -> SmallVector<Value> {
        pair.queryTile = math.apply(d(0) + d(1), {from, i});
        OpFoldResult begin = rowBegin(pair.queryTile);
        pair.rows = countRows(begin);
        KeyRanges span = splitKeysOf(pair.queryTile);
        return SmallVector<Value>(createStep(pair, sliceRowsOf(pair), ofKeys,
                                             span, GradientPart::Keys, sums)
                                      ->getResults());
      });
}

/// The same where the rows of whole groups may leave the keys out.
SmallVector<Value> KeysWalk::walkGroups(const Pair &pair,
                                        const KeySlices &ofKeys,
                                        const RowRange &range,
                                        SmallVector<Value> state) {
  PairPruning &pruning = *inputs.pruning;
  int64_t tiles = pruning.getRows() / sizes.query;
  PairPruning::Head head = headOfGroups(pair);
  OpFoldResult ofKey =
      math.apply(d(0).floorDiv(pruning.getKeys() / sizes.key), {pair.keyTile});
  OpFoldResult begin = math.apply(d(0).floorDiv(tiles), {range.begin});
  OpFoldResult end = math.apply(d(0).ceilDiv(tiles), {range.end});
  auto one = [&](OpFoldResult group) {
    return pruning.needs(head, pruning.describe(head, group), ofKey);
  };
  auto all = [&] { return pruning.isNeededByAll(head, begin, ofKey); };
  auto right = [&](OpFoldResult group) {
    return pruning.isNeededFrom(head, group, ofKey);
  };
  return pruning.walk(
      begin, end, {one, all, right, {}}, state,
      [&](OpFoldResult group, Value keep, OpFoldResult next, ValueRange sums) {
        OpFoldResult from =
            math.max(range.begin, math.apply(d(0) * tiles, {group}));
        OpFoldResult to = math.min({d(0), d(1) * tiles}, {range.end, next});
        Value count = arith::MulIOp::create(b, loc, keep,
                                            math.value(countBetween(from, to)));
        return walkTiles(pair, ofKeys, from, count, SmallVector<Value>(sums));
      });
}
