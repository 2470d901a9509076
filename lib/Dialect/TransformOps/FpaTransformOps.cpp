//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// With assertions on, TransformDialect.h calls checks that a libMLIR built
// without them does not have.
#ifndef NDEBUG
#define NDEBUG
#endif

#include "fpa/Dialect/TransformOps/FpaTransformOps.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::fpa;

#define GET_OP_CLASSES
#include "fpa/Dialect/TransformOps/FpaTransformOps.cpp.inc"

DiagnosedSilenceableFailure TransformTileAttentionOp::applyToOne(
    transform::TransformRewriter &rewriter, Operation *target,
    transform::ApplyToEachResultList &results, transform::TransformState &) {
  auto attention = dyn_cast<AttentionOp>(target);
  if (!attention)
    return emitSilenceableFailure(target->getLoc())
           << "expected fpa.attention, got " << target->getName();
  AttentionTileSizes sizes;
  sizes.query = getQueryTile().value_or(sizes.query);
  sizes.key = getKeyTile().value_or(sizes.key);
  sizes.edge = getEdgeTile().value_or(sizes.edge);
  FailureOr<scf::ForallOp> loop = tileAttention(rewriter, attention, sizes);
  if (failed(loop))
    return DiagnosedSilenceableFailure::definiteFailure();
  results.push_back(*loop);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
TransformDecomposeOp::apply(transform::TransformRewriter &rewriter,
                            transform::TransformResults &results,
                            transform::TransformState &state) {
  SmallVector<Operation *> decomposed;
  for (Operation *target : state.getPayloadOps(getTarget())) {
    FailureOr<SmallVector<Value>> values = decomposeAggregate(rewriter, target);
    if (failed(values)) {
      DiagnosedSilenceableFailure failure = emitSilenceableError();
      failure << "expected an fpa op on tensors that has a decomposition, got "
              << target->getName();
      failure.attachNote(target->getLoc()) << "this op";
      return failure;
    }
    for (Value value : *values)
      if (Operation *definition = value.getDefiningOp())
        decomposed.push_back(definition);
  }
  results.set(cast<OpResult>(getDecomposed()), decomposed);
  return DiagnosedSilenceableFailure::success();
}

namespace {
class FpaTransformDialectExtension
    : public transform::TransformDialectExtension<
          FpaTransformDialectExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FpaTransformDialectExtension)

  void init() {
    declareDependentDialect<FpaDialect>();
    declareGeneratedDialect<linalg::LinalgDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "fpa/Dialect/TransformOps/FpaTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void mlir::fpa::registerTransformDialectExtension(DialectRegistry &registry) {
  registry.addExtensions<FpaTransformDialectExtension>();
}
