//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalAlignment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fpa;

namespace {
/// Number that divides a stride or an offset; 0 divides by everything.
using Divisor = int64_t;

/// What is known of where the elements of a memref are, in elements.
struct Places {
  SmallVector<Divisor> strides;
  Divisor offset;
};
} // namespace

static Divisor getDivisor(OpFoldResult value) {
  return getConstantIntValue(value).value_or(1);
}

static Places getPlaces(Value memory) {
  if (auto view = memory.getDefiningOp<memref::SubViewOp>()) {
    Places from = getPlaces(view.getSource());
    Places places{{}, from.offset};
    llvm::SmallBitVector dropped = view.getDroppedDims();
    for (auto [dim, stride] : llvm::enumerate(from.strides)) {
      places.offset = std::gcd(
          places.offset, stride * getDivisor(view.getMixedOffsets()[dim]));
      if (!dropped.test(dim))
        places.strides.push_back(stride *
                                 getDivisor(view.getMixedStrides()[dim]));
    }
    return places;
  }
  auto type = cast<MemRefType>(memory.getType());
  Places places{SmallVector<Divisor>(type.getRank(), 1), 1};
  if (!type.getLayout().isIdentity())
    return places;
  places.offset = 0;
  for (int64_t dim = type.getRank() - 2; dim >= 0; --dim) {
    int64_t size = type.getDimSize(dim + 1);
    places.strides[dim] =
        places.strides[dim + 1] * (ShapedType::isDynamic(size) ? 1 : size);
  }
  return places;
}

int64_t fpa::simt::getGlobalAlignment(Value memory, ValueRange indices) {
  auto type = cast<MemRefType>(memory.getType());
  Places places = getPlaces(memory);
  Divisor all = places.offset;
  for (auto [dim, stride] : llvm::enumerate(places.strides)) {
    // Rows of the block lie a stride apart; along the last dimension it starts
    // where the index says.
    bool last = dim + 1 == places.strides.size();
    int64_t factor = last ? getConstantIntValue(indices[dim]).value_or(1) : 1;
    all = std::gcd(all, stride * factor);
  }
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return all == 0 ? 16 : std::gcd<int64_t>(16, all * bytes);
}

/// `count` elements of `memory` in bytes.
static Value toBytes(OpBuilder &b, Location loc, Value memory, Value count) {
  int64_t bits = cast<MemRefType>(memory.getType()).getElementTypeBitWidth();
  Value bytes =
      arith::ConstantIndexOp::create(b, loc, llvm::divideCeil(bits, 8));
  return arith::MulIOp::create(b, loc, count, bytes);
}

Value fpa::simt::getAddress(OpBuilder &b, Location loc, Value memory,
                            ValueRange indices) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, memory);
  Value place = metadata.getOffset();
  for (auto [index, stride] : llvm::zip_equal(indices, metadata.getStrides()))
    place = arith::AddIOp::create(b, loc, place,
                                  arith::MulIOp::create(b, loc, index, stride));
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memory);
  return arith::AddIOp::create(b, loc, start, toBytes(b, loc, memory, place));
}

Value fpa::simt::getByteStride(OpBuilder &b, Location loc, Value memory,
                               int64_t dim) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, memory);
  return toBytes(b, loc, memory, metadata.getStrides()[dim]);
}
