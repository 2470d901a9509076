//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_TOOLS_FPARUN_REPORT_H
#define FPA_TOOLS_FPARUN_REPORT_H

#include "fpa/ExecutionEngine/Executable.h"

namespace mlir::fpa {

/// How far an output is from the reference.
struct Difference {
  /// Largest |a - b| and |a - b| / max(1, |b|) where both are finite.
  double absolute = 0, relative = 0;
  /// Elements where one is NaN or infinite and the other is not just so.
  int64_t mismatched = 0;
};
Difference compareTensors(const Tensor &result, const Tensor &reference);

/// Prints the differences of all outputs; an error when one is above
/// `tolerance`.
llvm::Error reportDifferences(ArrayRef<Tensor> results,
                              ArrayRef<Tensor> references,
                              std::optional<double> tolerance);

/// Prints every element, one line for each innermost row.
void printTensor(StringRef name, const Tensor &tensor);

void reportStages(ArrayRef<StageTime> stages, double parseSeconds);

/// Prints the median and the least time of `repetitions` calls after two that
/// are not counted.
llvm::Error benchmark(const Executable &module, StringRef entry,
                      ArrayRef<Tensor> inputs, int64_t repetitions);

} // namespace mlir::fpa

#endif // FPA_TOOLS_FPARUN_REPORT_H
