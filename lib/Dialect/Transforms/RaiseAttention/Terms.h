//===- Terms.h - Elements of tensors as formulas ----------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One element of a tensor as a formula of index variables. Elementwise ops,
// broadcasts, transposes, reshapes and slices disappear: however a program
// splits or fuses them, the formula of an element is the same. Reductions and
// whatever is not understood are leaves.
//
// A formula is exact but for one thing: integers are taken not to wrap, as
// indices of tensors in memory do not.
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_DIALECT_TRANSFORMS_RAISEATTENTION_TERMS_H
#define FPA_LIB_DIALECT_TRANSFORMS_RAISEATTENTION_TERMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <map>
#include <memory>

namespace mlir::fpa::raise {

/// A formula. Equal formulas of one `Terms` are one object.
struct Term {
  enum class Kind {
    Constant, ///< a number or a truth value: `constant`
    Index,    ///< an integer, affine in variables and sizes: `index`
    Element,  ///< of the tensor `value` at `at`
    Scalar,   ///< `value`, the same everywhere
    Opaque,   ///< the value `value` of a body whose loops stand at `at`
    Apply,    ///< `op`, as a function of `operands`
  };
  Term(Kind kind, Type type) : kind(kind), type(type) {}

  Kind kind;
  /// In the order of their making.
  unsigned number = 0;
  /// Of one element.
  Type type;
  TypedAttr constant;
  AffineExpr index;
  Value value;
  SmallVector<AffineExpr> at;
  Operation *op = nullptr;
  SmallVector<const Term *> operands;

  template <typename... Ops> bool is() const {
    return kind == Kind::Apply && isa<Ops...>(op);
  }
  bool isElement() const { return kind == Kind::Element; }
  bool isIndex() const { return kind == Kind::Index; }
  /// Whether the variable, an affine dimension, occurs.
  bool uses(AffineExpr variable) const;
  /// The number, of a constant of a float type.
  std::optional<double> getNumber() const;
  /// The truth value, of a constant of type i1.
  std::optional<bool> getTruth() const;
};

/// Tensor and place of an element, or of a body's operand.
struct Place {
  Value tensor;
  SmallVector<AffineExpr> at;
};

class Terms {
public:
  explicit Terms(MLIRContext *context) : context(context) {}

  /// A new variable, which runs from 0 to below `size`.
  AffineExpr addVariable(AffineExpr size);
  AffineExpr getSize(AffineExpr variable) const {
    return sizes[cast<AffineDimExpr>(variable).getPosition()];
  }
  AffineExpr getConstant(int64_t value) const {
    return getAffineConstantExpr(value, context);
  }

  /// The element of a tensor.
  const Term *element(Value tensor, ArrayRef<AffineExpr> at);
  /// The same without looking at what defines the tensor.
  const Term *leaf(Value tensor, ArrayRef<AffineExpr> at);
  /// The element by the op that defines the tensor, whose operands are leaves.
  const Term *unfold(Value tensor, ArrayRef<AffineExpr> at) {
    return build(tensor, at, /*isShallow=*/true);
  }
  /// A value of a body whose loops stand at `loops`. With `isShallow`, elements
  /// of the op's operands are leaves.
  const Term *inBody(linalg::LinalgOp op, ArrayRef<AffineExpr> loops,
                     Value value, bool isShallow = false);
  const Term *makeIndex(AffineExpr expr, Type type);

  /// One step through an op that only moves elements. False where there is
  /// none.
  bool followView(Place &place);

  /// The size of a tensor, in constants and symbols.
  AffineExpr size(Value tensor, int64_t dim);
  /// Whether two sizes are known to be equal. Ops that were looked at count:
  /// their operands have equal sizes where they share a loop.
  bool areEqual(AffineExpr a, AffineExpr b);
  /// An expression in its simplest form: equal ones have equal forms.
  AffineExpr simplify(AffineExpr expr);
  /// The value of a size or index as IR, for those made of constants, symbols
  /// and their sums and products.
  std::optional<OpFoldResult> materialize(OpBuilder &b, Location loc,
                                          AffineExpr expr);

  /// The loops of an op without reductions whose result element stands at `at`.
  std::optional<SmallVector<AffineExpr>>
  findLoops(linalg::LinalgOp op, unsigned result, ArrayRef<AffineExpr> at);
  /// Where an operand of an op is read.
  SmallVector<AffineExpr> readAt(linalg::LinalgOp op, OpOperand &operand,
                                 ArrayRef<AffineExpr> loops);
  /// Learns that sizes of operands which share a loop are equal.
  void learnSizes(linalg::LinalgOp op);

private:
  const Term *intern(Term term);
  const Term *build(Value tensor, ArrayRef<AffineExpr> at,
                    bool isShallow = false);
  const Term *apply(Operation *op, SmallVector<const Term *> operands,
                    Type type);
  AffineExpr fold(Operation *op, ArrayRef<const Term *> operands);
  const Term *scalar(Value value, linalg::LinalgOp body,
                     ArrayRef<AffineExpr> loops, bool isShallow);
  const Term *ofConstant(TypedAttr value);
  AffineExpr indexOf(OpFoldResult value);
  AffineExpr symbolOf(Value value, int64_t dim);
  AffineExpr resolve(AffineExpr expr);
  AffineExpr divide(AffineExpr dividend, int64_t divisor, bool isRemainder);
  void unify(AffineExpr a, AffineExpr b);
  void normalize(Value tensor, SmallVectorImpl<AffineExpr> &at);

  MLIRContext *context;
  /// Of the variables.
  SmallVector<AffineExpr> sizes;
  /// What a symbol stands for: a scalar (dim = -1), or a size of a tensor.
  SmallVector<std::pair<Value, int64_t>> symbols;
  /// What a symbol is known to equal, or null.
  SmallVector<AffineExpr> known;
  std::vector<std::unique_ptr<Term>> all;
  DenseMap<size_t, SmallVector<const Term *>> interned;
  std::map<std::pair<void *, SmallVector<const void *>>, const Term *> built;
};

} // namespace mlir::fpa::raise

#endif // FPA_LIB_DIALECT_TRANSFORMS_RAISEATTENTION_TERMS_H
