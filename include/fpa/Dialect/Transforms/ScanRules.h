//===- ScanRules.h - How a scan combines its elements -----------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_TRANSFORMS_SCANRULES_H
#define FPA_DIALECT_TRANSFORMS_SCANRULES_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {

/// The values that stand for one element, or one vector of elements, of a scan.
/// All of them are scalars, or all are vectors of one shape.
using ScanState = SmallVector<Value>;

/// The rules of one scan, from which every loop and every lane step is emitted.
///
/// An element is one value, or a value and its index. What a scan carries from
/// one element to the next may be wider: a compensated sum carries its rounding
/// error beside it.
struct ScanRules {
  ScanKind kind = ScanKind::Min;
  /// Walk from the end.
  bool reverse = false;
  /// Elements are (value, index) pairs; of equal minima the largest index
  /// stays. Values are integers.
  bool withIndex = false;
  /// A sum carries (sum, error), so that its error does not grow with length.
  bool compensated = false;
  /// A minimum of floats that are known not to be NaN.
  bool noNaN = false;

  /// `before o own`, where `before` comes first on the walk. A NaN wins a
  /// minimum of floats. Values may be scalars or vectors.
  ScanState combine(OpBuilder &b, Location loc, ValueRange before,
                    ValueRange own) const;

  /// What is carried past elements whose combination is `total`.
  ScanState advance(OpBuilder &b, Location loc, ValueRange carry,
                    ValueRange total) const;

  /// The elements that `carry` stands for.
  ScanState valueOf(OpBuilder &b, Location loc, ValueRange carry) const;

  /// `carry o local`, as elements.
  ScanState apply(OpBuilder &b, Location loc, ValueRange carry,
                  ValueRange local) const;
};

/// Inclusive scan of vectors of N lanes in log2 N steps, without a carry.
ScanState scanLanes(OpBuilder &b, Location loc, const ScanRules &rules,
                    ValueRange vectors);

/// The lane that a walk reaches last, in every lane.
ScanState splatLastLane(OpBuilder &b, Location loc, bool reverse,
                        ValueRange vectors);

/// Moves each lane one step along the walk; the first lane comes from the last
/// one of `before`, vectors of the same type.
ScanState shiftLanes(OpBuilder &b, Location loc, bool reverse,
                     ValueRange vectors, ValueRange before);

/// Scans vectors that follow one another on the walk. `carry` holds vectors
/// whose lanes are all equal; it is replaced by the carry after them. Only one
/// step depends on the carry that came in, however many vectors there are. With
/// `widen`, it maps the k-th lane scan to the types of the carry.
SmallVector<ScanState> scanVectors(
    OpBuilder &b, Location loc, const ScanRules &rules, bool exclusive,
    ArrayRef<ScanState> vectors, ScanState &carry,
    function_ref<ScanState(int64_t k, ScanState local)> widen = nullptr);

/// Replaces each prefix op under `root`, and returns how many there were. An
/// error names the first that `replace` fails for: one that is on tensors.
FailureOr<int64_t> replacePrefixOps(
    Operation *root,
    function_ref<LogicalResult(RewriterBase &, Operation *)> replace);

} // namespace mlir::fpa

#endif // FPA_DIALECT_TRANSFORMS_SCANRULES_H
