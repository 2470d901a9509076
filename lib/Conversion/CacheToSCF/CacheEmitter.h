//===- CacheEmitter.h - Pieces of a cache's update --------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What loops over a cache are made of, whoever walks it: a thread for each
// head, or many.

#ifndef FPA_LIB_CONVERSION_CACHETOSCF_CACHEEMITTER_H
#define FPA_LIB_CONVERSION_CACHETOSCF_CACHEEMITTER_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::fpa {

class CacheEmitter {
public:
  CacheEmitter(OpBuilder &builder, UpdateCacheOp op)
      : b(op.getLoc(), builder), op(op),
        type(cast<FloatType>(getElementTypeOrSelf(op.getField().getType()))) {}

protected:
  /// Of a head: its keys, its new tokens, both, and whether there is room.
  struct Counts {
    Value held, tokens, end, fits;
  };
  /// A parallel loop over heads and `bounds`: `body` for those that have room
  /// for their tokens, `otherwise` for those that have not.
  void forHeads(ArrayRef<Value> bounds,
                function_ref<void(const Counts &, ValueRange)> body,
                function_ref<void()> otherwise = nullptr);
  void copyRow(Value from, ValueRange fromRow, Value to, ValueRange toRow);
  void noteDropped(Value key);
  /// The head did not fit: its sum is +inf.
  void noteOverflow();
  Value loadMinimum(Value key) {
    return memref::LoadOp::create(b, op.getCachedMinimum(), at(key));
  }
  Value loadLevel(Value key) {
    return memref::LoadOp::create(b, op.getCachedLevel(), at(key));
  }
  /// Whether a key, or each of a vector of them, is penalised above the
  /// threshold.
  Value isDead(Value level, Value minimum);
  Value getLevelOrField() {
    return op.getLevel() ? op.getLevel() : op.getField();
  }

  /// A loop that carries `state`.
  ValueRange loop(Value begin, Value end, ValueRange state,
                  function_ref<SmallVector<Value>(Value, ValueRange)> body);
  void branch(Value condition, function_ref<void()> then,
              function_ref<void()> otherwise = nullptr);

  /// A place of the head.
  SmallVector<Value> at(Value i) { return {batch, head, i}; }
  Value dim(Value buffer, int64_t axis) {
    return b.createOrFold<memref::DimOp>(buffer, axis);
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value real(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value constant(const APFloat &value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  }
  /// In all elements, if `like` is a vector.
  Value constant(const APFloat &value, Value like) {
    Value scalar = constant(value);
    return scalar.getType() == like.getType()
               ? scalar
               : vector::BroadcastOp::create(b, like.getType(), scalar);
  }
  Value infinity() {
    return constant(APFloat::getInf(type.getFloatSemantics()));
  }
  Value toF64(Value x) {
    return x.getType().isF64() ? x
                               : arith::ExtFOp::create(b, b.getF64Type(), x);
  }
  Value clamp(Value x);
  /// Data as an index from 0 to `most`.
  Value clampCount(Value data, Value most);

  ImplicitLocOpBuilder b;
  UpdateCacheOp op;
  FloatType type;
  Value batch, head;

private:
  void forAll(ArrayRef<Value> bounds, function_ref<void(ValueRange)> body);
  Counts readCounts();
};

/// Loops over heads, each of which one thread updates.
void emitSerialUpdate(OpBuilder &builder, UpdateCacheOp op);

/// Loops over keys, elements and columns of heads, one after the other.
void emitParallelUpdate(OpBuilder &builder, UpdateCacheOp op);

} // namespace mlir::fpa

#endif // FPA_LIB_CONVERSION_CACHETOSCF_CACHEEMITTER_H
