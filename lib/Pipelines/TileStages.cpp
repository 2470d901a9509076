//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileStages.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void fpa::addBufferization(OpPassManager &pm, bool carryInPlace) {
  pm.addPass(createSeparateInits());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.unknownTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  // A loop may carry a new tensor from one iteration to the next.
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  if (carryInPlace) {
    // Loops inside of others hand back what they were given.
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCopyCarriedBuffers());
    pm.addPass(createCanonicalizerPass());
  }
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
}

void fpa::addTiling(OpPassManager &pm, const TileAttentionOptions &tiles,
                    const VectorizeTilesOptions &vectors) {
  pm.addPass(createTileAttention(tiles));
  // Online ops that stood in the program may have any size.
  DecomposeOptions lone;
  lone.loneOnline = true;
  pm.addPass(createDecompose(lone));
  pm.addPass(createVectorizeTiles(vectors));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Once more for what loops over tiles left to the loop around them.
  for (int i = 0; i < 2; ++i) {
    pm.addPass(createLoopInvariantSubsetHoistingPass());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
}
