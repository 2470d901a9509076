//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_TOOLS_FPARUN_RUNOPTIONS_H
#define FPA_TOOLS_FPARUN_RUNOPTIONS_H

#include "fpa/Tools/CodeOptions.h"

namespace mlir::fpa {

struct RunOptions {
  std::string file;
  std::string entry = "main";
  CodeOptions code;
  /// As given, in order; see InputSpec.
  SmallVector<std::string> inputs;
  /// Files, in order; "" for an output that is not written.
  SmallVector<std::string> outputs;
  int64_t seed = 0;
  int64_t threads = 0;
  bool compare = false;
  std::optional<double> tolerance;
  bool bench = false;
  int64_t repetitions = 10;
  bool stats = false;
  bool print = false;
  bool poison = false;
};

/// Reads a command line; sets `isDone` when there is nothing to run.
llvm::Expected<RunOptions> parseRunOptions(int argc, const char *const *argv,
                                           bool &isDone);

/// Compiles, runs and reports as `options` say.
llvm::Error run(const RunOptions &options);

} // namespace mlir::fpa

#endif // FPA_TOOLS_FPARUN_RUNOPTIONS_H
