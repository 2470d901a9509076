//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Pipelines/GPUPipeline.h"
#include "RegisterPipeline.h"
#include "TileStages.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Target/GPUTarget.h"
#include "fpa/Target/GPUTiles.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void fpa::buildGPUBufferPipeline(OpPassManager &pm,
                                 const GPUPipelineOptions &options) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createPadHeads({kGPUHeadStep, kMostGPUHead}));
  ChooseGPUTilesOptions choice;
  choice.chip = options.chip;
  choice.queryTile = options.queryTile;
  choice.keyTile = options.keyTile;
  choice.edgeTile = options.edgeTile;
  choice.warps = options.warps;
  choice.stages = options.stages;
  pm.addPass(createChooseGPUTiles(choice));
  // Each op says which sizes it wants.
  pm.addPass(createTileCachedAttention());
  TileAttentionOptions tiling;
  tiling.splitBackward = true;
  tiling.commonMinimum = true;
  VectorizeTilesOptions vectors;
  vectors.productsOnly = options.productsOnly;
  vectors.scaleProducts = true;
  vectors.nanMaximum = true;
  vectors.branches = true;
  vectors.keyMultiple = 16; // the depth of a matrix instruction
  addTiling(pm, tiling, vectors);
  UnmaskContractionsOptions unmask;
  unmask.branch = true;
  pm.addPass(createUnmaskContractions(unmask));
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createMaterializeConstants());
  pm.addPass(createCSEPass());
  pm.addPass(createCopyReturnedSlices());
  addBufferization(pm, /*carryInPlace=*/true);
  pm.addPass(createCanonicalizerPass());
}

void fpa::buildGPUMachinePipeline(OpPassManager &pm,
                                  const GPUPipelineOptions &options) {
  pm.addPass(createVerifyLevel({Level::Buffers}));
  // A warp scans whole rows. Along another axis each waits for the others, so
  // more than a few are no help. A thread has eight elements, which with
  // indices or in f64 is what registers hold.
  VectorizePrefixOptions scans;
  int64_t warps = options.warps ? options.warps.getValue() : 4;
  scans.rows = std::min<int64_t>(warps, 8);
  scans.chunk = std::min<int64_t>(1024, 256 * scans.rows);
  pm.addPass(createVectorizePrefix(scans));
  ConvertFpaKeyIntervalsToSCFOptions intervals;
  intervals.parallel = true;
  pm.addPass(createConvertFpaKeyIntervalsToSCF(intervals));
  ConvertFpaPrefixBackwardToSCFOptions backward;
  backward.parallel = true;
  pm.addPass(createConvertFpaPrefixBackwardToSCF(backward));
  ConvertFpaCacheToSCFOptions caches;
  caches.parallel = true;
  pm.addPass(createConvertFpaCacheToSCF(caches));
  AssignLayoutsOptions layouts;
  layouts.warps = warps;
  pm.addPass(createAssignLayouts(layouts));
  ConvertFpaTileToGPUOptions kernels;
  kernels.stages = options.stages ? options.stages.getValue() : 2;
  if (llvm::Expected<GPUTarget> target = getGPUTarget(options.chip))
    kernels.sharedLimit = target->sharedPerBlock;
  else
    llvm::consumeError(target.takeError()); // the first stage refuses it
  pm.addPass(createConvertFpaTileToGPU(kernels));
  buildGPULoopsPipeline(pm);
}

void fpa::buildGPUToNVVMPipeline(OpPassManager &pm,
                                 const GPUPipelineOptions &options) {
  OpPassManager &kernels = pm.nest<mlir::gpu::GPUModuleOp>();
  kernels.addPass(createLowerExpandShapes());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createConvertVectorToSCFPass());
  kernels.addPass(createExpandGPUMath());
  kernels.addPass(createPrepareForNVVM());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
  // Folding makes broadcasts of blocks of one row again.
  kernels.addPass(createPrepareForNVVM());
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createConvertNVGPUToNVVMPass());
  // Before the conversion that would call a library of device functions.
  kernels.addPass(createConvertMathToLLVMPass());
  ArithToLLVMConversionPassOptions arith;
  arith.indexBitwidth = 64;
  kernels.addPass(createArithToLLVMConversionPass(arith));
  ConvertGpuOpsToNVVMOpsOptions nvvm;
  nvvm.indexBitwidth = 64;
  kernels.addPass(createConvertGpuOpsToNVVMOps(nvvm));
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createVerifyLevel({Level::Kernels}));
}

void fpa::buildGPUPipeline(OpPassManager &pm,
                           const GPUPipelineOptions &options) {
  buildGPUBufferPipeline(pm, options);
  buildGPUMachinePipeline(pm, options);
  buildGPUToNVVMPipeline(pm, options);
  if (options.format == "nvvm")
    return;
  SerializeGPUOptions code;
  code.chip = options.chip;
  code.format = options.format;
  code.toolkit = options.toolkit;
  pm.addPass(createSerializeGPU(code));
}

llvm::Error fpa::checkOptions(const GPUPipelineOptions &options) {
  if (llvm::Expected<GPUTarget> target = getGPUTarget(options.chip); !target)
    return target.takeError();
  StringRef format = options.format.getValue();
  if (format != "nvvm" && format != "isa" && format != "cubin")
    return llvm::createStringError(
        "expected option format to be nvvm, isa (PTX) or cubin, got '" +
        format + "'");
  return checkGPUTileRequest({options.queryTile, options.keyTile,
                              options.edgeTile, options.warps, options.stages});
}

void fpa::registerGPUPipelines() {
  registerPipeline("fpa-gpu-pipeline",
                   "from fpa ops on tensors to kernels in PTX or machine code",
                   buildGPUPipeline);
  registerPipeline(
      "fpa-gpu-buffer-pipeline",
      "first stage of fpa-gpu-pipeline: tiling, block vectors, bufferization",
      buildGPUBufferPipeline);
  registerPipeline(
      "fpa-gpu-machine-pipeline",
      "second stage of fpa-gpu-pipeline: layouts, kernels and their launches",
      buildGPUMachinePipeline);
  PassPipelineRegistration<>(
      "fpa-gpu-loops-pipeline",
      "part of fpa-gpu-machine-pipeline: parallel loops of scalars to kernels",
      buildGPULoopsPipeline);
  registerPipeline(
      "fpa-gpu-to-nvvm-pipeline",
      "third stage of fpa-gpu-pipeline: kernels to the nvvm and llvm dialects",
      buildGPUToNVVMPipeline);
}
