//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Reductions and scans: among a thread's registers, then across lanes by
// shuffles, then across warps through shared memory.

#include "Distribute.h"
#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::simt;

Value Distributor::shuffleXor(Value value, int64_t distance) {
  auto constant = [&](int32_t number) -> Value {
    return arith::ConstantIntOp::create(b, loc, number, 32);
  };
  return mlir::gpu::ShuffleOp::create(b, loc, value, constant(distance),
                                      constant(32), mlir::gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

/// The values of all warps, warp by warp, where all lanes of a warp that hold
/// the same element hold the same value.
SmallVector<Value> Distributor::exchangeWarps(ArrayRef<Value> values) {
  int64_t mark = shared.getMark(), count = values.size(), lanes = 32;
  auto type =
      VectorType::get({shape.warps, count * lanes}, values.front().getType());
  SharedTile tile(b, loc, shared, type);
  auto line = VectorType::get({1}, type.getElementType());
  auto place = [&](int64_t value) {
    return addIndices(b, loc, thread.lane, value * lanes);
  };
  mlir::gpu::BarrierOp::create(b, loc); // the memory may be in use
  for (auto [number, value] : llvm::enumerate(values))
    tile.store(b, loc, vector::BroadcastOp::create(b, loc, line, value),
               {thread.warp, place(number)});
  mlir::gpu::BarrierOp::create(b, loc);
  SmallVector<Value> all;
  for (int64_t warp = 0; warp < shape.warps; ++warp)
    for (int64_t number = 0; number < count; ++number)
      all.push_back(vector::ExtractOp::create(
          b, loc, tile.load(b, loc, {index(warp), place(number)}, 1), 0));
  mlir::gpu::BarrierOp::create(b, loc);
  shared.release(mark, /*quiet=*/true);
  return all;
}

namespace {
/// How a shape falls into lines along one dimension.
struct Lines {
  int64_t outer = 1, length, inner = 1;
  Lines(ArrayRef<int64_t> shape, int64_t dim) : length(shape[dim]) {
    for (int64_t size : shape.take_front(dim))
      outer *= size;
    for (int64_t size : shape.drop_front(dim + 1))
      inner *= size;
  }
  int64_t count() const { return outer * inner; }
  /// The place of element `i` of line `line`.
  int64_t at(int64_t line, int64_t i) const {
    return (line / inner * length + i) * inner + line % inner;
  }
};
} // namespace

/// The tile that a block computed element by element comes from, or null.
static Value getOrigin(Value value, const DenseMap<Value, SharedTile> &tiles) {
  if (tiles.contains(value))
    return value;
  Operation *op = value.getDefiningOp();
  if (op && OpTrait::hasElementwiseMappableTraits(op))
    for (Value operand : op->getOperands())
      if (Value origin = getOrigin(operand, tiles))
        return origin;
  return {};
}

/// Whether a condition holds for all elements of a right operand: each thread
/// looks at its part, 16 bytes at a time, and all vote at a barrier.
LogicalResult Distributor::distributeTest(vector::MultiDimReductionOp op) {
  Value origin = getOrigin(op.getSource(), tiles);
  if (op.getKind() != vector::CombiningKind::AND || !origin)
    return op.emitOpError("expected a condition on all elements of a block "
                          "that is read from memory");
  const SharedTile &tile = tiles[origin];
  Value all = scalars.lookupOrDefault(op.getAcc());
  for (auto [row, column, own] :
       tile.getChunks(b, loc, thread, 32 * shape.warps)) {
    (void)own; // to look twice does no harm
    Value holds = getChunk(op.getSource(), {row, column}, tile.getChunk());
    holds =
        vector::ReductionOp::create(b, loc, vector::CombiningKind::AND, holds);
    all = arith::AndIOp::create(b, loc, all, holds);
  }
  Type word = b.getI32Type();
  auto kind = NVVM::BarrierReductionAttr::get(b.getContext(),
                                              NVVM::BarrierReduction::AND);
  Value vote = NVVM::BarrierOp::create(
                   b, loc, TypeRange{word}, /*barrierId=*/Value(),
                   /*numberOfThreads=*/Value(), kind,
                   arith::ExtUIOp::create(b, loc, word, all).getResult())
                   .getRes();
  Value none = arith::ConstantIntOp::create(b, loc, 0, 32);
  scalars.map(
      op.getResult(),
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, vote, none));
  return success();
}

LogicalResult Distributor::distributeReduction(vector::MultiDimReductionOp op) {
  if (!isa<VectorType>(op.getDestType()) &&
      op.getSourceVectorType().getElementType().isInteger(1))
    return distributeTest(op);
  std::optional<Layout> layout = getLayout(op.getSource());
  SmallVector<bool> mask = op.getReductionMask();
  if (!layout || llvm::count(mask, true) != 1)
    return op.emitOpError("expected one reduced dimension, of a block that has "
                          "a layout");
  int64_t dim = llvm::find(mask, true) - mask.begin();
  const DimLayout &along = layout->dims[dim];
  int64_t warpBits = llvm::count_if(
      along.bits, [](LayoutBit bit) { return bit.holder == Holder::Warp; });
  if (warpBits && int64_t(1) << warpBits != shape.warps)
    return op.emitOpError("expected a reduction inside of a warp or over all "
                          "warps");
  SmallVector<int64_t> registers = layout->getRegisterShape();
  Lines lines(registers, dim);
  SmallVector<Value> elements = getElements(op.getSource(), registers);
  auto combine = [&](Value x, Value y) {
    return vector::makeArithReduction(b, loc, op.getKind(), x, y);
  };
  SmallVector<int64_t> kept = registers;
  kept.erase(kept.begin() + dim);
  SmallVector<Value> starts;
  if (isa<VectorType>(op.getAcc().getType()))
    starts = getElements(op.getAcc(), kept);
  else
    starts.push_back(scalars.lookupOrDefault(op.getAcc()));

  SmallVector<unsigned> inParts = getLanesOfSum(op.getResult());
  SmallVector<Value> reduced;
  for (int64_t line = 0; line < lines.count(); ++line) {
    SmallVector<Value> values;
    for (int64_t i = 0; i < lines.length; ++i)
      values.push_back(elements[lines.at(line, i)]);
    for (; values.size() > 1; values.truncate((values.size() + 1) / 2))
      for (size_t i = 0, half = (values.size() + 1) / 2;
           i + half < values.size(); ++i)
        values[i] = combine(values[i], values[i + half]);
    Value value = values.front();
    for (LayoutBit bit : along.bits)
      if (bit.holder == Holder::Lane && inParts.empty())
        value = combine(value, shuffleXor(value, int64_t(1) << bit.index));
    reduced.push_back(value);
  }
  if (warpBits) {
    // In order of the warps, so that all of them get the same sum.
    SmallVector<Value> all = exchangeWarps(reduced);
    size_t count = reduced.size();
    for (size_t line = 0; line < count; ++line) {
      reduced[line] = all[line];
      for (size_t other = line + count; other < all.size(); other += count)
        reduced[line] = combine(reduced[line], all[other]);
    }
  }
  if (!inParts.empty()) {
    Value held =
        pack(b, loc, reduced,
             VectorType::get(kept, op.getSourceVectorType().getElementType()));
    parts[op.getResult()] = {held, inParts};
    return success();
  }
  for (auto [value, start] : llvm::zip_equal(reduced, starts))
    value = combine(start, value);
  if (auto type = dyn_cast<VectorType>(op.getDestType()))
    set(op,
        pack(b, loc, reduced, VectorType::get(kept, type.getElementType())));
  else
    scalars.map(op.getResult(), reduced.front());
  return success();
}

namespace {
/// What some elements of a line do to a scan that reaches them: they take it
/// out if `reset` holds (null is never), then add `value`.
struct Piece {
  Value value, reset;
};

/// The scan of one line, of which a thread holds some elements. Groups double
/// from bit to bit of the layout until one is the whole line. By register: what
/// comes before the element inside of its group, and the whole group.
struct LineScan {
  SmallVector<Piece> before, totals;
};

/// Combines pieces. `never` is a false of i1 where there are resets, else null.
class PieceBuilder {
public:
  PieceBuilder(OpBuilder &b, VectorScanOp op, Value neutral, Value never)
      : b(b), loc(op.getLoc()), kind(op.getKind()), none({neutral, never}) {}

  Piece neutral() const { return none; }
  /// First x, then y.
  Piece combine(const Piece &x, const Piece &y) {
    Value both =
        kind == ScanKind::Min
            ? arith::MinimumFOp::create(b, loc, x.value, y.value).getResult()
            : arith::AddFOp::create(b, loc, x.value, y.value).getResult();
    if (!y.reset)
      return {both, {}};
    Value left = arith::SelectOp::create(b, loc, y.reset, y.value, both);
    if (!x.reset)
      return {left, {}};
    return {left, arith::OrIOp::create(b, loc, x.reset, y.reset)};
  }
  Piece select(Value condition, const Piece &yes, const Piece &no) {
    return map(yes, no, [&](Value y, Value n) -> Value {
      return arith::SelectOp::create(b, loc, condition, y, n);
    });
  }
  /// `move` of the value, and of the reset as a number of the value's type.
  Piece move(const Piece &piece, function_ref<Value(Value)> moved) {
    if (!piece.reset)
      return {moved(piece.value), {}};
    return {moved(piece.value), isSet(moved(asNumber(piece.reset)))};
  }
  Value asNumber(Value reset) {
    auto type = cast<FloatType>(none.value.getType());
    Value yes = arith::ConstantOp::create(b, loc, FloatAttr::get(type, 1.0));
    Value no = arith::ConstantOp::create(b, loc, FloatAttr::get(type, 0.0));
    return arith::SelectOp::create(b, loc, reset, yes, no);
  }
  Value isSet(Value number) {
    Value no =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(number.getType()));
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, number, no);
  }

private:
  Piece map(const Piece &x, const Piece &y,
            function_ref<Value(Value, Value)> combined) {
    Value value = combined(x.value, y.value);
    return {value, x.reset ? combined(x.reset, y.reset) : Value()};
  }

  OpBuilder &b;
  Location loc;
  ScanKind kind;
  Piece none;
};
} // namespace

static Value getNeutral(OpBuilder &b, Location loc, ScanKind kind,
                        FloatType type) {
  APFloat value =
      kind == ScanKind::Min
          ? APFloat::getInf(type.getFloatSemantics(), /*Negative=*/false)
          : APFloat::getZero(type.getFloatSemantics(), /*Negative=*/true);
  return arith::ConstantOp::create(b, loc, FloatAttr::get(type, value));
}

LogicalResult Distributor::distributeScan(VectorScanOp op) {
  auto type = cast<VectorType>(op.getSource().getType());
  std::optional<Layout> layout = getLayout(op.getScanned());
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!layout || !element)
    return op.emitOpError("expected floats in a layout");
  const DimLayout &along = layout->dims[op.getAxis()];
  SmallVector<int64_t> registers = layout->getRegisterShape(), kept = registers;
  kept.erase(kept.begin() + op.getAxis());
  Lines lines(registers, op.getAxis());
  SmallVector<Value> elements = getElements(op.getSource(), registers);
  SmallVector<Value> inits = getElements(op.getInit(), kept);
  SmallVector<Value> resets;
  Value never;
  if (op.getReset()) {
    resets = getElements(op.getReset(), registers);
    never = arith::ConstantIntOp::create(b, loc, 0, 1);
  }
  Value nothing = getNeutral(b, loc, op.getKind(), element);
  PieceBuilder pieces(b, op, nothing, never);
  auto combine = [&](const Piece &x, const Piece &y) {
    return pieces.combine(x, y);
  };
  Piece neutral = pieces.neutral();
  // An exclusive scan begins anew with the element itself.
  auto pieceOf = [&](int64_t place) -> Piece {
    Value own = elements[place];
    if (!op.getReset())
      return {own, {}};
    if (!op.getExclusive())
      own = arith::SelectOp::create(b, loc, resets[place], nothing, own);
    return {own, resets[place]};
  };

  SmallVector<LineScan> scans;
  for (int64_t line = 0; line < lines.count(); ++line) {
    LineScan &scan = scans.emplace_back();
    scan.before.assign(lines.length, neutral);
    for (int64_t i = 0; i < lines.length; ++i)
      scan.totals.push_back(pieceOf(lines.at(line, i)));
  }
  // Whether the thread's half of two groups side by side is the later one.
  auto isLater = [&](Value id, unsigned bit) -> Value {
    Value set = arith::AndIOp::create(b, loc, id, index(int64_t(1) << bit));
    return arith::CmpIOp::create(b, loc,
                                 op.getReverse() ? arith::CmpIPredicate::eq
                                                 : arith::CmpIPredicate::ne,
                                 set, index(0));
  };

  // Registers of one group have one total, so it is exchanged once.
  unsigned registerBits = 0;
  auto forGroups = [&](LineScan &scan, auto fn) {
    int64_t inGroup = int64_t(1) << registerBits;
    for (int64_t first = 0, e = scan.totals.size(); first < e; first += inGroup)
      fn(first, inGroup);
  };
  for (LayoutBit bit : along.bits) {
    for (LineScan &scan : scans) {
      if (bit.holder == Holder::Register) {
        int64_t half = int64_t(1) << registerBits;
        for (int64_t first = 0, e = scan.totals.size(); first < e;
             first += 2 * half) {
          int64_t low = first, high = first + half;
          int64_t earlier = op.getReverse() ? high : low;
          int64_t later = op.getReverse() ? low : high;
          for (int64_t i = 0; i < half; ++i)
            scan.before[later + i] =
                combine(scan.totals[earlier], scan.before[later + i]);
          Piece total = combine(scan.totals[earlier], scan.totals[later]);
          for (int64_t i = 0; i < 2 * half; ++i)
            scan.totals[first + i] = total;
        }
      } else if (bit.holder == Holder::Lane) {
        Value later = isLater(thread.lane, bit.index);
        forGroups(scan, [&](int64_t first, int64_t count) {
          Piece own = scan.totals[first];
          Piece other = pieces.move(own, [&](Value value) {
            return shuffleXor(value, int64_t(1) << bit.index);
          });
          Piece earlier = pieces.select(later, other, neutral);
          // In order of the line, so that both halves get the same sum.
          Piece low = pieces.select(later, other, own);
          Piece high = pieces.select(later, own, other);
          Piece total = combine(low, high);
          for (int64_t i = 0; i < count; ++i) {
            scan.before[first + i] = combine(earlier, scan.before[first + i]);
            scan.totals[first + i] = total;
          }
        });
      }
    }
    registerBits += bit.holder == Holder::Register;
  }

  // All bits of the warp at once: they are the highest of the layout's.
  if (along.uses(Holder::Warp)) {
    SmallVector<Value> totals;
    for (LineScan &scan : scans)
      forGroups(scan, [&](int64_t first, int64_t) {
        totals.push_back(scan.totals[first].value);
        if (op.getReset())
          totals.push_back(pieces.asNumber(scan.totals[first].reset));
      });
    SmallVector<Value> all = exchangeWarps(totals);
    size_t number = 0;
    for (LineScan &scan : scans)
      forGroups(scan, [&](int64_t first, int64_t count) {
        Piece earlier = neutral, total;
        for (int64_t i = 0; i < shape.warps; ++i) {
          int64_t warp = op.getReverse() ? shape.warps - 1 - i : i;
          Piece theirs = {all[warp * totals.size() + number], {}};
          if (op.getReset())
            theirs.reset = pieces.isSet(all[warp * totals.size() + number + 1]);
          Value isEarlier =
              arith::CmpIOp::create(b, loc,
                                    op.getReverse() ? arith::CmpIPredicate::ult
                                                    : arith::CmpIPredicate::ugt,
                                    thread.warp, index(warp));
          Piece counted = pieces.select(isEarlier, theirs, neutral);
          earlier = combine(earlier, counted);
          total = total.value ? combine(total, theirs) : theirs;
        }
        for (int64_t i = 0; i < count; ++i) {
          scan.before[first + i] = combine(earlier, scan.before[first + i]);
          scan.totals[first + i] = total;
        }
        number += op.getReset() ? 2 : 1;
      });
  }

  SmallVector<Value> scanned(elements.size()), totals;
  int64_t inGroup = int64_t(1) << registerBits;
  for (auto [line, scan] : llvm::enumerate(scans)) {
    Piece running = {inits[line], {}};
    for (int64_t group = 0; group < along.outer; ++group) {
      int64_t first =
          (op.getReverse() ? along.outer - 1 - group : group) * inGroup;
      for (int64_t i = first; i < first + inGroup; ++i) {
        Piece value = combine(running, scan.before[i]);
        if (!op.getExclusive())
          value = combine(value, {elements[lines.at(line, i)], {}});
        scanned[lines.at(line, i)] = value.value;
      }
      running = combine(running, scan.totals[first]);
    }
    totals.push_back(running.value);
  }
  set(op.getScanned(),
      pack(b, loc, scanned, VectorType::get(registers, element)));
  set(op.getTotal(), pack(b, loc, totals, VectorType::get(kept, element)));
  return success();
}
