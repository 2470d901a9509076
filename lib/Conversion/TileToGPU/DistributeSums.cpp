//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Sums that a loop only adds to. Lanes that share an element have a part of it
// each, which they add to by themselves; the parts are added up where the
// element is asked for, which for most is behind the loop.

#include "Distribute.h"
#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::simt;

static bool isZero(Value value) {
  TypedAttr splat = getSplat(value);
  return splat && matchPattern(Attribute(splat), m_AnyZeroFloat());
}

/// Whether `value`, or a choice of it or another one, is only added to
/// something or subtracted from it.
static bool isOnlyAdded(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    return isa<arith::AddFOp, arith::SubFOp>(user) ||
           (isa<arith::SelectOp>(user) && use.getOperandNumber() > 0 &&
            isOnlyAdded(user->getResult(0)));
  });
}

SmallVector<unsigned> simt::getLanesOfSum(Value value) {
  auto op = value.getDefiningOp<vector::MultiDimReductionOp>();
  auto type = dyn_cast<VectorType>(value.getType());
  if (!op || !type || op.getKind() != vector::CombiningKind::ADD ||
      !isa<FloatType>(type.getElementType()) || !isOnlyAdded(value))
    return {};
  std::optional<Layout> layout = getLayout(op.getSource());
  SmallVector<bool> mask = op.getReductionMask();
  if (!isZero(op.getAcc()) || !layout || llvm::count(mask, true) != 1)
    return {};
  SmallVector<unsigned> lanes;
  for (LayoutBit bit :
       layout->dims[llvm::find(mask, true) - mask.begin()].bits) {
    if (bit.holder == Holder::Warp)
      return {};
    if (bit.holder == Holder::Lane)
      lanes.push_back(bit.index);
  }
  return lanes;
}

namespace {
/// What becomes of a carried value in an iteration of its loop.
class SumTrace {
public:
  explicit SumTrace(Value carried) : carried(carried) {}

  /// Whether `value` is the carried value, in parts, with sums that have the
  /// same parts added or nothing of it left.
  bool reaches(Value value) {
    if (value == carried)
      return true;
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<arith::AddFOp>(op))
      return (reaches(op->getOperand(0)) && adds(op->getOperand(1))) ||
             (adds(op->getOperand(0)) && reaches(op->getOperand(1)));
    if (isa_and_nonnull<arith::SubFOp>(op))
      return reaches(op->getOperand(0)) && adds(op->getOperand(1));
    if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
      return llvm::all_of(
          ValueRange{select.getTrueValue(), select.getFalseValue()},
          [&](Value one) { return isZero(one) || reaches(one); });
    auto choice = dyn_cast_or_null<scf::IfOp>(op);
    if (!choice)
      return false;
    unsigned number = cast<OpResult>(value).getResultNumber();
    choices.push_back(value);
    return reaches(choice.thenYield().getOperand(number)) &&
           reaches(choice.elseYield().getOperand(number));
  }

  /// Of the sums that are added; empty where there are none.
  SmallVector<unsigned> lanes;
  /// Results of choices on the way.
  SmallVector<Value> choices;

private:
  bool adds(Value value) {
    if (auto select = value.getDefiningOp<arith::SelectOp>())
      return llvm::all_of(
          ValueRange{select.getTrueValue(), select.getFalseValue()},
          [&](Value one) { return isZero(one) || adds(one); });
    SmallVector<unsigned> own = getLanesOfSum(value);
    if (own.empty() || (!lanes.empty() && own != lanes))
      return false;
    lanes = own;
    return true;
  }

  Value carried;
};
} // namespace

/// Decides which of the values that a loop carries are carried in parts.
void Distributor::planParts(scf::ForOp loop) {
  for (auto [carried, yielded, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues(),
                       loop.getResults())) {
    SumTrace trace(carried);
    if (!trace.reaches(yielded) || trace.lanes.empty())
      continue;
    plannedLanes[carried] = plannedLanes[result] = trace.lanes;
    for (Value choice : trace.choices)
      plannedLanes[choice] = trace.lanes;
  }
}

void Distributor::setPlanned(Value value, Value held) {
  auto planned = plannedLanes.find(value);
  if (planned == plannedLanes.end())
    set(value, held);
  else
    parts[value] = {held, planned->second};
}

Value Distributor::getPlanned(Value value, Value like,
                              ArrayRef<int64_t> registerShape) {
  auto planned = plannedLanes.find(like);
  return planned == plannedLanes.end()
             ? get(value, registerShape)
             : getPart(value, registerShape, planned->second);
}

SmallVector<unsigned> Distributor::getLanesOfParts(Operation *op) {
  if (!isa<arith::AddFOp, arith::SubFOp, arith::SelectOp>(op))
    return {};
  SmallVector<unsigned> lanes;
  for (Value operand : op->getOperands()) {
    if (operand.getType() != op->getResult(0).getType() || isZero(operand))
      continue;
    auto it = parts.find(operand);
    if (it == parts.end() || (!lanes.empty() && it->second.lanes != lanes))
      return {};
    lanes = it->second.lanes;
  }
  return lanes;
}

Value Distributor::getPart(Value value, ArrayRef<int64_t> registerShape,
                           ArrayRef<unsigned> lanes) {
  if (auto it = parts.find(value);
      it != parts.end() && ArrayRef(it->second.lanes) == lanes)
    return it->second.held;
  Value whole = get(value, registerShape);
  if (!whole || isZero(value))
    return whole;
  int64_t mask = 0;
  for (unsigned bit : lanes)
    mask |= int64_t(1) << bit;
  Value number = arith::AndIOp::create(b, loc, thread.lane, index(mask));
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, number, index(0));
  Value none = arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(b.getZeroAttr(whole.getType())));
  return arith::SelectOp::create(b, loc, isFirst, whole, none);
}

Value Distributor::addParts(const LaneParts &parts) {
  SmallVector<Value> elements = unpack(b, loc, parts.held);
  for (Value &element : elements)
    for (unsigned bit : parts.lanes)
      element = arith::AddFOp::create(b, loc, element,
                                      shuffleXor(element, int64_t(1) << bit));
  return pack(b, loc, elements, cast<VectorType>(parts.held.getType()));
}
