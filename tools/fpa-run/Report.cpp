//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "fpa/Tools/FillTensor.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::format;
using llvm::outs;
using llvm::Twine;

Difference mlir::fpa::compareTensors(const Tensor &result,
                                     const Tensor &reference) {
  Difference difference;
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    double a = result.get(i), b = reference.get(i);
    if (std::isnan(a) && std::isnan(b))
      continue;
    if (a == b)
      continue;
    if (!std::isfinite(a) || !std::isfinite(b)) {
      ++difference.mismatched;
      continue;
    }
    double error = std::abs(a - b);
    difference.absolute = std::max(difference.absolute, error);
    difference.relative =
        std::max(difference.relative, error / std::max(1.0, std::abs(b)));
  }
  return difference;
}

Error mlir::fpa::reportDifferences(ArrayRef<Tensor> results,
                                   ArrayRef<Tensor> references,
                                   std::optional<double> tolerance) {
  std::string broken;
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].getShape() != references[i].getShape())
      return createStringError(
          "output " + Twine(i) + ": expected " + references[i].getTypeText() +
          " as the reference, got " + results[i].getTypeText());
    Difference difference = compareTensors(results[i], references[i]);
    outs() << "output " << i << ": max absolute error "
           << format("%.3g", difference.absolute) << ", max relative error "
           << format("%.3g", difference.relative) << ", mismatched nan or inf "
           << difference.mismatched << "\n";
    bool isBad = tolerance && (difference.relative > *tolerance ||
                               difference.mismatched > 0);
    if (isBad && broken.empty())
      llvm::raw_string_ostream(broken)
          << "output " << i << ": expected a relative error of at most "
          << format("%g", *tolerance) << " and no mismatched nan or inf, got "
          << format("%.3g", difference.relative) << " and "
          << difference.mismatched;
  }
  return broken.empty() ? Error::success() : createStringError(broken);
}

void mlir::fpa::printTensor(StringRef name, const Tensor &tensor) {
  outs() << name << ": " << tensor.getTypeText() << "\n";
  printElements(tensor);
}

void mlir::fpa::reportStages(ArrayRef<StageTime> stages, double parseSeconds) {
  double total = parseSeconds;
  auto print = [](StringRef name, double seconds) {
    outs() << "compile " << name << ": " << format("%.1f ms\n", 1e3 * seconds);
  };
  print("parsing", parseSeconds);
  for (const StageTime &stage : stages) {
    print(stage.name, stage.seconds);
    total += stage.seconds;
  }
  print("total", total);
}

Error mlir::fpa::benchmark(const Executable &module, StringRef entry,
                           ArrayRef<Tensor> inputs, int64_t repetitions) {
  Expected<SmallVector<double>> measured =
      module.time(entry, inputs, /*warmUps=*/2, repetitions);
  if (!measured)
    return measured.takeError();
  SmallVector<double> times = std::move(*measured);
  llvm::sort(times);
  size_t middle = times.size() / 2;
  double median = times.size() % 2 ? times[middle]
                                   : (times[middle - 1] + times[middle]) / 2;
  outs() << "bench: median " << format("%.6g", median) << " s, min "
         << format("%.6g", times.front()) << " s, " << times.size()
         << " calls\n";
  return Error::success();
}
