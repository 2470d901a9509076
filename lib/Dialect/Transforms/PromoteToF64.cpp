//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_PROMOTETOF64
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;

static APFloat promote(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

/// Float types narrower than f64 become f64, and the values of attributes with
/// them. Attributes that are numbers of the op's definition, such as a scale,
/// are f64 already.
static void addReplacements(AttrTypeReplacer &replacer) {
  replacer.addReplacement([](FloatType type) -> std::optional<Type> {
    if (type.getWidth() >= 64)
      return std::nullopt;
    return Float64Type::get(type.getContext());
  });
  replacer.addReplacement([](FloatAttr attr) -> std::optional<Attribute> {
    return FloatAttr::get(Float64Type::get(attr.getContext()),
                          promote(attr.getValue()));
  });
  replacer.addReplacement(
      [](DenseFPElementsAttr attr) -> std::optional<Attribute> {
        auto type = attr.getType().clone(Float64Type::get(attr.getContext()));
        if (attr.isSplat())
          return DenseElementsAttr::get(type,
                                        promote(attr.getSplatValue<APFloat>()));
        SmallVector<APFloat> values;
        for (APFloat value : attr.getValues<APFloat>())
          values.push_back(promote(value));
        return DenseElementsAttr::get(type, values);
      });
}

namespace {
struct PromoteToF64 : public fpa::impl::PromoteToF64Base<PromoteToF64> {
  void runOnOperation() override {
    AttrTypeReplacer replacer;
    addReplacements(replacer);
    replacer.recursivelyReplaceElementsIn(getOperation(),
                                          /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    // A cast between two float types has nothing left to do.
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
          op->getOperand(0).getType() == op->getResult(0).getType())
        rewriter.replaceOp(op, op->getOperand(0));
    });
  }
};
} // namespace
