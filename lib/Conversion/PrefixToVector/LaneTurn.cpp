//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneTurn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fpa;

static constexpr int64_t kCacheLine = 64;
/// How far ahead of the loads a streaming scan prefetches, in bytes.
static constexpr int64_t kPrefetchBytes = 2048;

LaneTurn::LaneTurn(const PrefixElements &elements, ValueRange at, int64_t width,
                   int64_t turn, bool nontemporal)
    : elements(elements), at(at), width(width), turn(turn),
      nontemporal(nontemporal), branches(turn > 1 && elements.hasFloatScan()) {}

SmallVector<Value> LaneTurn::indices(Value t) {
  SmallVector<Value> result(at);
  result[elements.axis] = t;
  return result;
}

static Value offsetBy(OpBuilder &b, Location loc, Value start, int64_t offset) {
  Value constant = arith::ConstantIndexOp::create(b, loc, offset);
  return b.createOrFold<arith::AddIOp>(loc, start, constant);
}

ScanState LaneTurn::begin(OpBuilder &b, Location loc, ScanState carry) {
  if (branches)
    carry = {elements.decode(b, loc, carry[0])};
  return elements.splat(b, loc, carry, width);
}

ScanState LaneTurn::end(OpBuilder &b, Location loc, ScanState carry) {
  carry = elements.unsplat(b, loc, carry);
  if (branches)
    carry = {elements.encode(b, loc, carry[0])};
  return carry;
}

/// Prefetches what will be read `kPrefetchBytes` after this turn. A prefetch
/// outside of the row is harmless.
void LaneTurn::prefetch(OpBuilder &b, Location loc, Value start) {
  int64_t size = elements.getElementBytes();
  int64_t ahead = kPrefetchBytes / size;
  for (int64_t i = 0; i < width * turn; i += kCacheLine / size) {
    Value t =
        offsetBy(b, loc, start, elements.rules.reverse ? i - ahead : i + ahead);
    memref::PrefetchOp::create(b, loc, elements.input, indices(t),
                               /*isWrite=*/false, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }
}

/// 0, 1, 2, ... as wide as the keys; nothing if no index is wanted.
ScanState LaneTurn::laneNumbers(OpBuilder &b, Location loc) {
  if (!elements.rules.withIndex)
    return {};
  unsigned bits = elements.getFloatType().getWidth();
  SmallVector<APInt> lanes;
  for (int64_t i = 0; i < width; ++i)
    lanes.push_back(APInt(bits, i));
  auto type = VectorType::get(width, b.getIntegerType(bits));
  return {
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, lanes))};
}

/// Lane numbers become indices along the axis.
ScanState LaneTurn::widenIndex(OpBuilder &b, Location loc, ScanState local,
                               Value start) {
  auto type = cast<VectorType>(local[1].getType()).clone(b.getI64Type());
  Value place = local[1];
  if (place.getType() != type)
    place = arith::ExtSIOp::create(b, loc, type, place);
  Value base = arith::IndexCastOp::create(b, loc, b.getI64Type(), start);
  base = vector::BroadcastOp::create(b, loc, type, base);
  return {local[0], arith::AddIOp::create(b, loc, place, base)};
}

ScanState LaneTurn::scanElements(OpBuilder &b, Location loc, ValueRange starts,
                                 ValueRange floats, ScanState carry) {
  SmallVector<ScanState> vectors;
  ScanState lanes = laneNumbers(b, loc);
  for (Value v : floats) {
    vectors.push_back({elements.encode(b, loc, v)});
    vectors.back().append(lanes);
  }
  auto widen = [&](int64_t k, ScanState local) {
    return lanes.empty() ? local : widenIndex(b, loc, local, starts[k]);
  };
  SmallVector<ScanState> scanned = scanVectors(
      b, loc, elements.rules, elements.exclusive, vectors, carry, widen);
  for (auto [start, out] : llvm::zip_equal(starts, scanned))
    elements.store(b, loc, out, indices(start), width, nontemporal);
  return carry;
}

Value LaneTurn::scanFloats(OpBuilder &b, Location loc, ValueRange starts,
                           ValueRange floats, Value carry) {
  ScanRules rules = elements.rules;
  rules.noNaN = true;
  SmallVector<ScanState> vectors;
  for (Value v : floats)
    vectors.push_back({v});
  ScanState state = {carry};
  SmallVector<ScanState> scanned =
      scanVectors(b, loc, rules, elements.exclusive, vectors, state);
  for (auto [start, out] : llvm::zip_equal(starts, scanned))
    elements.storeFloats(b, loc, out[0], indices(start), width, nontemporal);
  return state[0];
}

/// One comparison tests two vectors.
Value LaneTurn::anyNaN(OpBuilder &b, Location loc, ValueRange floats) {
  Value any;
  for (size_t i = 0; i < floats.size(); i += 2) {
    Value other = floats[std::min(i + 1, floats.size() - 1)];
    Value nan = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO,
                                      floats[i], other);
    any = any ? arith::OrIOp::create(b, loc, any, nan) : nan;
  }
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, any);
}

ScanState LaneTurn::emit(OpBuilder &b, Location loc, Value start,
                         ScanState carry) {
  if (nontemporal)
    prefetch(b, loc, start);
  SmallVector<Value> starts, floats;
  for (int64_t k = 0; k < turn; ++k) {
    int64_t place = elements.rules.reverse ? turn - 1 - k : k;
    starts.push_back(offsetBy(b, loc, start, place * width));
    floats.push_back(
        elements.loadFloats(b, loc, indices(starts.back()), width));
  }
  if (!branches)
    return scanElements(b, loc, starts, floats, carry);

  SmallVector<Value> tested = floats;
  tested.push_back(carry[0]);
  auto onKeys = [&](OpBuilder &b, Location loc) {
    ScanState keys = {elements.encode(b, loc, carry[0])};
    keys = scanElements(b, loc, starts, floats, keys);
    scf::YieldOp::create(b, loc, elements.decode(b, loc, keys[0]));
  };
  auto onFloats = [&](OpBuilder &b, Location loc) {
    scf::YieldOp::create(b, loc, scanFloats(b, loc, starts, floats, carry[0]));
  };
  auto branch =
      scf::IfOp::create(b, loc, anyNaN(b, loc, tested), onKeys, onFloats);
  return ScanState(branch.getResults());
}
