//===- PrefixBlock.h - One block of a scan as vectors -----------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_DIALECT_TRANSFORMS_PREFIXBLOCK_H
#define FPA_LIB_DIALECT_TRANSFORMS_PREFIXBLOCK_H

#include "fpa/Dialect/Transforms/ScanRules.h"

namespace mlir::fpa {

/// What one step of a prefix op computes, on blocks of rank 2 that are scanned
/// along `axis`. What is carried lacks the axis.
class PrefixScan {
public:
  explicit PrefixScan(Operation *op);

  SmallVector<Value> initialCarry(OpBuilder &b);

  /// Scans the block in the memref `input`, of which element 0 along the axis
  /// stands at position `at`; less than a block is filled up with what changes
  /// nothing. Returns the outputs' blocks and what is carried on in `next`.
  SmallVector<Value> emitStep(OpBuilder &b, Value input, Value at,
                              ValueRange carry, SmallVector<Value> &next);

  void write(OpBuilder &b, Value block, Value output);

  bool reverse = false, exclusive = false;
  int64_t axis = 1;
  /// Of a block.
  SmallVector<int64_t> shape;
  /// The last position of the walk's stretch of the axis.
  OpFoldResult end;

private:
  VectorType blockOf(Type element) { return VectorType::get(shape, element); }
  VectorType carryOf(Type element) {
    return VectorType::Builder(blockOf(element)).dropDim(axis);
  }
  Value constant(OpBuilder &b, VectorType type, double value);
  std::pair<Value, Value> scan(OpBuilder &b, ScanKind kind, bool exclusive,
                               Value source, Value init);
  Value spread(OpBuilder &b, Value carried);
  Value positions(OpBuilder &b);
  Value findRecords(OpBuilder &b, Value x, Value before, Value minimum,
                    Value at);
  Value placeAt(OpBuilder &b, Value found, Value at, Value otherwise);
  Value emitIndex(OpBuilder &b, Value records, Value at, Value carried,
                  Value &next);

  Location loc;
  ScanKind kind;
  bool withIndex = false;
  /// Of memory, and of the arithmetic.
  FloatType element, wide;
};

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_PREFIXBLOCK_H
