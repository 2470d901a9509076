//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A constant tensor would become memory of the host, which kernels cannot read:
// kernels make it.

#include "fpa/Dialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_MATERIALIZECONSTANTS
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;

static Value createScalar(OpBuilder &b, Location loc, Attribute value) {
  return arith::ConstantOp::create(b, loc, cast<TypedAttr>(value));
}

/// Loops over all elements of its one result, whose sizes it takes from there.
static bool isOverResult(linalg::GenericOp op) {
  return op.getNumDpsInits() == 1 && op.hasPureTensorSemantics() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation();
}

/// `op` without an input of which all elements are `value`.
static void inlineInput(linalg::GenericOp op, unsigned input, Attribute value) {
  OpBuilder b = OpBuilder::atBlockBegin(op.getBody());
  BlockArgument element = op.getBody()->getArgument(input);
  element.replaceAllUsesWith(createScalar(b, op.getLoc(), value));
  op.getBody()->eraseArgument(input);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.erase(maps.begin() + input);
  op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
  op.getInputsMutable().erase(input);
}

/// Element by element: each finds its own by its number.
static Value createElements(ImplicitLocOpBuilder &b, Value empty,
                            DenseElementsAttr elements) {
  auto type = cast<RankedTensorType>(elements.getType());
  AffineMap map = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto emit = [&](OpBuilder &inner, Location loc, ValueRange) {
    ImplicitLocOpBuilder b(loc, inner);
    Value number = arith::ConstantIndexOp::create(b, 0);
    for (auto [d, size] : llvm::enumerate(type.getShape())) {
      Value length = arith::ConstantIndexOp::create(b, size);
      Value place = linalg::IndexOp::create(b, d);
      number = arith::AddIOp::create(
          b, arith::MulIOp::create(b, number, length), place);
    }
    Value picked;
    for (auto [i, element] : llvm::enumerate(elements.getValues<Attribute>())) {
      Value value = createScalar(b, loc, element);
      if (!picked) {
        picked = value;
        continue;
      }
      // The last that begins at or before the place.
      Value isReached =
          arith::CmpIOp::create(b, arith::CmpIPredicate::uge, number,
                                arith::ConstantIndexOp::create(b, i));
      picked = arith::SelectOp::create(b, isReached, value, picked);
    }
    linalg::YieldOp::create(b, picked);
  };
  return linalg::GenericOp::create(b, type, ValueRange{}, empty, {map}, loops,
                                   emit)
      .getResult(0);
}

namespace {
struct MaterializeConstants
    : public fpa::impl::MaterializeConstantsBase<MaterializeConstants> {
  using MaterializeConstantsBase::MaterializeConstantsBase;

  void runOnOperation() override {
    SmallVector<arith::ConstantOp> constants;
    getOperation()->walk([&](arith::ConstantOp op) {
      if (isa<RankedTensorType>(op.getType()))
        constants.push_back(op);
    });
    for (arith::ConstantOp op : constants)
      if (failed(materialize(op)))
        return signalPassFailure();
  }

private:
  LogicalResult materialize(arith::ConstantOp op) {
    auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
    bool isSplat = elements && elements.isSplat();
    if (isSplat)
      inlineUses(op, elements.getSplatValue<Attribute>());
    if (op.use_empty()) {
      op.erase();
      return success();
    }
    auto type = cast<RankedTensorType>(op.getType());
    if (!isSplat && (!elements || type.getNumElements() > most))
      return op.emitOpError("expected one value for all elements of a constant "
                            "tensor on a GPU, or at most ")
             << most.getValue() << " elements, got " << type.getNumElements()
             << ": an argument may have more";
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value made =
        tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
    if (isSplat)
      made =
          linalg::FillOp::create(
              b,
              createScalar(b, op.getLoc(), elements.getSplatValue<Attribute>()),
              made)
              .getResult(0);
    else if (type.getNumElements() > 0)
      made = createElements(b, made, elements);
    op.replaceAllUsesWith(made);
    op.erase();
    ++numConstants;
    return success();
  }

  /// Loops over elements need no memory for one that is always the same.
  static void inlineUses(arith::ConstantOp op, Attribute value) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      auto generic = dyn_cast<linalg::GenericOp>(user);
      if (!generic || !isOverResult(generic))
        continue;
      for (int64_t i = generic.getNumDpsInputs(); i-- > 0;)
        if (generic.getDpsInputs()[i] == op.getResult())
          inlineInput(generic, i, value);
    }
  }
};
} // namespace
