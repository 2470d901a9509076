//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// fpa.live_keys: one scan of the field, arithmetic on each key by itself, and a
// walk along the keys that writes down those that live.

#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::fpa;

namespace {

class LiveKeys {
public:
  LiveKeys(OpBuilder &builder, LiveKeysOp op)
      : b(op.getLoc(), builder), op(op),
        type(cast<FloatType>(getElementTypeOrSelf(op.getField().getType()))) {
    APFloat exact = op.getEvictAbove();
    bool losesInfo;
    exact.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    threshold = b.getFloatAttr(type, exact);
  }

  SmallVector<Value> run() {
    Value penalty = createPenalty();
    return {penalty, createCount(penalty), createOrder(penalty)};
  }

private:
  Value clamp(Value x) {
    APFloat largest = APFloat::getLargest(type.getFloatSemantics());
    auto bound = [&](const APFloat &value) {
      return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
    };
    x = arith::MinimumFOp::create(b, x, bound(largest));
    return arith::MaximumFOp::create(b, x, bound(neg(largest)));
  }

  Value generic(ValueRange ins, Value out, unsigned rank,
                function_ref<Value(ValueRange)> body) {
    auto outRank = cast<ShapedType>(out.getType()).getRank();
    SmallVector<AffineMap> maps(ins.size(), b.getMultiDimIdentityMap(rank));
    maps.push_back(AffineMap::getMultiDimIdentityMap(rank, b.getContext())
                       .getMajorSubMap(outRank));
    SmallVector<utils::IteratorType> kinds(rank,
                                           utils::IteratorType::reduction);
    std::fill_n(kinds.begin(), outRank, utils::IteratorType::parallel);
    auto region = [&](OpBuilder &nested, Location, ValueRange elements) {
      OpBuilder::InsertionGuard guard(b);
      b.restoreInsertionPoint(nested.saveInsertionPoint());
      linalg::YieldOp::create(b, body(elements));
    };
    return linalg::GenericOp::create(b, out.getType(), ins, out, maps, kinds,
                                     region)
        .getResult(0);
  }

  /// max(0, level_j - min { field_t : t > j })
  Value createPenalty() {
    Value empty = tensor::EmptyOp::create(
        b, tensor::getMixedSizes(b, b.getLoc(), op.getField()), type);
    Value minimum =
        PrefixMinOp::create(b, empty.getType(), op.getField(), empty,
                            /*axis=*/2, /*reverse=*/true, /*exclusive=*/true,
                            /*segment=*/IntegerAttr())
            .getResult(0);
    return generic({op.getLevelOrField(), minimum}, op.getOuts()[0], 3,
                   [&](ValueRange x) -> Value {
                     Value z =
                         arith::SubFOp::create(b, clamp(x[0]), clamp(x[1]));
                     Value zero =
                         arith::ConstantOp::create(b, b.getFloatAttr(type, 0));
                     return arith::MaximumFOp::create(b, z, zero);
                   });
  }

  /// A NaN is no penalty that ends a key.
  Value isDead(Value penalty) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, penalty,
                                 arith::ConstantOp::create(b, threshold));
  }

  Value i64(int64_t value) {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }

  Value createCount(Value penalty) {
    Value zeros =
        linalg::FillOp::create(b, i64(0), op.getOuts()[1]).getResult(0);
    return generic({penalty}, zeros, 3, [&](ValueRange x) -> Value {
      Value next = arith::AddIOp::create(b, x[1], i64(1));
      return arith::SelectOp::create(b, isDead(x[0]), x[1], next);
    });
  }

  Value createOrder(Value penalty) {
    Location loc = b.getLoc();
    Value out = op.getOuts()[2];
    SmallVector<OpFoldResult> bounds = tensor::getMixedSizes(b, loc, out);
    OpFoldResult length = bounds.pop_back_val();
    auto forall = scf::ForallOp::create(b, bounds, out, std::nullopt);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forall.getBody());
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    SmallVector<OpFoldResult> offsets =
        getAsOpFoldResult(SmallVector<Value>(forall.getInductionVars()));
    offsets.push_back(zero);
    SmallVector<OpFoldResult> sizes = {one, one, length}, strides(3, one);
    auto type = RankedTensorType::get(
        {getConstantIntValue(length).value_or(ShapedType::kDynamic)},
        b.getI64Type());
    Value line = tensor::ExtractSliceOp::create(
        b, type, forall.getRegionIterArgs()[0], offsets, sizes, strides);
    Value written = walkLine(
        penalty, SmallVector<Value>(forall.getInductionVars()), length, line);
    b.setInsertionPointToStart(forall.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(
        b, written, forall.getRegionIterArgs()[0], offsets, sizes, strides);
    return forall.getResult(0);
  }

  /// The index of each key is written behind those that live, where the next
  /// one overwrites it if the key does not. What is left becomes -1.
  Value walkLine(Value penalty, SmallVector<Value> at, OpFoldResult length,
                 Value line) {
    Value end = getValueOrCreateConstantIndexOp(b, b.getLoc(), length);
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value one = arith::ConstantIndexOp::create(b, 1);
    at.push_back(Value());
    auto walk = scf::ForOp::create(b, zero, end, one, ValueRange{zero, line});
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(walk.getBody());
      at.back() = walk.getInductionVar();
      Value own = tensor::ExtractOp::create(b, penalty, at);
      Value count = walk.getRegionIterArg(0);
      Value key = arith::IndexCastOp::create(b, b.getI64Type(), at.back());
      Value next =
          tensor::InsertOp::create(b, key, walk.getRegionIterArg(1), count);
      Value more = arith::AddIOp::create(b, count, one);
      Value kept = arith::SelectOp::create(b, isDead(own), count, more);
      scf::YieldOp::create(b, ValueRange{kept, next});
    }
    auto rest = scf::ForOp::create(b, walk.getResult(0), end, one,
                                   ValueRange{walk.getResult(1)});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(rest.getBody());
    Value next = tensor::InsertOp::create(b, i64(-1), rest.getRegionIterArg(0),
                                          rest.getInductionVar());
    scf::YieldOp::create(b, ValueRange{next});
    return rest.getResult(0);
  }

  ImplicitLocOpBuilder b;
  LiveKeysOp op;
  FloatType type;
  FloatAttr threshold;
};

} // namespace

FailureOr<SmallVector<Value>> LiveKeysOp::decomposeOperation(OpBuilder &b) {
  if (!hasPureTensorSemantics())
    return failure();
  return LiveKeys(b, *this).run();
}
