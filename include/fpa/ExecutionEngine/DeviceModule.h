//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A module compiled for a GPU, on one behind the CUDA driver or on the
// emulator.

#ifndef FPA_EXECUTIONENGINE_DEVICEMODULE_H
#define FPA_EXECUTIONENGINE_DEVICEMODULE_H

#include "fpa/ExecutionEngine/GPUCompiler.h"
#include "fpa/Runtime/Execute.h"
#include "llvm/ADT/StringMap.h"

namespace fpa::runtime {
class CudaDevice;
} // namespace fpa::runtime

namespace mlir::fpa {

class EmulatorDevice;

/// The chip to compile for: the name given, or without one that of this
/// machine's GPU. Fails where there is none.
llvm::Expected<GPUTarget> getCudaChip(StringRef name);

class DeviceModule : public Executable {
public:
  enum class Kind { Cuda, Emulator };

  /// Compiles `module`, which is changed. Every one of `entries` is callable.
  static llvm::Expected<std::unique_ptr<DeviceModule>>
  compile(ModuleOp module, ArrayRef<StringRef> entries,
          const GPUCompileOptions &options, Kind kind);
  ~DeviceModule() override;

  llvm::Expected<SmallVector<Tensor>>
  invoke(StringRef entry, ArrayRef<Tensor> inputs) const override;
  llvm::Expected<SmallVector<double>> time(StringRef entry,
                                           ArrayRef<Tensor> inputs,
                                           int64_t warmUps,
                                           int64_t repetitions) const override;
  int64_t getMemoryPeak() const override;
  std::string getReport() const override;

private:
  DeviceModule();

  class MeteredDevice;
  struct Entry {
    runtime::HostProgram program;
    ShapeRules rules;
    /// For each input whether it is a memref, which the program may write to.
    std::vector<bool> written;
  };
  llvm::Error open(ModuleOp module, ArrayRef<StringRef> entries,
                   const GPUCompileOptions &options, Kind kind);
  /// An entry whose inputs have been checked, and what it returns for them.
  struct Call {
    const runtime::HostProgram &program;
    const std::vector<bool> &written;
    std::vector<runtime::ArrayType> results;
  };
  llvm::Expected<Call> prepare(StringRef entry, ArrayRef<Tensor> inputs) const;

  llvm::StringMap<Entry> entries;
  std::unique_ptr<runtime::CudaDevice> cuda;
  std::unique_ptr<EmulatorDevice> emulator;
  std::unique_ptr<MeteredDevice> device;
  SmallVector<runtime::Kernel> kernels;
};

} // namespace mlir::fpa

#endif // FPA_EXECUTIONENGINE_DEVICEMODULE_H
