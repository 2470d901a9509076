//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_PIPELINES_GPUPIPELINE_H
#define FPA_PIPELINES_GPUPIPELINE_H

#include "fpa/Pipelines/TilePipelineOptions.h"
#include "llvm/Support/Error.h"

namespace mlir {
class OpPassManager;

namespace fpa {

struct GPUPipelineOptions : public TilePipelineOptions<GPUPipelineOptions> {
  GPUPipelineOptions()
      : TilePipelineOptions(
            "Query rows of a block, a multiple of 16 for each warp, 0 to "
            "choose",
            "Keys of an unmasked block, a multiple of edge-tile, 0 to choose",
            "Keys of a masked block, a multiple of 16, 0 to choose") {}

  PassOptions::Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("sm_80, sm_86, sm_89, sm_90, sm_100 or sm_120"),
      llvm::cl::init("sm_80")};
  PassOptions::Option<std::string> format{
      *this, "format",
      llvm::cl::desc("What kernels become: nvvm (the dialect), isa (PTX) or "
                     "cubin (machine code, with the CUDA toolkit's ptxas)"),
      llvm::cl::init("isa")};
  PassOptions::Option<std::string> toolkit{
      *this, "toolkit", llvm::cl::desc("Folder of the CUDA toolkit"),
      llvm::cl::init("")};
  PassOptions::Option<int64_t> warps{
      *this, "warps",
      llvm::cl::desc("Warps of a block, a power of two, 0 to choose"),
      llvm::cl::init(0)};
  PassOptions::Option<int64_t> stages{
      *this, "stages",
      llvm::cl::desc(
          "Copies of what a loop over keys reads, 1 to 8, 0 to choose"),
      llvm::cl::init(0)};
};

/// Fails, naming the option and its value, where one has no meaning.
llvm::Error checkOptions(const GPUPipelineOptions &options);

/// The stages in order; each also runs alone. From fpa ops on tensors to tile
/// programs on buffers.
void buildGPUBufferPipeline(OpPassManager &pm,
                            const GPUPipelineOptions &options);
/// From tile programs to kernels and the host code that launches them.
void buildGPUMachinePipeline(OpPassManager &pm,
                             const GPUPipelineOptions &options);
/// From kernels to the nvvm and llvm dialects.
void buildGPUToNVVMPipeline(OpPassManager &pm,
                            const GPUPipelineOptions &options);

/// Part of the second stage, for what is no tile program: parallel loops of
/// scalars, linalg ops, copies and other serial work of the host become kernels
/// of a thread for each iteration.
void buildGPULoopsPipeline(OpPassManager &pm);

/// All of them, then code for a chip: from fpa ops on tensors to host functions
/// on buffers and kernels in a gpu.binary.
void buildGPUPipeline(OpPassManager &pm, const GPUPipelineOptions &options);

/// Registers `fpa-gpu-pipeline` and its stages with MLIR's global registry.
void registerGPUPipelines();

} // namespace fpa
} // namespace mlir

#endif // FPA_PIPELINES_GPUPIPELINE_H
