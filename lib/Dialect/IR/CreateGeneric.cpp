//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/CreateGeneric.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

Value fpa::createGeneric(OpBuilder &b, Location loc, ArrayRef<Value> ins,
                         Value out, ArrayRef<AffineMap> maps,
                         ArrayRef<utils::IteratorType> kinds,
                         function_ref<Value(ValueRange)> body) {
  auto region = [&](OpBuilder &nested, Location, ValueRange elements) {
    OpBuilder::InsertionGuard guard(b);
    b.restoreInsertionPoint(nested.saveInsertionPoint());
    linalg::YieldOp::create(b, loc, body(elements));
  };
  return linalg::GenericOp::create(b, loc, out.getType(), ins, out, maps, kinds,
                                   region)
      .getResult(0);
}

Value mlir::fpa::fillWithZero(OpBuilder &b, Location loc, Value init) {
  Value zero = arith::ConstantOp::create(
      b, loc, b.getZeroAttr(getElementTypeOrSelf(init.getType())));
  return linalg::FillOp::create(b, loc, zero, init).getResult(0);
}
