//===- PrefixFolds.cpp - Folds of running minima and sums -----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fpa;

/// Constants of more elements than this are left alone: folding trades code
/// size for run time.
static constexpr int64_t kMaxFoldedConstant = 1024;

namespace {

/// The running minimum of what was included so far, and its place.
class MinimumState {
public:
  explicit MinimumState(const llvm::fltSemantics &semantics)
      : minimum(APFloat::getInf(semantics)) {}

  /// A NaN is smaller than everything; among equals the largest index wins.
  void include(const APFloat &element, int64_t position) {
    bool isSmaller = element.isNaN() ? !minimum.isNaN() : element < minimum;
    bool isEqual = element.isNaN() ? minimum.isNaN() : element == minimum;
    if (!isSmaller && !(isEqual && position > index))
      return;
    minimum = element;
    index = position;
  }
  APFloat value() const { return minimum; }
  int64_t place() const { return index; }

private:
  APFloat minimum;
  int64_t index = -1;
};

/// The running sum, in a format wide enough to round once only, at the end.
class SumState {
public:
  explicit SumState(const llvm::fltSemantics &semantics)
      : semantics(&semantics), sum(APFloat::getZero(APFloat::IEEEquad())) {}

  void include(APFloat element, int64_t) {
    bool losesInfo;
    element.convert(APFloat::IEEEquad(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    sum = isEmpty ? element : sum + element;
    isEmpty = false;
  }
  APFloat value() const {
    APFloat rounded = sum;
    bool losesInfo;
    rounded.convert(*semantics, APFloat::rmNearestTiesToEven, &losesInfo);
    return rounded;
  }
  int64_t place() const { return -1; }

private:
  const llvm::fltSemantics *semantics;
  APFloat sum;
  bool isEmpty = true;
};

/// What a scan of a constant gives, in the order of its elements.
struct Scanned {
  SmallVector<APFloat> values;
  SmallVector<int64_t> places;
};

template <typename State, typename PrefixOp>
Scanned scanConstant(PrefixOp op, DenseFPElementsAttr input) {
  ArrayRef<int64_t> shape = input.getType().getShape();
  int64_t axis = op.getAxis(), length = shape[axis];
  int64_t stride = ShapedType::getNumElements(shape.drop_front(axis + 1));
  int64_t segment = op.getSegment().value_or(length);
  auto in = llvm::to_vector(input.getValues<APFloat>());
  Scanned out{in, SmallVector<int64_t>(in.size(), -1)};
  const llvm::fltSemantics &semantics = in.front().getSemantics();
  for (int64_t line = 0, lines = in.size() / length; line < lines; ++line) {
    int64_t start = line / stride * stride * length + line % stride;
    State state(semantics);
    for (int64_t step = 0; step < length; ++step) {
      int64_t t = op.getReverse() ? length - 1 - step : step;
      int64_t before = op.getReverse() ? t + 1 : t - 1;
      if (step != 0 && t / segment != before / segment)
        state = State(semantics);
      int64_t at = start + t * stride;
      if (!op.getExclusive())
        state.include(in[at], t);
      out.values[at] = state.value();
      out.places[at] = state.place();
      if (op.getExclusive())
        state.include(in[at], t);
    }
  }
  return out;
}

/// The static size of a dimension as the input or an output knows it.
template <typename PrefixOp> int64_t getAxisSize(PrefixOp op) {
  auto output = cast<ShapedType>(op.getOuts()[0].getType());
  int64_t size = op.getInputType().getDimSize(op.getAxis());
  return ShapedType::isDynamic(size) ? output.getDimSize(op.getAxis()) : size;
}

template <typename State, typename PrefixOp>
LogicalResult foldConstant(PrefixOp op, Attribute attribute,
                           SmallVectorImpl<OpFoldResult> &results) {
  auto input = dyn_cast_if_present<DenseFPElementsAttr>(attribute);
  if (!input || input.getNumElements() > kMaxFoldedConstant)
    return failure();
  for (Type type : op->getResultTypes())
    if (cast<ShapedType>(type).getShape() != input.getType().getShape())
      return failure();
  Scanned scanned = scanConstant<State>(op, input);
  results.push_back(DenseElementsAttr::get(
      cast<ShapedType>(op->getResult(0).getType()), scanned.values));
  if (op->getNumResults() > 1)
    results.push_back(
        DenseElementsAttr::get(cast<ShapedType>(op->getResult(1).getType()),
                               ArrayRef<int64_t>(scanned.places)));
  return success();
}

template <typename State, typename PrefixOp>
LogicalResult foldPrefix(PrefixOp op, Attribute input,
                         SmallVectorImpl<OpFoldResult> &results) {
  if (op->getNumResults() == 0)
    return failure();
  // No elements: the inits hold what there is.
  auto isEmpty = [](Type type) {
    return llvm::is_contained(cast<ShapedType>(type).getShape(), 0);
  };
  if (llvm::any_of(op->getOperandTypes(), isEmpty)) {
    llvm::append_range(results, op.getOuts());
    return success();
  }
  // Every element is the only one of its set.
  bool isAlone = getAxisSize(op) == 1 || op.getSegment() == uint64_t(1);
  if (isAlone && !op.getExclusive() && op->getNumResults() == 1 &&
      op.getInput().getType() == op->getResult(0).getType()) {
    results.push_back(op.getInput());
    return success();
  }
  return foldConstant<State>(op, input, results);
}

} // namespace

/// The minimum of running minima is the last of them, in whatever segments it
/// is taken.
static Value foldMinimumOfMinima(PrefixMinOp op) {
  auto inner = op.getInput().getDefiningOp<PrefixMinOp>();
  if (!inner || op.getIndex() || op.getInput() != inner->getResult(0) ||
      op.getExclusive() || inner.getExclusive() ||
      op.getReverse() != inner.getReverse() || op.getAxis() != inner.getAxis())
    return {};
  if (inner.getSegment() && inner.getSegment() != op.getSegment())
    return {};
  bool isSameType = op->getNumResults() == 1 &&
                    op->getResult(0).getType() == op.getInput().getType();
  return isSameType ? op.getInput() : Value();
}

LogicalResult PrefixMinOp::fold(FoldAdaptor adaptor,
                                SmallVectorImpl<OpFoldResult> &results) {
  if (Value inner = foldMinimumOfMinima(*this)) {
    results.push_back(inner);
    return success();
  }
  return foldPrefix<MinimumState>(*this, adaptor.getInput(), results);
}

LogicalResult PrefixSumOp::fold(FoldAdaptor adaptor,
                                SmallVectorImpl<OpFoldResult> &results) {
  return foldPrefix<SumState>(*this, adaptor.getInput(), results);
}

namespace {
/// An index that nobody reads is not asked for: finding it costs more than the
/// minimum itself.
struct DropUnreadIndex : public OpRewritePattern<PrefixMinOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PrefixMinOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 2 || !op->getResult(1).use_empty())
      return failure();
    auto smaller = PrefixMinOp::create(
        rewriter, op.getLoc(), op->getResult(0).getType(), op.getInput(),
        op.getOutput(), op.getAxisAttr(), op.getReverseAttr(),
        op.getExclusiveAttr(), op.getSegmentAttr());
    smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceAllUsesWith(op->getResult(0), smaller->getResult(0));
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void PrefixMinOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<DropUnreadIndex>(context);
}
