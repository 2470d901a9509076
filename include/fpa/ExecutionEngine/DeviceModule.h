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
#include <functional>
#include <mutex>

namespace fpa::runtime {
class CudaDevice;
} // namespace fpa::runtime

namespace mlir::fpa {

class EmulatorDevice;

/// The chip to compile for: the name given, or without one that of this
/// machine's GPU `ordinal`. Fails where there is none.
llvm::Expected<GPUTarget> getCudaChip(StringRef name, int ordinal = 0);

/// Memory of the emulated GPU, the same for all modules of the process.
std::unique_ptr<EmulatorDevice> openEmulatedMemory();

class DeviceModule : public Executable {
public:
  enum class Kind { Cuda, Emulator };

  /// Compiles `module`, which is changed. Every one of `entries` is callable.
  static llvm::Expected<std::unique_ptr<DeviceModule>>
  compile(ModuleOp module, ArrayRef<StringRef> entries,
          const GPUCompileOptions &options, Kind kind, int ordinal = 0);
  ~DeviceModule() override;

  llvm::Expected<SmallVector<Tensor>>
  invoke(StringRef entry, ArrayRef<Tensor> inputs) const override;
  llvm::Expected<SmallVector<SmallVector<int64_t>>>
  computeResultShapes(StringRef entry, ArrayRef<Tensor> inputs) const override;
  llvm::Error launch(StringRef entry, ArrayRef<Tensor> inputs,
                     ArrayRef<Tensor> results,
                     const LaunchOptions &options) const override;
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
    /// Judge as many results behind those that it was written with.
    SmallVector<std::function<llvm::Error(const Tensor &)>> witnesses;
  };
  llvm::Error open(ModuleOp module, ArrayRef<StringRef> entries,
                   const GPUCompileOptions &options, Kind kind, int ordinal);
  /// An entry whose inputs have been checked, and what it returns for them.
  struct Call {
    const Entry &entry;
    std::vector<runtime::ArrayType> results;

    size_t getResultCount() const {
      return results.size() - entry.witnesses.size();
    }
    /// `results` are those of the whole program, or the last of them.
    llvm::Error judge(ArrayRef<Tensor> results) const;
  };
  llvm::Expected<const Entry *> find(StringRef entry) const;
  llvm::Expected<Call> prepare(StringRef entry, ArrayRef<Tensor> inputs) const;
  /// Inputs without data, but where a rule is about their elements.
  llvm::Expected<SmallVector<Tensor>>
  readForRules(const Entry &entry, ArrayRef<Tensor> inputs,
               const LaunchOptions &options) const;
  /// Runs on arrays in the device's memory and judges what it returns.
  llvm::Error run(const Call &call,
                  const std::vector<runtime::DeviceArray> &inputs,
                  std::vector<runtime::DeviceArray> results) const;

  /// A device has one stream at a time, and one list of what it has allocated.
  mutable std::mutex mutex;
  llvm::StringMap<Entry> entries;
  std::unique_ptr<runtime::CudaDevice> cuda;
  std::unique_ptr<EmulatorDevice> emulator;
  std::unique_ptr<MeteredDevice> device;
  SmallVector<runtime::Kernel> kernels;
};

} // namespace mlir::fpa

#endif // FPA_EXECUTIONENGINE_DEVICEMODULE_H
