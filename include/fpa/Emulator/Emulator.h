//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Runs GPU kernels on the CPU, thread for thread, and watches them.
//
// A kernel is a function of the llvm dialect with nvvm ops, as it is before its
// translation to LLVM IR. Every thread of a block is a fiber; blocks are spread
// over host threads. docs/Emulator.md says what is checked and by which rules.

#ifndef FPA_EMULATOR_EMULATOR_H
#define FPA_EMULATOR_EMULATOR_H

#include "fpa/Emulator/Report.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace mlir {
namespace gpu {
class GPUModuleOp;
} // namespace gpu

namespace fpa {

struct EmulatorOptions {
  /// Host threads; 0 takes as many as the machine has, up to 16.
  unsigned threads = 0;
  /// Shared memory that a block may have, static and dynamic.
  int64_t sharedLimit = 227 * 1024;
};

class DeviceMemory;

class Emulator {
public:
  /// Compiles the kernels of `module` for the host. Fails, naming op and
  /// function, for what it does not know. `module` is left as it is.
  static llvm::Expected<std::unique_ptr<Emulator>>
  create(gpu::GPUModuleOp module, const EmulatorOptions &options = {});
  ~Emulator();

  /// Runs a kernel, whose pointers must lie in `memory`. `arguments` are
  /// pointers to values. The findings are in the report; an error is what keeps
  /// the launch from starting.
  llvm::Expected<LaunchReport>
  launch(llvm::StringRef kernel, runtime::Dim3 grid, runtime::Dim3 block,
         int64_t sharedBytes, const std::vector<const void *> &arguments,
         DeviceMemory &memory);

private:
  Emulator();
  struct Program;
  std::unique_ptr<Program> program;
};

} // namespace fpa
} // namespace mlir

#endif // FPA_EMULATOR_EMULATOR_H
