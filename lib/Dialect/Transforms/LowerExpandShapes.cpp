//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_LOWEREXPANDSHAPES
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;

/// Whether sizes of the result cannot be told from the source's alone.
static bool hasOpenGroup(memref::ExpandShapeOp op) {
  MemRefType type = op.getResultType();
  return llvm::any_of(op.getReassociationIndices(), [&](auto &group) {
    return llvm::count_if(
               group, [&](int64_t dim) { return type.isDynamicDim(dim); }) > 1;
  });
}

/// A number that the type says, or else one that it leaves open, as a value.
static OpFoldResult asTyped(OpBuilder &builder, Location loc, int64_t typed,
                            OpFoldResult number) {
  if (ShapedType::isStatic(typed))
    return builder.getIndexAttr(typed);
  return getValueOrCreateConstantIndexOp(builder, loc, number);
}

static void lower(RewriterBase &rewriter, memref::ExpandShapeOp op) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  auto source =
      memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
  SmallVector<OpFoldResult> given = source.getConstifiedMixedStrides();
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  MemRefType type = op.getResultType();
  auto [typedStrides, typedOffset] = type.getStridesAndOffset();

  // stride(d) = stride of the group * product of the sizes behind d in it
  AffineExpr a, b;
  bindSymbols(rewriter.getContext(), a, b);
  SmallVector<OpFoldResult> strides(sizes.size());
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    OpFoldResult stride = given[d];
    for (int64_t dim : llvm::reverse(group)) {
      strides[dim] = asTyped(rewriter, loc, typedStrides[dim], stride);
      if (dim == group.front())
        break;
      stride = affine::makeComposedFoldedAffineApply(
          rewriter, loc, a * b, {strides[dim], sizes[dim]});
    }
  }
  OpFoldResult offset =
      asTyped(rewriter, loc, typedOffset, source.getConstifiedMixedOffset());
  rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
      op, type, source.getBaseBuffer(), offset, sizes, strides);
}

namespace {
struct LowerExpandShapes
    : public fpa::impl::LowerExpandShapesBase<LowerExpandShapes> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](memref::ExpandShapeOp op) {
      if (!hasOpenGroup(op))
        return;
      lower(rewriter, op);
      ++numViews;
    });
  }
};
} // namespace
