//===- Emit.cpp - Formulas as linalg --------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "fpa/Dialect/IR/CreateGeneric.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::raise;

namespace {

/// Emits a sum as one linalg.generic over axes.
class SumEmitter {
public:
  SumEmitter(OpBuilder &b, Location loc, Terms &terms, ArrayRef<Axis> axes)
      : b(b), loc(loc), terms(terms), axes(axes) {}

  /// Gathers the elements that a formula reads. False where it reads one that
  /// is not at the axes, or is no formula at all.
  bool gather(const Term *term);
  Value run(const Sum &sum, double factor, FloatType type);

private:
  Value emit(const Term *term, ValueRange elements);
  Value emitIndex(const Term *term);

  OpBuilder &b;
  Location loc;
  Terms &terms;
  ArrayRef<Axis> axes;
  /// Constants and sizes stand before the op, as everywhere else.
  template <typename Make> Value outside(Make make) {
    OpBuilder::InsertionGuard guard(b);
    b.restoreInsertionPoint(before);
    return make();
  }

  OpBuilder::InsertPoint before;
  SmallVector<const Term *> inputs;
  SmallVector<AffineMap> maps;
};

bool SumEmitter::gather(const Term *term) {
  switch (term->kind) {
  case Term::Kind::Opaque:
    return false;
  case Term::Kind::Constant:
  case Term::Kind::Scalar:
    return true;
  case Term::Kind::Index:
    return term->index.isPureAffine();
  case Term::Kind::Apply:
    return llvm::all_of(term->operands,
                        [&](const Term *operand) { return gather(operand); });
  case Term::Kind::Element:
    break;
  }
  if (llvm::is_contained(inputs, term))
    return true;
  SmallVector<AffineExpr> read;
  for (AffineExpr expr : term->at) {
    const Axis *axis = llvm::find_if(
        axes, [&](const Axis &axis) { return axis.index == expr; });
    if (axis != axes.end() && !isa<AffineConstantExpr>(expr))
      read.push_back(b.getAffineDimExpr(axis - axes.begin()));
    else if (expr == terms.getConstant(0))
      read.push_back(expr);
    else
      return false;
  }
  inputs.push_back(term);
  maps.push_back(AffineMap::get(axes.size(), 0, read, b.getContext()));
  return true;
}

Value SumEmitter::emitIndex(const Term *term) {
  // Variables are loops; sizes come from outside.
  Value sum;
  std::function<void(AffineExpr, int64_t)> visit = [&](AffineExpr e,
                                                       int64_t factor) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(e);
    if (binary && e.getKind() == AffineExprKind::Add) {
      visit(binary.getLHS(), factor);
      visit(binary.getRHS(), factor);
      return;
    }
    auto number = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS())
                         : AffineConstantExpr();
    if (number && e.getKind() == AffineExprKind::Mul)
      return visit(binary.getLHS(), factor * number.getValue());
    Value part;
    for (auto [loop, axis] : llvm::enumerate(axes))
      if (axis.index == e && isa<AffineDimExpr>(e))
        part = linalg::IndexOp::create(b, loc, loop);
    if (!part)
      part = outside([&]() -> Value {
        return getValueOrCreateConstantIndexOp(b, loc,
                                               *terms.materialize(b, loc, e));
      });
    if (factor != 1) {
      Value number = outside([&]() -> Value {
        return arith::ConstantIndexOp::create(b, loc, factor);
      });
      part = arith::MulIOp::create(b, loc, part, number);
    }
    sum = sum ? arith::AddIOp::create(b, loc, sum, part).getResult() : part;
  };
  visit(term->index, 1);
  if (term->type.isIndex())
    return sum;
  return arith::IndexCastOp::create(b, loc, term->type, sum);
}

Value SumEmitter::emit(const Term *term, ValueRange elements) {
  switch (term->kind) {
  case Term::Kind::Constant:
    return outside([&]() -> Value {
      return arith::ConstantOp::create(b, loc, term->constant);
    });
  case Term::Kind::Index:
    return emitIndex(term);
  case Term::Kind::Element:
    return elements[llvm::find(inputs, term) - inputs.begin()];
  case Term::Kind::Apply:
    break;
  case Term::Kind::Scalar:
  case Term::Kind::Opaque:
    return term->value;
  }
  SmallVector<Value> operands;
  for (const Term *operand : term->operands)
    operands.push_back(emit(operand, elements));
  OperationState state(loc, term->op->getName());
  state.addOperands(operands);
  state.addTypes(term->type);
  state.addAttributes(term->op->getAttrs());
  return b.create(state)->getResult(0);
}

Value SumEmitter::run(const Sum &sum, double factor, FloatType type) {
  SmallVector<Value> tensors;
  for (const Term *input : inputs)
    tensors.push_back(input->value);
  SmallVector<OpFoldResult> sizes;
  for (const Axis &axis : axes)
    sizes.push_back(*terms.materialize(b, loc, axis.size));
  Value out = tensor::EmptyOp::create(b, loc, sizes, type);
  SmallVector<AffineMap> allMaps = maps;
  allMaps.push_back(b.getMultiDimIdentityMap(axes.size()));
  SmallVector<utils::IteratorType> kinds(axes.size(),
                                         utils::IteratorType::parallel);
  auto convert = [&](Value x) -> Value {
    auto from = dyn_cast<FloatType>(x.getType());
    if (from == type)
      return x;
    if (x.getType().isIndex())
      x = arith::IndexCastOp::create(b, loc, b.getI64Type(), x);
    if (!from)
      return arith::SIToFPOp::create(b, loc, type, x);
    return from.getWidth() < type.getWidth()
               ? arith::ExtFOp::create(b, loc, type, x).getResult()
               : arith::TruncFOp::create(b, loc, type, x).getResult();
  };
  auto number = [&](double value) -> Value {
    return outside([&]() -> Value {
      return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
    });
  };
  before = b.saveInsertionPoint();
  return createGeneric(b, loc, tensors, out, allMaps, kinds, [&](ValueRange x) {
    Value total;
    for (const Summand &summand : sum) {
      double coefficient = factor * summand.coefficient;
      Value product;
      for (const Term *term : summand.factors) {
        Value next = convert(emit(term, x));
        product = product
                      ? arith::MulFOp::create(b, loc, product, next).getResult()
                      : next;
      }
      if (!product)
        product = number(coefficient);
      else if (coefficient != 1)
        product = arith::MulFOp::create(b, loc, product, number(coefficient));
      total = total ? arith::AddFOp::create(b, loc, total, product).getResult()
                    : product;
    }
    return total ? total : number(0);
  });
}

} // namespace

Value raise::emitSum(OpBuilder &b, Location loc, Terms &terms, const Sum &sum,
                     double factor, ArrayRef<Axis> axes, FloatType type) {
  if (sum.size() == 1 && sum[0].factors.size() == 1 &&
      sum[0].coefficient * factor == 1 && sum[0].factors[0]->type == type &&
      sum[0].factors[0]->isElement()) {
    const Term *element = sum[0].factors[0];
    Place place = peelOperand(terms, {element->value, element->at}, axes);
    if (place.tensor)
      return layOut(b, loc, terms, place, axes);
  }
  SumEmitter emitter(b, loc, terms, axes);
  for (const Summand &summand : sum)
    for (const Term *factorTerm : summand.factors)
      if (!emitter.gather(factorTerm))
        return {};
  return emitter.run(sum, factor, type);
}
