//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/Transforms/BufferizableOpInterfaceImpl.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace {

/// Rebuilds `op` on the buffers of its tensors; each result becomes the buffer
/// of its init.
LogicalResult bufferizeDestinationStyleOp(RewriterBase &rewriter,
                                          DestinationStyleOpInterface op,
                                          const BufferizationOptions &options,
                                          BufferizationState &state) {
  if (op.hasPureBufferSemantics())
    return success();

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands, inits;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (isa<TensorType>(value.getType())) {
      FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
      if (failed(buffer))
        return failure();
      value = *buffer;
    }
    operands.push_back(value);
    if (op.isDpsInit(&operand))
      inits.push_back(value);
  }
  clone(rewriter, op, /*newResultTypes=*/TypeRange(), operands);
  replaceOpWithBufferizedValues(rewriter, op, inits);
  return success();
}

/// `ReadsInits` tells ops that carry state in their inits from those that
/// overwrite every element: a buffer is never copied to be overwritten.
template <typename Op, bool ReadsInits>
struct DestinationStyleModel : public DstBufferizableOpInterfaceExternalModel<
                                   DestinationStyleModel<Op, ReadsInits>, Op> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return ReadsInits ||
           !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    return bufferizeDestinationStyleOp(
        rewriter, cast<DestinationStyleOpInterface>(op), options, state);
  }
};

template <typename Op, bool ReadsInits> void attachModel(MLIRContext *context) {
  Op::template attachInterface<DestinationStyleModel<Op, ReadsInits>>(*context);
}

} // namespace

void fpa::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FpaDialect *) {
    attachModel<AttentionOp, /*ReadsInits=*/false>(context);
    attachModel<AttentionBackwardOp, /*ReadsInits=*/false>(context);
    attachModel<PrefixMinOp, /*ReadsInits=*/false>(context);
    attachModel<PrefixSumOp, /*ReadsInits=*/false>(context);
    attachModel<PrefixMinBackwardOp, /*ReadsInits=*/false>(context);
    attachModel<KeyIntervalsOp, /*ReadsInits=*/false>(context);
    attachModel<LiveKeysOp, /*ReadsInits=*/false>(context);
    attachModel<CachedAttentionOp, /*ReadsInits=*/false>(context);
    attachModel<UpdateCacheOp, /*ReadsInits=*/true>(context);
    attachModel<OnlineAttentionOp, /*ReadsInits=*/true>(context);
    attachModel<OnlineMergeOp, /*ReadsInits=*/true>(context);
    attachModel<OnlineFinalizeOp, /*ReadsInits=*/false>(context);
    attachModel<PassFieldOp, /*ReadsInits=*/true>(context);
    attachModel<BackwardDeltaOp, /*ReadsInits=*/false>(context);
    attachModel<BackwardTileOp, /*ReadsInits=*/true>(context);
    attachModel<BackwardFinalizeOp, /*ReadsInits=*/false>(context);
    attachModel<RowNormsOp, /*ReadsInits=*/false>(context);
    attachModel<MeanLevelOp, /*ReadsInits=*/false>(context);
    attachModel<DropKeysOp, /*ReadsInits=*/true>(context);
    attachModel<DropFinalizeOp, /*ReadsInits=*/false>(context);
    attachModel<PassCarryOp, /*ReadsInits=*/true>(context);
  });
}
