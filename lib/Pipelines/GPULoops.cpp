//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What is not a tile program: other people's linalg ops, copies, intervals of
// keys. A thread for each iteration, by upstream's mapping.

#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Pipelines/GPUPipeline.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

static constexpr int64_t kThreadsPerBlock = 256;

void fpa::buildGPULoopsPipeline(OpPassManager &pm) {
  pm.addPass(createParallelizeHost());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToParallelLoopsPass());
  pm.addPass(createForallToParallelLoopPass());
  pm.addPass(createFlattenParallel());
  // A loop of one iteration is a kernel too: nothing may fold it away from here
  // on.
  pm.addNestedPass<func::FuncOp>(createParallelLoopTilingPass(
      {kThreadsPerBlock}, /*noMinMaxBounds=*/true));
  pm.addNestedPass<func::FuncOp>(createGpuMapParallelLoopsPass());
  pm.addPass(createConvertParallelLoopToGpuPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Constants and sizes are computed where they are used.
  pm.addPass(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createGpuKernelOutliningPass());
  pm.addPass(createMergeKernels());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}
