//===- TraceSizes.h - Sizes of values from those of inputs ------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_EXECUTIONENGINE_TRACESIZES_H
#define FPA_LIB_EXECUTIONENGINE_TRACESIZES_H

#include "fpa/ExecutionEngine/SizeExpression.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::fpa {

/// Follows sizes back to the inputs of the function, or as far as the way is
/// known; none for what has no sizes.
class SizeTracer {
public:
  /// The size of a dimension of a tensor or a memref.
  std::optional<SizeExpression> traceSize(Value value, int64_t dim);
  std::optional<SizeExpression> traceIndex(OpFoldResult index);
  std::optional<SizeExpression> traceProduct(ArrayRef<OpFoldResult> indices);
  /// The product of the sizes of some dimensions of a tensor.
  std::optional<SizeExpression> traceProduct(Value value,
                                             ArrayRef<int64_t> dims);
  /// Element `place` of a tensor of integers of rank 1.
  std::optional<SizeExpression> traceShapeElement(Value tensor, int64_t place);
  /// With the sizes before a loop in place of those that it does not change.
  SizeExpression resolve(const SizeExpression &size) const;

private:
  std::optional<SizeExpression> traceDefinition(Operation *op);
  std::optional<SizeExpression> traceArgument(BlockArgument argument,
                                              int64_t dim);

  /// What has been traced: a value may be reached in many ways.
  llvm::DenseMap<Value, std::optional<SizeExpression>> indices;
  llvm::DenseMap<std::pair<Value, int64_t>, std::optional<SizeExpression>>
      sizes;
  /// Sizes of what loops carry that are those at their start.
  llvm::DenseMap<std::pair<Value, int64_t>, SizeExpression> unchanged;
};

/// The input of the function that `value` is, also by another type, and with
/// the elements that it came with.
std::optional<int64_t> findInput(Value value);

/// Both combined, where both are known.
std::optional<SizeExpression>
combineSizes(SizeExpression::Operator op,
             const std::optional<SizeExpression> &lhs,
             const std::optional<SizeExpression> &rhs);

} // namespace mlir::fpa

#endif // FPA_LIB_EXECUTIONENGINE_TRACESIZES_H
