//===- Gradients.h - Gradients of the ops of a graph ------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_DIALECT_TRANSFORMS_GRADIENTS_H
#define FPA_LIB_DIALECT_TRANSFORMS_GRADIENTS_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::fpa {

/// Whether values of this type carry a gradient: tensors of floats.
bool isFloatTensor(Type type);

/// Whether `op`, or an op in its regions, uses a value of `values`.
bool usesAny(Operation *op, const llvm::DenseSet<Value> &values);

/// The values of `block` through which a result may depend smoothly on `seeds`:
/// not sizes, nor what a comparison or a rounding to integers makes, whose
/// derivative is zero.
llvm::DenseSet<Value> findVaried(Block &block,
                                 const llvm::DenseSet<Value> &seeds);

/// The gradients found so far, on the way from a function's results back to its
/// arguments.
class Gradients {
public:
  Gradients(RewriterBase &rewriter, const llvm::DenseSet<Value> &varied)
      : rewriter(rewriter), varied(varied) {}

  /// Null where nothing that has been visited depends on `value`.
  Value lookup(Value value) const { return known.lookup(value); }
  /// Whether `value` depends on an argument that has a gradient.
  bool isVaried(Value value) const { return varied.contains(value); }
  /// Whether a gradient of `value` is asked for.
  bool isWanted(Value value) const {
    return value && isVaried(value) && isFloatTensor(value.getType());
  }
  /// Adds to the gradient of `value`, where one is asked for.
  void add(Value value, Value gradient);

  /// Adds the gradients of the operands of `op`, some of whose results have
  /// gradients. Refuses an op that has no rule, in one line.
  LogicalResult visit(Operation *op);

  /// An uninitialized tensor of the shape of `value`, and one of zeros.
  Value emptyLike(Value value, Type element = Type());
  Value zerosLike(Value value, Type element = Type());

  RewriterBase &rewriter;

private:
  LogicalResult checkOperands(Operation *op);

  const llvm::DenseSet<Value> &varied;
  llvm::DenseMap<Value, Value> known;
};

/// Makes the lse one of the results of `op`: its gradients are made from it.
void addLse(AttentionOp op, RewriterBase &rewriter);

/// The rule for linalg ops whose maps are projected permutations: elementwise
/// ops, broadcasts, transposes, products and sums.
LogicalResult differentiateLinalg(linalg::LinalgOp op, Gradients &gradients);

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_GRADIENTS_H
