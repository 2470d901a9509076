//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_PIPELINES_CPUPIPELINE_H
#define FPA_PIPELINES_CPUPIPELINE_H

#include "fpa/Pipelines/TilePipelineOptions.h"
#include "llvm/Support/Error.h"

namespace mlir {
class OpPassManager;

namespace fpa {

/// How fpa's graph-level ops are computed.
enum class CPUStrategy {
  /// Streaming tiles in register-tiled vector code on all threads.
  Tile,
  /// The ops' plain linalg meaning in scalar loops: slow, O(L^2) memory, and
  /// independent of the tiled path. A test oracle.
  Decompose
};

struct CPUPipelineOptions : public TilePipelineOptions<CPUPipelineOptions> {
  CPUPipelineOptions()
      : TilePipelineOptions(
            "Query rows of a block, 2 to 4096, 0 to choose by lanes",
            "Keys of an unmasked block, a multiple of edge-tile, 0 to choose "
            "by lanes",
            "Keys of a masked block, 2 to 4096, 0 to choose by lanes") {}

  PassOptions::Option<CPUStrategy> strategy{
      *this, "strategy", llvm::cl::desc("How attention is computed"),
      llvm::cl::init(CPUStrategy::Tile),
      llvm::cl::values(
          clEnumValN(CPUStrategy::Tile, "tile", "streaming vector tiles"),
          clEnumValN(CPUStrategy::Decompose, "decompose",
                     "plain linalg loops, a test oracle"))};
  PassOptions::Option<int64_t> lanes{
      *this, "lanes",
      llvm::cl::desc("f32 elements of a vector register, a "
                     "power of two of at most 16"),
      llvm::cl::init(8)};
  PassOptions::Option<int64_t> registers{
      *this, "registers",
      llvm::cl::desc("Number of vector registers, at least 4"),
      llvm::cl::init(16)};
  PassOptions::Option<bool> splitBackward{
      *this, "split-backward",
      llvm::cl::desc("Gradients of queries and of keys in loops of their own, "
                     "as on GPUs"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> commonMinimum{
      *this, "common-minimum",
      llvm::cl::desc("Key tiles in which all rows have one minimum of the field "
                     "in a loop of their own, as on GPUs"),
      llvm::cl::init(false)};
};

/// Fails, naming the option and its value, where one has no meaning.
llvm::Error checkOptions(const CPUPipelineOptions &options);

/// The stages in order; each also runs alone. From fpa ops on tensors to loops
/// and vectors on buffers: tiling or decomposition, then bufferization with
/// deallocation.
void buildCPUBufferPipeline(OpPassManager &pm,
                            const CPUPipelineOptions &options);
/// From buffers to loops over registers of the machine, outlined for threads.
void buildCPUMachinePipeline(OpPassManager &pm,
                             const CPUPipelineOptions &options);
/// From loops, vectors and buffers to the llvm dialect.
void buildCPUToLLVMPipeline(OpPassManager &pm,
                            const CPUPipelineOptions &options);

/// All of them: from fpa ops on tensors to the llvm dialect.
void buildCPUPipeline(OpPassManager &pm, const CPUPipelineOptions &options);

/// Registers `fpa-cpu-pipeline` and its stages with MLIR's global registry.
void registerCPUPipelines();

} // namespace fpa
} // namespace mlir

#endif // FPA_PIPELINES_CPUPIPELINE_H
