//===- RuleBuilder.h - Making rules about the sizes of inputs ---*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_EXECUTIONENGINE_RULEBUILDER_H
#define FPA_LIB_EXECUTIONENGINE_RULEBUILDER_H

#include "TraceSizes.h"
#include "fpa/ExecutionEngine/Signature.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fpa {

/// Adds the rules of one op after the other.
class RuleBuilder {
public:
  explicit RuleBuilder(ShapeRules &rules) : rules(rules) {}

  /// The op that the next rules are about.
  void setOp(Operation *op) { current = op; }
  /// Leaves out a rule about a size that is not known, and one that always
  /// holds.
  void add(ShapeRules::Kind kind, const std::optional<SizeExpression> &size,
           const llvm::Twine &what, const std::optional<SizeExpression> &first,
           const llvm::Twine &as,
           const std::optional<SizeExpression> &second =
               SizeExpression::ofNumber(0));

  SizeTracer tracer;

private:
  ShapeRules &rules;
  Operation *current = nullptr;
};

/// The rules of an op of the tensor dialect that the function always runs.
void addTensorRules(Operation *op, RuleBuilder &builder);
void addLinalgRules(linalg::LinalgOp op, RuleBuilder &builder);

} // namespace mlir::fpa

#endif // FPA_LIB_EXECUTIONENGINE_RULEBUILDER_H
