//===- Candidate.h - A product that may be attention's last -----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_DIALECT_TRANSFORMS_RAISEATTENTION_CANDIDATE_H
#define FPA_LIB_DIALECT_TRANSFORMS_RAISEATTENTION_CANDIDATE_H

#include "Pieces.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa::raise {

/// output(b,h,i,v) = sum_j weight(b,h,i,j) value(b,h,j,v), whose weights may be
/// a causal softmax.
class Candidate {
public:
  explicit Candidate(linalg::LinalgOp product)
      : terms(product.getContext()), product(product) {}

  /// Fails with an empty `why` where there is no softmax, and with a reason
  /// where there is one that is not fpa.attention's.
  LogicalResult match();
  /// Replaces it. May still fail, for a field that is not known to fall; then
  /// nothing has changed.
  LogicalResult rewrite(RewriterBase &rewriter);

  /// Why it failed, or empty.
  const std::string &getReason() const { return why; }
  /// The last of the ops that were replaced.
  Operation *getLastOp() const {
    return lse && root->isBeforeInBlock(lse) ? lse : root;
  }

private:
  LogicalResult fail(const Twine &reason);
  // Loops.
  LogicalResult findRoles();
  void splitBatch(unsigned loop);
  // Weights and logits.
  LogicalResult matchWeights();
  bool matchQuotient();
  LogicalResult matchLogits();
  LogicalResult matchConditions();
  LogicalResult matchBias(ArrayRef<Summand> biases);
  void findLse();
  LogicalResult checkUses();
  // Building.
  LogicalResult buildField(OpBuilder &b, FloatType type, int64_t share);
  bool seesAKey();
  Value restore(OpBuilder &b, Value output);

  Terms terms;
  linalg::LinalgOp product;
  std::string why;

  /// Loops of the product: where they stand, and which is which.
  SmallVector<AffineExpr> loops;
  unsigned rowLoop = 0, keyLoop = 0, headLoop = 0;
  Axis batch, heads, row, key, valueHead;
  /// Where row i stands among the keys.
  AffineExpr last;
  /// Indices of the product's result.
  SmallVector<AffineExpr> resultAt;

  Place weights, value;
  Softmax softmax;
  Condition condition;
  std::optional<Product> logits;
  double scale = 1;
  std::optional<int64_t> window;
  std::optional<Penalty> penalty;
  /// Of the logits: those that vary with the key, and whether others were
  /// dropped, which no weight depends on.
  Sum bias;
  bool dropsShift = false;
  /// The op whose result is replaced, and that of the lse, if any.
  Operation *root = nullptr, *lse = nullptr;
  bool isGuarded = false;

  // What was made of them.
  Value field, level;
  bool nonIncreasing = false;
};

} // namespace mlir::fpa::raise

#endif // FPA_LIB_DIALECT_TRANSFORMS_RAISEATTENTION_CANDIDATE_H
