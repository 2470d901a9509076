//===- RuleBuilder.h - Making rules about the sizes of inputs ---*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_EXECUTIONENGINE_RULEBUILDER_H
#define FPA_LIB_EXECUTIONENGINE_RULEBUILDER_H

#include "TraceSizes.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/ExecutionEngine/Signature.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fpa {

/// Adds the rules of one op after the other.
class RuleBuilder {
public:
  RuleBuilder(ShapeRules &rules, SmallVectorImpl<ShapeRules::LateRule> *late)
      : rules(rules), late(late) {}

  /// The op that the next rules are about.
  void setOp(Operation *op);
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
  /// Null where nobody asks for them.
  SmallVectorImpl<ShapeRules::LateRule> *late;
  Operation *current = nullptr;
  /// Whether the function may end without having run it.
  bool isConditional = false;
};

/// A head of the op's cache has room for its keys with its new tokens.
ShapeRules::Rule getRoomRule(UpdateCacheOp op);

/// Whether no branch or loop is around an op of the function.
bool alwaysRuns(Operation *op);

/// The slice lies in `whole`: none of it, or up to its last element.
void addSliceRules(RuleBuilder &builder, Value whole, StringRef name,
                   ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                   ArrayRef<OpFoldResult> strides);
/// `whole` has an element at `indices`.
void addIndexRules(RuleBuilder &builder, Value whole, StringRef name,
                   ValueRange indices);

/// The rules of an op of the tensor or memref dialect that the function always
/// runs, and of a linalg op.
void addTensorRules(Operation *op, RuleBuilder &builder);
void addMemRefRules(Operation *op, RuleBuilder &builder);
void addLinalgRules(linalg::LinalgOp op, RuleBuilder &builder);

} // namespace mlir::fpa

#endif // FPA_LIB_EXECUTIONENGINE_RULEBUILDER_H
