//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Attention on whole tensors becomes a parallel loop over query tiles that
// walks the keys from the diagonal to the left.

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/Layout.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_TILEATTENTION
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// Index arithmetic that folds what is static.
struct IndexMath {
  OpBuilder &b;
  Location loc;

  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  }
  OpFoldResult min(ArrayRef<AffineExpr> exprs,
                   ArrayRef<OpFoldResult> operands) {
    auto map = AffineMap::get(operands.size(), 0, exprs, b.getContext());
    return affine::makeComposedFoldedAffineMin(b, loc, map, operands);
  }
  OpFoldResult max(OpFoldResult x, OpFoldResult y) {
    AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
    auto map = AffineMap::get(2, 0, {d0, d1}, b.getContext());
    return affine::makeComposedFoldedAffineMax(b, loc, map, {x, y});
  }
  /// The largest multiple of `step` that is not above x.
  OpFoldResult alignDown(OpFoldResult x, int64_t step) {
    return apply(b.getAffineDimExpr(0).floorDiv(step) * step, {x});
  }
  /// The smallest multiple of `step` that is not below x.
  OpFoldResult alignUp(OpFoldResult x, int64_t step) {
    return apply(b.getAffineDimExpr(0).ceilDiv(step) * step, {x});
  }
  Value value(OpFoldResult x) {
    return getValueOrCreateConstantIndexOp(b, loc, x);
  }
  OpFoldResult dim(Value tensor, int64_t axis) {
    return tensor::getMixedSize(b, loc, tensor, axis);
  }
};

/// Rows `[begin, begin + count)` of one head of `source`: a slice without the
/// leading dimensions, which `head` picks.
Value sliceRows(OpBuilder &b, Location loc, Value source,
                ArrayRef<OpFoldResult> head, OpFoldResult begin,
                OpFoldResult count) {
  auto type = cast<RankedTensorType>(source.getType());
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(head), sizes(head.size(), one);
  offsets.push_back(begin);
  sizes.push_back(count);
  for (int64_t axis = head.size() + 1; axis < type.getRank(); ++axis) {
    offsets.push_back(zero);
    sizes.push_back(tensor::getMixedSize(b, loc, source, axis));
  }
  SmallVector<OpFoldResult> strides(offsets.size(), one);
  SmallVector<int64_t> shape;
  for (OpFoldResult size : ArrayRef(sizes).drop_front(head.size()))
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return tensor::ExtractSliceOp::create(b, loc, type.clone(shape), source,
                                        offsets, sizes, strides);
}

/// Keys `[begin, end)`, walked from the right in tiles of `step`; both ends
/// are multiples of it. Rows of an edge see different keys.
struct KeyRange {
  OpFoldResult begin, end;
  int64_t step;
  bool isEdge;
};

/// The ranges that make up a query tile's keys, from right to left.
struct KeyRanges {
  KeyRange right, inner;
  std::optional<KeyRange> left;
};

class AttentionTiler {
public:
  AttentionTiler(RewriterBase &rewriter, AttentionOp op,
                 const AttentionTileSizes &sizes)
      : b(rewriter), loc(op.getLoc()), op(op), sizes(sizes),
        math{rewriter, op.getLoc()}, queryLength(math.dim(op.getQuery(), 2)),
        keyLength(math.dim(op.getKey(), 2)) {}

  scf::ForallOp run() {
    createSuffixMinima();
    createIntervals();
    OpFoldResult tiles =
        math.apply(b.getAffineDimExpr(0).ceilDiv(sizes.query), {queryLength});
    SmallVector<OpFoldResult> bounds = {math.dim(op.getQuery(), 0),
                                        math.dim(op.getQuery(), 1), tiles};
    auto forall = scf::ForallOp::create(b, loc, bounds, op.getOuts(),
                                        createMapping(bounds));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forall.getBody());
    SmallVector<OpFoldResult> ids =
        getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
    createBody(forall, ids, tiles);
    return forall;
  }

private:
  /// A loop of a single iteration would be folded away, and its body is what
  /// the lowering to a machine looks for.
  std::optional<ArrayAttr> createMapping(ArrayRef<OpFoldResult> bounds) {
    if (!llvm::all_of(bounds, [](OpFoldResult bound) {
          return getConstantIntValue(bound) == 1;
        }))
      return std::nullopt;
    SmallVector<Attribute> items;
    for (int64_t dim = 0, e = bounds.size(); dim < e; ++dim)
      items.push_back(WorkItemAttr::get(b.getContext(), dim));
    return b.getArrayAttr(items);
  }

  /// S_j, the minima to the right of each key inside its key tile.
  void createSuffixMinima() {
    if (!op.getField() || op.getNonIncreasing())
      return;
    Value empty = createEmptyLike(op.getField());
    suffix =
        PrefixMinOp::create(b, loc, empty.getType(), op.getField(), empty,
                            /*axis=*/2, /*reverse=*/true,
                            /*exclusive=*/true, b.getI64IntegerAttr(sizes.key))
            .getResult(0);
  }

  /// The first and last key of every row.
  void createIntervals() {
    int64_t rows =
        getConstantIntValue(queryLength).value_or(ShapedType::kDynamic);
    SmallVector<Value> dynamic;
    if (ShapedType::isDynamic(rows))
      dynamic.push_back(math.value(queryLength));
    SmallVector<Value> outs;
    for (int i = 0; i < 2; ++i)
      outs.push_back(tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{rows},
                                             b.getI64Type(), dynamic));
    auto intervals = KeyIntervalsOp::create(
        b, loc, ValueRange(outs).getTypes(), math.value(keyLength),
        op.getCuSeqlensQ(), op.getCuSeqlensK(), outs, op.getWindowAttr());
    first = intervals.getResult(0);
    last = intervals.getResult(1);
  }

  Value createEmptyLike(Value tensor) {
    return tensor::EmptyOp::create(
        b, loc, tensor::getMixedSizes(b, loc, tensor),
        cast<RankedTensorType>(tensor.getType()).getElementType());
  }

  /// The head of `tensor` that serves query head h: h / (HQ / heads). The
  /// division stays inside the loop, where there is at least one head.
  OpFoldResult headOf(Value tensor, OpFoldResult h) {
    OpFoldResult all = math.dim(op.getQuery(), 1), own = math.dim(tensor, 1);
    std::optional<int64_t> allSize = getConstantIntValue(all);
    std::optional<int64_t> ownSize = getConstantIntValue(own);
    if (allSize && ownSize && *ownSize > 0)
      return math.apply(b.getAffineDimExpr(0).floorDiv(*allSize / *ownSize),
                        {h});
    Value group =
        arith::DivUIOp::create(b, loc, math.value(all), math.value(own));
    return arith::DivUIOp::create(b, loc, math.value(h), group).getResult();
  }

  /// One element of an interval array, as index.
  OpFoldResult bound(Value array, OpFoldResult row) {
    Value element = tensor::ExtractOp::create(b, loc, array, math.value(row));
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), element)
        .getResult();
  }

  /// Accumulator 0, maximum -inf, sum 0, minimum +inf.
  SmallVector<Value> createInitialState() {
    FloatType type = op.getAccumulatorType();
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    APFloat zero = APFloat::getZero(semantics);
    int64_t rows = sizes.query, width = op.getValueType().getDimSize(3);
    auto fill = [&](ArrayRef<int64_t> shape, const APFloat &x) -> Value {
      Value empty = tensor::EmptyOp::create(b, loc, shape, type);
      Value scalar = arith::ConstantFloatOp::create(b, loc, type, x);
      return linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
    };
    return {fill({rows, width}, zero),
            fill({rows}, APFloat::getInf(semantics, /*Negative=*/true)),
            fill({rows}, zero), fill({rows}, APFloat::getInf(semantics))};
  }

  /// Splits the keys that rows `[begin, begin + count)` see. Both interval
  /// ends never fall from row to row, so the first and the last row bound all.
  KeyRanges splitKeys(OpFoldResult begin, OpFoldResult count) {
    AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
    OpFoldResult final = math.apply(d0 + d1 - 1, {begin, count});
    OpFoldResult lastMin = bound(last, begin), lastMax = bound(last, final);
    // Keys below innerEnd are seen by every row. In a field that never rises
    // the inner form takes the running minimum for the field at the row's own
    // key, so that key has to be in the edge.
    OpFoldResult innerEnd =
        op.getNonIncreasing()
            ? math.max(math.alignDown(lastMin, sizes.key), b.getIndexAttr(0))
            : math.alignDown(math.apply(d0 + 1, {lastMin}), sizes.key);
    OpFoldResult end = math.alignUp(math.apply(d0 + 1, {lastMax}), sizes.edge);
    if (!op.getWindow() && !op.isPacked())
      return {{innerEnd, end, sizes.edge, /*isEdge=*/true},
              {b.getIndexAttr(0), innerEnd, sizes.key, /*isEdge=*/false},
              std::nullopt};

    OpFoldResult firstMin = bound(first, begin), firstMax = bound(first, final);
    OpFoldResult start = math.alignDown(firstMin, sizes.edge);
    OpFoldResult innerBegin =
        math.min({d0, d1}, {innerEnd, math.alignUp(firstMax, sizes.key)});
    return {{math.max(innerEnd, start), end, sizes.edge, /*isEdge=*/true},
            {innerBegin, innerEnd, sizes.key, /*isEdge=*/false},
            KeyRange{start, innerBegin, sizes.edge, /*isEdge=*/true}};
  }

  struct QueryTile {
    OpFoldResult batch, head, keyHead, fieldHead, begin, rows;
    Value query, first, last;
  };

  /// Adds the keys of `range` to the state, from right to left.
  SmallVector<Value> walkKeys(const QueryTile &tile, const KeyRange &range,
                              ValueRange state) {
    AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
    Value count = math.value(
        math.apply((d0 - d1).floorDiv(range.step), {range.end, range.begin}));
    Value zero = math.value(b.getIndexAttr(0)),
          one = math.value(b.getIndexAttr(1));
    auto loop = scf::ForOp::create(b, loc, zero, count, one, state);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    OpFoldResult offset = math.apply(d0 - (d1 + 1) * range.step,
                                     {range.end, loop.getInductionVar()});
    Operation *step = createStep(tile, range, offset, loop.getRegionIterArgs());
    scf::YieldOp::create(b, loc, step->getResults());
    return SmallVector<Value>(loop.getResults());
  }

  Operation *createStep(const QueryTile &tile, const KeyRange &range,
                        OpFoldResult offset, ValueRange state) {
    OpFoldResult count = b.getIndexAttr(range.step);
    std::optional<int64_t> length = getConstantIntValue(keyLength);
    if (range.isEdge && !(length && *length % range.step == 0)) {
      AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
      count = math.min({b.getAffineConstantExpr(range.step), d1 - d0},
                       {offset, keyLength});
    }
    auto slice = [&](Value source, OpFoldResult head) -> Value {
      if (!source)
        return {};
      return sliceRows(b, loc, source, {tile.batch, head}, offset, count);
    };
    bool isEdge = range.isEdge;
    return OnlineAttentionOp::create(
        b, loc, state.getTypes(), tile.query, slice(op.getKey(), tile.keyHead),
        slice(op.getValue(), tile.keyHead),
        slice(op.getField(), tile.fieldHead),
        slice(op.getLevel(), tile.fieldHead),
        isEdge ? Value() : slice(suffix, tile.fieldHead),
        isEdge ? tile.first : Value(), isEdge ? tile.last : Value(),
        isEdge ? math.value(offset) : Value(), state,
        b.getF64FloatAttr(op.getScaleValue()), op.getSmoothAttr(),
        op.getNonIncreasingAttr());
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
    tile.rows = b.getIndexAttr(sizes.query);
    std::optional<int64_t> length = getConstantIntValue(queryLength);
    if (!(length && *length % sizes.query == 0))
      tile.rows = math.min({b.getAffineConstantExpr(sizes.query), d1 - d0},
                           {tile.begin, queryLength});
    SmallVector<OpFoldResult> head = {tile.batch, tile.head};
    tile.query = sliceRows(b, loc, op.getQuery(), head, tile.begin, tile.rows);
    tile.first = sliceRows(b, loc, first, {}, tile.begin, tile.rows);
    tile.last = sliceRows(b, loc, last, {}, tile.begin, tile.rows);

    KeyRanges ranges = splitKeys(tile.begin, tile.rows);
    SmallVector<Value> state = createInitialState();
    state = walkKeys(tile, ranges.right, state);
    state = walkKeys(tile, ranges.inner, state);
    if (ranges.left)
      state = walkKeys(tile, *ranges.left, state);

    SmallVector<Value> outs;
    for (Value out : forall.getRegionIterArgs())
      outs.push_back(sliceRows(b, loc, out, head, tile.begin, tile.rows));
    auto result = OnlineFinalizeOp::create(b, loc, ValueRange(outs).getTypes(),
                                           state[0], state[1], state[2], outs);
    b.setInsertionPointToStart(forall.getTerminator().getBody());
    for (auto [value, slice, out] : llvm::zip_equal(
             result.getResults(), outs, forall.getRegionIterArgs())) {
      auto extract = slice.getDefiningOp<tensor::ExtractSliceOp>();
      tensor::ParallelInsertSliceOp::create(
          b, loc, value, out, extract.getMixedOffsets(),
          extract.getMixedSizes(), extract.getMixedStrides());
    }
  }

  RewriterBase &b;
  Location loc;
  AttentionOp op;
  AttentionTileSizes sizes;
  IndexMath math;
  OpFoldResult queryLength, keyLength;
  Value suffix, first, last;
};

/// What the blocks of one iteration may take: they live on a thread's stack.
constexpr uint64_t kMaxBlockBytes = uint64_t(4) << 20;

/// Bytes of the blocks of query, key, value, accumulator and logits, or
/// UINT64_MAX where that is beyond counting.
uint64_t getBlockBytes(AttentionOp op, const AttentionTileSizes &sizes) {
  auto add = [](uint64_t x, uint64_t y) { return llvm::SaturatingAdd(x, y); };
  auto multiply = [](uint64_t x, uint64_t y) {
    return llvm::SaturatingMultiply(x, y);
  };
  uint64_t width =
      add(op.getQueryType().getDimSize(3), op.getValueType().getDimSize(3));
  uint64_t elements = add(multiply(add(sizes.query, sizes.key), width),
                          multiply(sizes.query, sizes.key));
  return multiply(elements, op.getAccumulatorType().getWidth() / 8);
}

LogicalResult checkTileable(AttentionOp op, const AttentionTileSizes &sizes) {
  std::pair<StringRef, int64_t> options[] = {{"query-tile", sizes.query},
                                             {"key-tile", sizes.key},
                                             {"edge-tile", sizes.edge}};
  for (auto [name, size] : options)
    if (size < 1)
      return op.emitOpError("expected ")
             << name << " to be at least 1, got " << size;
  if (sizes.key % sizes.edge != 0)
    return op.emitOpError("expected key-tile to be a multiple of edge-tile ")
           << sizes.edge << ", got " << sizes.key;
  if (!op.hasPureTensorSemantics())
    return op.emitOpError("expected tensors, got query of type ")
           << op.getQuery().getType();
  if (op.getQueryType().isDynamicDim(3))
    return op.emitOpError(
        "expected a static head size of query, got ? (strategy=decompose "
        "takes it)");
  if (op.getValueType().isDynamicDim(3))
    return op.emitOpError(
        "expected a static head size of value, got ? (strategy=decompose "
        "takes it)");
  uint64_t bytes = getBlockBytes(op, sizes);
  if (bytes > kMaxBlockBytes)
    return op.emitOpError("expected tiles and head sizes whose blocks take at "
                          "most ")
           << kMaxBlockBytes << " bytes, got " << bytes
           << " bytes for head sizes " << op.getQueryType().getDimSize(3)
           << " of query and " << op.getValueType().getDimSize(3)
           << " of value";
  return success();
}

} // namespace

FailureOr<scf::ForallOp>
mlir::fpa::tileAttention(RewriterBase &rewriter, AttentionOp op,
                         const AttentionTileSizes &sizes) {
  if (failed(checkTileable(op, sizes)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  scf::ForallOp forall = AttentionTiler(rewriter, op, sizes).run();
  rewriter.replaceOp(op, forall.getResults());
  return forall;
}

namespace {
struct TileAttention : public fpa::impl::TileAttentionBase<TileAttention> {
  using TileAttentionBase::TileAttentionBase;

  void runOnOperation() override {
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (AttentionOp op : ops) {
      AttentionTileSizes sizes = {queryTile, keyTile, edgeTile};
      auto own = op->getAttrOfType<DictionaryAttr>(tilesAttrName);
      auto get = [&](StringRef name) {
        return own ? own.getAs<IntegerAttr>(name) : IntegerAttr();
      };
      if (IntegerAttr query = get("query"), key = get("key"),
          edge = get("edge");
          query && key && edge)
        sizes = {query.getInt(), key.getInt(), edge.getInt()};
      FailureOr<scf::ForallOp> loop = tileAttention(rewriter, op, sizes);
      if (failed(loop))
        return signalPassFailure();
      // What the machine is to do with the tiles further down.
      if (IntegerAttr warps = get("warps"))
        (*loop)->setAttr(warpsAttrName, warps);
      if (IntegerAttr stages = get("stages"))
        (*loop)->setAttr(stagesAttrName, stages);
      ++numTiled;
    }
  }
};
} // namespace
