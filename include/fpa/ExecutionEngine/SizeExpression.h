//===- SizeExpression.h - Integers made from sizes of inputs ----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_EXECUTIONENGINE_SIZEEXPRESSION_H
#define FPA_EXECUTIONENGINE_SIZEEXPRESSION_H

#include "fpa/Support/Tensor.h"
#include "mlir/Support/LLVM.h"
#include <memory>
#include <optional>

namespace mlir::fpa {

/// An integer that is computed from the sizes of a function's inputs and from
/// their elements.
class SizeExpression {
public:
  enum class Operator {
    Add,
    Subtract,
    Multiply,
    /// Towards zero, down and up.
    Divide,
    FloorDivide,
    CeilDivide,
    Remainder,
    Minimum,
    Maximum
  };

  static SizeExpression ofNumber(int64_t value);
  /// The size of dimension `dim` of input `input`.
  static SizeExpression ofInput(int64_t input, int64_t dim);
  /// The element of input `input`, a tensor of integers, at `indices`.
  static SizeExpression ofElement(int64_t input, ArrayRef<int64_t> indices);
  static SizeExpression combine(Operator op, const SizeExpression &lhs,
                                const SizeExpression &rhs);

  /// Whether no input has a part in it.
  bool isNumber() const;
  /// None where it divides by zero, leaves the 64-bit integers or takes an
  /// element that is not there.
  std::optional<int64_t> evaluate(ArrayRef<Tensor> inputs) const;

private:
  struct Node;
  explicit SizeExpression(std::shared_ptr<const Node> node)
      : node(std::move(node)) {}

  std::shared_ptr<const Node> node;
};

} // namespace mlir::fpa

#endif // FPA_EXECUTIONENGINE_SIZEEXPRESSION_H
