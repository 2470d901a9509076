//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_EXECUTIONENGINE_WATCH_H
#define FPA_LIB_EXECUTIONENGINE_WATCH_H

#include "fpa/ExecutionEngine/Executable.h"
#include "mlir/IR/BuiltinOps.h"
#include <chrono>

namespace mlir {
class OpPassManager;

namespace fpa {

/// Adds the time since it was made, or since the last call, as a stage.
class Watch {
public:
  explicit Watch(SmallVectorImpl<StageTime> *stages) : stages(stages) {}
  void stage(StringRef name) {
    auto now = std::chrono::steady_clock::now();
    if (stages)
      stages->push_back(
          {name.str(), std::chrono::duration<double>(now - last).count()});
    last = now;
  }

private:
  SmallVectorImpl<StageTime> *stages;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

/// Runs the passes that `build` adds on `module`, as the stage `what`.
llvm::Error runPasses(ModuleOp module, StringRef what,
                      llvm::function_ref<void(OpPassManager &)> build,
                      SmallVectorImpl<StageTime> *stages = nullptr);

} // namespace fpa
} // namespace mlir

#endif // FPA_LIB_EXECUTIONENGINE_WATCH_H
