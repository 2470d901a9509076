//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_PIPELINES_REGISTERPIPELINE_H
#define FPA_LIB_PIPELINES_REGISTERPIPELINE_H

#include "fpa/Pipelines/ReadOptions.h"
#include "mlir/Pass/PassRegistry.h"

namespace mlir::fpa {

/// Registers a pipeline whose options are checked before any pass runs.
template <typename Options>
void registerPipeline(StringRef name, StringRef description,
                      void (*build)(OpPassManager &, const Options &)) {
  registerPassPipeline(
      name, description,
      [build](OpPassManager &pm, StringRef text,
              function_ref<LogicalResult(const Twine &)> onError) {
        Options options;
        if (llvm::Error error = readOptions(options, text))
          return onError(toString(std::move(error)));
        build(pm, options);
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)> show) {
        show(Options());
      });
}

} // namespace mlir::fpa

#endif // FPA_LIB_PIPELINES_REGISTERPIPELINE_H
