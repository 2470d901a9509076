//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadVectors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fpa;

fpa::simt::Thread fpa::simt::Thread::create(OpBuilder &b, Location loc,
                                            Value id) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  return {id, arith::AndIOp::create(b, loc, id, constant(31)),
          arith::ShRUIOp::create(b, loc, id, constant(5))};
}

VectorType fpa::simt::getThreadType(VectorType type, const Layout &layout) {
  return VectorType::get(layout.getRegisterShape(), type.getElementType());
}

/// Advances `position` in `shape`, the last dimension fastest.
static void advance(SmallVectorImpl<int64_t> &position,
                    ArrayRef<int64_t> shape) {
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
    if (++position[dim] < shape[dim])
      return;
    position[dim] = 0;
  }
}

SmallVector<Value> fpa::simt::unpack(OpBuilder &b, Location loc, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  SmallVector<Value> elements;
  SmallVector<int64_t> position(type.getRank(), 0);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    elements.push_back(vector::ExtractOp::create(b, loc, vector, position));
    advance(position, type.getShape());
  }
  return elements;
}

Value fpa::simt::pack(OpBuilder &b, Location loc, ValueRange elements,
                      VectorType type) {
  return vector::FromElementsOp::create(b, loc, type, elements);
}

void fpa::simt::setAlignment(Operation *access, VectorType type) {
  uint64_t bytes = type.getNumElements() *
                   llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  Builder b(access->getContext());
  access->setAttr("alignment", b.getI64IntegerAttr(llvm::bit_floor(bytes)));
}

Value fpa::simt::addIndices(OpBuilder &b, Location loc, Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(loc, x, y);
}

Value fpa::simt::addIndices(OpBuilder &b, Location loc, Value x, int64_t y) {
  if (y == 0)
    return x;
  return addIndices(b, loc, x, arith::ConstantIndexOp::create(b, loc, y));
}

/// Bits [first, first + count) of `id`, moved to `position`.
static Value moveBits(OpBuilder &b, Location loc, Value id, unsigned first,
                      unsigned count, unsigned position) {
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value bits = id;
  if (first)
    bits = arith::ShRUIOp::create(b, loc, bits, constant(first));
  bits =
      arith::AndIOp::create(b, loc, bits, constant((int64_t(1) << count) - 1));
  if (position)
    bits = arith::ShLIOp::create(b, loc, bits, constant(position));
  return bits;
}

Value fpa::simt::getThreadOffset(OpBuilder &b, Location loc,
                                 const DimLayout &dim, const Thread &thread) {
  Value offset;
  for (size_t i = 0; i < dim.bits.size();) {
    LayoutBit first = dim.bits[i];
    size_t count = 1;
    while (i + count < dim.bits.size() &&
           dim.bits[i + count].holder == first.holder &&
           dim.bits[i + count].index == first.index + count)
      ++count;
    if (first.holder != Holder::Register) {
      Value id = first.holder == Holder::Lane ? thread.lane : thread.warp;
      Value part = moveBits(b, loc, id, first.index, count, i);
      offset = offset ? addIndices(b, loc, offset, part) : part;
    }
    i += first.holder == Holder::Register ? 1 : count;
  }
  return offset ? offset : arith::ConstantIndexOp::create(b, loc, 0);
}

/// The bits of a thread's number that threads with copies differ in.
static int64_t getUnnamedBits(const Layout &layout, int64_t warps) {
  int64_t lanes = 31, copies = warps - 1;
  for (const DimLayout &dim : layout.dims)
    for (LayoutBit bit : dim.bits) {
      if (bit.holder == Holder::Lane)
        lanes &= ~(int64_t(1) << bit.index);
      if (bit.holder == Holder::Warp)
        copies &= ~(int64_t(1) << bit.index);
    }
  // In the id of a thread the bits of its warp follow those of its lane.
  return lanes | (copies << 5);
}

bool fpa::simt::hasCopies(const Layout &layout, int64_t warps) {
  return getUnnamedBits(layout, warps) != 0;
}

Value fpa::simt::isFirstCopy(OpBuilder &b, Location loc, const Layout &layout,
                             const Thread &thread, int64_t warps) {
  int64_t mask = getUnnamedBits(layout, warps);
  if (mask == 0)
    return {};
  Value unnamed = arith::AndIOp::create(
      b, loc, thread.id, arith::ConstantIndexOp::create(b, loc, mask));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, unnamed,
                               arith::ConstantIndexOp::create(b, loc, 0));
}
