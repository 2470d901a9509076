//===- SizeExpression.h - Integers made from sizes of inputs ----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_EXECUTIONENGINE_SIZEEXPRESSION_H
#define FPA_EXECUTIONENGINE_SIZEEXPRESSION_H

#include "fpa/Support/Tensor.h"
#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"
#include <memory>
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace mlir::fpa {

/// An integer that is computed from sizes of a function's inputs, from their
/// elements, and from what is known only while the function runs.
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
  /// The element of input `input`, a tensor of integers, at `indices`; `read`
  /// is that element in the function, if it reads it.
  static SizeExpression ofElement(int64_t input, ArrayRef<int64_t> indices,
                                  Value read = {});
  /// A dimension of a value in the function, and an integer in it. Nothing in
  /// the function may be changed while these are in use.
  static SizeExpression ofDimension(Value value, int64_t dim);
  static SizeExpression ofInteger(Value value);
  static SizeExpression combine(Operator op, const SizeExpression &lhs,
                                const SizeExpression &rhs);

  /// Whether no input has a part in it.
  bool isNumber() const;
  /// Whether the inputs are enough to compute it.
  bool isKnown() const;
  /// Whether both are made in the same way.
  bool isSame(const SizeExpression &other) const;
  /// With other expressions in place of dimensions of the function's values.
  SizeExpression substitute(
      llvm::function_ref<std::optional<SizeExpression>(Value, int64_t)> find)
      const;
  /// Adds the inputs whose elements have a part in it.
  void findReadInputs(llvm::SmallSetVector<int64_t, 4> &inputs) const;
  /// None where it is not known, divides by zero, leaves 64 bits or takes an
  /// element that is not there, or of an input without data.
  std::optional<int64_t> evaluate(ArrayRef<Tensor> inputs) const;

  struct Node;
  const Node *getNode() const { return node.get(); }

private:
  explicit SizeExpression(std::shared_ptr<const Node> node)
      : node(std::move(node)) {}

  std::shared_ptr<const Node> node;
};

} // namespace mlir::fpa

#endif // FPA_EXECUTIONENGINE_SIZEEXPRESSION_H
