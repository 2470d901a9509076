//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Blocks that change hands, through shared memory.

#include "Distribute.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::simt;

namespace {
/// A line that threads have computed an element or a few of, on its way to the
/// columns of a product's result. What one lane reads lies together, so that it
/// reads 16 bytes at a time. Where several groups of warps have computed the
/// same, each has a copy of its own, and nobody needs to be asked to write.
struct LineOrder {
  /// From what one lane reads to what its neighbour reads: four lanes read, or
  /// write eight elements each, in different banks.
  int64_t stride = 0;
  int64_t groups = 1;
  /// The warps of a group are 2^warpBits.
  int64_t warpBits = 0;

  static std::optional<LineOrder> find(const Layout &from, const Layout &to,
                                       int64_t warps) {
    constexpr int64_t laneBits = 5;
    if (to.dims.size() != 1 ||
        to.dims[0].bits != SmallVector<LayoutBit>{{Holder::Register},
                                                  {Holder::Lane, 0},
                                                  {Holder::Lane, 1}})
      return std::nullopt;
    ArrayRef<LayoutBit> bits = from.dims[0].bits;
    for (auto [place, bit] : llvm::enumerate(bits)) {
      bool isLane = int64_t(place) < laneBits;
      unsigned index = isLane ? place : place - laneBits;
      if (!(bit == LayoutBit{isLane ? Holder::Lane : Holder::Warp, index}))
        return std::nullopt;
    }
    if (int64_t(bits.size()) < laneBits)
      return std::nullopt;
    LineOrder order;
    order.stride =
        llvm::alignTo(std::max<int64_t>(to.dims[0].getRegisters() - 8, 0), 16) +
        8;
    order.warpBits = bits.size() - laneBits;
    order.groups = warps >> order.warpBits;
    return order;
  }

  VectorType getType(Type element) const {
    return VectorType::get({4 * stride}, element);
  }
};
} // namespace

/// Writes the elements that this thread holds to where lanes read them.
void Distributor::storeInOrder(const SharedTile &tile, Value held,
                               const Layout &from, int64_t stride) {
  auto bits = [&](Value x, int64_t first, int64_t mask) -> Value {
    x = arith::ShRUIOp::create(b, loc, x, index(first));
    return mask ? arith::AndIOp::create(b, loc, x, index(mask)).getResult() : x;
  };
  Value offset = getOffsets(from).front();
  auto line =
      VectorType::get({1}, cast<VectorType>(held.getType()).getElementType());
  for (auto [reg, element] : llvm::enumerate(unpack(b, loc, held))) {
    // Bit 0 is the register, two bits are the lane, the others registers again.
    Value at = addIndices(b, loc, offset, from.dims[0].getRegisterOffset(reg));
    Value place = arith::MulIOp::create(b, loc, bits(at, 1, 3), index(stride));
    place = addIndices(b, loc, place,
                       arith::MulIOp::create(b, loc, bits(at, 3, 0), index(2)));
    place = addIndices(b, loc, place, bits(at, 0, 1));
    tile.store(b, loc, vector::BroadcastOp::create(b, loc, line, element),
               {place});
  }
}

Value Distributor::readInOrder(const SharedTile &tile, const Layout &to,
                               int64_t stride, Type element) {
  int64_t count = to.dims[0].getRegisters();
  Value lane = arith::AndIOp::create(b, loc, thread.lane, index(3));
  Value own = arith::MulIOp::create(b, loc, lane, index(stride));
  SmallVector<Value> elements;
  for (int64_t first = 0; first < count; first += 4) {
    Value four = tile.load(b, loc, {addIndices(b, loc, own, first)}, 4);
    for (int64_t i = 0; i < 4; ++i)
      elements.push_back(vector::ExtractOp::create(b, loc, four, i));
  }
  return pack(b, loc, elements, VectorType::get({count}, element));
}

/// Blocks that change hands together: all are written, then all can be read.
/// Threads that hold copies write the same, one of them is enough.
void Distributor::distributeConversions(ArrayRef<ConvertLayoutOp> ops) {
  struct Conversion {
    ConvertLayoutOp op;
    Layout from, to;
    std::optional<LineOrder> order;
    SharedTile tile;
  };
  loc = ops.front()->getLoc();
  if (shared.needsBarrier())
    mlir::gpu::BarrierOp::create(b, loc);
  // The memory is of its own until the end of the loop, whose barrier then
  // keeps the next iteration from overwriting it too early.
  SmallVector<Conversion> conversions;
  for (ConvertLayoutOp constOp : ops) {
    ConvertLayoutOp op = constOp;
    Conversion conversion = {
        op, *getLayout(op.getSource()), *getLayout(op.getResult()), {}, {}};
    conversion.order =
        LineOrder::find(conversion.from, conversion.to, shape.warps);
    auto type = cast<VectorType>(op.getResult().getType());
    if (std::optional<LineOrder> order = conversion.order) {
      Value group =
          arith::ShRUIOp::create(b, loc, thread.warp, index(order->warpBits));
      conversion.tile =
          SharedTile(b, loc, shared, order->getType(type.getElementType()),
                     order->groups)
              .at(group);
    } else {
      conversion.tile = SharedTile(b, loc, shared, type);
    }
    conversions.push_back(std::move(conversion));
  }
  for (const Conversion &conversion : conversions) {
    ConvertLayoutOp op = conversion.op;
    Value held = get(op.getSource());
    if (conversion.order) {
      storeInOrder(conversion.tile, held, conversion.from,
                   conversion.order->stride);
      continue;
    }
    Value first = isFirstCopy(b, loc, conversion.from, thread, shape.warps);
    OpBuilder::InsertionGuard guard(b);
    if (first)
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, first).thenBlock());
    storeToShared(conversion.tile, held, conversion.from);
  }
  mlir::gpu::BarrierOp::create(b, loc);
  for (const Conversion &conversion : conversions) {
    ConvertLayoutOp op = conversion.op;
    auto type = cast<VectorType>(op.getResult().getType());
    set(op.getResult(),
        conversion.order
            ? readInOrder(conversion.tile, conversion.to,
                          conversion.order->stride, type.getElementType())
            : readFromShared(conversion.tile, conversion.to, type));
  }
}
