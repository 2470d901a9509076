//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// From a module of fpa and upstream ops to kernels for a GPU and the host
// programs that launch them.

#ifndef FPA_EXECUTIONENGINE_GPUCOMPILER_H
#define FPA_EXECUTIONENGINE_GPUCOMPILER_H

#include "fpa/ExecutionEngine/Executable.h"
#include "fpa/ExecutionEngine/Signature.h"
#include "fpa/Runtime/Package.h"
#include "fpa/Target/NVPTX.h"
#include "fpa/Target/PTXAssembler.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::fpa {

struct GPUCompileOptions {
  GPUTarget chip;
  /// Options of fpa-gpu-pipeline, as text.
  std::string pipeline;
  /// Folder of the CUDA toolkit; "" looks for one.
  std::string toolkit;
};

/// Runs the GPU pipeline on a prepared module up to kernels at the level of
/// nvvm, stage by stage. A program on buffers that launches kernels already
/// starts at the last stage.
llvm::Error lowerToNVVM(ModuleOp module, const GPUCompileOptions &options,
                        SmallVectorImpl<StageTime> *stages = nullptr);

/// The module's kernels, after lowering. Fails where there are none.
llvm::Expected<gpu::GPUModuleOp> findKernels(ModuleOp module);

/// The host programs of `entries`, after lowering.
llvm::Expected<std::vector<runtime::HostProgram>>
translateHostPrograms(ModuleOp module, ArrayRef<StringRef> entries);

/// Makes a program ask, before all else, for what the rules say of its inputs'
/// sizes. Rules about elements, or that divide by sizes, stay out.
void requireSizes(runtime::HostProgram &program, const ShapeRules &rules);

struct GPUCode {
  std::string llvmIR, ptx;
  AssembledKernels assembled;
};
/// What to make of kernels: all that comes before is made too.
enum class GPUCodeKind { LLVMIR, PTX, MachineCode };
llvm::Expected<GPUCode>
emitKernels(gpu::GPUModuleOp kernels, GPUCodeKind kind,
            const GPUCompileOptions &options,
            SmallVectorImpl<StageTime> *stages = nullptr);

/// A package of a lowered module, with machine code where a toolkit is found
/// and always with PTX.
llvm::Expected<runtime::Package>
makePackage(ModuleOp module, ArrayRef<StringRef> entries,
            const GPUCompileOptions &options,
            SmallVectorImpl<StageTime> *stages = nullptr);

/// One line for each kernel: registers, spills, local and shared memory.
std::string formatResources(ArrayRef<runtime::Kernel> kernels);

} // namespace mlir::fpa

#endif // FPA_EXECUTIONENGINE_GPUCOMPILER_H
