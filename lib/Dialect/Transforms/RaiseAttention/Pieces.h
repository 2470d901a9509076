//===- Pieces.h - What written-out attention is made of ---------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One matcher per piece: reductions, linear sums, softmax, products, masks and
// penalties. Each reads formulas (Terms.h) and knows nothing of the others.
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_DIALECT_TRANSFORMS_RAISEATTENTION_PIECES_H
#define FPA_LIB_DIALECT_TRANSFORMS_RAISEATTENTION_PIECES_H

#include "Terms.h"
#include <string>

namespace mlir::fpa::raise {

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// coefficient * product of factors.
struct Summand {
  double coefficient = 1;
  SmallVector<const Term *, 2> factors;

  bool uses(AffineExpr variable) const {
    return llvm::any_of(factors,
                        [&](const Term *t) { return t->uses(variable); });
  }
};
using Sum = SmallVector<Summand, 4>;

/// A float formula as a sum of products: through additions, multiplications,
/// divisions by constants, conversions between float types, and indices turned
/// into floats. Rounding is not kept.
Sum expandSum(Terms &terms, const Term *term);

/// A formula without conversions between float types.
const Term *skipCasts(const Term *term);

/// Whether two sums have the same summands.
bool areEqual(const Sum &a, const Sum &b);
/// Whether the term is this constant.
bool isNumber(const Term *term, double number);
/// z of max(0, z), or null.
const Term *getPositivePart(const Term *term);

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Holds where all `bounds` are at least 0.
struct Condition {
  SmallVector<AffineExpr> bounds;
};

/// Reads comparisons of indices, conjunctions of them, and constants that are
/// bands (`tril`, `triu`). Fails on everything else, disjunctions included.
LogicalResult readCondition(Terms &terms, const Term *term, bool isNegated,
                            Condition &condition);

/// Constants of more elements than this are not looked at.
inline constexpr int64_t kMostMaskElements = int64_t(1) << 24;

/// Reads an element of a constant matrix that holds where column - row lies
/// between two numbers. Its other dimensions are of size 1; `holds` gets the
/// number of an element.
LogicalResult readBand(const Term *element, function_ref<bool(int64_t)> holds,
                       Condition &condition);

/// Whether a number stands for "not seen" in logits of the type:
/// - -inf;
/// - the lowest finite number of the type, and
/// - numbers of at most -1e9. Next to a logit that is not itself within about a
///   hundred of such a number, its exponential is 0, as that of -inf. In a row
///   all of whose keys carry it the two differ: there it gives the mean of the
///   values, -inf gives NaN, and fpa.attention 0. Rows without keys must be
///   impossible, or be guarded as `isGuarded` of `Softmax` says, for the
///   program to be raised.
/// Numbers such as -1e4, which logits may come near to, do not count.
bool isMaskValue(const Term *term);

/// Takes the masks off logits: selects of a mask value, sums with a select of 0
/// or a mask value or with a constant of such numbers, products of a mask value
/// and a truth value. Gathers their conditions. Fails on a condition that
/// cannot be read.
LogicalResult peelMasks(Terms &terms, Sum &logits, Condition &condition);

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

enum class ReductionKind { Sum, Maximum, Minimum };

/// A reduction over one loop, from its neutral element.
struct Reduction {
  linalg::LinalgOp op;
  ReductionKind kind;
  /// Where the loops stand.
  SmallVector<AffineExpr> loops;
  /// What is reduced, and under which condition (null: always): values of the
  /// body.
  Value reduced, condition;
  bool isNegated = false;
};

/// The size of the loop that the op defining an element reduces over, or null
/// where no reduction over one loop defines it.
AffineExpr getReducedSize(Terms &terms, const Term *element);

/// An element of fpa.prefix_min: the minimum of the input's elements at `at`
/// over the variable `between`, under a condition.
struct RunningMinimum {
  Value input;
  SmallVector<AffineExpr> at;
  Condition condition;
  AffineExpr between;
};
std::optional<RunningMinimum> matchRunningMinimum(Terms &terms,
                                                  const Term *element);

/// Reads an element as a reduction over `variable`, whose size must be the
/// loop's.
std::optional<Reduction> matchReduction(Terms &terms, const Term *element,
                                        AffineExpr variable);

//===----------------------------------------------------------------------===//
// Softmax and products
//===----------------------------------------------------------------------===//

struct Softmax {
  const Term *logits = nullptr;
  /// Sum of the exponentials, maximum of the logits (null: not subtracted, or
  /// within linalg.softmax).
  const Term *sum = nullptr, *maximum = nullptr;
  /// Keys that the weights themselves are 0 outside of.
  Condition condition;
  /// Not yet divided by the sum: the product with the values is.
  bool isUnnormalized = false;
};

/// exp(s - max) / sum, with the sum as divisor or its reciprocal as factor;
/// exp(s) / sum; linalg.softmax; exp(s - max) alone. The softmax must run along
/// `key`. `why` is set where the formula is a softmax but not that one.
std::optional<Softmax> matchSoftmax(Terms &terms, const Term *weight,
                                    AffineExpr key, std::string &why);

/// coefficient * sum_d query * key.
struct Product {
  double scale;
  Place query, key;
  AffineExpr head;
  Operation *op;
};
std::optional<Product> matchProduct(Terms &terms, const Term *element,
                                    AffineExpr key);

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// A dimension of an operand of fpa.attention. A missing one is at 0, of
/// size 1.
struct Axis {
  AffineExpr index, size;
  /// Of heads: the operand may have fewer, each for several.
  bool mayBeShared = false;
  /// For how many, as getShare says, if not any number will do.
  std::optional<int64_t> share = std::nullopt;

  bool allowsShare(int64_t number) const {
    return mayBeShared && (!share || *share == number);
  }
};

/// How many of an axis' indices share one place in the operand: n of
/// `index floordiv n`, 0 for all, 1 for none.
int64_t getShare(ArrayRef<AffineExpr> at, const Axis &axis);

/// Follows an operand through views and multiplications by constants (those
/// only with a `scale`, which they go into), to the last tensor that lies in
/// the order of the axes or, if there is none, that has the axes in another
/// order. Null tensor: neither.
Place peelOperand(Terms &terms, Place place, ArrayRef<Axis> axes,
                  double *scale = nullptr);

/// The operand as a tensor of these axes, reshaped or copied if need be.
Value layOut(OpBuilder &b, Location loc, Terms &terms, const Place &place,
             ArrayRef<Axis> axes);

/// factor * sum as a tensor of these axes, or null where it takes more than
/// elementwise ops.
Value emitSum(OpBuilder &b, Location loc, Terms &terms, const Sum &sum,
              double factor, ArrayRef<Axis> axes, FloatType type);

//===----------------------------------------------------------------------===//
// Penalties
//===----------------------------------------------------------------------===//

/// max(0, level - min { field_t : key < t <= last }), or the smooth penalty in
/// its place.
struct Penalty {
  Sum level, field;
  /// The variable t of the field.
  AffineExpr between;
  /// beta of the smooth penalty.
  std::optional<double> smooth = std::nullopt;
};

/// Whether the term is max(0, z), as such or as a select.
bool isPenalty(const Term *term);

/// Reads it. `last` is where the row stands among the keys. `why` says what is
/// different where it fails.
std::optional<Penalty> matchPenalty(Terms &terms, const Term *term,
                                    AffineExpr row, AffineExpr key,
                                    AffineExpr last, std::string &why);

/// coefficient * log(1 + exp(argument)).
struct Softplus {
  double coefficient;
  Sum argument;
};

/// Takes the softplus of something of row and key out of a sum, if there is
/// one: log(1 + exp(z)); max(0, z) + log1p(exp(-|z|)); or log1p(exp(z)) where z
/// is not above a threshold from which on it is as good as z, and z elsewhere.
std::optional<Softplus> takeSoftplus(Terms &terms,
                                     SmallVectorImpl<Summand> &sum,
                                     AffineExpr row, AffineExpr key);

/// Reads -softplus(beta * excess) / beta as the smooth penalty.
std::optional<Penalty> matchSmoothPenalty(Terms &terms,
                                          const Softplus &softplus,
                                          AffineExpr row, AffineExpr key,
                                          AffineExpr last, std::string &why);

} // namespace mlir::fpa::raise

#endif // FPA_LIB_DIALECT_TRANSFORMS_RAISEATTENTION_PIECES_H
