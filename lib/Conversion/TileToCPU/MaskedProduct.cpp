//===- MaskedProduct.cpp - Products that reduce lanes, masked ---*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask that changes along rows would be made at every step of the product.
// Where all of the lane operand is finite, zeros in the other operand do the
// same: x + 0 * y is x. They are put there once, in runs. Else the product
// masks as it goes.
//
//===----------------------------------------------------------------------===//

#include "NestEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::cpu;

/// True for a mask over the axes of the row operand.
bool NestEmitter::canWeigh() const {
  return productMask && maskHasRows &&
         llvm::all_of(mapper.axes.getAxes(stripAliases(productMask)),
                      [&](Axis axis) {
                        return axis == *nest.outer || axis == productAxis;
                      });
}

Value NestEmitter::loadRowElement(Point point) {
  if (!weights)
    return mapper.evaluateScalar(rowSide, point);
  point.inner = -1;
  point.width = 1;
  SmallVector<Axis> order = mapper.storage.getOrder(stripAliases(rowSide));
  SmallVector<Value> base(order.size(), mapper.index(0));
  return mapper.loadAt(weights, base, order, point,
                       getElementTypeOrSelf(rowSide));
}

/// The row operand with zeros where it is masked.
Value NestEmitter::emitWeights() {
  Value root = stripAliases(rowSide);
  Value buffer = mapper.allocate(root);
  mapper.fill(buffer, mapper.storage.getOrder(root), [&](const Point &point) {
    Value mask = mapper.evaluate(productMask, point, Registers());
    Value data = mapper.evaluate(rowSide, point, Registers());
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(data.getType()));
    return arith::SelectOp::create(b, loc, mask, data, zero);
  });
  return buffer;
}

/// True at run time when the lane operand has neither infinities nor NaNs,
/// which 0 times them would show in a sum.
Value NestEmitter::emitAllFinite() {
  Type element = getElementTypeOrSelf(laneSide);
  auto type = VectorType::get({width}, element);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  int64_t size = mapper.storage.getRowSize(nest.inner);
  SmallVector<Value> sums(size / width, zero);
  auto loop = scf::ForOp::create(
      b, loc, mapper.index(0), mapper.index(mapper.axes.getExtent(productAxis)),
      mapper.index(1), sums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next;
    for (auto [run, sum] : llvm::enumerate(loop.getRegionIterArgs())) {
      Point point;
      point.scalars.push_back({productAxis, loop.getInductionVar()});
      point.inner = nest.inner;
      point.offset = mapper.index(run * width);
      point.width = width;
      Value data = mapper.evaluate(laneSide, point, Registers());
      // What lies behind the end of a row is no part of the block.
      int64_t inside = mapper.axes.getExtent(nest.inner) - run * width;
      if (inside < width) {
        SmallVector<bool> mask(width, false);
        std::fill_n(mask.begin(), inside, true);
        Value lanes = arith::ConstantOp::create(
            b, loc,
            DenseElementsAttr::get(VectorType::get({width}, b.getI1Type()),
                                   ArrayRef<bool>(mask)));
        data = arith::SelectOp::create(b, loc, lanes, data, zero);
      }
      next.push_back(vector::FMAOp::create(b, loc, data, zero, sum));
    }
    scf::YieldOp::create(b, loc, next);
  }
  Value sum = loop.getResult(0);
  for (Value other : loop.getResults().drop_front())
    sum = arith::AddFOp::create(b, loc, sum, other);
  Value number =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, sum, sum);
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::AND,
                                     number);
}

void NestEmitter::emitWeighed() {
  Value zeroed = emitWeights();
  auto branch = scf::IfOp::create(b, loc, emitAllFinite(),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value mask = productMask;
  productMask = {};
  weights = zeroed;
  emitChunks();
  productMask = mask;
  weights = {};
  b.setInsertionPointToStart(branch.elseBlock());
  chooseTile();
  emitChunks();
}
