//===- FieldAnalysis.h - What is known of a field ---------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about floating-point values that hold for every input: an interval the
// elements lie in, and whether they only fall along an axis. The canonicalizer
// uses them to recognise FoX, ALiBi and plain causal softmax.
//
// Assumptions, also in docs/Spec.md (rules N5 to N7):
// - Intervals say nothing of NaN: they hold for the elements that are not NaN.
//   `mayBeNaN` is false only where a NaN is impossible.
// - A trend ignores NaN. For the sums and minima below this is harmless: a NaN
//   stays from where it first stands, so the last field value is NaN whenever
//   any before it in the interval is.
// - exp, log and their like keep to their mathematical range and are monotone.
// - A prefix sum of values <= 0 never rises, although rounding may raise it by
//   as much as its own error.
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_FIELDANALYSIS_H
#define FPA_DIALECT_IR_FIELDANALYSIS_H

#include "mlir/IR/Value.h"
#include <limits>

namespace mlir::fpa {

/// Constants of more elements than this are not looked at.
inline constexpr int64_t kMaxAnalyzedConstant = 1 << 16;

/// An interval that holds every element of a tensor, or a scalar.
struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool mayBeNaN = true;

  /// Every element is known to be this one number.
  bool isExactly(double number) const {
    return lower == number && upper == number && !mayBeNaN;
  }
};

/// Bounds of a float or index value, scalar or tensor. Looks through
/// - constants, fills, splats, casts, slices and reshapes;
/// - linalg ops without reductions (generic, map, broadcast, named ones);
/// - arith and math: neg, abs, add, sub, mul, div, min, max, select, exp, exp2,
///   log, log1p, log2, log10, sqrt, tanh, powf of a positive base.
/// So `1 / (1 + exp(-x))` is known to lie in [0, 1], its logarithm and
/// `-log1p(exp(x))` to be at most 0.
Bounds getBounds(Value value);

/// True when the elements of a tensor never rise along `axis`:
/// - constants that do not rise, and whatever does not vary along the axis;
/// - `fpa.prefix_sum` along it (forward, without segments) of values <= 0;
/// - `fpa.prefix_min` along it (forward, without segments);
/// - linalg.index of the axis times a factor <= 0 that does not vary with it;
/// - sums, minima, maxima, monotone functions and rescalings of such values.
bool neverRises(Value tensor, int64_t axis);

} // namespace mlir::fpa

#endif // FPA_DIALECT_IR_FIELDANALYSIS_H
