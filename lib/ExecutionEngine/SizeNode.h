//===- SizeNode.h - What a size expression is made of -----------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_EXECUTIONENGINE_SIZENODE_H
#define FPA_LIB_EXECUTIONENGINE_SIZENODE_H

#include "fpa/ExecutionEngine/SizeExpression.h"

namespace mlir::fpa {

struct SizeExpression::Node {
  enum class Kind { Number, Input, Element, Local, Combination } kind;
  /// The number, or the input and its dimension.
  int64_t value = 0, dim = 0;
  Operator op = Operator::Add;
  std::shared_ptr<const Node> lhs = nullptr, rhs = nullptr;
  /// Of the element.
  SmallVector<int64_t, 0> indices = {};
  /// The shaped value or integer that is known only while the function runs,
  /// or the element as the function reads it.
  Value local = {};
  /// Whether the inputs are enough to compute it.
  bool isKnown = true;
};

} // namespace mlir::fpa

#endif // FPA_LIB_EXECUTIONENGINE_SIZENODE_H
