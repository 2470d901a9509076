//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_VERIFYLEVEL
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

static bool holdsTensor(TypeRange types) {
  return llvm::any_of(types, llvm::IsaPred<TensorType>);
}

static LogicalResult verifyBuffers(Operation *op) {
  bool isOnTensors =
      holdsTensor(op->getOperandTypes()) || holdsTensor(op->getResultTypes());
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    isOnTensors = holdsTensor(function.getArgumentTypes()) ||
                  holdsTensor(function.getResultTypes());
  if (!isOnTensors)
    return success();
  return op->emitOpError("expected memrefs at this stage, got tensors: "
                         "bufferization comes before it");
}

/// The op for which `cast` was made: it, and not the cast, tells what is wrong.
static Operation *findCause(UnrealizedConversionCastOp cast) {
  auto isCause = [](Operation *op) {
    return op && !isa<UnrealizedConversionCastOp>(op) &&
           !isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect());
  };
  for (Operation *user : cast->getUsers())
    if (isCause(user))
      return user;
  for (Value input : cast.getInputs())
    if (isCause(input.getDefiningOp()))
      return input.getDefiningOp();
  return cast;
}

static bool isLLVM(Operation *op) {
  return isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect());
}

static LogicalResult verifyLLVM(Operation *op) {
  Operation *left = op;
  if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
    left = findCause(cast);
  else if (isa<ModuleOp>(op) || isLLVM(op))
    return success();
  // A loop or function says more than the end of its body.
  else if (op->hasTrait<OpTrait::IsTerminator>() && !isLLVM(op->getParentOp()))
    return success();
  return left->emitOpError("expected the llvm dialect only after the last "
                           "stage: the stages before it lower the rest");
}

/// Kernels are of the llvm dialect; the host around them has no ops of fpa.
static LogicalResult verifyKernels(Operation *op) {
  if (op->getName().getDialectNamespace() == "fpa")
    return op->emitOpError("expected no op of fpa after the last stage: the "
                           "stages before it lower them");
  auto kernels = op->getParentOfType<gpu::GPUModuleOp>();
  if (!kernels || isa<NVVM::NVVMDialect>(op->getDialect()))
    return success();
  return verifyLLVM(op);
}

static LogicalResult verify(Operation *op, Level level) {
  switch (level) {
  case Level::Buffers:
    return verifyBuffers(op);
  case Level::Kernels:
    return verifyKernels(op);
  case Level::LLVM:
    return verifyLLVM(op);
  }
  llvm_unreachable("all levels are handled");
}

namespace {
struct VerifyLevel : public fpa::impl::VerifyLevelBase<VerifyLevel> {
  using VerifyLevelBase::VerifyLevelBase;

  void runOnOperation() override {
    // Bodies first: an op says more than the function around it.
    WalkResult result = getOperation()->walk([&](Operation *op) {
      return failed(verify(op, level)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
