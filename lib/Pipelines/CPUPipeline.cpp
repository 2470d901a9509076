//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Pipelines/CPUPipeline.h"
#include "RegisterPipeline.h"
#include "TileStages.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Target/CPUTiles.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// Blocks of one row or key have no lanes; large ones would be unrolled.
static constexpr int64_t kLeastTile = 2, kMostTile = 4096;

/// The sizes asked for, and the others as the lanes suggest.
static fpa::CPUTiles getTiles(const fpa::CPUPipelineOptions &options) {
  fpa::CPUTiles tiles = fpa::chooseCPUTiles(options.lanes);
  if (options.queryTile)
    tiles.query = options.queryTile;
  if (options.keyTile) {
    tiles.key = tiles.cachedKey = options.keyTile;
    tiles.cachedChunk = 16 * options.keyTile;
  }
  if (options.edgeTile)
    tiles.edge = tiles.cachedEdge = options.edgeTile;
  return tiles;
}

/// The sizes as options of a pass that tiles.
template <typename Tiling>
static Tiling getTiling(const fpa::CPUPipelineOptions &options) {
  fpa::CPUTiles tiles = getTiles(options);
  Tiling tiling;
  tiling.queryTile = tiles.query;
  tiling.keyTile = tiles.key;
  tiling.edgeTile = tiles.edge;
  return tiling;
}

/// Attention over a cache becomes steps on tiles, whatever is done with them.
static void addCacheTiling(OpPassManager &pm,
                           const fpa::CPUPipelineOptions &options) {
  auto tiling = getTiling<fpa::TileCachedAttentionOptions>(options);
  fpa::CPUTiles tiles = getTiles(options);
  tiling.keyTile = tiles.cachedKey;
  tiling.edgeTile = tiles.cachedEdge;
  tiling.chunk = tiles.cachedChunk;
  pm.addPass(fpa::createTileCachedAttention(tiling));
}

static void addTilingForCPU(OpPassManager &pm,
                            const fpa::CPUPipelineOptions &options) {
  auto tiling = getTiling<fpa::TileAttentionOptions>(options);
  tiling.splitBackward = options.splitBackward;
  tiling.commonMinimum = options.commonMinimum;
  fpa::VectorizeTilesOptions vectors;
  vectors.productsOnly = options.productsOnly;
  fpa::addTiling(pm, tiling, vectors);
}

void fpa::buildCPUBufferPipeline(OpPassManager &pm,
                                 const CPUPipelineOptions &options) {
  pm.addPass(createCanonicalizerPass());
  addCacheTiling(pm, options);
  if (options.strategy == CPUStrategy::Tile) {
    pm.addPass(createTileContractions());
    addTilingForCPU(pm, options);
  } else {
    pm.addPass(createDecompose());
  }
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCopyReturnedSlices());
  addBufferization(pm);
  pm.addPass(createCanonicalizerPass());
}

void fpa::buildCPUMachinePipeline(OpPassManager &pm,
                                  const CPUPipelineOptions &options) {
  pm.addPass(createVerifyLevel({Level::Buffers}));
  ConvertFpaTileToCPUOptions registers;
  registers.lanes = options.lanes;
  registers.registers = options.registers;
  pm.addPass(createConvertFpaTileToCPU(registers));
  // Scans that no tile program held.
  LowerVectorScanOptions lanes;
  lanes.lanes = options.lanes;
  pm.addPass(createLowerVectorScan(lanes));
  ConvertFpaPrefixToVectorOptions scans;
  scans.lanes = options.lanes;
  pm.addPass(createConvertFpaPrefixToVector(scans));
  pm.addPass(createConvertFpaPrefixBackwardToSCF());
  pm.addPass(createConvertFpaKeyIntervalsToSCF());
  pm.addPass(createConvertFpaCacheToSCF());
  pm.addPass(createOutlineParallel());
  pm.addNestedPass<func::FuncOp>(createLowerStridedCopies());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(createExpandMath());
  pm.addPass(createLoopInvariantCodeMotionPass());
}

void fpa::buildCPUToLLVMPipeline(OpPassManager &pm,
                                 const CPUPipelineOptions &options) {
  // Also when this stage runs alone. Upstream's arith-expand would do more than
  // is wanted: minimumf and maximumf have good forms further down.
  pm.addPass(createExpandMath());
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  pm.addPass(createLowerExpandShapes());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertFpaToLLVM());
  // Lengths are 64-bit numbers, also inside of vectors.
  ConvertVectorToLLVMPassOptions vectors;
  vectors.force32BitVectorIndices = false;
  pm.addPass(createConvertVectorToLLVMPass(vectors));
  FinalizeMemRefToLLVMConversionPassOptions memory;
  memory.useAlignedAlloc = true;
  memory.useGenericFunctions = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  // Which declares the functions that it calls.
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createVerifyLevel({Level::LLVM}));
}

void fpa::buildCPUPipeline(OpPassManager &pm,
                           const CPUPipelineOptions &options) {
  buildCPUBufferPipeline(pm, options);
  buildCPUMachinePipeline(pm, options);
  buildCPUToLLVMPipeline(pm, options);
}

llvm::Error fpa::checkOptions(const CPUPipelineOptions &options) {
  int64_t lanes = options.lanes, registers = options.registers;
  if (lanes < 1 || lanes > 16 || !llvm::isPowerOf2_64(lanes))
    return llvm::createStringError(
        "expected option lanes to be a power of two of at most 16, got " +
        Twine(lanes));
  if (registers < 4)
    return llvm::createStringError(
        "expected option registers to be at least 4, got " + Twine(registers));
  std::pair<StringRef, int64_t> tiles[] = {{"query-tile", options.queryTile},
                                           {"key-tile", options.keyTile},
                                           {"edge-tile", options.edgeTile}};
  for (auto [name, size] : tiles)
    if (size != 0 && (size < kLeastTile || size > kMostTile))
      return llvm::createStringError(
          "expected option " + name + " to be from " + Twine(kLeastTile) +
          " to " + Twine(kMostTile) + ", or 0 to choose by lanes, got " +
          Twine(size));
  int64_t key = getTiles(options).key, edge = getTiles(options).edge;
  if (key % edge != 0)
    return llvm::createStringError(
        "expected option key-tile to be a multiple of edge-tile " +
        Twine(edge) + ", got " + Twine(key));
  return llvm::Error::success();
}

void fpa::registerCPUPipelines() {
  registerPipeline("fpa-cpu-pipeline",
                   "from fpa ops on tensors to the llvm dialect for CPUs",
                   buildCPUPipeline);
  registerPipeline(
      "fpa-cpu-buffer-pipeline",
      "first stage of fpa-cpu-pipeline: tiling or decomposition, bufferization",
      buildCPUBufferPipeline);
  registerPipeline(
      "fpa-cpu-machine-pipeline",
      "second stage of fpa-cpu-pipeline: loops over registers and threads",
      buildCPUMachinePipeline);
  registerPipeline(
      "fpa-cpu-to-llvm-pipeline",
      "last stage of fpa-cpu-pipeline: everything to the llvm dialect",
      buildCPUToLLVMPipeline);
}
