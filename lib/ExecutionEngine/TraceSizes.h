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

/// Follows sizes back to the inputs of the function; none where the way is not
/// known.
class SizeTracer {
public:
  /// The size of a dimension of a tensor.
  std::optional<SizeExpression> traceSize(Value value, int64_t dim);
  std::optional<SizeExpression> traceIndex(OpFoldResult index);
  std::optional<SizeExpression> traceProduct(ArrayRef<OpFoldResult> indices);
  /// The product of the sizes of some dimensions of a tensor.
  std::optional<SizeExpression> traceProduct(Value value,
                                             ArrayRef<int64_t> dims);
  /// Element `place` of a tensor of integers of rank 1.
  std::optional<SizeExpression> traceShapeElement(Value tensor, int64_t place);

private:
  std::optional<SizeExpression> traceDefinition(Operation *op);

  /// What has been traced: a value may be reached in many ways.
  llvm::DenseMap<Value, std::optional<SizeExpression>> indices;
  llvm::DenseMap<std::pair<Value, int64_t>, std::optional<SizeExpression>>
      sizes;
};

/// The input of the function that `value` is, also by another type.
std::optional<int64_t> findInput(Value value);

/// Both combined, where both are known.
std::optional<SizeExpression>
combineSizes(SizeExpression::Operator op,
             const std::optional<SizeExpression> &lhs,
             const std::optional<SizeExpression> &rhs);

} // namespace mlir::fpa

#endif // FPA_LIB_EXECUTIONENGINE_TRACESIZES_H
